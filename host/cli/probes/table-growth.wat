;; Grows a table by 1,000 elements at a time, up to a million, and says how many it has.
(table 1 funcref)
(func $try (param $case i32) (result i32)
  (local $times i32)
  (loop $again
    (drop (table.grow (ref.null func) (i32.const 1000)))
    (call $say (i64.extend_i32_u (table.size)))
    (local.set $times (i32.add (local.get $times) (i32.const 1)))
    (br_if $again (i32.lt_u (local.get $times) (i32.const 1000))))
  (i32.const 1))

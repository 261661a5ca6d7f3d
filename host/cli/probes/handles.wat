;; Asks for 100,000 handles of one stream and gives none back; says how many it has at every 64th.
(import "wasi:cli/stderr@0.2.6" "get-stderr" (func $stderr (result i32)))
(func $try (param $case i32) (result i32)
  (local $held i32)
  (loop $again
    (drop (call $stderr))
    (local.set $held (i32.add (local.get $held) (i32.const 1)))
    (if (i32.eqz (i32.rem_u (local.get $held) (i32.const 64)))
      (then (call $say (i64.extend_i32_u (local.get $held)))))
    (br_if $again (i32.lt_u (local.get $held) (i32.const 100000))))
  (i32.const 1))

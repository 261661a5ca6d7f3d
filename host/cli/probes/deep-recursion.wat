;; Calls itself for ever, and says how deep it is at every 100th call.
(func $deeper (param $depth i32) (result i32)
  (if (i32.eqz (i32.rem_u (local.get $depth) (i32.const 100)))
    (then (call $say (i64.extend_i32_u (local.get $depth)))))
  (i32.add (local.get $depth) (call $deeper (i32.add (local.get $depth) (i32.const 1)))))
(func $try (param $case i32) (result i32)
  (call $deeper (i32.const 0)))

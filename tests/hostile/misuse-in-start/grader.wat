(import "wasi:clocks/monotonic-clock@0.2.6" "now" (func $now (result i64)))
(import "wasi:io/poll@0.2.6" "[method]pollable.block" (func $block (param i32)))
(func $start
  (if (i64.gt_u (call $now) (i64.const 1_000_000_000)) (then (call $block (i32.const 77)))))
(start $start)

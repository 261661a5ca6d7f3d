;; Reads the clocks: says the seconds of the wall clock, and the nanoseconds of the monotonic one.
(import "wasi:clocks/wall-clock@0.2.6" "now" (func $wall (param i32)))
(import "wasi:clocks/monotonic-clock@0.2.6" "now" (func $now (result i64)))
(func $try (param $case i32) (result i32)
  (call $wall (i32.const 3000))
  (call $say (i64.load (i32.const 3000)))
  (call $say (call $now))
  (i32.const 0))

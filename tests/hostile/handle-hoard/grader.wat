(import "wasi:clocks/monotonic-clock@0.2.6" "subscribe-duration" (func $wait (param i64) (result i32)))
(func (export "grade") (param $case i32) (result i32)
  (loop $again
    (drop (call $wait (i64.const 1)))
    (br $again))
  (call $answer))

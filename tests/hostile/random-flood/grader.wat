(import "wasi:random/random@0.2.6" "get-random-bytes" (func $random (param i64 i32)))
(func (export "grade") (param $case i32) (result i32)
  (call $random (i64.const 1_000_000_000_000) (i32.const 0x1e000))
  (call $answer))

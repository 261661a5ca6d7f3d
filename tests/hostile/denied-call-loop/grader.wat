(import "wasi:filesystem/odd@0.2.6" "take" (func $take (param i32 i32)))
(memory (export "memory") 100)
(func (export "grade") (param $case i32) (result i32)
  (loop $again
    (call $take (i32.const 0x30000) (i32.const 50_000))
    (br $again))
  (call $answer))

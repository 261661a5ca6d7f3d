(memory (export "memory") 1000)
(func (export "grade") (param $case i32) (result i32)
  (loop $again
    (memory.fill (i32.const 0x30000) (i32.const 0) (i32.const 62_914_560))
    (br $again))
  (call $answer))

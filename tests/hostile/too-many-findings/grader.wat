(memory (export "memory") 20)
(func (export "grade") (param $case i32) (result i32)
  (call $answers (i32.const 0x30000) (i32.const 10_001)))

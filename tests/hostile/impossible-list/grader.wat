(func (export "grade") (param $case i32) (result i32)
  (call $answers (i32.const 0x10000) (i32.const -1)))

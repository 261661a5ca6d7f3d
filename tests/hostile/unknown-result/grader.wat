(func (export "grade") (param $case i32) (result i32)
  (call $pass)
  (i32.store8 (call $answer) (i32.const 7))
  (i32.const 0x1f000))

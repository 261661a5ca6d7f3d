(func (export "grade") (param $case i32) (result i32)
  (i32.add (call $answer) (i32.const 1)))

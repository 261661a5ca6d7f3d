(func (export "grade") (param $case i32) (result i32)
  (i32.load (i32.const -4)))

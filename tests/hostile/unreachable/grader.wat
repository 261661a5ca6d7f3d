(func (export "grade") (param $case i32) (result i32)
  unreachable)

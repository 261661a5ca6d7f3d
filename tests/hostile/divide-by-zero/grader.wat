(func (export "grade") (param $case i32) (result i32)
  (i32.div_u (local.get $case) (i32.const 0)))

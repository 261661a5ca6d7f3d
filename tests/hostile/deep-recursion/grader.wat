(func $deeper (param i32) (result i32)
  (i32.add (call $deeper (local.get 0)) (i32.const 1)))
(func (export "grade") (param $case i32) (result i32)
  (call $deeper (local.get $case)))

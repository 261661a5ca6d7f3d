(func $again (param i32) (result i32) (return_call $again (local.get 0)))
(func (export "grade") (param $case i32) (result i32)
  (call $again (local.get $case)))

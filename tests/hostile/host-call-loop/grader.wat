(func (export "grade") (param $case i32) (result i32)
  (loop $again
    (call $emit (i64.const 0) (i64.const 0) (i32.const 0))
    (br $again))
  (call $answer))

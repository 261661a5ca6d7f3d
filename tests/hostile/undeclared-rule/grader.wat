(func (export "grade") (param $case i32) (result i32)
  (call $pass)
  (call $finding (@text "third"))
  (call $answer))

(func (export "grade") (param $case i32) (result i32)
  (call $finding (@text "first"))
  (call $verdict (i32.const 5))
  (call $answer))

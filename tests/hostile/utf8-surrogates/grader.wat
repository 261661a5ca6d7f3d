(func (export "grade") (param $case i32) (result i32)
  (call $finding (@text "first"))
  (call $rationale (@text "\ed\a0\80"))
  (call $answer))

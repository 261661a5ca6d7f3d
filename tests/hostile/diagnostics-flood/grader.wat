(func (export "grade") (param $case i32) (result i32)
  (loop $again
    (call $say (@text "flood flood flood "))
    (br $again))
  (call $answer))

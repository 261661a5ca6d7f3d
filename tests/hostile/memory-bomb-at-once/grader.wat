(func (export "grade") (param $case i32) (result i32)
  (drop (memory.grow (i32.const 65532)))
  (call $pass)
  (call $answer))

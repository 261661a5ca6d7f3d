(func (export "grade") (param $case i32) (result i32)
  (loop $again
    (drop (memory.grow (i32.const 1)))
    (br $again))
  (call $answer))

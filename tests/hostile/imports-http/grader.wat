(import "wasi:http/outgoing-handler@0.2.6" "handle" (func $handle (param i32) (result i32)))
(func (export "grade") (param $case i32) (result i32)
  (drop (call $handle (i32.const 0)))
  (call $answer))

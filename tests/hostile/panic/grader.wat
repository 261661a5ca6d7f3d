(func (export "grade") (param $case i32) (result i32)
  (call $say (@text "panicked at src/lib.rs:7: index out of bounds: the len is 0 but the index is 0"))
  unreachable)

(func (export "describe") (result i32)
  (call $say (@text "\1b[2Jgone\u{202e}"))
  unreachable)

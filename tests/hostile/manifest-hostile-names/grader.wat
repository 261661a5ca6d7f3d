(func (export "describe") (result i32)
  (call $rule (@text "a\nELIGIBLE"))
  (call $manifest (@text "\1b[2Jx")))

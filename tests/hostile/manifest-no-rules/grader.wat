(func (export "describe") (result i32)
  (call $manifest (@text "hostile")))

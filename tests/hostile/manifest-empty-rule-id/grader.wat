(func (export "describe") (result i32)
  (call $rule (@text ""))
  (call $manifest (@text "hostile")))

(func (export "describe") (result i32)
  (call $rule (@text "first"))
  (call $manifest (@text "\ff")))

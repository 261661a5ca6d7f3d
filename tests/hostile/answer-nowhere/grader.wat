(func (export "grade") (param $case i32) (result i32)
  (i32.const 0x7ffffff0))

(func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
  (i32.const 0x7fffff00))

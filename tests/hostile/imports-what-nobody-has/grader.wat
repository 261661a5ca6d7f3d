(import "acme:things/store@1.0.0" "get" (func $get (param i32 i32 i32)))
(func (export "grade") (param $case i32) (result i32)
  (call $get (@text "key") (i32.const 0x1e000))
  (call $answer))

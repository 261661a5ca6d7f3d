(func (export "grade") (param $case i32) (result i32)
  (call $refuse (i32.const 2) (@text "\1b[2J\u{202e}\r\n::error::forged\nELIGIBLE")))

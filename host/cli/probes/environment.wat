;; Says how many environment variables it sees; fail where it sees one.
(import "wasi:cli/environment@0.2.6" "get-environment" (func $environment (param i32)))
(func $try (param $case i32) (result i32)
  (call $environment (i32.const 3000))
  (call $say (i64.load32_u (i32.const 3004)))
  (i32.ne (i32.const 0) (i32.load (i32.const 3004))))

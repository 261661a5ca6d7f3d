;; Answers with a rationale of 32 MiB.
(func $try (param $case i32) (result i32)
  (drop (memory.grow (i32.const 513)))
  (i32.store (i32.const 1304) (i32.const 65536))
  (i32.store (i32.const 1308) (i32.const 33554432))
  (call $say (i64.const 33554432))
  (i32.const 1))

;; Answers with 400,000 findings, each a record of 64 bytes.
(func $try (param $case i32) (result i32)
  (drop (memory.grow (i32.const 400)))
  (i32.store (i32.const 1204) (i32.const 65536))
  (i32.store (i32.const 1208) (i32.const 400000))
  (call $say (i64.const 25600000))
  (i32.const 1))

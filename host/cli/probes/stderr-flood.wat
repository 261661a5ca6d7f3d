;; Writes 1 MiB to stderr, 4 KiB at a time, and then answers.
(import "wasi:cli/stderr@0.2.6" "get-stderr" (func $stderr (result i32)))
(import "wasi:io/streams@0.2.6" "[method]output-stream.blocking-write-and-flush"
  (func $write (param i32 i32 i32 i32)))
(func $try (param $case i32) (result i32)
  (local $stderr i32) (local $times i32)
  (local.set $stderr (call $stderr))
  (memory.fill (i32.const 8192) (i32.const 120) (i32.const 4096))
  (loop $again
    (call $write (local.get $stderr) (i32.const 8192) (i32.const 4096) (i32.const 3000))
    (local.set $times (i32.add (local.get $times) (i32.const 1)))
    (br_if $again (i32.lt_u (local.get $times) (i32.const 256))))
  (i32.const 0))

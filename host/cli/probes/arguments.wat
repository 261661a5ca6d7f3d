;; Says how many arguments it sees; fail where it sees one, or a current folder, or can read stdin.
(import "wasi:cli/environment@0.2.6" "get-arguments" (func $arguments (param i32)))
(import "wasi:cli/environment@0.2.6" "initial-cwd" (func $folder (param i32)))
(import "wasi:cli/stdin@0.2.6" "get-stdin" (func $stdin (result i32)))
(import "wasi:io/streams@0.2.6" "[method]input-stream.blocking-read" (func $read (param i32 i64 i32)))
(func $try (param $case i32) (result i32)
  (call $arguments (i32.const 3000))
  (call $say (i64.load32_u (i32.const 3004)))
  (call $folder (i32.const 3008))
  (call $read (call $stdin) (i64.const 16) (i32.const 3024))
  (i32.or
    (i32.or (i32.ne (i32.const 0) (i32.load (i32.const 3004))) (i32.load8_u (i32.const 3008)))
    ;; an error, and of its two cases "closed"
    (i32.or (i32.ne (i32.const 1) (i32.load8_u (i32.const 3024))) (i32.ne (i32.const 1) (i32.load8_u (i32.const 3028))))))

;; Opens a TCP socket, and looks a host up; fail where either is answered with anything but access-denied.
(import "wasi:sockets/tcp-create-socket@0.2.6" "create-tcp-socket" (func $tcp (param i32 i32)))
(import "wasi:sockets/instance-network@0.2.6" "instance-network" (func $network (result i32)))
(import "wasi:sockets/ip-name-lookup@0.2.6" "resolve-addresses" (func $resolve (param i32 i32 i32 i32)))
(func $denied (param $answer i32) (result i32)
  ;; an error, and of its cases the second
  (i32.and (i32.eq (i32.const 1) (i32.load8_u (local.get $answer)))
    (i32.eq (i32.const 1) (i32.load8_u offset=4 (local.get $answer)))))
(func $try (param $case i32) (result i32)
  (call $tcp (i32.const 0) (i32.const 3000))
  (call $resolve (call $network) (i32.const 2048) (i32.const 5) (i32.const 3016))
  (i32.eqz (i32.and (call $denied (i32.const 3000)) (call $denied (i32.const 3016)))))

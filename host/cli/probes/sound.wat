;; An honest grader: pass where the output begins with 'r', else fail. It is asked after every probe.
(func $try (param $case i32) (result i32)
  (if (i32.eqz (i32.load offset=20 (local.get $case))) (then (return (i32.const 1))))
  (i32.ne (i32.const 114) (i32.load8_u (i32.load offset=16 (local.get $case)))))

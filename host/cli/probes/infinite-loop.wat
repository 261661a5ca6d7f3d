;; Loops for ever.
(func $try (param $case i32) (result i32)
  (loop $again (br $again))
  (unreachable))

;; Imports what no contract declares.
(import "acme:things/store@1.0.0" "open" (func $open (result i32)))
(func $try (param $case i32) (result i32)
  (call $open))

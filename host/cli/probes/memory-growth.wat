;; Grows its memory by 1 MiB at a time, up to 1 GiB.
(func $try (param $case i32) (result i32)
  (local $pages i32)
  (loop $again
    (drop (memory.grow (i32.const 16)))
    (local.set $pages (i32.add (local.get $pages) (i32.const 16)))
    (br_if $again (i32.lt_u (local.get $pages) (i32.const 16384))))
  (i32.const 1))

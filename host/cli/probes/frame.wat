;; What every probe shares: a grader of one rule, whose verdict is what the probe's own `$try` returns
;; (0: pass, 1: fail). The probe's text stands where the line `PROBE` is.
;;
;; Memory: the manifest at 1024, its rule at 1100, the answer at 1200, its finding at 1280, text at 2048,
;; room for a probe from 3000, the heap from 32768. All as the canonical ABI lays out wit/grader.wit.
(module
  (import "accredit:grader/diagnostics@0.1.0" "emit" (func $emit (param i64 i64 i32)))
  PROBE
  (memory (export "memory") 1)
  (global $heap (mut i32) (i32.const 32768))
  ;; name "probe", version "1", rubric "probe", one rule, extra ""
  (data (i32.const 1024) "\00\08\00\00\05\00\00\00" "\05\08\00\00\01\00\00\00" "\00\08\00\00\05\00\00\00"
                         "\4c\04\00\00\01\00\00\00" "\00\08\00\00\00\00\00\00")
  ;; rule: id "holds", its text, essential, output, no needs
  (data (i32.const 1100) "\06\08\00\00\05\00\00\00" "\0b\08\00\00\0f\00\00\00" "\00\00\00\00" "\00\08\00\00\00\00\00\00")
  ;; ok, one finding
  (data (i32.const 1200) "\00\00\00\00" "\00\05\00\00\01\00\00\00")
  ;; finding: rule "holds", no claim, pass, rationale "", no citations, no score, extra ""
  (data (i32.const 1280) "\06\08\00\00\05\00\00\00" "\00\00\00\00\00\00\00\00\00\00\00\00" "\00\00\00\00"
                         "\00\08\00\00\00\00\00\00" "\00\08\00\00\00\00\00\00")
  (data (i32.const 2048) "probe" "1" "holds" "the limit holds")
  ;; Writes a number to diagnostics: sixteen digits of four bits from '0' on, and a space.
  (func $say (param $n i64)
    (local $shift i64)
    (loop $digits
      (call $emit
        (i64.add (i64.const 48)
          (i64.and (i64.const 15) (i64.shr_u (local.get $n) (i64.sub (i64.const 60) (local.get $shift)))))
        (i64.const 0) (i32.const 1))
      (local.set $shift (i64.add (local.get $shift) (i64.const 4)))
      (br_if $digits (i64.lt_u (local.get $shift) (i64.const 64))))
    (call $emit (i64.const 32) (i64.const 0) (i32.const 1)))
  (func (export "cabi_realloc") (param $old i32) (param $size i32) (param $align i32) (param $new i32) (result i32)
    (local $at i32) (local $pages i32)
    (local.set $at (i32.and
      (i32.add (global.get $heap) (i32.sub (local.get $align) (i32.const 1)))
      (i32.sub (i32.const 0) (local.get $align))))
    (global.set $heap (i32.add (local.get $at) (local.get $new)))
    (local.set $pages (i32.sub
      (i32.add (i32.shr_u (global.get $heap) (i32.const 16)) (i32.const 1)) (memory.size)))
    (if (i32.gt_s (local.get $pages) (i32.const 0)) (then (drop (memory.grow (local.get $pages)))))
    (local.get $at))
  (func (export "accredit:grader/grader@0.1.0#describe") (result i32) (i32.const 1024))
  (func (export "accredit:grader/grader@0.1.0#grade") (param $case i32) (result i32)
    (i32.store8 (i32.const 1300) (call $try (local.get $case)))
    (i32.const 1200)))

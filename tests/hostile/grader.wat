;; What stands behind every grader in this folder: the canonical ABI of wit/grader.wit, by hand.
;; The harness puts a folder's grader.wat before this text. An item that a folder defines itself
;; (memory, cabi_realloc, describe, grade) is left out here.
;;
;; Memory: constants from 0x400, findings of 64 bytes from 0x10000, rules of 28 bytes from 0x12000,
;; citations of 16 bytes from 0x14000, returned records from 0x1f000, the heap from 0x20000.

;; @unless (memory (export
(memory (export "memory") 4)
;; @end

;; @unless "cabi_realloc"
(func (export "cabi_realloc") (param $old i32) (param $size i32) (param $align i32) (param $new i32) (result i32)
  (local $at i32) (local $pages i32)
  (local.set $at (i32.and (i32.add (global.get $heap) (i32.const 7)) (i32.const -8)))
  (global.set $heap (i32.add (local.get $at) (local.get $new)))
  (local.set $pages (i32.sub (i32.add (i32.shr_u (global.get $heap) (i32.const 16)) (i32.const 1)) (memory.size)))
  (if (i32.gt_s (local.get $pages) (i32.const 0)) (then (drop (memory.grow (local.get $pages)))))
  (local.get $at))
;; @end

;; @unless (export "describe")
(func (export "describe") (result i32)
  (call $rule (@text "first"))
  (call $rule (@text "second"))
  (call $manifest (@text "hostile")))
;; @end

;; @unless (export "grade")
(func (export "grade") (param $case i32) (result i32)
  (call $pass)
  (call $answer))
;; @end

(global $heap (mut i32) (i32.const 0x20000))
(global $finding (mut i32) (i32.const 0xffc0))
(global $rule (mut i32) (i32.const 0x11fe4))
(global $citation (mut i32) (i32.const 0x14000))

;; Both rules of the manifest above pass.
(func $pass
  (call $finding (@text "first"))
  (call $rationale (@text "so it says"))
  (call $finding (@text "second"))
  (call $rationale (@text "so it says")))

;; Begins a finding for this rule: a pass without words. What follows is about the finding begun last.
(func $finding (param $at i32) (param $len i32)
  (global.set $finding (i32.add (global.get $finding) (i32.const 64)))
  (i32.store (global.get $finding) (local.get $at))
  (i32.store offset=4 (global.get $finding) (local.get $len)))
(func $claim (param $at i32) (param $len i32)
  (i32.store offset=8 (global.get $finding) (i32.const 1))
  (i32.store offset=12 (global.get $finding) (local.get $at))
  (i32.store offset=16 (global.get $finding) (local.get $len)))
;; pass 0, fail 1, not-applicable 2, unproven 3, unresolved 4
(func $verdict (param $verdict i32)
  (i32.store8 offset=20 (global.get $finding) (local.get $verdict)))
(func $rationale (param $at i32) (param $len i32)
  (i32.store offset=24 (global.get $finding) (local.get $at))
  (i32.store offset=28 (global.get $finding) (local.get $len)))
(func $cite (param $evidence i32) (param $evidence_len i32) (param $quote i32) (param $quote_len i32)
  (i32.store (global.get $citation) (local.get $evidence))
  (i32.store offset=4 (global.get $citation) (local.get $evidence_len))
  (i32.store offset=8 (global.get $citation) (local.get $quote))
  (i32.store offset=12 (global.get $citation) (local.get $quote_len))
  (if (i32.eqz (i32.load offset=36 (global.get $finding)))
    (then (i32.store offset=32 (global.get $finding) (global.get $citation))))
  (i32.store offset=36 (global.get $finding) (i32.add (i32.load offset=36 (global.get $finding)) (i32.const 1)))
  (global.set $citation (i32.add (global.get $citation) (i32.const 16))))
(func $score (param $score f64)
  (i32.store offset=40 (global.get $finding) (i32.const 1))
  (f64.store offset=48 (global.get $finding) (local.get $score)))
(func $extra (param $at i32) (param $len i32)
  (i32.store offset=56 (global.get $finding) (local.get $at))
  (i32.store offset=60 (global.get $finding) (local.get $len)))

;; What `grade` returns: the findings so far.
(func $answer (result i32)
  (call $answers (i32.const 0x10000)
    (i32.shr_u (i32.sub (global.get $finding) (i32.const 0xffc0)) (i32.const 6))))
;; As many findings, from there.
(func $answers (param $at i32) (param $count i32) (result i32)
  (i32.store (i32.const 0x1f000) (i32.const 0))
  (i32.store (i32.const 0x1f004) (local.get $at))
  (i32.store (i32.const 0x1f008) (local.get $count))
  (i32.const 0x1f000))
;; A refusal: unsupported-case 0, malformed-case 1, internal-error 2.
(func $refuse (param $kind i32) (param $at i32) (param $len i32) (result i32)
  (i32.store (i32.const 0x1f000) (i32.const 1))
  (i32.store (i32.const 0x1f004) (local.get $kind))
  (i32.store (i32.const 0x1f008) (local.get $at))
  (i32.store (i32.const 0x1f00c) (local.get $len))
  (i32.const 0x1f000))

;; Adds an essential rule about the output to the manifest.
(func $rule (param $at i32) (param $len i32)
  (global.set $rule (i32.add (global.get $rule) (i32.const 28)))
  (i32.store (global.get $rule) (local.get $at))
  (i32.store offset=4 (global.get $rule) (local.get $len)))
;; Makes the last one a rule about each claim.
(func $each_claim
  (i32.store8 offset=17 (global.get $rule) (i32.const 1)))
;; What `describe` returns: the rules so far, under this name.
(func $manifest (param $at i32) (param $len i32) (result i32)
  (i32.store (i32.const 0x1f100) (local.get $at))
  (i32.store (i32.const 0x1f104) (local.get $len))
  (call $version (@text "1"))
  (call $rubric (@text "hostile"))
  (i32.store (i32.const 0x1f118) (i32.const 0x12000))
  (i32.store (i32.const 0x1f11c)
    (i32.div_u (i32.sub (global.get $rule) (i32.const 0x11fe4)) (i32.const 28)))
  (i32.const 0x1f100))
(func $version (param $at i32) (param $len i32)
  (i32.store (i32.const 0x1f108) (local.get $at))
  (i32.store (i32.const 0x1f10c) (local.get $len)))
(func $rubric (param $at i32) (param $len i32)
  (i32.store (i32.const 0x1f110) (local.get $at))
  (i32.store (i32.const 0x1f114) (local.get $len)))

;; Writes a text to diagnostics.
(func $say (param $at i32) (param $len i32)
  (loop $more
    (call $emit (i64.load (local.get $at)) (i64.load offset=8 (local.get $at))
      (select (local.get $len) (i32.const 16) (i32.lt_u (local.get $len) (i32.const 16))))
    (local.set $at (i32.add (local.get $at) (i32.const 16)))
    (local.set $len (i32.sub (local.get $len) (i32.const 16)))
    (br_if $more (i32.gt_s (local.get $len) (i32.const 0)))))

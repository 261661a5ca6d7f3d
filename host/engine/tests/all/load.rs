//! Every way of not being a grader has an error of its own that says what to do.

use accredit_engine::{Access, Limits, LoadError, inspect};

use crate::guest::{CONTRACT, Guest, engine, grades};

/// What the bytes are refused with.
fn refusal(bytes: &[u8]) -> LoadError {
    engine(Limits::default()).load(bytes).expect_err("not a grader")
}

fn says(error: &LoadError, expected: &[&str]) {
    let text = error.to_string();
    for part in expected {
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }
}

#[test]
fn bytes_that_are_no_component() {
    let module = wat::parse_str("(module)").expect("parses");
    let cases: &[(&[u8], &str)] = &[
        (b"", "0 bytes"),
        (b"(component)", "wasm-tools parse"),
        (b"  (module)", "WebAssembly text"),
        (b"package accredit:grader@0.1.0;", "a WIT file"),
        (b"fn main() {}", "a text file"),
        (b"\x7fELF\x02\x01", "a native program"),
        (b"PK\x03\x04", "a compressed file"),
        (b"\xff\xfe\x00", "no format that this host knows"),
        (&module, "wasm32-wasip2"),
        (b"\0asm", "cut short"),
        (b"\0asm\x99\0\x01\0", "does not know"),
        (b"\0asm\x0d\0\x01\0\xff\xff", "not valid"),
    ];
    for (bytes, expected) in cases {
        says(&refusal(bytes), &[expected]);
    }
}

#[test]
fn damaged_components_are_refused_and_nothing_panics() {
    let good = Guest::default().build();
    let engine = engine(Limits { fuel: 100_000, ..Limits::default() });
    for cut in (8..good.len()).step_by(97) {
        assert!(engine.load(&good[..cut]).is_err(), "cut at {cut}");
    }
    for at in (8..good.len()).step_by(211) {
        let mut bent = good.clone();
        bent[at] ^= 0x55;
        let _ = engine.load(&bent);
    }
}

#[test]
fn a_file_over_the_limit_is_not_read() {
    let limits = Limits { component_bytes: 10, ..Limits::default() };
    says(
        &Guest::default().load_with(limits).expect_err("too large"),
        &["more than the limit of 10"],
    );
}

#[test]
fn imports_that_are_not_granted_are_named_with_what_to_do() {
    let http = r#"(import "wasi:http/outgoing-handler@0.2.6" "handle" (func $handle (param i32) (result i32)))"#;
    let acme = r#"(import "acme:things/store@1.0.0" "get" (func $get (param i32 i32 i32)))"#;
    let guest = grades(
        "(drop (call $handle (i32.const 0))) (call $get (i32.const 0) (i32.const 0) (i32.const 0))",
    )
    .imports(http)
    .imports(acme);
    let error = guest.load().expect_err("refused");
    says(
        &error,
        &[
            "imports 2 things",
            "wasi:http/outgoing-handler@0.2.6: a code grader cannot reach the network",
            "evidence",
            "acme:things/store@1.0.0",
            "granted: accredit:grader 0.1.x",
        ],
    );
    // Looking is allowed all the same.
    let found = inspect(&guest.build(), &Limits::default()).expect("a component");
    assert_eq!(found.obstacles, [error]);
    assert!(found.imports.iter().any(|import| matches!(import.access, Access::Refused { .. })));
}

#[test]
fn a_component_of_another_world_is_no_grader() {
    let bytes = wat::parse_str(
        r#"(component (component $c) (instance $i (instantiate $c)) (export "acme:other/thing@1.0.0" (instance $i)))"#,
    )
    .expect("parses");
    says(&refusal(&bytes), &["not a grader", "acme:other/thing@1.0.0", "world `code-grader`"]);
    let bytes = wat::parse_str("(component)").expect("parses");
    says(&refusal(&bytes), &["it exports nothing"]);
}

#[test]
fn another_contract_is_named() {
    let guest = Guest {
        contract: CONTRACT
            .replace("package accredit:grader@0.1.0", "package accredit:grader@0.2.0"),
        export: "export accredit:grader/grader@0.2.0;",
        ..Guest::default()
    };
    // Its types are imported under the newer name as well.
    let found = inspect(&guest.build(), &Limits::default()).expect("a component");
    assert_eq!(found.contract.as_deref(), Some("accredit:grader/grader@0.2.0"));
    for obstacle in &found.obstacles {
        says(obstacle, &["built against contract", "0.2.0", "this host speaks 0.1.x", "rebuild"]);
    }
    assert!(!found.obstacles.is_empty());
}

#[test]
fn types_that_differ_are_named() {
    let guest = Guest {
        contract: CONTRACT.replacen("    unresolved,\n", "    unresolved,\n    maybe,\n", 1),
        ..Guest::default()
    };
    says(
        &guest.load().expect_err("differs"),
        &["enum `verdict` has an extra case `maybe`", "unchanged wit/grader.wit"],
    );
    let guest = Guest {
        contract: CONTRACT.replacen(
            "    rationale: string,\n",
            "    rationale: string,\n    mood: string,\n",
            1,
        ),
        ..Guest::default()
    };
    says(&guest.load().expect_err("differs"), &["record `finding` has an extra field `mood`"]);
}

#[test]
fn static_needs_are_checked_before_anything_is_compiled() {
    let limits = Limits { memory_bytes: 65_535, ..Limits::default() };
    says(
        &Guest::default().load_with(limits).expect_err("too big"),
        &["needs 65536 bytes of linear memory"],
    );
    let guest = Guest::default().items("(table 30000 funcref)");
    says(&guest.load().expect_err("too big"), &["needs 30000 table elements", "limit of 20000"]);
}

#[test]
fn a_component_that_cannot_be_compiled_says_so() {
    // Function bodies are checked by the compiler.
    let mut bytes = grades("(drop (i32.const 0x11223344))").build();
    let at =
        bytes.windows(5).position(|w| w == [0x41, 0xc4, 0xe6, 0x88, 0x89]).expect("the constant");
    bytes[at] = 0xfe;
    says(&refusal(&bytes), &["could not be compiled"]);
}

#[test]
fn proposals_that_no_guest_needs_are_closed() {
    for module in [
        "(memory 1 1 shared)",
        "(memory i64 1)",
        "(memory 1) (memory 1)",
        "(type (struct (field i32)))",
        "(tag)",
        "(memory 1 (pagesize 1))",
    ] {
        let bytes = wat::parse_str(format!("(component (core module {module}))")).expect("parses");
        let error = inspect(&bytes, &Limits::default()).expect_err(module);
        says(&error, &["not valid", "proposal that this host does not enable"]);
    }
    // Function bodies are the compiler's to check.
    let wide = "(func (result i64 i64) i64.const 1 i64.const 1 i64.const 1 i64.const 1 i64.add128)";
    let error = Guest::default().items(wide).load().expect_err("refused");
    says(&error, &["could not be compiled", "wide arithmetic"]);
    let simd = "(func (result v128) (v128.const i32x4 0 0 0 0))";
    assert!(Guest::default().items(simd).load().is_ok());
}

#[test]
fn an_import_of_another_type_says_so() {
    let bytes = wat_component_with_odd_emit();
    says(&refusal(&bytes), &["does not have the type that this host provides", "emit"]);
}

fn wat_component_with_odd_emit() -> Vec<u8> {
    let guest = Guest {
        contract: CONTRACT.replace("emit: func(lo: u64, hi: u64, len: u8)", "emit: func(lo: u32)"),
        ..grades("(call $emit (i32.const 1))")
    };
    guest
        .imports(r#"(import "accredit:grader/diagnostics@0.1.0" "emit" (func $emit (param i32)))"#)
        .build()
}

#[test]
fn start_up_and_describe_must_end_well() {
    let starts = Guest::default().items("(func $start unreachable) (start $start)");
    says(&starts.load().expect_err("traps"), &["failed while it started", "trap", "unreachable"]);
    let loops = Guest::default().items("(func $start (loop $again (br $again))) (start $start)");
    says(
        &loops.load_with(Limits { fuel: 10_000, ..Limits::default() }).expect_err("loops"),
        &["out of fuel"],
    );
    let emit =
        r#"(import "accredit:grader/diagnostics@0.1.0" "emit" (func $emit (param i64 i64 i32)))"#;
    let guest = Guest {
        describe: "(call $emit (i64.const 0x1b706f6f) (i64.const 0) (i32.const 4)) unreachable"
            .into(),
        ..Guest::default()
    };
    says(
        &guest.imports(emit).load().expect_err("traps"),
        &["`describe` did not answer", "it wrote: oop\\u{1b}"],
    );
}

#[test]
fn all_faults_of_a_manifest_are_listed() {
    // No rules, and a name that is none.
    let guest = Guest {
        describe: "(i32.store (i32.const 1028) (i32.const 0)) (i32.store8 (i32.const 1104) (i32.const 0)) (i32.const 1024)".into(),
        ..Guest::default()
    };
    says(
        &guest.load().expect_err("invalid"),
        &["manifest is not valid", "grader name", "rule id", "; "],
    );
}

#[test]
fn an_inspection_tells_what_a_component_is() {
    let bytes = grades("(call $emit (i64.const 0) (i64.const 0) (i32.const 0))")
        .imports(r#"(import "accredit:grader/diagnostics@0.1.0" "emit" (func $emit (param i64 i64 i32)))"#)
        .items(r#"(table 12 funcref) (@custom "authors" "A. Author") (@custom "licenses" "MIT")"#)
        .build();
    let found = inspect(&bytes, &Limits::default()).expect("a component");
    assert_eq!(found.size, bytes.len());
    assert_eq!(found.contract.as_deref(), Some("accredit:grader/grader@0.1.0"));
    assert_eq!(found.exports, ["accredit:grader/grader@0.1.0"]);
    assert!(
        found.imports.iter().all(|import| import.access == Access::Granted),
        "{:?}",
        found.imports
    );
    assert_eq!(found.authors[0].raw(), "A. Author");
    assert_eq!(found.licences[0].raw(), "MIT");
    assert!(
        found.producers.iter().any(|producer| producer.name.raw() == "wit-component"),
        "{:?}",
        found.producers
    );
    assert_eq!((found.minimums.memory_bytes, found.minimums.memories), (65_536, 1));
    assert!(found.minimums.table_elements >= 12 && found.minimums.instances >= 1);
    assert!(found.obstacles.is_empty());
}

#[test]
fn guests_too_big_for_the_pool_run_on_demand() {
    let engine = engine(Limits { memory_bytes: 2 << 30, ..Limits::default() });
    assert!(!engine.machine().pooled);
    // Five tables of its own are more than a slot has.
    let tables =
        "(table 1 funcref) (table 1 funcref) (table 1 funcref) (table 1 funcref) (table 1 funcref)";
    let trial = grades("").items(tables).trial();
    assert_eq!(crate::guest::rationale(&trial), "an answer");
    let limits = Limits { memory_bytes: 2 << 30, ..Limits::default() };
    let trial = grades("(drop (memory.grow (i32.const 2000)))").trial_with(limits);
    assert_eq!(trial.memory_bytes, 2001 * 65_536);
}

//! Small graders made on the fly: a core module in text, wrapped into a component.
//!
//! The module's memory: the manifest at 1024, one rule at 1100, an answer at 1200, a finding at 1280,
//! text from 2048, the heap from 32768.

use accredit_core::case::Case;
use accredit_core::findings::{Fault, Outcome};
use accredit_engine::{Engine, Grader, Limits, LoadError, Settings, Trial, TrialInput};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

pub(crate) const CONTRACT: &str = include_str!("../../../../wit/grader.wit");
const WASI: &str = include_str!("wasi.wit");

/// A grader in the making.
pub(crate) struct Guest {
    /// The contract it is built against.
    pub(crate) contract: String,
    /// The version of WASI it imports.
    pub(crate) wasi: &'static str,
    /// Imports, in the text format.
    pub(crate) imports: String,
    /// Other items of the module.
    pub(crate) items: String,
    /// The body of `grade`; `$case` is the case, the default answer stands at 1200.
    pub(crate) grade: String,
    /// The body of `describe`.
    pub(crate) describe: String,
    /// What the world exports.
    pub(crate) export: &'static str,
}

impl Default for Guest {
    fn default() -> Self {
        Self {
            contract: CONTRACT.to_owned(),
            wasi: "0.2.6",
            imports: String::new(),
            items: String::new(),
            grade: ANSWER.to_owned(),
            describe: "(i32.const 1024)".to_owned(),
            export: "export accredit:grader/grader@0.1.0;",
        }
    }
}

/// Answers with one finding: rule `r`, verdict pass, the case's output as rationale.
pub(crate) const ANSWER: &str = "
    (i32.store (i32.const 1304) (i32.load offset=16 (local.get $case)))
    (i32.store (i32.const 1308) (i32.load offset=20 (local.get $case)))
    (i32.const 1200)";

/// A guest whose `grade` does this first, and then answers.
pub(crate) fn grades(before: &str) -> Guest {
    Guest { grade: format!("{before} {ANSWER}"), ..Guest::default() }
}

impl Guest {
    pub(crate) fn imports(mut self, imports: &str) -> Self {
        self.imports.push_str(imports);
        self
    }

    pub(crate) fn items(mut self, items: &str) -> Self {
        self.items.push_str(items);
        self
    }

    pub(crate) fn module(&self) -> String {
        let Self { imports, items, grade, describe, .. } = self;
        let grader = if self.contract.contains("grader@0.2.0") {
            "accredit:grader/grader@0.2.0"
        } else {
            "accredit:grader/grader@0.1.0"
        };
        format!(
            r#"(module
            {imports}
            (memory (export "memory") 1)
            (global $heap (mut i32) (i32.const 32768))
            ;; name "g", version "1", rubric "rb", one rule, extra ""
            (data (i32.const 1024) "\00\08\00\00\01\00\00\00" "\01\08\00\00\01\00\00\00" "\02\08\00\00\02\00\00\00"
                                   "\4c\04\00\00\01\00\00\00" "\00\08\00\00\00\00\00\00")
            ;; rule: id "r", text "t", essential, output, no needs
            (data (i32.const 1100) "\04\08\00\00\01\00\00\00" "\05\08\00\00\01\00\00\00" "\00\00\00\00" "\00\08\00\00\00\00\00\00")
            ;; ok, one finding at 1280
            (data (i32.const 1200) "\00\00\00\00" "\00\05\00\00\01\00\00\00")
            ;; finding: rule "r", no claim, pass, rationale "t", no citations, no score, extra ""
            (data (i32.const 1280) "\04\08\00\00\01\00\00\00" "\00\00\00\00\00\00\00\00\00\00\00\00" "\00\00\00\00"
                                   "\05\08\00\00\01\00\00\00" "\00\08\00\00\00\00\00\00")
            (data (i32.const 2048) "g1rbrt")
            {items}
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
            (func (export "{grader}#describe") (result i32) {describe})
            (func (export "{grader}#grade") (param $case i32) (result i32) {grade})
            )"#
        )
    }

    pub(crate) fn build(&self) -> Vec<u8> {
        self.wrap(&self.module())
    }

    /// A component from a module in text that fits this guest's world.
    pub(crate) fn wrap(&self, module: &str) -> Vec<u8> {
        let mut resolve = Resolve::default();
        resolve.push_source("grader.wit", &self.contract).expect("the contract parses");
        for package in WASI.replace("@0.2.6", &format!("@{}", self.wasi)).split("//---") {
            resolve.push_source("wasi.wit", package).expect("WASI parses");
        }
        let mut imports = String::new();
        for (id, _) in resolve.interfaces.iter() {
            let name = resolve.id_of(id).expect("named");
            if !name.starts_with("accredit:grader/grader") {
                imports.push_str(&format!("import {name};\n"));
            }
        }
        let world = format!("package test:guest;\nworld guest {{\n{imports}{}\n}}", self.export);
        let package = resolve.push_source("guest.wit", &world).expect("the world parses");
        let world = resolve.select_world(&[package], None).expect("one world");
        let mut module = wat::parse_str(module).expect("the module parses");
        embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8)
            .expect("embeds");
        ComponentEncoder::default()
            .module(&module)
            .expect("fits the world")
            .encode()
            .expect("encodes")
    }

    pub(crate) fn load(&self) -> Result<Grader, LoadError> {
        self.load_with(Limits::default())
    }

    pub(crate) fn load_with(&self, limits: Limits) -> Result<Grader, LoadError> {
        engine(limits).load(&self.build())
    }

    /// One trial with the default limits and input.
    pub(crate) fn trial(&self) -> Trial {
        self.trial_with(Limits::default())
    }

    pub(crate) fn trial_with(&self, limits: Limits) -> Trial {
        let case = case("an answer");
        self.load_with(limits).expect("loads").trial(&input(&case))
    }
}

pub(crate) fn engine(limits: Limits) -> Engine {
    Engine::new(&Settings { limits, jobs: 2, ..Settings::default() }).expect("an engine")
}

pub(crate) fn case(output: &str) -> Case {
    Case { output: output.to_owned(), ..Case::default() }.blinded()
}

/// The second of 2026-01-01.
pub(crate) const CLOCK: u64 = 1_767_225_600;

pub(crate) fn input(case: &Case) -> TrialInput<'_> {
    TrialInput { case, seed: [7; 32], clock_unix_s: CLOCK }
}

pub(crate) fn fault(trial: &Trial) -> &Fault {
    match &trial.outcome {
        Outcome::Fault(fault) => fault,
        other => panic!("no fault: {other:?}"),
    }
}

/// The rationale of the first finding.
pub(crate) fn rationale(trial: &Trial) -> &str {
    match &trial.outcome {
        Outcome::Graded(findings) => findings[0].rationale.raw(),
        other => panic!("not graded: {other:?}, {:?}", trial.captured),
    }
}

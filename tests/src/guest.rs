//! Graders made on the fly: a core module in text that answers every case alike, wrapped into a
//! component. No guest toolchain is needed.
//!
//! The answers are laid out in the module's memory beforehand, as the canonical ABI of wit/grader.wit has
//! them.

use std::fmt::Write as _;

use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

/// The contract, as it is released.
pub const CONTRACT: &str = include_str!("../../wit/grader.wit");

/// Where the laid-out data begins.
const BASE: u32 = 1024;

/// A grader in the making.
#[derive(Debug, Clone)]
pub struct Guest {
    /// The contract it is built against.
    pub contract: String,
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its rubric.
    pub rubric: String,
    /// The ids of its rules.
    pub rules: Vec<String>,
    /// What it answers.
    pub answer: Answer,
    /// What it writes to `diagnostics` in every trial.
    pub writes: String,
    /// A WIT package it imports an interface of, and the import in the module's text.
    pub import: Option<(&'static str, &'static str)>,
    /// The author in its metadata.
    pub author: String,
    /// Other items of its module, in text.
    pub items: String,
}

/// What a guest answers.
#[derive(Debug, Clone)]
pub enum Answer {
    /// `pass` for each rule, with this rationale, and this as score.
    Pass(String, Option<f64>),
    /// A citation of this evidence, with this quote, beside a `pass` for each rule.
    Cite(String, String),
    /// A refusal with this message.
    Refuse(String),
    /// A trap.
    Trap,
}

impl Default for Guest {
    fn default() -> Self {
        Self {
            contract: CONTRACT.to_owned(),
            name: "made-up".into(),
            version: "1.0.0".into(),
            rubric: "final-answer".into(),
            rules: ["states-answer", "one-answer", "matches-reference"].map(Into::into).into(),
            answer: Answer::Pass("so it says".into(), None),
            writes: String::new(),
            import: None,
            author: String::new(),
            items: String::new(),
        }
    }
}

impl Guest {
    /// A guest built against a contract in which this text stands for that one.
    ///
    /// # Panics
    /// When the contract does not hold the text.
    #[must_use]
    pub fn with_contract(from: &str, to: &str) -> Self {
        assert!(CONTRACT.contains(from), "the contract does not say {from:?}");
        Self { contract: CONTRACT.replacen(from, to, 1), ..Self::default() }
    }

    /// The component.
    ///
    /// # Panics
    /// When the contract does not parse, or the module does not fit it.
    #[must_use]
    pub fn build(&self) -> Vec<u8> {
        let mut resolve = Resolve::default();
        let contract = resolve.push_source("grader.wit", &self.contract).expect("parses");
        let grader = resolve.packages[contract].interfaces["grader"];
        let export = resolve.id_of(grader).expect("named");
        let diagnostics = resolve.packages[contract].interfaces["diagnostics"];
        let diagnostics = resolve.id_of(diagnostics).expect("named");
        let mut imports = format!("import {diagnostics};\n");
        if let Some((package, _)) = self.import {
            let package = resolve.push_source("import.wit", package).expect("parses");
            for interface in resolve.packages[package].interfaces.values() {
                let name = resolve.id_of(*interface).expect("named");
                writeln!(imports, "import {name};").expect("a string takes it");
            }
        }
        let world = format!("package test:made; world made {{ {imports} export {export}; }}");
        let package = resolve.push_source("made.wit", &world).expect("parses");
        let world = resolve.select_world(&[package], None).expect("one world");
        let mut module = wat::parse_str(self.module(&export, &diagnostics)).expect("parses");
        embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8)
            .expect("embeds");
        ComponentEncoder::default().module(&module).expect("fits").encode().expect("encodes")
    }

    fn module(&self, export: &str, diagnostics: &str) -> String {
        let mut memory = Memory(Vec::new());
        let describe = self.manifest(&mut memory);
        let grade = match self.answer {
            Answer::Trap => "unreachable".to_owned(),
            _ => format!("i32.const {}", self.result(&mut memory)),
        };
        let (import, used) = match self.import {
            Some((_, import)) => (import, "(elem declare func $imported)"),
            None => ("", ""),
        };
        let author = match self.author.as_str() {
            "" => String::new(),
            author => format!("(@custom \"authors\" \"{}\")", escaped(author.as_bytes())),
        };
        format!(
            r#"(module
            (import "{diagnostics}" "emit" (func $emit (param i64 i64 i32)))
            {import} {used}
            (memory (export "memory") 4)
            (data (i32.const {BASE}) "{}")
            (global $free (mut i32) (i32.const 131072))
            (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
                (local $at i32)
                (local.set $at (i32.and (i32.add (global.get $free) (i32.const 7)) (i32.const -8)))
                (global.set $free (i32.add (local.get $at) (local.get 3)))
                (local.get $at))
            (func (export "{export}#describe") (result i32) i32.const {describe})
            (func (export "{export}#grade") (param i32) (result i32) {} {grade})
            {}
            {author})"#,
            escaped(&memory.0),
            emits(&self.writes),
            self.items,
        )
    }

    /// Lays out what `describe` returns.
    fn manifest(&self, memory: &mut Memory) -> u32 {
        let mut rules = Vec::new();
        for rule in &self.rules {
            rules.extend(memory.text(rule));
            rules.extend(memory.text("a rule"));
            // essential, output; no needs.
            rules.extend([0; 12]);
        }
        let rules = memory.list(&rules, self.rules.len());
        let texts = [&self.name, &self.version, &self.rubric].map(|text| memory.text(text));
        let mut manifest = texts.concat();
        manifest.extend(rules);
        manifest.extend(memory.text(""));
        memory.put(&manifest)
    }

    /// Lays out what `grade` returns.
    fn result(&self, memory: &mut Memory) -> u32 {
        let findings = match &self.answer {
            Answer::Refuse(message) => {
                let message = memory.text(message);
                // err, unsupported-case.
                return memory.put(&[[1, 0, 0, 0, 0, 0, 0, 0].as_slice(), &message].concat());
            }
            Answer::Pass(rationale, score) => self.findings(memory, rationale, *score, &[0; 8]),
            Answer::Cite(evidence, quote) => {
                let citation = [memory.text(evidence), memory.text(quote)].concat();
                let citations = memory.list(&citation, 1);
                self.findings(memory, "as cited", None, &citations)
            }
            Answer::Trap => Vec::new(),
        };
        let findings = memory.list(&findings, self.rules.len());
        memory.put(&[[0; 4], first(findings), last(findings)].concat())
    }

    fn findings(
        &self,
        memory: &mut Memory,
        rationale: &str,
        score: Option<f64>,
        citations: &[u8; 8],
    ) -> Vec<u8> {
        let (rationale, extra) = (memory.text(rationale), memory.text(""));
        let mut findings = Vec::new();
        for rule in &self.rules {
            findings.extend(memory.text(rule));
            // No claim; pass.
            findings.extend([0; 16]);
            findings.extend(rationale);
            findings.extend(citations);
            findings.extend(u64::from(score.is_some()).to_le_bytes());
            findings.extend(score.unwrap_or_default().to_le_bytes());
            findings.extend(extra);
        }
        findings
    }
}

/// The binary form of a module or component in text.
///
/// # Panics
/// When it does not parse.
#[must_use]
pub fn binary(text: &str) -> Vec<u8> {
    wat::parse_str(text).expect("parses")
}

fn first(pair: [u8; 8]) -> [u8; 4] {
    [pair[0], pair[1], pair[2], pair[3]]
}

fn last(pair: [u8; 8]) -> [u8; 4] {
    [pair[4], pair[5], pair[6], pair[7]]
}

/// Bytes that will stand in the module's memory.
struct Memory(Vec<u8>);

impl Memory {
    /// Puts bytes at an address that is a multiple of eight.
    fn put(&mut self, bytes: &[u8]) -> u32 {
        self.0.resize(self.0.len().next_multiple_of(8), 0);
        let at = BASE + u32::try_from(self.0.len()).expect("fits");
        self.0.extend_from_slice(bytes);
        at
    }

    /// Address and length of a text.
    fn text(&mut self, text: &str) -> [u8; 8] {
        self.list(text.as_bytes(), text.len())
    }

    /// Address and length of a list.
    fn list(&mut self, bytes: &[u8], items: usize) -> [u8; 8] {
        let at = u64::from(self.put(bytes));
        let items = u64::try_from(items).expect("fits");
        (at | items << 32).to_le_bytes()
    }
}

/// Bytes as a string of the text format.
fn escaped(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("\\{byte:02x}")).collect()
}

/// Calls of `emit`, one for each 16 bytes.
fn emits(text: &str) -> String {
    let calls = text.as_bytes().chunks(16).map(|chunk| {
        let mut bytes = [0; 16];
        bytes[..chunk.len()].copy_from_slice(chunk);
        let both = u128::from_le_bytes(bytes);
        let (lo, hi, len) = (both & u128::from(u64::MAX), both >> 64, chunk.len());
        format!("(call $emit (i64.const {lo}) (i64.const {hi}) (i32.const {len}))")
    });
    calls.collect()
}

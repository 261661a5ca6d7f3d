//! What is fuzzed, one function a target: bytes from a stranger in, and a panic if a promise is broken.
//!
//! tests/fuzz runs these on inputs that libFuzzer makes up; the test `fuzz_seeds` runs them on every
//! committed seed, on stable.

pub mod controls;
pub mod findings;
pub mod gate;
pub mod keys;
pub mod loader;
pub mod record;

use std::fmt::Display;

use accredit::terminal::{ERROR, FAINT, GOOD, STRONG, WARNING};

/// What became of an input. Both are as they should be; seeds must reach both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reached {
    /// It was refused, with faults that say why.
    Refused,
    /// It was taken, and whatever follows from it was derived.
    Taken,
}

/// What a target does with an input.
pub type Target = fn(&[u8]) -> Reached;

/// Every target: its name, and what it does.
pub const TARGETS: [(&str, Target); 6] = [
    ("loader", loader::run),
    ("controls", controls::run),
    ("record", record::run),
    ("findings", findings::run),
    ("keys", keys::run),
    ("gate", gate::run),
];

/// Text for people must hold nothing that a terminal acts on, reorders by or does not show; line breaks
/// and the styles of our own aside.
fn assert_tame(text: &impl Display) {
    let mut text = text.to_string();
    // The bold of all others begins as STRONG does: it comes last.
    for style in [ERROR, FAINT, GOOD, WARNING, STRONG] {
        text = text.replace(&format!("{style}"), "").replace(&format!("{style:#}"), "");
    }
    let wild = text.chars().find(|char| *char != '\n' && is_wild(*char));
    assert!(wild.is_none(), "{wild:?} stands in {text:?}");
}

/// One line of such text.
fn assert_tame_line(text: &str) {
    assert!(!text.contains('\n'), "more than one line: {text:?}");
    assert_tame(&text);
}

fn is_wild(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

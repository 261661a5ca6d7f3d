//! A verification in a log of GitHub Actions: an annotation for each promise that broke, then a summary.

use accredit_core::verification::{Check, Verification};

use super::command;
use crate::render::escape::terminal_text;

/// The verification as annotations and a summary, whose last line is `PASS` or `FAIL`.
#[must_use]
pub fn verification(of: &Verification) -> String {
    let broke = |of_what: &str, checks: &[Check]| -> String {
        let broken = checks.iter().filter(|check| !check.held);
        let one = |check: &Check| {
            let title = format!("{}: {of_what}", check.invariant);
            command("error", None, &title, std::slice::from_ref(&check.detail))
        };
        broken.map(one).collect()
    };
    let mut text = broke("the register", &of.checks);
    for grader in &of.graders {
        text.push_str(&broke(grader.name.as_str(), &grader.checks));
    }
    for grader in &of.graders {
        let claims =
            grader.claims.map_or("claims nothing".to_owned(), |tier| format!("promoted to {tier}"));
        let broke: Vec<_> = grader.broke().iter().map(|it| it.name()).collect();
        let state = if broke.is_empty() {
            "holds".to_owned()
        } else {
            format!("broke {}", broke.join(", "))
        };
        text.push_str(&format!("accredit: {}: {claims}; {state}\n", grader.name));
        for note in &grader.notes {
            text.push_str(&format!("  note: {}\n", terminal_text(note)));
        }
    }
    text + &format!("{}\n", of.summary)
}

//! A verification, for a terminal: what broke, grader by grader, and one line at the end.

use accredit_core::verification::{Check, GraderVerification, Verification};

use super::wrap::wrapped;
use crate::render::escape::terminal_text;
use crate::render::words::counted;
use crate::terminal::{ERROR, FAINT, GOOD, STRONG, WARNING};

/// Every grader, then the register, then `PASS` or `FAIL`.
#[must_use]
pub fn verification(of: &Verification) -> String {
    let mut text = String::new();
    for one in &of.graders {
        text.push_str(&grader(one));
    }
    let part = of.part.map(|part| format!(", part {} of {}", part.part, part.of));
    let policy = of.register.policy.short();
    let head =
        format!("{STRONG}the register{STRONG:#} · policy {policy}{}", part.unwrap_or_default());
    text.push_str(&wrapped("", "  ", &head));
    text.push_str(&checks(&of.checks));
    let graders = counted(of.asked.len() as u64, "grader");
    if of.part.is_some() {
        let line =
            format!("{} of {graders}: `accredit merge` puts the parts together", of.graders.len());
        text.push_str(&wrapped("  ", "    ", &format!("{FAINT}{line}{FAINT:#}")));
    }
    let style = if of.broke().is_empty() { GOOD } else { ERROR };
    // One line, however long: scripts read it.
    text + &format!("\n{style}{}{style:#}\n", of.summary)
}

fn grader(of: &GraderVerification) -> String {
    let claims = match of.claims {
        Some(tier) => format!("promoted to {tier}"),
        None => "claims nothing".to_owned(),
    };
    let component = of.component.map(|digest| format!(" · {}", digest.short()));
    let reaches = of.reaches.map(|tier| format!(" · this run reaches {tier}"));
    let trials = of.trials.map(|trials| format!(" in {}", counted(trials, "trial")));
    let head = format!(
        "{STRONG}{}{STRONG:#} · {claims}{}{}{}",
        of.name,
        component.unwrap_or_default(),
        reaches.unwrap_or_default(),
        trials.unwrap_or_default()
    );
    let mut text = wrapped("", "  ", &head) + &checks(&of.checks);
    for note in &of.notes {
        let note = terminal_text(note);
        text.push_str(&wrapped("  ", "       ", &format!("{WARNING}note{WARNING:#} {note}")));
    }
    if let Some(appended) = of.appended {
        let entry = format!("{FAINT}appended to its ledger: {}{FAINT:#}", appended.name());
        text.push_str(&wrapped("  ", "    ", &entry));
    }
    text + "\n"
}

/// Those that broke first.
fn checks(checks: &[Check]) -> String {
    let (held, broke): (Vec<_>, Vec<_>) = checks.iter().partition(|check| check.held);
    let line = |check: &Check| {
        let mark = match check.held {
            true => format!("{GOOD}ok{GOOD:#}  "),
            false => format!("{ERROR}FAIL{ERROR:#}"),
        };
        let said = format!("{mark} {}: {}", check.invariant, terminal_text(&check.detail));
        wrapped("  ", "       ", &said)
    };
    broke.into_iter().chain(held).map(line).collect()
}

//! Failures found in use, for a terminal: what is missing or open first, the recurring ones of these first.

use accredit_core::control::set::Expectation;
use accredit_core::failures::{Failure, Failures, GraderFailures, Lost, State, WhyMissing};
use accredit_core::ledger::Moment;
use accredit_core::run::event::CaseTexts;
use accredit_core::untrusted::Untrusted;
use accredit_core::verdict::Verdict;

use super::counted;
use super::wrap::wrapped;
use crate::render::escape::{terminal_line, terminal_text};
use crate::terminal::{ERROR, FAINT, GOOD, STRONG, WARNING};

/// Every failure of every grader.
#[must_use]
pub fn failures(failures: &Failures) -> String {
    let graders: Vec<_> = failures.graders.iter().map(grader).collect();
    graders.join("\n")
}

fn grader(grader: &GraderFailures) -> String {
    let counts = State::ALL.map(|state| (state, grader.count(state)));
    let counts: Vec<_> = counts
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(state, count)| format!("{count} {}", state.name()))
        .collect();
    let counts =
        if counts.is_empty() { "no failure found in use".to_owned() } else { counts.join(", ") };
    let head = format!(
        "{STRONG}{}{STRONG:#} · component {} · {counts}",
        grader.grader,
        grader.component.short()
    );
    let mut text = wrapped("", "  ", &head);
    if let Some(why) = &grader.not_run {
        let why = terminal_text(why);
        let said = format!("{ERROR}not run{ERROR:#}, and so open: {why}");
        text.push_str(&wrapped("  ", "    ", &said));
    }
    for one in &grader.failures {
        text.push('\n');
        text.push_str(&failure(one));
    }
    if let Some(lost) = &grader.lost {
        text.push('\n');
        for said in self::lost(lost) {
            text.push_str(&wrapped("  ", "    ", &said));
        }
    }
    text
}

fn failure(failure: &Failure) -> String {
    let state = failure.state.name();
    let state = match failure.state {
        State::Missing | State::Open => format!("{ERROR}{state}{ERROR:#}"),
        State::Fixed => format!("{WARNING}{state}{WARNING:#}"),
        State::Guarded => format!("{GOOD}{state}{GOOD:#}"),
        State::Withdrawn => format!("{FAINT}{state}{FAINT:#}"),
    };
    let at = failure.at.as_ref().map(|at| format!(" · {}", terminal_text(&at.to_string())));
    let head = format!(
        "{state} {STRONG}{}{STRONG:#} · {}{}",
        failure.control,
        seen(failure),
        at.unwrap_or_default()
    );
    let mut text = wrapped("  ", "    ", &head);
    let mut line = |said: &str| text.push_str(&wrapped("    ", "      ", said));
    match &failure.why_missing {
        Some(WhyMissing::Gone) => line(&format!(
            "{ERROR}its control is gone{ERROR:#}: put it back into regression.toml from version control, or have somebody withdraw the failure (accredit ledger note --corrects)"
        )),
        Some(why) => line(&format!(
            "{ERROR}{why}{ERROR:#}: put it right, or have somebody withdraw the failure (accredit ledger note --corrects) and enter it again"
        )),
        None => {}
    }
    told(&mut line, "the user saw", &failure.saw);
    told(&mut line, "requirement", &failure.requirement);
    told(&mut line, "cause", &failure.cause);
    line(&verdicts(failure));
    if let Some(texts) = &failure.texts {
        case(&mut line, texts);
    }
    if let Some(guard) = &failure.guard {
        line(&format!(
            "guarded: catches {}, passes {} (entry {})",
            guard.catches.short(),
            guard.passes.short(),
            guard.entry
        ));
    }
    if failure.state == State::Fixed {
        line(
            "not guarded yet: `accredit failures --guard` runs its control on the component that failed and on today's",
        );
    }
    text
}

/// How often and when.
fn seen(failure: &Failure) -> String {
    let day = |moment: Moment| moment.to_string().chars().take(10).collect::<String>();
    let (first, last) = (day(failure.first), day(failure.last));
    match failure.seen {
        1 => format!("seen once, {last}"),
        more if first == last => format!("{STRONG}seen {more} times{STRONG:#}, {last}"),
        more => format!("{STRONG}seen {more} times{STRONG:#}, {first} to {last}"),
    }
}

fn told(line: &mut impl FnMut(&str), what: &str, text: &Untrusted) {
    if !text.is_empty() {
        line(&format!("{what}: {}", terminal_line(text)));
    }
}

/// What it must get, what it got, and what today's component says.
fn verdicts(failure: &Failure) -> String {
    let Expectation { verdict, rule } = &failure.expected;
    let rule = rule.as_ref().map(|rule| format!(" by {rule}")).unwrap_or_default();
    let must = format!("{verdict}{rule}");
    let said = |said: Option<Verdict>| said.map_or("nothing".to_owned(), |it| it.to_string());
    let components: Vec<_> = failure.components.iter().map(|it| it.short()).collect();
    let today = match failure.state {
        State::Missing | State::Withdrawn => String::new(),
        _ => format!("; today's says {}", said(failure.says)),
    };
    format!("must be {must}; {} said {}{today}", components.join(", "), said(failure.got))
}

fn case(line: &mut impl FnMut(&str), texts: &CaseTexts) {
    told(line, "asked", &texts.task);
    told(line, "answered", &texts.output);
    if let Some(reference) = &texts.reference {
        told(line, "reference", reference);
    }
}

/// What was lost, and what rested on it.
fn lost(lost: &Lost) -> Vec<String> {
    let entry = lost.by_entry.map(|entry| format!(", entry {entry}")).unwrap_or_default();
    let since = lost.promoted_at.map(|at| format!(" of {at}")).unwrap_or_default();
    let reasons: Vec<_> = lost.reasons.iter().map(|it| terminal_text(it)).collect();
    let mut said = vec![format!(
        "{ERROR}authority lost{ERROR:#}: was {}{since}{entry}; {}",
        lost.promoted_to,
        reasons.join("; ")
    )];
    let rested: Vec<_> = lost.rested.iter().map(|it| terminal_text(it)).collect();
    said.push(match (rested.is_empty(), lost.unread) {
        (false, _) => format!("gate results that rested on it: {}", rested.join(", ")),
        (true, 0) => "no gate result that rested on it is kept in the register".to_owned(),
        (true, unread) => format!(
            "{ERROR}{} kept in the register, which this version of accredit cannot read{ERROR:#}: any of them may have rested on it",
            counted(unread, "gate result")
        ),
    });
    said
}

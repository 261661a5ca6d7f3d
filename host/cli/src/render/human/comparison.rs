//! Two records compared, for a terminal.

use accredit_core::compare::{Changed, Comparison, Line, Move, RuleChange, Said, Side, Standing};
use accredit_core::id::ControlId;

use super::counted;
use super::wrap::wrapped;
use crate::render::compared::{MOVES, figures, right_in, settled, worse};
use crate::render::escape::{terminal_line, terminal_text};
use crate::terminal::{ERROR, FAINT, GOOD, STRONG, WARNING};

/// How many of a list are shown, unless all are asked for.
const FIRST: usize = 8;

/// The whole comparison.
#[must_use]
pub fn comparison(compared: &Comparison, all: bool) -> String {
    let mut text = heading(compared);
    text.push_str(&standing(compared));
    text.push_str(&line("all cases", &compared.overall));
    for of_kind in &compared.kinds {
        text.push_str(&line(of_kind.kind.name(), &of_kind.line));
    }
    text.push('\n');
    for (moved, what) in MOVES {
        text.push_str(&changes(compared, moved, what, all));
    }
    let added = ids("new in B, in no count", &compared.added);
    let left_out = ids("with nothing to be right by, in no count", &compared.left_out);
    if !added.is_empty() || !left_out.is_empty() {
        text.push_str(&format!("{added}{left_out}\n"));
    }
    text + &footer()
}

fn heading(compared: &Comparison) -> String {
    let mut text = format!(
        "{STRONG}{}{STRONG:#} of the rubric {}, {} each\n",
        counted(compared.cases, "case"),
        compared.rubric,
        counted(compared.repeats.into(), "repeat"),
    );
    for (name, side) in [("A", &compared.a), ("B", &compared.b)] {
        text.push_str(&one_side(name, side));
    }
    if compared.a.digest == compared.b.digest {
        text.push_str("  one and the same component: no difference is a change of the grader\n");
    }
    for differs in &compared.differs {
        let told = format!("{}: {} in A, {} in B", differs.what, differs.a, differs.b);
        text.push_str(&wrapped("  other ", "    ", &terminal_text(&told)));
    }
    text + "\n"
}

fn one_side(name: &str, side: &Side) -> String {
    let told = format!(
        "{} {} ({} {}) · record {}",
        side.grader,
        terminal_line(&side.version),
        side.kind,
        side.digest.short(),
        side.record.short(),
    );
    wrapped(&format!("  {name}: "), "     ", &told)
}

fn standing(compared: &Comparison) -> String {
    match compared.standing {
        Standing::Worse => {
            let told = wrapped("  established for: ", "    ", &worse(compared));
            format!("{ERROR}B IS WORSE{ERROR:#}\n{told}\n")
        }
        Standing::Better => format!("{GOOD}B IS BETTER{GOOD:#}, established for all cases\n\n"),
        Standing::NotEstablished => {
            format!(
                "{WARNING}NOT ESTABLISHED{WARNING:#}: that is not to say that they are equal\n\n"
            )
        }
        Standing::NotEvaluated => {
            format!("{WARNING}NOT EVALUATED{WARNING:#}: {}\n\n", compared.overall.why)
        }
    }
}

/// `known-bad   27/30 -> 19/30   families: 8 lost, 0 gained, 1 unsettled`, and what is known of it.
fn line(name: &str, line: &Line) -> String {
    let cases = right_in(line);
    let mut text =
        format!("  {STRONG}{name:<13}{STRONG:#}  {cases:<18}  families: {}\n", settled(line));
    let figures = figures(line);
    let told = format!("{}: {}{figures}", line.standing.text(), line.why);
    text.push_str(&wrapped("    ", "    ", &told));
    text
}

fn changes(compared: &Comparison, moved: Move, what: &str, all: bool) -> String {
    let of: Vec<_> = compared.changed.iter().filter(|changed| changed.moved == moved).collect();
    if of.is_empty() {
        return String::new();
    }
    let mut text = format!("{STRONG}{} {what}{STRONG:#}\n", counted(of.len() as u64, "case"));
    let shown = if all { of.len() } else { FIRST.min(of.len()) };
    for changed in &of[..shown] {
        text.push_str(&one_change(changed));
    }
    if of.len() > shown {
        text.push_str(&format!("  {FAINT}… and {} more (--all){FAINT:#}\n", of.len() - shown));
    }
    text + "\n"
}

fn one_change(changed: &Changed) -> String {
    let by = changed.expect.rule.as_ref().map(|rule| format!(" by {rule}")).unwrap_or_default();
    let under =
        changed.variant.map(|it| format!(", shown under {}", it.name())).unwrap_or_default();
    let repeat = match changed.repeat {
        0 => String::new(),
        repeat => format!(", repeat {repeat}"),
    };
    let mut text = format!(
        "  {STRONG}{}{STRONG:#}
      {}: should be {}{by}{under}{repeat}
",
        changed.id, changed.kind, changed.expect.verdict
    );
    for rule in &changed.rules {
        text.push_str(&one_rule(rule));
    }
    if !changed.why.is_empty() {
        text.push_str(&wrapped("      ", "      ", &terminal_text(changed.why.trim())));
    }
    text
}

fn one_rule(change: &RuleChange) -> String {
    let verdict =
        |said: &Option<Said>| said.as_ref().map_or("no such rule", |said| said.verdict.name());
    let mut text =
        format!("      {}: {} -> {}\n", change.rule, verdict(&change.a), verdict(&change.b));
    for (name, said) in [("A", &change.a), ("B", &change.b)] {
        let Some(said) = said.as_ref().filter(|said| !said.rationale.is_empty()) else { continue };
        let head = format!("        {name} said: ");
        text.push_str(&wrapped(&head, "          ", &terminal_line(&said.rationale)));
    }
    text
}

fn ids(what: &str, ids: &[ControlId]) -> String {
    if ids.is_empty() {
        return String::new();
    }
    let named: Vec<_> = ids.iter().take(FIRST).map(ControlId::as_str).collect();
    let more = if ids.len() > named.len() { ", …" } else { "" };
    let head = format!("  {} {what}: ", counted(ids.len() as u64, "case"));
    wrapped(&head, "    ", &format!("{}{more}", named.join(", ")))
}

fn footer() -> String {
    let text = "lost, gained: families right in one record and wrong in every repeat of the other; unsettled: they moved between repeats. Established: McNemar's exact test and Newcombe's paired interval both, by more families than are unsettled.";
    format!("{FAINT}{}{FAINT:#}", wrapped("", "", text))
}

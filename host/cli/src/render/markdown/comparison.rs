//! Two records compared, for a comment on a pull request. Nothing that anybody else wrote stands outside a code span.

use accredit_core::compare::{Changed, Comparison, Line, Said, Standing};
use accredit_core::id::ControlId;

use crate::render::compared::{MOVES, figures, right_in, settled, worse};
use crate::render::escape::{code, code_of};
use crate::render::words::{counted, shown_of};

/// How many of a list are shown, unless all are asked for.
const FIRST: usize = 8;

/// The whole comparison, as a comment.
#[must_use]
pub fn comparison(compared: &Comparison, all: bool) -> String {
    let mut text = heading(compared);
    text.push_str("| | right in A -> in B | families | what is known |\n|---|---|---|---|\n");
    text.push_str(&row("all cases", &compared.overall));
    for of_kind in &compared.kinds {
        text.push_str(&row(of_kind.kind.name(), &of_kind.line));
    }
    text.push('\n');
    for (moved, what) in MOVES {
        let of: Vec<_> = compared.changed.iter().filter(|it| it.moved == moved).collect();
        text.push_str(&changes(&of, what, all));
    }
    text.push_str(&ids("new in B, in no count", &compared.added));
    text.push_str(&ids("with nothing to be right by, in no count", &compared.left_out));
    text + "Lost, gained: families right in one record and wrong in every repeat of the other; unsettled: they moved between repeats. Established: McNemar's exact test and Newcombe's paired interval both, by more families than are unsettled.\n"
}

fn heading(compared: &Comparison) -> String {
    let verdict = match compared.standing {
        Standing::Worse => format!("❌ **B is worse**, established for {}", worse(compared)),
        Standing::Better => "✅ **B is better**, established for all cases".to_owned(),
        Standing::NotEstablished => {
            "⚠️ **Not established**: that is not to say that they are equal".to_owned()
        }
        Standing::NotEvaluated => format!("⚠️ **Not evaluated**: {}", compared.overall.why),
    };
    let mut text = format!(
        "### {} of the rubric {}, {} each\n\n{verdict}\n\n",
        counted(compared.cases, "case"),
        code(compared.rubric.as_str()),
        counted(compared.repeats.into(), "repeat"),
    );
    for (name, side) in [("A", &compared.a), ("B", &compared.b)] {
        text.push_str(&format!(
            "- {name}: {} {} ({} {}), record {}\n",
            code(side.grader.as_str()),
            code_of(&side.version),
            side.kind,
            code(&side.digest.short()),
            code(&side.record.short()),
        ));
    }
    if compared.a.digest == compared.b.digest {
        text.push_str("- one and the same component: no difference is a change of the grader\n");
    }
    for differs in &compared.differs {
        let told = format!("{}: {} in A, {} in B", differs.what, differs.a, differs.b);
        text.push_str(&format!("- other {}\n", code(&told)));
    }
    text + "\n"
}

fn row(name: &str, line: &Line) -> String {
    let figures = figures(line);
    format!(
        "| {name} | {} | {} | {}: {}{figures} |\n",
        right_in(line),
        settled(line),
        line.standing.text(),
        line.why
    )
}

fn changes(of: &[&Changed], what: &str, all: bool) -> String {
    if of.is_empty() {
        return String::new();
    }
    let shown = shown_of(of.len(), FIRST, all);
    let mut text =
        format!("<details><summary>{} {what}</summary>\n\n", counted(of.len() as u64, "case"));
    text.extend(of[..shown].iter().map(|changed| entry(changed)));
    if of.len() > shown {
        text.push_str(&format!("- … and {} more\n", of.len() - shown));
    }
    text + "\n</details>\n\n"
}

fn entry(changed: &Changed) -> String {
    let by = changed.expect.rule.as_ref().map(|rule| format!(" by {}", code(rule.as_str())));
    let under = changed.variant.map(|it| format!(", shown under {}", it.name()));
    let repeat = (changed.repeat > 0).then(|| format!(", repeat {}", changed.repeat));
    let rest: String = [by, under, repeat].into_iter().flatten().collect();
    let mut text = format!(
        "- {} {}: should be {}{rest}\n",
        code(changed.id.as_str()),
        changed.kind,
        changed.expect.verdict
    );
    let verdict =
        |said: &Option<Said>| said.as_ref().map_or("no such rule", |said| said.verdict.name());
    for rule in &changed.rules {
        let (a, b) = (verdict(&rule.a), verdict(&rule.b));
        text.push_str(&format!("  - {}: {a} -> {b}\n", code(&rule.rule.to_string())));
        for (name, said) in [("A", &rule.a), ("B", &rule.b)] {
            if let Some(said) = said.as_ref().filter(|said| !said.rationale.is_empty()) {
                text.push_str(&format!("    - {name} said: {}\n", code_of(&said.rationale)));
            }
        }
    }
    if !changed.why.is_empty() {
        text.push_str(&format!("  - why: {}\n", code(changed.why.trim())));
    }
    text
}

fn ids(what: &str, ids: &[ControlId]) -> String {
    if ids.is_empty() {
        return String::new();
    }
    let named: Vec<_> = ids.iter().take(FIRST).map(|id| code(id.as_str())).collect();
    let more = if ids.len() > named.len() { ", …" } else { "" };
    format!("{} {what}: {}{more}\n\n", counted(ids.len() as u64, "case"), named.join(", "))
}

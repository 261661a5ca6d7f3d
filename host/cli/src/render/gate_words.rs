//! What every rendering of a gate says alike. Nothing that anybody else wrote is among these words.

use accredit_core::gate::GateReport;
use accredit_core::gate::combine::{Failed, Open};
use accredit_core::gate::kind::Evaluates;
use accredit_core::gate::persons::{Choice, Decided};
use accredit_core::gate::report::GateGraderLine;
use accredit_core::gate::settlement::Settled;
use accredit_core::gate::standing::Truth;
use accredit_core::gate::status::Statuses;
use accredit_core::gate::summary::Summary;
use accredit_core::id::CaseId;
use accredit_core::verdict::GraderKind;

use super::figure::{share, stated, upper};
use super::words::counted;

/// How many ids of a list are named.
const IDS: usize = 10;

/// How a gate came out, for a colour or a sign beside its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// The release may go.
    Goes,
    /// It may go since a person let go what blocked it.
    LetGo,
    /// It is blocked.
    Blocked,
    /// The evidence does not tell.
    Open,
}

/// How the gate came out.
#[must_use]
pub fn tone(report: &GateReport) -> Tone {
    match report.release.verdict {
        Truth::True if !report.let_go.is_empty() => Tone::LetGo,
        Truth::True => Tone::Goes,
        Truth::False => Tone::Blocked,
        Truth::Undefined => Tone::Open,
    }
}

/// The verdict in a word or a few.
#[must_use]
pub fn verdict(report: &GateReport) -> &'static str {
    match tone(report) {
        Tone::LetGo => "PASS: true, let go by a person",
        Tone::Goes => "PASS: true",
        Tone::Blocked if report.release.pending_person => "BLOCKED: false, pending a person",
        Tone::Blocked => "BLOCKED: false",
        Tone::Open => "UNPROVEN: undefined",
    }
}

/// The cases, by how they stand.
#[must_use]
pub fn counts(summary: &Summary) -> String {
    format!(
        "{}: {} passed, {} failed, {} unproven, {} unresolved, {} missing, {} not applicable · {}",
        counted(summary.cases, "case"),
        summary.passed,
        summary.failed,
        summary.unproven,
        summary.unresolved,
        summary.missing,
        summary.not_applicable,
        pass_rate(summary)
    )
}

/// The pass rate, and over what.
#[must_use]
pub fn pass_rate(summary: &Summary) -> String {
    match summary.pass_rate {
        Some(rate) => format!("pass rate {} over {} judged", share(Some(rate)), summary.verdicted),
        None => "no pass rate, since no case was judged".to_owned(),
    }
}

/// The policy and the inventory, and when it was.
#[must_use]
pub fn rests_on(report: &GateReport) -> String {
    let (policy, inventory) = (&report.policy, &report.inventory);
    format!(
        "policy version {} ({}) · inventory {}: {}, {} · {}",
        policy.version,
        policy.digest.short(),
        inventory.digest.short(),
        counted(inventory.cases, "case"),
        counted(inventory.runs, "run"),
        report.now
    )
}

/// The chance of a false block.
#[must_use]
pub fn false_block(report: &GateReport) -> String {
    let chance = &report.false_block;
    let allowed = stated(chance.allowed);
    let judges = report.graders.iter().any(|it| it.may_block && it.kind == GraderKind::Judge);
    let past = match chance.past && judges {
        true => ", so a judge's fail blocks pending a person",
        false => "",
    };
    match (chance.measured, chance.at_most) {
        (Some(measured), Some(at_most)) => format!(
            "chance that this gate blocks a good release: {} as measured, at most {} (allowed {allowed}){past}",
            share(Some(measured)),
            upper(Some(at_most))
        ),
        _ => format!(
            "chance that this gate blocks a good release: not known (allowed {allowed}){past}"
        ),
    }
}

/// What a person did.
#[must_use]
pub fn did(decided: &Decided, report: &GateReport) -> &'static str {
    match decided.choice {
        Choice::Hold => "held",
        Choice::Release if !report.let_go.is_empty() => "let go",
        Choice::Release if tone(report) == Tone::Goes => "approved",
        Choice::Release => "a release, which changes nothing,",
    }
}

/// Where a failure is, and who says so: `case · run/step · grader (code gating) rule`.
#[must_use]
pub fn failed_place(failed: &Failed) -> String {
    format!(
        "{} · {}/{} · {} ({} {}) {}{}",
        failed.case,
        failed.run,
        failed.step,
        failed.grader,
        failed.kind,
        failed.authority,
        failed.rule,
        evaluates(Some(failed.evaluates))
    )
}

/// What a failure is beside that: serious, pending.
#[must_use]
pub fn failed_marks(failed: &Failed) -> Vec<&'static str> {
    let serious = failed.serious.map(|serious| serious.name());
    serious.into_iter().chain(failed.pending_person.then_some("pending a person")).collect()
}

/// Where something is open: `case · run/step · grader rule`.
#[must_use]
pub fn open_place(open: &Open) -> String {
    let place = match (&open.run, &open.step) {
        (Some(run), Some(step)) => format!(" · {run}/{step}"),
        (Some(run), None) => format!(" · {run}"),
        _ => String::new(),
    };
    let grader = open.grader.as_ref().map(|grader| format!(" · {grader}")).unwrap_or_default();
    let rule = open.rule.as_ref().map(|rule| format!(" {rule}")).unwrap_or_default();
    format!("{}{place}{grader}{rule}{}", open.case, evaluates(open.evaluates))
}

/// What was evaluated, where it is more than whether something is so: ` · forecast`.
fn evaluates(kind: Option<Evaluates>) -> String {
    let kind = kind.filter(|kind| !kind.is_default());
    kind.map(|kind| format!(" · {}", kind.name())).unwrap_or_default()
}

/// What to say where a record is not what was registered of it.
#[must_use]
pub fn altered(report: &GateReport) -> Option<&'static str> {
    report
        .is_altered()
        .then_some("a record is not what was registered of it: `accredit settle show` says which")
}

/// Forecasts and explanations, by how they stand; absent where there are none.
#[must_use]
pub fn settled(settled: &Settled) -> Option<String> {
    let (came, refused) = (settled.came.len(), settled.refused.len() + settled.taken_out.len());
    let any = came + refused > 0 || settled.unresolved > 0;
    any.then(|| {
        format!(
            "forecasts and explanations, which decide nothing: {came} settled, {} unresolved, {refused} refused",
            settled.unresolved
        )
    })
}

/// A grader of the gate.
#[must_use]
pub fn grader(grader: &GateGraderLine) -> String {
    let pass = grader.pass.map_or("pass rate not measured".to_owned(), |pass| {
        format!("passed {} of {} good outputs", pass.right, pass.of)
    });
    let decides = match grader.may_block {
        true => format!("decides on {}", counted(grader.decisions, "step")),
        false => "decides nothing".to_owned(),
    };
    let digest = grader.digest.short();
    format!("{} · {} · {} {digest} · {decides} · {pass}", grader.name, grader.tier, grader.kind)
}

/// What several runs of each case come to.
#[must_use]
pub fn trials(report: &GateReport) -> Vec<String> {
    let trials = &report.trials;
    let mut lines = Vec::new();
    if let Some(rate) = trials.pass_at_1.value {
        let consistent = trials.consistent;
        lines.push(format!(
            "pass@1 {} · runs agree in {} of {} cases with more than one",
            share(Some(rate)),
            consistent.right,
            consistent.of
        ));
    }
    match (&trials.repeats.value, &trials.repeats.absent) {
        (Some(it), _) => lines.push(format!(
            "pass@{k} {} · pass^{k} {}",
            share(Some(it.at_least_once)),
            share(Some(it.every_time)),
            k = it.k
        )),
        (None, Some(why)) => lines.push(format!("pass@k and pass^k absent: {why}")),
        (None, None) => {}
    }
    for (title, cases) in [
        ("always fail", &trials.always_fail),
        ("sometimes fail", &trials.sometimes_fail),
        ("never fail", &trials.never_fail),
    ] {
        if !cases.is_empty() {
            lines.push(format!("{title}: {}", ids(cases)));
        }
    }
    for clean in &trials.clean {
        if let Some(rate) = clean.failure_rate_at_most {
            lines.push(format!(
                "{} without a failure in {}: a run of it may still fail with a chance of up to {}",
                counted(clean.cases, "case"),
                counted(clean.runs, "run"),
                upper(Some(rate))
            ));
        }
    }
    lines
}

fn ids(cases: &[CaseId]) -> String {
    let first: Vec<_> = cases.iter().take(IDS).map(ToString::to_string).collect();
    let more = if cases.len() > IDS { ", …" } else { "" };
    format!("{} ({}{more})", cases.len(), first.join(", "))
}

/// How far along the results are, and how many of them a person approved.
#[must_use]
pub fn statuses(report: &GateReport) -> String {
    let Statuses { planned, implemented, measured, approved } = report.statuses;
    format!(
        "results: {measured} measured, {implemented} implemented, {planned} planned; {approved} approved by a person"
    )
}

/// What stands beside the verdict: purposes, and records that count nowhere or were corrected.
#[must_use]
pub fn beside(report: &GateReport) -> Vec<String> {
    let mut lines = vec![statuses(report)];
    for (purpose, summary) in &report.purposes {
        lines.push(format!(
            "{purpose}: {} of {} judged passed, {} not evaluated",
            summary.passed, summary.verdicted, summary.not_evaluated
        ));
    }
    lines.extend(settled(&report.settled));
    for run in &report.not_selected {
        lines.push(format!("run {run} was not selected: it counts nowhere"));
    }
    for run in &report.with_corrections {
        lines.push(format!("the record of run {run} has corrections"));
    }
    lines
}

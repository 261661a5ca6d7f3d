//! JUnit's XML, for CI servers: a test case a requirement and a test case a control.
//!
//! A server that counts failures and errors comes to what the exit code says: there are none where the tier
//! that was asked for is within reach. Of a part of the controls there is an error that says so. A waived requirement is skipped, never passed; one that nothing
//! measured is an error.

mod gate;
mod verification;

use accredit_core::decision::Requirement;
use accredit_core::report::{ConfusionLine, Miss, Report};
use accredit_core::verdict::Tier;
use maud::{Markup, PreEscaped, html};

use super::Context;
use super::escape::{xml, xml_of};
use super::figure::{measured, required};
use super::words::{
    Outcome, authors_copy, headline, others, outcome, state, tiers, verdicts, wrong,
};

pub use gate::gate;
pub use verification::verification;

const PROLOGUE: PreEscaped<&str> = PreEscaped("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");

/// How many test cases of a suite came out how.
#[derive(Default, Clone, Copy)]
struct Tally {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
}

/// What comes of a test case.
enum Status {
    Passed,
    Failed,
    Erred,
    Skipped,
}

impl Tally {
    fn of<'a>(statuses: impl IntoIterator<Item = &'a Status>) -> Self {
        let mut tally = Self::default();
        for status in statuses {
            tally.tests += 1;
            match status {
                Status::Passed => {}
                Status::Failed => tally.failures += 1,
                Status::Erred => tally.errors += 1,
                Status::Skipped => tally.skipped += 1,
            }
        }
        tally
    }

    fn and(self, other: Self) -> Self {
        Self {
            tests: self.tests + other.tests,
            failures: self.failures + other.failures,
            errors: self.errors + other.errors,
            skipped: self.skipped + other.skipped,
        }
    }
}

/// The report as test results.
#[must_use]
pub fn report(report: &Report, context: &Context<'_>) -> String {
    let mut suites: Vec<_> =
        tiers(report, context.require).map(|tier| requirements(report, context, tier)).collect();
    suites.extend(report.only.is_some().then(|| part(report, context)));
    suites.extend(
        report
            .confusion
            .chunk_by(|a, b| a.kind == b.kind)
            .map(|lines| controls(report, context, lines)),
    );
    file(&format!("accredit: {}", report.grader.name), &suites)
}

/// The whole file.
fn file(name: &str, suites: &[(Tally, Markup)]) -> String {
    let all = suites.iter().fold(Tally::default(), |all, (tally, _)| all.and(*tally));
    let file = html! {
        (PROLOGUE)
        testsuites name=(xml(name)) tests=(all.tests) failures=(all.failures) errors=(all.errors) skipped=(all.skipped) {
            "\n"
            @for (_, suite) in suites { (suite) }
        }
        "\n"
    };
    file.into_string()
}

fn suite(name: &str, rests_on: &[(&str, String)], cases: &[(Status, Markup)]) -> (Tally, Markup) {
    let tally = Tally::of(cases.iter().map(|(status, _)| status));
    let markup = html! {
        testsuite name=(xml(name)) tests=(tally.tests) failures=(tally.failures) errors=(tally.errors) skipped=(tally.skipped) {
            "\n"
            @if !rests_on.is_empty() {
                properties { @for (name, value) in rests_on { property name=(xml(name)) value=(xml(value)) {} } }
                "\n"
            }
            @for (_, case) in cases { (case) "\n" }
        }
        "\n"
    };
    (tally, markup)
}

fn requirements(report: &Report, context: &Context<'_>, tier: Tier) -> (Tally, Markup) {
    let of_tier = report.decision.requirements.iter().filter(|r| r.tier == tier);
    let cases: Vec<_> = of_tier.map(|it| requirement(report, context, it)).collect();
    let digests = &report.digests;
    let copy = authors_copy(report).map(|copy| ("authors-copy", copy));
    let rests_on: Vec<_> = [
        ("decision", headline(report, context.require)),
        ("in plain words", report.decision.in_plain_words(context.require)),
        ("grader", report.grader.digest.to_string()),
        ("record", digests.record.to_string()),
        ("controls", digests.controls.to_string()),
        ("policy", digests.policy.to_string()),
        ("contract", digests.contract.to_string()),
    ]
    .into_iter()
    .chain(copy)
    .collect();
    suite(&format!("accredit.{tier}"), &rests_on, &cases)
}

/// A run of some of the controls decides nothing.
fn part(report: &Report, context: &Context<'_>) -> (Tally, Markup) {
    let message = headline(report, context.require);
    let case = html! {
        testcase name="decision" classname="accredit" {
            error type="not evaluated" message=(xml(&message)) {}
        }
    };
    suite("accredit", &[], &[(Status::Erred, case)])
}

fn requirement(report: &Report, context: &Context<'_>, it: &Requirement) -> (Status, Markup) {
    let asked = it.tier <= context.require;
    let status = match (it.met, it.waived) {
        (Some(true), _) => Status::Passed,
        (Some(false), false) if asked => Status::Failed,
        (None, false) if asked => Status::Erred,
        _ => Status::Skipped,
    };
    let waiver =
        report.decision.waivers.iter().find(|w| w.tier == it.tier && w.requirement == it.id);
    let reason =
        waiver.filter(|_| it.waived).map(|waiver| format!("{}: {}", state(it), waiver.reason));
    let message = reason.or_else(|| it.mend.clone()).unwrap_or_default();
    let figures = format!("measured: {}\nrequired: {}", measured(it), required(&it.required));
    let (name, class) = (it.id.name(), format!("accredit.{}", it.tier));
    let markup = html! {
        testcase name=(xml(name)) classname=(xml(&class)) {
            @match status {
                Status::Passed => {}
                Status::Failed => { failure type=(state(it)) message=(xml(&message)) { (xml(&figures)) } }
                Status::Erred => { error type=(state(it)) message=(xml(&message)) { (xml(&figures)) } }
                Status::Skipped => { skipped message=(xml(&message)) {} }
            }
        }
    };
    (status, markup)
}

/// The controls of one kind, the wrong ones first.
fn controls(report: &Report, context: &Context<'_>, lines: &[ConfusionLine]) -> (Tally, Markup) {
    let kind = lines[0].kind;
    let class = format!("accredit.controls.{kind}");
    let refused = matches!(outcome(report, context.require), Outcome::Refused | Outcome::Part);
    let mut cases = Vec::new();
    for list in wrong(report) {
        let of_kind = list.misses.iter().filter(|miss| miss.kind == kind);
        cases.extend(of_kind.map(|miss| control(list.name, miss, &class, refused, context)));
    }
    for id in lines.iter().flat_map(|line| &line.right_ids) {
        let markup = html! { testcase name=(xml(id.as_str())) classname=(xml(&class)) {} };
        cases.push((Status::Passed, markup));
    }
    suite(&class, &[], &cases)
}

/// A control that was judged wrong: a failure where the tier is refused; where the policy allows for it,
/// skipped.
fn control(
    name: &str,
    miss: &Miss,
    class: &str,
    refused: bool,
    context: &Context<'_>,
) -> (Status, Markup) {
    let file = context.places.of(&miss.id);
    let (path, line) =
        file.map_or((None, None), |(file, line)| (Some(file.display().to_string()), Some(line)));
    let message = format!("{name}: {}", verdicts(miss));
    let others = others(miss);
    let markup = html! {
        testcase name=(xml(miss.id.as_str())) classname=(xml(class)) file=[path.as_deref().map(xml)] line=[line] {
            @if refused {
                failure type=(name) message=(xml(&message)) {
                    "rule: " (xml(miss.rule.as_ref().map_or("none", |rule| rule.as_str()))) "\n"
                    @if !others.is_empty() { "failed by: " (xml(&others)) "\n" }
                    @if !miss.rationale.is_empty() { "it said: " (xml_of(&miss.rationale)) "\n" }
                    @if !miss.why.is_empty() { "why: " (xml(miss.why.trim())) "\n" }
                }
            } @else {
                skipped message=(xml(&format!("{message}; the policy allows for it"))) {}
            }
        }
    };
    (if refused { Status::Failed } else { Status::Skipped }, markup)
}

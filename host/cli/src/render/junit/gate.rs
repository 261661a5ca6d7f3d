//! A gate as test results: the release, then a suite a purpose and in it a test case a case.
//!
//! A server that counts failures and errors comes to what the exit code says. A case that blocks nothing (a
//! characterization, or one whose failures are tolerated or let go) is skipped where it failed; what was not
//! evaluated is an error where the case can block.

use std::collections::{BTreeMap, BTreeSet};

use accredit_core::gate::GateReport;
use accredit_core::gate::combine::{CaseResult, Failed, Open};
use accredit_core::gate::standing::{Standing, Truth};
use accredit_core::id::CaseId;
use maud::{Markup, html};

use super::{Status, Tally, file, suite};
use crate::render::escape::{xml, xml_of};
use crate::render::gate_words as words;
use crate::render::{GateContext, evidence};

/// The gate as test results.
#[must_use]
pub fn gate(report: &GateReport, context: &GateContext<'_>) -> String {
    let mut suites = vec![release(report, context)];
    let mut by_purpose: BTreeMap<&str, Vec<&CaseResult>> = BTreeMap::new();
    for case in &report.cases {
        by_purpose.entry(case.purpose.name()).or_default().push(case);
    }
    let details = Details::of(report);
    suites.extend(by_purpose.iter().map(|(purpose, cases)| {
        let class = format!("accredit.gate.{purpose}");
        let cases: Vec<_> = cases.iter().map(|case| one(case, &class, &details)).collect();
        suite(&class, &[], &cases)
    }));
    file("accredit gate", &suites)
}

/// What is told of each case.
struct Details<'a> {
    failed: BTreeMap<&'a CaseId, Vec<&'a Failed>>,
    open: BTreeMap<&'a CaseId, Vec<&'a Open>>,
    blocked: BTreeSet<&'a CaseId>,
}

impl<'a> Details<'a> {
    fn of(report: &'a GateReport) -> Self {
        let (mut failed, mut open) = (BTreeMap::new(), BTreeMap::new());
        let lists = [&report.blocking, &report.let_go, &report.tolerated, &report.advisory];
        for it in lists.into_iter().flatten() {
            failed.entry(&it.case).or_insert_with(Vec::new).push(it);
        }
        for it in &report.not_evaluated {
            open.entry(&it.case).or_insert_with(Vec::new).push(it);
        }
        let blocked = report.blocking.iter().map(|it| &it.case).collect();
        Self { failed, open, blocked }
    }
}

/// The release, with what it rests on, and each grader that lost its authority.
fn release(report: &GateReport, context: &GateContext<'_>) -> (Tally, Markup) {
    let rests_on: Vec<_> = [
        ("verdict", words::verdict(report).to_owned()),
        ("policy", report.policy.digest.to_string()),
        ("inventory", report.inventory.digest.to_string()),
        ("decides", report.decides.to_string()),
        ("counts", words::counts(&report.summary)),
        ("false-block", words::false_block(report)),
    ]
    .into_iter()
    .chain(report.graders.iter().map(|it| ("grader", words::grader(it))))
    .chain(report.decided.iter().map(|it| {
        let (by, because) = (it.by.raw(), it.because.raw());
        let said = format!("{} by {by} at {}: {because}", words::did(it, report), it.at);
        ("decided", said)
    }))
    .chain(report.not_counted.iter().map(|it| ("word-not-counted", it.why.raw().to_owned())))
    .chain(words::trials(report).into_iter().map(|it| ("runs", it)))
    .chain(report.evidence.runs.iter().map(|it| ("evidence", evidence::line(it))))
    .collect();
    let why = &report.release.why;
    let (status, inner) = match report.release.verdict {
        Truth::True => (Status::Passed, html! {}),
        Truth::False => {
            (Status::Failed, html! { failure type=(words::verdict(report)) message=(xml(why)) {} })
        }
        Truth::Undefined => {
            (Status::Erred, html! { error type=(words::verdict(report)) message=(xml(why)) {} })
        }
    };
    let mut cases =
        vec![(status, html! { testcase name="release" classname="accredit.gate" { (inner) } })];
    for grader in report.graders.iter().filter(|it| it.stale) {
        let name = format!("authority of {}", grader.name);
        cases.push(lost(&name, &grader.reasons.join("; "), context.allow_stale));
    }
    cases.extend(context.stale.map(|why| lost("the policy", why, false)));
    if let Some(altered) = words::altered(report) {
        let markup = html! {
            testcase name="what was registered" classname="accredit.gate" { error type="altered" message=(altered) {} }
        };
        cases.push((Status::Erred, markup));
    }
    suite("accredit.gate", &rests_on, &cases)
}

/// Something that is stale.
fn lost(name: &str, why: &str, allowed: bool) -> (Status, Markup) {
    let status = if allowed { Status::Skipped } else { Status::Erred };
    let markup = html! {
        testcase name=(xml(name)) classname="accredit.gate" {
            @if allowed { skipped message=(xml(why)) {} }
            @else { error type="stale" message=(xml(why)) {} }
        }
    };
    (status, markup)
}

fn one(case: &CaseResult, class: &str, details: &Details<'_>) -> (Status, Markup) {
    let blocks = details.blocked.contains(&case.case);
    let status = match case.standing {
        Standing::Passed => Status::Passed,
        Standing::Failed if blocks => Status::Failed,
        Standing::NotApplicable | Standing::Failed => Status::Skipped,
        _ if case.purpose.blocks() => Status::Erred,
        _ => Status::Skipped,
    };
    let failed = details.failed.get(&case.case).map_or(&[][..], Vec::as_slice);
    let open = details.open.get(&case.case).map_or(&[][..], Vec::as_slice);
    let standing = case.standing.name();
    let body = html! {
        @for it in failed { (words::failed_place(it)) (claim(it.claim.as_ref()))
            @for mark in words::failed_marks(it) { " · " (mark) }
            @if !it.rationale.is_empty() { ": " (xml_of(&it.rationale)) } "\n" }
        @for it in open { (words::open_place(it)) (claim(it.claim.as_ref())) ": " (it.standing.name()) ", " (it.why.text()) "\n" }
    };
    let markup = html! {
        testcase name=(xml(case.case.as_str())) classname=(xml(class)) {
            @match status {
                Status::Passed => {}
                Status::Failed => { failure type=(standing) message=(standing) { (body) } }
                Status::Erred => { error type=(standing) message=(standing) { (body) } }
                Status::Skipped => { skipped message={ (standing) ", blocks nothing" } {} }
            }
        }
    };
    (status, markup)
}

fn claim(claim: Option<&accredit_core::untrusted::Untrusted>) -> Markup {
    html! { @if let Some(claim) = claim { ", claim " (xml_of(claim)) } }
}

//! A verification as test results: a suite a grader, a test case a promise.

use accredit_core::verification::{Check, GraderVerification, Verification};
use maud::{Markup, html};

use super::{Status, Tally, file, suite};
use crate::render::escape::xml;

/// The verification as test results.
#[must_use]
pub fn verification(of: &Verification) -> String {
    let mut suites = Vec::new();
    if !of.checks.is_empty() {
        let rests_on =
            [("policy", of.register.policy.to_string()), ("summary", of.summary.clone())];
        suites.push(suite("accredit.register", &rests_on, &cases("accredit.register", &of.checks)));
    }
    suites.extend(of.graders.iter().map(grader));
    file("accredit verify", &suites)
}

fn grader(of: &GraderVerification) -> (Tally, Markup) {
    let name = format!("accredit.{}", of.name);
    let mut rests_on = Vec::new();
    rests_on.extend(of.component.map(|it| ("grader", it.to_string())));
    rests_on.extend(of.record.map(|it| ("record", it.to_string())));
    rests_on.extend(of.notes.iter().map(|note| ("note", note.clone())));
    suite(&name, &rests_on, &cases(&name, &of.checks))
}

fn cases(class: &str, checks: &[Check]) -> Vec<(Status, Markup)> {
    let case = |check: &Check| {
        let status = if check.held { Status::Passed } else { Status::Failed };
        let name = check.invariant.name();
        let markup = html! {
            testcase name=(xml(name)) classname=(xml(class)) {
                @if !check.held { failure type="broke" message=(xml(&check.detail)) {} }
            }
        };
        (status, markup)
    };
    checks.iter().map(case).collect()
}

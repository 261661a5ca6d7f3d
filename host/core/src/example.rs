//! Small sound values for the tests of this crate.

use crate::case::Case;
use crate::control::set::{Control, Entry, Expectation, Kind, Place};
use crate::id::{ControlId, FamilyId, RuleId};
use crate::manifest::{Manifest, RawManifest, RawRule};
use crate::verdict::{RuleTier, Scope, Verdict};

/// A control of this kind and id, in a family of its own, expecting rule `r1` to fail where its kind must
/// fail, and the case to pass otherwise.
pub(crate) fn control(kind: Kind, id: &str, output: &str) -> Control {
    let fails = matches!(kind, Kind::KnownBad | Kind::Adversarial);
    Control {
        kind,
        at: Place { file: format!("{kind}.toml"), line: 1 },
        label: None,
        entry: Entry {
            id: ControlId::new(id).expect("a valid id"),
            family: FamilyId::new(id).expect("a valid id"),
            why: "an example".into(),
            expect: if fails {
                expect(Verdict::Fail, Some("r1"))
            } else {
                expect(Verdict::Pass, None)
            },
            also: vec![],
            pair: None,
            tactic: None,
            base: None,
            variation: None,
            skip_transforms: vec![],
            case: Case { output: output.into(), ..Case::default() },
        },
    }
}

/// An expectation.
pub(crate) fn expect(verdict: Verdict, rule: Option<&str>) -> Expectation {
    Expectation { verdict, rule: rule.map(|rule| RuleId::new(rule).expect("a valid id")) }
}

/// A manifest with these essential rules, each judging the output.
pub(crate) fn manifest(rules: &[&str]) -> Manifest {
    let rule = |id: &&str| RawRule {
        id: (*id).to_owned(),
        text: String::new(),
        tier: RuleTier::Essential,
        scope: Scope::Output,
        needs: vec![],
    };
    RawManifest {
        name: "example".into(),
        version: "1".into(),
        rubric: "example".into(),
        rules: rules.iter().map(rule).collect(),
        extra: String::new(),
    }
    .check()
    .expect("a sound manifest")
}

//! Graders that know nothing, run on the same controls: if one of them would be promoted, the controls
//! are too weak and nothing is.

mod surface_cue;

use crate::control::set::Control;
use crate::id::Digest;
use crate::manifest::Rule;
use crate::run::event::BaselineFinished;
use crate::verdict::Verdict;

/// Every baseline's verdicts on every control as written. `seed` decides the coin.
#[must_use]
pub fn all(controls: &[Control], rules: &[Rule], seed: u64) -> Vec<BaselineFinished> {
    let simple = |name: &str, judge: &dyn Fn(&Control, &Rule) -> Verdict| BaselineFinished {
        name: name.to_owned(),
        verdicts: controls
            .iter()
            .map(|control| rules.iter().map(|rule| judge(control, rule)).collect())
            .collect(),
    };
    vec![
        simple("always-pass", &|_, _| Verdict::Pass),
        simple("always-fail", &|_, _| Verdict::Fail),
        BaselineFinished { name: "coin-flip".to_owned(), verdicts: coins(controls, rules, seed) },
        simple("contains-reference", &|control, _| contains_reference(control)),
        BaselineFinished {
            name: "surface-cue".to_owned(),
            verdicts: surface_cue::verdicts(controls, rules),
        },
    ]
}

/// Heads or tails by a hash of the case's content, the rule and the seed.
fn coins(controls: &[Control], rules: &[Rule], seed: u64) -> Vec<Vec<Verdict>> {
    let coin = |content: &Digest, rule: &Rule| {
        let digest = Digest::of_parts([
            b"accredit coin".as_slice(),
            &seed.to_le_bytes(),
            content.as_bytes(),
            rule.id.as_str().as_bytes(),
        ]);
        if digest.as_bytes()[0] & 1 == 0 { Verdict::Pass } else { Verdict::Fail }
    };
    let coins = |control: &Control| {
        let content = control.entry.case.content_digest();
        rules.iter().map(|rule| coin(&content, rule)).collect()
    };
    controls.iter().map(coins).collect()
}

/// Passes where the reference stands anywhere in the output.
fn contains_reference(control: &Control) -> Verdict {
    let case = &control.entry.case;
    match &case.reference {
        Some(reference) if case.output.contains(reference.trim()) => Verdict::Pass,
        _ => Verdict::Fail,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::set::Kind;
    use crate::example;

    #[test]
    fn each_baseline_gives_every_rule_of_every_control_a_verdict() {
        let rules = example::manifest(&["r1", "r2"]).rules;
        let controls: Vec<_> =
            ["a", "b", "c"].iter().map(|id| example::control(Kind::KnownBad, id, id)).collect();
        for baseline in all(&controls, &rules, 7) {
            assert_eq!(baseline.verdicts.len(), 3, "{}", baseline.name);
            assert!(baseline.verdicts.iter().all(|verdicts| verdicts.len() == 2));
        }
        assert_eq!(all(&controls, &rules, 7), all(&controls, &rules, 7));
    }

    #[test]
    fn contains_reference_looks_anywhere() {
        let mut control = example::control(Kind::KnownBad, "a", "it is 118");
        assert_eq!(contains_reference(&control), Verdict::Fail);
        control.entry.case.reference = Some("18".into());
        assert_eq!(contains_reference(&control), Verdict::Pass);
    }
}

//! What holds of every gate.

use proptest::prelude::*;

use super::make::*;
use crate::gate::standing::Truth;
use crate::verdict::{RuleTier, Tier, Verdict};

fn verdict() -> impl Strategy<Value = Verdict> {
    // Mostly passes, so that many gates are true.
    prop_oneof![8 => Just(Verdict::Pass), 4 => (0..5usize).prop_map(|n| Verdict::ALL[n])]
}

fn gate() -> impl Strategy<Value = World> {
    let cases = proptest::collection::vec(proptest::collection::vec(verdict(), 1..4), 1..5);
    (cases, proptest::option::of((verdict(), 0..3usize, 0..4usize)), 0..2usize).prop_map(
        |(cases, second, loose)| {
            let ids: Vec<String> = (0..cases.len()).map(|n| format!("c{n}")).collect();
            let cases: Vec<_> =
                ids.iter().zip(&cases).map(|(id, said)| (id.as_str(), &said[..])).collect();
            let mut gate = world(&cases);
            if let Some((says, authority, tier)) = second {
                const TIERS: [RuleTier; 4] = [
                    RuleTier::Essential,
                    RuleTier::Important,
                    RuleTier::Optional,
                    RuleTier::MustNot,
                ];
                gate.add("h", TIERS[tier], Tier::ALL[authority], says);
            }
            if loose == 1 {
                gate.policy.gate.pass_rate = 0.5;
            }
            gate
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Undefined and false stay what they are or become undefined: nothing turns green by being taken away.
    #[test]
    fn removing_evidence_never_makes_a_gate_true(gate in gate(), what in 0..6usize, place: usize) {
        let before = gate.verdict();
        let mut after = gate.clone();
        let at = place % gate.runs.len();
        match what {
            0 => drop(after.runs.remove(at)),
            1 => drop(after.judgements.remove(place % gate.judgements.len())),
            2 => after.runs[at].steps.clear(),
            3 => after.runs[at].steps[0].answer = None,
            4 => drop(after.graders.remove(0)),
            _ => {
                let judgements = after.judgements.len();
                after.judgements[place % judgements].outcome =
                    crate::findings::Outcome::Graded(vec![]);
            }
        }
        prop_assert!(after.verdict() <= before.max(Truth::Undefined));
        if before != Truth::True {
            prop_assert!(after.verdict() != Truth::True);
        }
        let (one, other) = (gate.report().summary, after.report().summary);
        prop_assert_eq!(one.cases, other.cases, "the total never shrinks");
        prop_assert!(other.failed <= one.failed, "what is gone is no failure of the product");
        prop_assert!(what != 0 || after.verdict() != Truth::True);
    }

    #[test]
    fn a_failing_essential_check_never_raises(mut gate in gate()) {
        let before = gate.report();
        gate.add("z", RuleTier::Essential, Tier::Gating, Verdict::Fail);
        let after = gate.report();
        prop_assert_eq!(after.release.verdict, Truth::False);
        prop_assert!(after.summary.passed <= before.summary.passed);
        prop_assert!(after.cases.iter().zip(&before.cases).all(|(a, b)| a.verdict <= b.verdict));
    }

    #[test]
    fn order_does_not_matter(gate in gate(), turn: usize) {
        let mut turned = gate.clone();
        turned.runs.rotate_left(turn % gate.runs.len());
        turned.judgements.rotate_left(turn % gate.judgements.len());
        turned.inventory.checks.reverse();
        turned.graders.reverse();
        turned.judgements.reverse();
        let (one, mut other) = (gate.report(), turned.report());
        other.graders.reverse();
        (other.inventory.digest, other.decides) = (one.inventory.digest, one.decides);
        other.stale.reverse();
        prop_assert_eq!(one, other);
    }

    #[test]
    fn what_is_open_is_never_a_pass_or_a_fail(gate in gate()) {
        let summary = gate.report().summary;
        let parts = summary.verdicted + summary.not_evaluated + summary.not_applicable;
        prop_assert_eq!(summary.cases, parts);
        prop_assert_eq!(summary.verdicted, summary.passed + summary.failed);
        prop_assert_eq!(summary.pass_rate.is_none(), summary.verdicted == 0);
        if gate.verdict() == Truth::True {
            prop_assert!(summary.not_evaluated == 0 && summary.passed > 0);
        }
    }
}

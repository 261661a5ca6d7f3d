//! A judge's record does not repeat itself, so it is held to its promotion by pairs: the families that it got right
//! then and wrong now, against those the other way round (McNemar's exact test, alpha 1 %). One such finding is a
//! suspicion, which the next verification confirms or clears: a judge is not demoted on one bad night. That
//! multiplies the chance of a false alarm by itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compare::Pairs;
use crate::stats::mcnemar::mcnemar;

/// The chance of finding a loss where there is none, in one verification.
pub const ALPHA: f64 = 0.01;

/// How a judge's families came out, against its promotion.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Deterioration {
    /// Families right when it was promoted and wrong now.
    pub lost: u64,
    /// Families wrong then and right now.
    pub gained: u64,
    /// Two-sided p of McNemar's exact test; absent where no family changed.
    pub p: Option<f64>,
}

/// What is known of a judge's deterioration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Paired {
    /// None is established.
    Holds,
    /// One is, for the first time: the next verification decides.
    Suspected,
    /// Two verifications in a row established one.
    Confirmed,
}

impl Deterioration {
    /// Of the settled families of two runs: A the promoted one, B this one.
    #[must_use]
    pub fn of(families: Pairs) -> Self {
        let (lost, gained) = (families.only_a, families.only_b);
        Self { lost, gained, p: mcnemar(lost, gained).ok().map(|test| test.exact_p) }
    }

    /// Whether more was lost than chance explains.
    #[must_use]
    pub fn is_established(&self) -> bool {
        self.lost > self.gained && self.p.is_some_and(|p| p <= ALPHA)
    }

    /// What this verification and the one before it come to.
    #[must_use]
    pub fn after(&self, before: Option<&Self>) -> Paired {
        match (self.is_established(), before.is_some_and(Self::is_established)) {
            (false, _) => Paired::Holds,
            (true, false) => Paired::Suspected,
            (true, true) => Paired::Confirmed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lost: u64, gained: u64) -> Deterioration {
        Deterioration::of(Pairs { both: 40, only_a: lost, only_b: gained, neither: 3 })
    }

    #[test]
    fn a_loss_is_established_at_one_percent_and_only_as_a_loss() {
        // 2 / 2^7 is 1.6 %, 2 / 2^8 is 0.8 %.
        for (lost, gained, established) in [
            (0, 0, false),
            (7, 0, false),
            (8, 0, true),
            (0, 30, false),
            (9, 1, false),
            (12, 1, true),
        ] {
            assert_eq!(of(lost, gained).is_established(), established, "{lost} {gained}");
        }
        assert_eq!(of(0, 0).p, None);
        let p = of(8, 0).p.expect("a p");
        assert!((p - 2.0 / 256.0).abs() < 1e-12, "{p}");
    }

    #[test]
    fn one_bad_night_is_a_suspicion_and_two_in_a_row_confirm_it() {
        let (bad, good) = (of(8, 0), of(2, 1));
        assert_eq!(bad.after(None), Paired::Suspected);
        assert_eq!(bad.after(Some(&good)), Paired::Suspected);
        assert_eq!(bad.after(Some(&bad)), Paired::Confirmed);
        assert_eq!(good.after(Some(&bad)), Paired::Holds);
        assert_eq!(good.after(None), Paired::Holds);
    }

    /// Exactly, over every outcome: where nothing changed, a judge is suspected at most once in a hundred nights.
    #[test]
    fn false_alarms_are_as_rare_as_they_are_said_to_be() {
        for changed in 1..=60_u64 {
            let mut chance = 0.0;
            let mut ways = 1.0;
            for lost in 0..=changed {
                if of(lost, changed - lost).is_established() {
                    chance += ways / 2_f64.powi(i32::try_from(changed).expect("small"));
                }
                ways = ways * (changed - lost) as f64 / (lost + 1) as f64;
            }
            assert!(chance <= ALPHA / 2.0 + 1e-12, "{changed}: {chance}");
        }
    }
}

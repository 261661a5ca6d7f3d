//! How many units a bound needs, and how likely a grader of a given true rate is to clear it.
//!
//! Both are exact binomial counts; see [`super::interval`] for the bound.

use statrs::distribution::{Binomial, DiscreteCDF};

use super::absent::Absent;
use super::interval::{Count, exact_lower};

/// The largest sample that is looked at. A bar that needs more is answered with `None`.
const LARGEST: u64 = 100_000;

/// The smallest number of units with which `misses` misses still give an exact lower bound of at least
/// `bar` at this confidence. `None` where no sample up to 100,000 does (a bar of 1, say).
#[must_use]
pub fn units_needed(misses: u64, bar: f64, confidence: f64) -> Option<u64> {
    let meets = |of: u64| {
        exact_lower(Count::new(of - misses, of), confidence).is_some_and(|bound| bound >= bar)
    };
    if misses >= LARGEST || !meets(LARGEST) {
        return None;
    }
    // With the misses fixed, the bound rises with the number of units.
    let (mut short, mut enough) = (misses, LARGEST);
    while enough - short > 1 {
        let middle = short + (enough - short) / 2;
        if meets(middle) {
            enough = middle;
        } else {
            short = middle;
        }
    }
    Some(enough)
}

/// The most misses among `of` units with which the exact lower bound still reaches `bar`; `None` where
/// not even a clean sheet does.
#[must_use]
pub fn misses_allowed(of: u64, bar: f64, confidence: f64) -> Option<u64> {
    let meets = |misses: u64| {
        exact_lower(Count::new(of - misses, of), confidence).is_some_and(|bound| bound >= bar)
    };
    if !meets(0) {
        return None;
    }
    // With the units fixed, the bound falls with the misses.
    let (mut allowed, mut too_many) = (0, of.saturating_add(1));
    while too_many - allowed > 1 {
        let middle = allowed + (too_many - allowed) / 2;
        if meets(middle) {
            allowed = middle;
        } else {
            too_many = middle;
        }
    }
    Some(allowed)
}

/// The chance that a grader which is truly right on a share `rate` of units meets `bar` with `of`
/// independent units. 0 where even a clean sheet is too little; absent where `rate` is no probability.
#[must_use]
pub fn chance_of_meeting(rate: f64, of: u64, bar: f64, confidence: f64) -> Option<f64> {
    let Some(misses) = misses_allowed(of, bar, confidence) else {
        return Some(0.0);
    };
    let binomial = Binomial::new(1.0 - rate, of).ok()?;
    Some(binomial.cdf(misses))
}

/// The chance of clearing every one of these bars, each given as (units, bar) and met by units of its own, with the
/// same true rate throughout: the product of the chances, since the units are independent.
///
/// # Errors
/// When there are no bars, or `rate` is no probability.
pub fn chance_of_meeting_all(
    rate: f64,
    bars: &[(u64, f64)],
    confidence: f64,
) -> Result<f64, Absent> {
    if bars.is_empty() {
        return Err(Absent::NothingAsked);
    }
    let chance = |(of, bar): &(u64, f64)| chance_of_meeting(rate, *of, *bar, confidence);
    bars.iter().map(chance).product::<Option<f64>>().ok_or(Absent::NotShare)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn exact_sample_sizes() {
        for (bar, misses, of) in [
            (0.95, 0, 59),
            (0.95, 1, 93),
            (0.95, 2, 124),
            (0.95, 3, 153),
            (0.95, 4, 181),
            (0.95, 5, 208),
            (0.90, 0, 29),
            (0.90, 1, 46),
            (0.99, 0, 299),
            (0.80, 0, 14),
            (0.80, 1, 22),
        ] {
            assert_eq!(units_needed(misses, bar, 0.95), Some(of), "{bar} with {misses} misses");
            assert_eq!(misses_allowed(of, bar, 0.95), Some(misses));
        }
        assert_eq!(units_needed(0, 1.0, 0.95), None);
        assert_eq!(misses_allowed(58, 0.95, 0.95), None);
        assert_eq!(misses_allowed(0, 0.95, 0.95), None);
    }

    #[test]
    fn a_strict_bound_turns_good_graders_away() {
        let chance = |rate| chance_of_meeting(rate, 59, 0.95, 0.95).expect("a probability");
        assert!((chance(0.97) - 0.166).abs() < 0.001, "{}", chance(0.97));
        assert!((chance(0.99) - 0.553).abs() < 0.001, "{}", chance(0.99));
        assert_eq!(chance_of_meeting(0.99, 58, 0.95, 0.95), Some(0.0));
        assert_eq!(chance_of_meeting(f64::NAN, 59, 0.95, 0.95), None);
    }

    #[test]
    fn several_bars_at_once() {
        let one = chance_of_meeting(0.97, 59, 0.95, 0.95).expect("a chance");
        let other = chance_of_meeting(0.97, 29, 0.90, 0.95).expect("a chance");
        let both = chance_of_meeting_all(0.97, &[(59, 0.95), (29, 0.90)], 0.95).expect("a chance");
        assert!((both - one * other).abs() < 1e-12);
        assert_eq!(chance_of_meeting_all(0.97, &[], 0.95), Err(Absent::NothingAsked));
        let none = chance_of_meeting_all(f64::NAN, &[(59, 0.95)], 0.95);
        assert_eq!(none, Err(Absent::NotShare));
    }

    proptest! {
        #[test]
        fn no_more_misses_are_allowed_than_meet_the_bar(of in 0u64..400, bar in 0.0f64..=1.0) {
            let meets = |misses: u64| exact_lower(Count::new(of - misses, of), 0.95) >= Some(bar);
            match misses_allowed(of, bar, 0.95) {
                Some(allowed) => {
                    prop_assert!(meets(allowed) && (allowed == of || !meets(allowed + 1)));
                }
                None => prop_assert!(!meets(0)),
            }
            let chance = chance_of_meeting(0.9, of, bar, 0.95);
            prop_assert!(chance.is_some_and(|chance| (0.0..=1.0).contains(&chance)));
        }
    }
}

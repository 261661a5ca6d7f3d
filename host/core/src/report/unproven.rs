//! Rules, tactics and segments whose own bound does not reach the bar: for want of evidence, or for being wrong.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{RuleLine, SegmentLine, TacticLine};
use crate::decision::RateFigure;
use crate::policy::Bars;
use crate::stats::sample_size::units_needed;

/// The bar for a part that the policy gives none of its own.
const OWN_BAR: f64 = 0.80;

/// A part of the rubric that is not proved on its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Unproven {
    /// `rule`, `tactic` or `segment`.
    pub part: String,
    /// Which.
    pub name: String,
    /// Of which rate: `catch`, `pass`, or (of a tactic) `right`.
    pub rate: String,
    /// What there is.
    pub figure: RateFigure,
    /// The lower bound it would need.
    pub bar: f64,
    /// Whether its own rate lies below the bar: then more of the same would not prove it. Else there are too few.
    #[serde(default)]
    pub failing: bool,
    /// How many families would be needed with as many wrong ones; absent where no number would do.
    pub needed: Option<u64>,
}

/// Lists them, rules first.
pub(super) fn find(
    (rules, tactics, segments): (&[RuleLine], &[TacticLine], &[SegmentLine]),
    bars: Option<&Bars>,
    confidence: f64,
) -> Vec<Unproven> {
    let rule_bar = bars.and_then(|bars| bars.each_essential_rule).unwrap_or(OWN_BAR);
    let tactic_bar = bars.and_then(|bars| bars.adversarial).unwrap_or(OWN_BAR);
    let of = |part: &str, name: String, rate: &str, figure: &RateFigure, bar| {
        let proved = figure.lower_bound.is_some_and(|bound| bound >= bar);
        (!proved).then(|| Unproven {
            part: part.to_owned(),
            name,
            rate: rate.to_owned(),
            figure: *figure,
            bar,
            failing: figure.rate.is_some_and(|rate| rate < bar),
            needed: units_needed(figure.families.missed(), bar, confidence),
        })
    };
    let rules = rules
        .iter()
        .filter_map(|line| of("rule", line.rule.to_string(), "catch", &line.catch, rule_bar));
    let tactics = tactics.iter().filter_map(|line| {
        of("tactic", line.tactic.to_string(), "right", &line.figure, tactic_bar)
    });
    let segments = segments.iter().flat_map(|line| {
        let name = format!("{} = {}", line.name, line.value);
        let sides = [("catch", &line.catch), ("pass", &line.pass)];
        let asked = sides.into_iter().filter(|(_, figure)| figure.families.of > 0);
        asked.filter_map(move |(rate, figure)| of("segment", name.clone(), rate, figure, OWN_BAR))
    });
    rules.chain(tactics).chain(segments).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::interval::Count;

    #[test]
    fn fourteen_right_prove_a_tactic_and_thirteen_do_not() {
        let line = |right| TacticLine {
            tactic: "confident-tone".parse().expect("an id"),
            figure: RateFigure::new(Count::new(right, right), 0.95),
        };
        let found = find((&[], &[line(14)], &[]), None, 0.95);
        assert_eq!(found, []);
        let found = find((&[], &[line(13)], &[]), None, 0.95);
        assert_eq!((found.len(), found[0].needed), (1, Some(14)));
        assert!(!found[0].failing, "13 of 13 are too few, not wrong");
        let wrong = TacticLine { figure: RateFigure::new(Count::new(7, 10), 0.95), ..line(1) };
        assert!(find((&[], &[wrong], &[]), None, 0.95)[0].failing);
        let found = find((&[], &[line(0)], &[]), None, 0.95);
        assert_eq!(found[0].figure.rate, None, "nothing tried it");
    }
}

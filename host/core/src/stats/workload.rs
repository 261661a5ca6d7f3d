//! What a grader's rates mean in use: misses and false alarms in counts and in costs, at a stated base rate.
//!
//! Plain arithmetic on the fourfold table (the positive predictive value of J. Yerushalmy, "Statistical
//! problems in assessing methods of medical diagnosis", Public Health Reports 62 (1947) 1432-1449). Each
//! range takes the ends of the exact (Clopper-Pearson) intervals of the rates; where both rates matter it
//! takes the worst ends of both and the best ends of both, so that it covers at least 1 - 2 * (1 -
//! confidence) (Bonferroni). The base rate and the number of outputs are taken as given.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::absent::{self, Absent};
use super::interval::{Count, clopper_pearson};

/// A figure with a range.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// The lower end of its range.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    /// A rate with its exact interval at a two-sided confidence.
    ///
    /// # Errors
    /// When nothing was counted, or the confidence is none.
    pub fn of(count: Count, confidence: f64) -> Result<Self, Absent> {
        absent::confidence(confidence)?;
        let value = count.rate().ok_or(Absent::NoUnits)?;
        let interval = clopper_pearson(count, confidence).ok_or(Absent::NoUnits)?;
        Ok(Self { value, low: interval.low, high: interval.high })
    }

    /// A figure known for certain.
    #[must_use]
    pub fn exactly(value: f64) -> Self {
        Self { value, low: value, high: value }
    }

    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        let (one, other) = (f(self.low), f(self.high));
        Self { value: f(self.value), low: one.min(other), high: one.max(other) }
    }

    fn check(self) -> Result<Self, Absent> {
        for value in [self.value, self.low, self.high] {
            absent::share(value)?;
        }
        let ordered = self.low <= self.value && self.value <= self.high;
        if ordered { Ok(self) } else { Err(Absent::NotShare) }
    }
}

/// What an error costs, in any unit of money.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Costs {
    /// A bad output that passed.
    pub missed: f64,
    /// A good output that was flagged.
    pub false_alarm: f64,
}

/// Where a grader is to be used.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Use {
    /// How many outputs it will judge, in a month say.
    pub outputs: f64,
    /// The share of them that should fail.
    pub base_rate: f64,
    /// What its errors cost, where that is stated.
    pub costs: Option<Costs>,
}

/// What is to be expected there.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Workload {
    /// What it was computed for.
    pub at: Use,
    /// Outputs that should fail.
    pub bad: f64,
    /// Bad outputs that are flagged.
    pub caught: Estimate,
    /// Bad outputs that are not.
    pub missed: Estimate,
    /// Good outputs that are flagged: false alarms.
    pub false_alarms: Estimate,
    /// All that are flagged.
    pub flagged: Estimate,
    /// The share of flags that are real; absent where nothing would be flagged.
    pub real_flags: Option<Estimate>,
    /// What the errors cost together, where costs are stated.
    pub cost: Option<Estimate>,
}

/// The workload of a grader with these rates.
///
/// # Errors
/// When a rate lies outside 0 to 1 or outside its own range, the number of outputs or a cost is negative or
/// no finite number, or there are no outputs.
pub fn workload(at: Use, catch: Estimate, pass: Estimate) -> Result<Workload, Absent> {
    let (catch, pass) = (catch.check()?, pass.check()?);
    let outputs = absent::not_negative(at.outputs)?;
    if outputs == 0.0 {
        return Err(Absent::NoUnits);
    }
    let bad = outputs * absent::share(at.base_rate)?;
    let good = outputs - bad;
    let caught = catch.map(|rate| bad * rate);
    let missed = catch.map(|rate| bad * (1.0 - rate));
    let false_alarms = pass.map(|rate| good * (1.0 - rate));
    let real = |caught: f64, alarms: f64| {
        let flagged = caught + alarms;
        (flagged > 0.0).then(|| caught / flagged)
    };
    let real_flags = real(caught.value, false_alarms.value).map(|value| Estimate {
        value,
        // Where an end would flag nothing, the share could be anything.
        low: real(caught.low, false_alarms.high).unwrap_or(0.0),
        high: real(caught.high, false_alarms.low).unwrap_or(1.0),
    });
    let cost = match at.costs {
        Some(costs) => Some(cost(costs, missed, false_alarms)?),
        None => None,
    };
    let flagged = add(caught, false_alarms);
    Ok(Workload { at, bad, caught, missed, false_alarms, flagged, real_flags, cost })
}

fn cost(costs: Costs, missed: Estimate, false_alarms: Estimate) -> Result<Estimate, Absent> {
    let of_missed = absent::not_negative(costs.missed)?;
    let of_alarm = absent::not_negative(costs.false_alarm)?;
    let sum = add(missed.map(|n| n * of_missed), false_alarms.map(|n| n * of_alarm));
    absent::finite(sum.high).map(|_| sum)
}

fn add(one: Estimate, other: Estimate) -> Estimate {
    Estimate {
        value: one.value + other.value,
        low: one.low + other.low,
        high: one.high + other.high,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const AT: Use = Use { outputs: 10_000.0, base_rate: 0.05, costs: None };

    fn close(got: f64, want: f64, tolerance: f64) {
        assert!((got - want).abs() <= tolerance, "got {got}, want {want}");
    }

    /// Catching 80 % and passing 95 % of 10,000, 5 % of them bad.
    #[test]
    fn most_flags_are_false() {
        let (catch, pass) = (Estimate::exactly(0.8), Estimate::exactly(0.95));
        let got = workload(AT, catch, pass).expect("a workload");
        close(got.caught.value, 400.0, 1e-9);
        close(got.missed.value, 100.0, 1e-9);
        close(got.false_alarms.value, 475.0, 1e-9);
        close(got.real_flags.expect("flags").value, 0.46, 5e-3);
        assert_eq!(got.cost, None);
    }

    #[test]
    fn ranges_and_costs_follow_the_rates() {
        let catch = Estimate::of(Count::new(80, 100), 0.95).expect("a rate");
        let pass = Estimate::of(Count::new(190, 200), 0.95).expect("a rate");
        let costs = Some(Costs { missed: 200.0, false_alarm: 25.0 });
        let got = workload(Use { costs, ..AT }, catch, pass).expect("a workload");
        close(got.missed.low, 500.0 * (1.0 - catch.high), 1e-9);
        close(got.false_alarms.high, 9_500.0 * (1.0 - pass.low), 1e-9);
        let cost = got.cost.expect("a cost");
        close(cost.value, 100.0 * 200.0 + 475.0 * 25.0, 1e-6);
        assert!(cost.low < cost.value && cost.value < cost.high);
        let real = got.real_flags.expect("flags");
        assert!(real.low < 0.46 && 0.46 < real.high);
    }

    #[test]
    fn what_makes_no_sense_says_why() {
        let (none, all) = (Estimate::exactly(0.0), Estimate::exactly(1.0));
        assert_eq!(workload(AT, none, all).expect("a workload").real_flags, None);
        let of = |at| workload(at, all, all).map(|_| ());
        assert_eq!(of(Use { outputs: 0.0, ..AT }), Err(Absent::NoUnits));
        assert_eq!(of(Use { outputs: f64::NAN, ..AT }), Err(Absent::NotFinite));
        assert_eq!(of(Use { base_rate: 1.5, ..AT }), Err(Absent::NotShare));
        let costs = Some(Costs { missed: -1.0, false_alarm: 1.0 });
        assert_eq!(of(Use { costs, ..AT }), Err(Absent::Negative));
        let upside_down = Estimate { value: 0.5, low: 0.6, high: 0.4 };
        assert_eq!(workload(AT, upside_down, all), Err(Absent::NotShare));
        assert_eq!(Estimate::of(Count::new(0, 0), 0.95), Err(Absent::NoUnits));
    }

    proptest! {
        #[test]
        fn counts_add_up_and_ranges_hold(
            counts in proptest::array::uniform2((0u64..200, 0u64..200)),
            base_rate in 0.0f64..=1.0,
            outputs in 0.0f64..1e9,
        ) {
            let [catch, pass] =
                counts.map(|(a, b)| Estimate::of(Count::new(a.min(b), a.max(b)), 0.95));
            let (Ok(catch), Ok(pass)) = (catch, pass) else { return Ok(()) };
            let costs = Some(Costs { missed: 3.0, false_alarm: 2.0 });
            let Ok(got) = workload(Use { outputs, base_rate, costs }, catch, pass) else {
                prop_assert_eq!(outputs, 0.0);
                return Ok(());
            };
            prop_assert!((got.caught.value + got.missed.value - got.bad).abs() <= 1e-6 * outputs);
            let figures = [got.caught, got.missed, got.false_alarms, got.flagged];
            for figure in figures.into_iter().chain(got.cost).chain(got.real_flags) {
                prop_assert!(0.0 <= figure.low && figure.low <= figure.value * (1.0 + 1e-12) + 1e-9);
                prop_assert!(figure.value <= figure.high * (1.0 + 1e-12) + 1e-9 && figure.high.is_finite());
            }
        }
    }
}

//! A ratio recomputed from a loan file, kept as an unreduced fraction so that it stays exact.

use crate::decimal::{Decimal, sign_of_sum};
use crate::excerpt::shorten;
use crate::loan::{Entry, Loan};

/// A ratio in per cent: `numerator / denominator`, the latter above zero.
#[derive(Clone, Debug)]
pub struct Ratio<'a> {
    numerator: Decimal,
    denominator: Decimal,
    written: [&'a str; 2],
    members: [&'a str; 2],
    factors: &'static str,
}

impl<'a> Ratio<'a> {
    /// A year's debt payments over a year's income.
    pub fn debt_to_income(loan: &Loan<'a>) -> Self {
        Self::new(&loan.monthly_debt, &loan.annual_income, 1200, "100 x 12")
    }

    /// The loan over what secures it.
    pub fn loan_to_value(loan: &Loan<'a>) -> Self {
        Self::new(&loan.loan_amount, &loan.property_value, 100, "100")
    }

    fn new(above: &Entry<'a>, below: &Entry<'a>, times: u32, factors: &'static str) -> Self {
        Self {
            numerator: above.value.times_small(times),
            denominator: below.value.clone(),
            written: [above.text, below.text],
            members: [above.member, below.member],
            factors,
        }
    }

    /// Whether `stated` differs from this by at most a tenth.
    pub fn is_within_a_tenth_of(&self, stated: &Decimal) -> bool {
        // |s - n/d| <= 1/10, times 10d, is -d <= 10sd - 10n <= d.
        let product = stated.times(&self.denominator).times_small(10);
        let opposite = self.numerator.times_small(10).negated();
        let tenth = &self.denominator;
        let not_above = sign_of_sum(&[&product, &opposite, &tenth.clone().negated()]).is_le();
        not_above && sign_of_sum(&[&product, &opposite, tenth]).is_ge()
    }

    /// Whether this is strictly above a limit of so many whole per cent.
    pub fn exceeds(&self, limit: u32) -> bool {
        self.numerator.compare(&self.denominator.times_small(limit)).is_gt()
    }

    /// The two members that this rests on, as they stand in the file.
    pub fn members(&self) -> [&'a str; 2] {
        self.members
    }

    /// The ratio for people: its first digits, or the way to it where those are out of reach.
    pub fn for_people(&self) -> String {
        self.numerator.quotient_for_people(&self.denominator).unwrap_or_else(|| {
            let [above, below] = self.written.map(shorten);
            format!("{} x {above} / {below}", self.factors)
        })
    }
}

//! Loan files: which are usable, and what all usable ones say together.

use crate::decimal::Decimal;
use crate::json::{Member, Value, skip_space};
use crate::members::{Found, find_members};
use std::cmp::Ordering;

/// The kind of evidence that is a loan file, whatever its media type.
pub const KIND: &str = "loan-file";

const KEYS: [&str; 4] = ["monthly_debt", "annual_income", "loan_amount", "property_value"];

/// One figure of a loan file.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// The number as written.
    pub text: &'a str,
    /// The whole member as written, to be cited.
    pub member: &'a str,
    /// The number.
    pub value: Decimal,
}

/// The figures of a usable loan file.
#[derive(Clone, Debug)]
pub struct Loan<'a> {
    /// Where the file stood among those given.
    pub file: usize,
    /// Not negative.
    pub monthly_debt: Entry<'a>,
    /// Above zero.
    pub annual_income: Entry<'a>,
    /// Not negative.
    pub loan_amount: Entry<'a>,
    /// Above zero.
    pub property_value: Entry<'a>,
}

/// Why there is nothing to recompute from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// No evidence is a loan file.
    NoFile,
    /// There are loan files, but none that is usable.
    NoneUsable,
    /// Two usable files, by their places, differ in the figure named.
    Disagree(usize, usize, &'static str),
}

/// What the usable ones among `files` agree on.
pub fn settle<'a>(files: impl Iterator<Item = &'a str>) -> Result<Loan<'a>, Undecided> {
    let mut settled: Result<Loan<'a>, Undecided> = Err(Undecided::NoFile);
    for (file, content) in files.enumerate() {
        match (&settled, read(file, content)) {
            (Err(Undecided::NoFile), None) => settled = Err(Undecided::NoneUsable),
            (Err(_), Some(loan)) => settled = Ok(loan),
            (_, None) => {}
            (Ok(first), Some(loan)) => {
                if let Some(figure) = first.difference(&loan) {
                    return Err(Undecided::Disagree(first.file, file, figure));
                }
            }
        }
    }
    settled
}

/// Reads one file; none when it is not usable.
fn read(file: usize, content: &str) -> Option<Loan<'_>> {
    let (end, [debt, income, amount, value]) =
        find_members(content, skip_space(content, 0), &KEYS).ok()?;
    if skip_space(content, end) < content.len() {
        return None;
    }
    Some(Loan {
        file,
        monthly_debt: entry(debt, Ordering::is_ge)?,
        annual_income: entry(income, Ordering::is_gt)?,
        loan_amount: entry(amount, Ordering::is_ge)?,
        property_value: entry(value, Ordering::is_gt)?,
    })
}

/// A figure, when it is there once, is a number, and stands to zero as it must.
fn entry(found: Found<'_>, to_zero: fn(Ordering) -> bool) -> Option<Entry<'_>> {
    let Found::Once(Member { value: Value::Number(text), text: member, .. }) = found else {
        return None;
    };
    let value = Decimal::parse(text);
    to_zero(value.sign()).then_some(Entry { text, member, value })
}

impl<'a> Loan<'a> {
    /// The first figure in which two files differ as numbers, if any.
    fn difference(&self, other: &Self) -> Option<&'static str> {
        let pairs = self.entries().into_iter().zip(other.entries());
        let unequal = |(one, two): (&Entry<'_>, &Entry<'_>)| one.value.compare(&two.value).is_ne();
        KEYS.into_iter().zip(pairs).find_map(|(key, pair)| unequal(pair).then_some(key))
    }

    fn entries(&self) -> [&Entry<'a>; 4] {
        [&self.monthly_debt, &self.annual_income, &self.loan_amount, &self.property_value]
    }
}

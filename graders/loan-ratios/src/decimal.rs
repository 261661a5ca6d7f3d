//! Exact decimals: a sign, digits as written and a power of ten, never expanded.
//!
//! Nothing here rounds or divides. Every question the rubric asks becomes the sign of a short sum.

use crate::exponent::Exponent;
use crate::natural::{Natural, signed_sum};
use std::cmp::Ordering;

/// The value of a JSON number, exactly.
#[derive(Clone, Debug)]
pub struct Decimal {
    negative: bool,
    digits: Natural,
    exponent: Exponent,
}

impl Decimal {
    /// Reads a number that is already known to follow the grammar of RFC 8259.
    pub fn parse(number: &str) -> Self {
        let bytes = number.as_bytes();
        let (negative, bytes) = match bytes {
            [b'-', rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let (mantissa, exponent) = match split(bytes, |b| matches!(b, b'e' | b'E')) {
            (mantissa, Some(written)) => (mantissa, Exponent::parse(written)),
            (mantissa, None) => (mantissa, Exponent::Small(0)),
        };
        let (whole, fraction) = split(mantissa, |b| b == b'.');
        let fraction = without_last_zeros(fraction.unwrap_or_default());
        // Equal numbers get equal digits, so that comparing them costs no more than the shorter text.
        let kept = if fraction.is_empty() { without_last_zeros(whole) } else { whole };
        let dropped = Exponent::of_count(whole.len() - kept.len());
        Self {
            negative,
            digits: Natural::from_digits(kept, fraction),
            exponent: exponent.plus(&dropped).minus(&Exponent::of_count(fraction.len())),
        }
    }

    /// `tenths` divided by ten.
    pub fn from_tenths(tenths: u32) -> Self {
        let digits = Natural::from_u64(u64::from(tenths));
        Self { negative: false, digits, exponent: Exponent::Small(-1) }
    }

    /// This times a small natural number.
    pub fn times_small(&self, factor: u32) -> Self {
        Self { digits: self.digits.times_small(factor), ..self.clone() }
    }

    /// The product.
    pub fn times(&self, other: &Self) -> Self {
        Self {
            negative: self.negative != other.negative,
            digits: self.digits.times(&other.digits),
            exponent: self.exponent.plus(&other.exponent),
        }
    }

    /// The same size on the other side of zero.
    pub fn negated(mut self) -> Self {
        self.negative = !self.negative;
        self
    }

    /// On which side of zero this lies; `-0` is zero.
    pub fn sign(&self) -> Ordering {
        match (self.digits.is_zero(), self.negative) {
            (true, _) => Ordering::Equal,
            (false, true) => Ordering::Less,
            (false, false) => Ordering::Greater,
        }
    }

    /// Which of the two is larger.
    pub fn compare(&self, other: &Self) -> Ordering {
        sign_of_sum(&[self, &other.clone().negated()])
    }

    /// The quotient of two decimals that are not negative, cut (not rounded) after four places,
    /// for people to read; none where the numbers are too long or the divisor is zero.
    pub fn quotient_for_people(&self, divisor: &Self) -> Option<String> {
        const PLACES: i64 = 4;
        let mut above = u128::from(self.digits.to_u64()?);
        let mut below = u128::from(divisor.digits.to_u64()?);
        let shift = self.exponent.minus(&divisor.exponent).saturated().checked_add(PLACES)?;
        let grow = 10_u128.checked_pow(u32::try_from(shift.checked_abs()?).ok()?)?;
        if shift >= 0 {
            above = above.checked_mul(grow)?;
        } else {
            below = below.checked_mul(grow)?;
        }
        let cut = above.checked_div(below)?;
        let more = if above % below == 0 { "" } else { "…" };
        let text = format!("{}.{:04}", cut / 10_000, cut % 10_000);
        let text =
            if more.is_empty() { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
        Some(format!("{text}{more}"))
    }

    /// The least power of ten that is above the size of this, as an exponent.
    fn top(&self) -> Exponent {
        self.exponent.plus(&Exponent::of_count(self.digits.digit_count()))
    }

    /// The exact sum of two decimals whose tops are close, so that lining them up adds no more
    /// zeros than there are digits.
    fn plus(&self, other: &Self) -> Self {
        let gap = self.exponent.minus(&other.exponent).saturated();
        let places = usize::try_from(gap.unsigned_abs()).unwrap_or(usize::MAX);
        let (high, low) = if gap > 0 { (self, other) } else { (other, self) };
        let lined_up = high.digits.shifted(places);
        let (negative, digits) =
            signed_sum((high.negative, &lined_up), (low.negative, &low.digits));
        Self { negative, digits, exponent: low.exponent.clone() }
    }
}

/// The sign of the exact sum of at most nine terms.
///
/// The two largest are added first. Where the largest is at least ten times the reach of the next,
/// all the others together cannot undo it, so terms far apart are never lined up.
pub fn sign_of_sum(terms: &[&Decimal]) -> Ordering {
    if let Some(sign) = sign_in_machine_integers(terms) {
        return sign;
    }
    let mut terms: Vec<Decimal> = terms.iter().map(|term| (*term).clone()).collect();
    terms.retain(|term| !term.digits.is_zero());
    loop {
        let Some(largest) = take_largest(&mut terms) else {
            return Ordering::Equal;
        };
        let Some(next) = take_largest(&mut terms) else {
            return largest.sign();
        };
        if largest.top().minus(&next.top()).saturated() > 1 {
            return largest.sign();
        }
        let sum = largest.plus(&next);
        if !sum.digits.is_zero() {
            terms.push(sum);
        }
    }
}

/// The quick way for figures of everyday length; none as soon as anything does not fit.
fn sign_in_machine_integers(terms: &[&Decimal]) -> Option<Ordering> {
    let least = terms.iter().map(|term| term.exponent.saturated()).min()?;
    let mut total = 0_i128;
    for term in terms {
        let Exponent::Small(exponent) = term.exponent else {
            return None;
        };
        let places = u32::try_from(exponent.checked_sub(least)?).ok()?;
        let digits = i128::from(term.digits.to_u64()?);
        let lined_up = digits.checked_mul(10_i128.checked_pow(places)?)?;
        let signed = if term.negative { -lined_up } else { lined_up };
        total = total.checked_add(signed)?;
    }
    Some(total.cmp(&0))
}

/// Removes the term that reaches highest, of the few there are.
fn take_largest(terms: &mut Vec<Decimal>) -> Option<Decimal> {
    let mut largest = 0;
    for at in 1..terms.len() {
        if terms[at].top().compare(&terms[largest].top()).is_gt() {
            largest = at;
        }
    }
    (!terms.is_empty()).then(|| terms.swap_remove(largest))
}

/// Splits at the first byte that `is` accepts, which belongs to neither side.
fn split(bytes: &[u8], is: impl Fn(u8) -> bool) -> (&[u8], Option<&[u8]>) {
    match bytes.iter().position(|byte| is(*byte)) {
        Some(at) => (&bytes[..at], Some(&bytes[at + 1..])),
        None => (bytes, None),
    }
}

fn without_last_zeros(digits: &[u8]) -> &[u8] {
    let last = digits.iter().rposition(|digit| *digit != b'0');
    &digits[..last.map_or(0, |last| last + 1)]
}

//! Exact numbers: decimals of any length and simple fractions, compared by value.

use crate::numbers::rational::Rational;

/// Longest exponent that is still read as scientific notation.
const MAX_EXPONENT: i64 = 1_000_000_000;

/// An exact decimal: `digits` × 10^`exponent`, without leading or trailing zeros in `digits`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    pub(crate) negative: bool,
    pub(crate) digits: String,
    pub(crate) exponent: i64,
}

/// A number as the rubric knows it.
#[derive(Clone, Debug)]
pub(crate) enum Number {
    /// A decimal, whatever its notation was.
    Decimal(Decimal),
    /// A simple fraction with a denominator other than zero.
    Fraction(Decimal, Decimal),
}

impl Decimal {
    /// Builds the normal form from ASCII digits with at most one point, scaled by 10^`exponent`.
    pub(crate) fn new(negative: bool, plain: &str, exponent: i64) -> Option<Decimal> {
        if exponent.abs() > MAX_EXPONENT {
            return None;
        }
        let (whole, part) = plain.split_once('.').unwrap_or((plain, ""));
        let mut digits = String::with_capacity(whole.len() + part.len());
        digits.push_str(whole);
        digits.push_str(part);
        let mut exponent = exponent - i64::try_from(part.len()).ok()?;
        let kept = digits.trim_end_matches('0').len();
        exponent += i64::try_from(digits.len() - kept).ok()?;
        digits.truncate(kept);
        let leading = digits.len() - digits.trim_start_matches('0').len();
        digits.drain(..leading);
        if digits.is_empty() {
            return Some(Decimal { negative: false, digits, exponent: 0 });
        }
        Some(Decimal { negative, digits, exponent })
    }

    fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// The same number times 10^`places`.
    fn scaled(&self, places: i64) -> Decimal {
        let mut scaled = self.clone();
        if !scaled.is_zero() {
            scaled.exponent = scaled.exponent.saturating_add(places);
        }
        scaled
    }

    /// The product, where the digits fit 128 bits.
    fn times(&self, other: &Decimal) -> Option<Decimal> {
        if self.is_zero() || other.is_zero() {
            return Decimal::new(false, "0", 0);
        }
        let product = self.digits.parse::<u128>().ok()?.checked_mul(other.digits.parse().ok()?)?;
        let exponent = self.exponent.checked_add(other.exponent)?;
        Decimal::new(self.negative != other.negative, &product.to_string(), exponent)
    }
}

impl Number {
    /// A fraction, unless the denominator is zero.
    pub(crate) fn fraction(numerator: Decimal, denominator: Decimal) -> Option<Number> {
        if denominator.is_zero() {
            return None;
        }
        Some(Number::Fraction(numerator, denominator))
    }

    /// Whether both are the same number; `None` where the digits are too many to tell.
    pub(crate) fn same(&self, other: &Number) -> Option<bool> {
        match (self, other) {
            (Number::Decimal(a), Number::Decimal(b)) => Some(a == b),
            (Number::Fraction(a, b), Number::Fraction(c, d)) => {
                if a == c && b == d {
                    return Some(true);
                }
                Some(a.times(d)? == c.times(b)?)
            }
            (Number::Fraction(a, b), Number::Decimal(c))
            | (Number::Decimal(c), Number::Fraction(a, b)) => Some(*a == c.times(b)?),
        }
    }

    /// Whether this is more than nothing and not a whole number.
    pub(crate) fn is_part(&self) -> bool {
        match self {
            Number::Decimal(a) => !a.negative && a.exponent < 0,
            Number::Fraction(a, _) => !a.negative && !a.is_zero(),
        }
    }

    /// The number times 10^`places`.
    pub(crate) fn scaled(&self, places: i64) -> Number {
        match self {
            Number::Decimal(a) => Number::Decimal(a.scaled(places)),
            Number::Fraction(a, b) => Number::Fraction(a.scaled(places), b.clone()),
        }
    }

    /// The number with the other sign.
    pub(crate) fn negated(mut self) -> Number {
        let (Number::Decimal(signed) | Number::Fraction(signed, _)) = &mut self;
        if !signed.is_zero() {
            signed.negative = !signed.negative;
        }
        self
    }

    /// Whether this one is the smaller; `None` where the digits are too many to tell.
    pub(crate) fn below(&self, other: &Number) -> Option<bool> {
        Rational::from_number(self)?.below(Rational::from_number(other)?)
    }
}

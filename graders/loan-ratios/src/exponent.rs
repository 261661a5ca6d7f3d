//! Powers of ten: machine integers until a number's written exponent outgrows them.

use crate::natural::{Natural, signed_sum};
use std::cmp::Ordering;

/// The power of ten that a decimal's digits are multiplied by. Exact at any length.
#[derive(Clone, Debug)]
pub enum Exponent {
    /// One that fits, as nearly all do.
    Small(i64),
    /// One that needs more than eighteen digits.
    Large {
        /// Whether it is below zero.
        negative: bool,
        /// Its size.
        size: Natural,
    },
}

impl Exponent {
    /// Reads what stands after the `e` of a JSON number: an optional sign and digits.
    pub fn parse(text: &[u8]) -> Self {
        match text {
            [b'-', digits @ ..] => Self::from_parts(true, Natural::from_digits(digits, &[])),
            [b'+', digits @ ..] | digits => {
                Self::from_parts(false, Natural::from_digits(digits, &[]))
            }
        }
    }

    /// A number of digits, as an exponent.
    pub fn of_count(count: usize) -> Self {
        Self::Small(i64::try_from(count).unwrap_or(i64::MAX))
    }

    /// The exponent of a product.
    pub fn plus(&self, other: &Self) -> Self {
        if let (Self::Small(left), Self::Small(right)) = (self, other)
            && let Some(sum) = left.checked_add(*right)
        {
            return Self::Small(sum);
        }
        let ((left_sign, left), (right_sign, right)) = (self.parts(), other.parts());
        let (negative, size) = signed_sum((left_sign, &left), (right_sign, &right));
        Self::from_parts(negative, size)
    }

    /// The exponent of a quotient.
    pub fn minus(&self, other: &Self) -> Self {
        let opposite = match other {
            Self::Small(value) if *value != i64::MIN => Self::Small(-value),
            other => {
                let (negative, size) = other.parts();
                Self::Large { negative: !negative, size }
            }
        };
        self.plus(&opposite)
    }

    /// The exponent as a machine integer, or the integer nearest to it.
    pub fn saturated(&self) -> i64 {
        match self {
            Self::Small(value) => *value,
            Self::Large { negative, size } => match (size.to_u64(), negative) {
                (Some(value), true) => -value.cast_signed(),
                (Some(value), false) => value.cast_signed(),
                (None, true) => i64::MIN,
                (None, false) => i64::MAX,
            },
        }
    }

    /// Which of the two is larger.
    pub fn compare(&self, other: &Self) -> Ordering {
        self.minus(other).saturated().cmp(&0)
    }

    fn from_parts(negative: bool, size: Natural) -> Self {
        match size.to_u64() {
            // At most eighteen digits, so neither the cast nor the sign can overflow.
            Some(value) if negative => Self::Small(-value.cast_signed()),
            Some(value) => Self::Small(value.cast_signed()),
            None => Self::Large { negative, size },
        }
    }

    fn parts(&self) -> (bool, Natural) {
        match self {
            Self::Small(value) => (*value < 0, Natural::from_u64(value.unsigned_abs())),
            Self::Large { negative, size } => (*negative, size.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Exponent;
    use std::cmp::Ordering;

    #[test]
    fn sums_stay_exact_past_machine_integers() {
        let nines = [b'9'; 50];
        let one = Exponent::Small(1);
        let large = Exponent::parse(&nines);
        let larger = large.plus(&one);
        assert_eq!(larger.compare(&large), Ordering::Greater);
        assert_eq!(larger.minus(&large).saturated(), 1);
        assert_eq!(larger.minus(&one).compare(&large), Ordering::Equal);
        assert_eq!(larger.minus(&larger).saturated(), 0);
        assert_eq!(large.saturated(), i64::MAX);
        assert_eq!(Exponent::Small(0).minus(&large).saturated(), i64::MIN);
        let edge = Exponent::Small(i64::MAX).plus(&one);
        assert_eq!(edge.minus(&one).compare(&Exponent::Small(i64::MAX)), Ordering::Equal);
        let low = Exponent::Small(i64::MIN);
        assert_eq!(low.minus(&low).saturated(), 0);
    }

    #[test]
    fn written_exponents_are_read() {
        for (text, value) in [("5", 5), ("+05", 5), ("-5", -5), ("-0", 0), ("000", 0)] {
            assert_eq!(Exponent::parse(text.as_bytes()).saturated(), value, "{text}");
        }
    }
}

//! Small exact fractions, and the value of an arithmetic expression in them.

use crate::numbers::number::{Decimal, Number};

/// How deep brackets may nest, and how many terms may wait, in an expression that is evaluated.
const MAX_STACK: usize = 64;

/// A fraction of 128-bit integers; the denominator is positive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rational {
    numerator: i128,
    denominator: i128,
}

/// One piece of an expression.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Piece {
    /// A number.
    Value(Rational),
    /// One of `+ - * / ^`.
    Operator(char),
    /// An opening bracket.
    Open,
    /// A closing bracket.
    Close,
}

impl Rational {
    fn new(numerator: i128, denominator: i128) -> Option<Rational> {
        if denominator == 0 {
            return None;
        }
        let shared = gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
        let shared = i128::try_from(shared).ok()?.max(1);
        let sign = denominator.signum();
        Some(Rational {
            numerator: (numerator / shared).checked_mul(sign)?,
            denominator: (denominator / shared).checked_mul(sign)?,
        })
    }

    fn from_decimal(decimal: &Decimal) -> Option<Rational> {
        if decimal.digits.is_empty() {
            return Rational::new(0, 1);
        }
        let digits: i128 = decimal.digits.parse().ok()?;
        let digits = if decimal.negative { -digits } else { digits };
        let power = 10i128.checked_pow(u32::try_from(decimal.exponent.unsigned_abs()).ok()?)?;
        if decimal.exponent < 0 {
            Rational::new(digits, power)
        } else {
            Rational::new(digits.checked_mul(power)?, 1)
        }
    }

    /// The same number, where it fits.
    pub(crate) fn from_number(number: &Number) -> Option<Rational> {
        match number {
            Number::Decimal(decimal) => Rational::from_decimal(decimal),
            Number::Fraction(a, b) => {
                combine(Rational::from_decimal(a)?, '/', Rational::from_decimal(b)?)
            }
        }
    }

    /// Whether this one is the smaller, where that can be told.
    pub(crate) fn below(self, other: Rational) -> Option<bool> {
        Some(
            self.numerator.checked_mul(other.denominator)?
                < other.numerator.checked_mul(self.denominator)?,
        )
    }

    /// As a number of the rubric.
    pub(crate) fn to_number(self) -> Option<Number> {
        let part = |value: i128| Decimal::new(value < 0, &value.unsigned_abs().to_string(), 0);
        if self.denominator == 1 {
            return part(self.numerator).map(Number::Decimal);
        }
        Number::fraction(part(self.numerator)?, part(self.denominator)?)
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The value of an expression; `None` when it is not one or does not fit.
pub(crate) fn evaluate(pieces: &[Piece]) -> Option<Rational> {
    let mut values: Vec<Rational> = Vec::new();
    let mut waiting: Vec<char> = Vec::new();
    let mut wants_value = true;
    for piece in pieces {
        if values.len() > MAX_STACK || waiting.len() > MAX_STACK {
            return None;
        }
        match (piece, wants_value) {
            (Piece::Value(value), true) => {
                values.push(*value);
                wants_value = false;
            }
            (Piece::Open, true) => waiting.push('('),
            (Piece::Close, false) => {
                while *waiting.last()? != '(' {
                    reduce(&mut values, waiting.pop()?)?;
                }
                waiting.pop();
            }
            (Piece::Operator(operator), false) => {
                while waiting.last().is_some_and(|top| binds_first(*top, *operator)) {
                    reduce(&mut values, waiting.pop()?)?;
                }
                waiting.push(*operator);
                wants_value = true;
            }
            _ => return None,
        }
    }
    if wants_value {
        return None;
    }
    while let Some(operator) = waiting.pop() {
        reduce(&mut values, operator)?;
    }
    if values.len() == 1 { values.pop() } else { None }
}

/// Whether the operator on the stack is applied before the next one.
fn binds_first(top: char, next: char) -> bool {
    let rank = |operator: char| match operator {
        '+' | '-' => 1,
        '*' | '/' => 2,
        '^' => 3,
        _ => 0,
    };
    rank(top) > rank(next) || (rank(top) == rank(next) && next != '^')
}

fn reduce(values: &mut Vec<Rational>, operator: char) -> Option<()> {
    let right = values.pop()?;
    let left = values.pop()?;
    values.push(combine(left, operator, right)?);
    Some(())
}

fn combine(left: Rational, operator: char, right: Rational) -> Option<Rational> {
    let (a, b, c, d) = (left.numerator, left.denominator, right.numerator, right.denominator);
    match operator {
        '+' => Rational::new(a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?, b.checked_mul(d)?),
        '-' => Rational::new(a.checked_mul(d)?.checked_sub(c.checked_mul(b)?)?, b.checked_mul(d)?),
        '*' => Rational::new(a.checked_mul(c)?, b.checked_mul(d)?),
        '/' => Rational::new(a.checked_mul(d)?, b.checked_mul(c)?),
        '^' if d == 1 && (0..=128).contains(&c) => {
            let power = u32::try_from(c).ok()?;
            Rational::new(a.checked_pow(power)?, b.checked_pow(power)?)
        }
        _ => None,
    }
}

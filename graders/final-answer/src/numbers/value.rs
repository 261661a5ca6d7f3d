//! What an answer in numbers can be: a quantity, a range, a bound, or text that only holds digits.

use crate::numbers::number::Number;
use crate::numbers::unit::Unit;
use crate::same::Same;

/// A number with what stands beside it.
#[derive(Clone, Debug)]
pub(crate) struct Quantity {
    pub(crate) number: Number,
    pub(crate) unit: Unit,
}

/// Which side a bound leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// ≥
    AtLeast,
    /// ≤
    AtMost,
    /// >
    MoreThan,
    /// <
    LessThan,
}

/// One answer in numbers.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// A number, with or without a unit.
    Number(Quantity),
    /// From one quantity to another.
    Range(Box<(Quantity, Quantity)>),
    /// A quantity that is only a limit.
    Bound(Limit, Quantity),
    /// Digits in a form that is text to the rubric, with the number it could be meant as.
    Odd(String, Option<Number>),
}

impl Quantity {
    fn same(&self, other: &Quantity) -> Same {
        let numbers = match self.number.same(&other.number) {
            Some(true) => Same::Yes,
            Some(false) => Same::No,
            None => Same::Unsure,
        };
        numbers.and(self.unit.agrees(other.unit))
    }
}

impl Value {
    /// Whether this is a number, range or bound rather than text.
    pub(crate) fn is_numeric(&self) -> bool {
        !matches!(self, Value::Odd(..))
    }

    /// Whether a unit is stated.
    pub(crate) fn unit(&self) -> Unit {
        match self {
            Value::Number(quantity) | Value::Bound(_, quantity) => quantity.unit,
            Value::Range(ends) => ends.1.unit,
            Value::Odd(..) => Unit::None,
        }
    }

    /// Whether both are the same answer.
    pub(crate) fn same(&self, other: &Value) -> Same {
        match (self, other) {
            (Value::Number(a), Value::Number(b)) => a.same(b),
            (Value::Range(a), Value::Range(b)) => a.0.same(&b.0).and(a.1.same(&b.1)),
            (Value::Bound(a, b), Value::Bound(c, d)) if a == c => b.same(d),
            (Value::Odd(a, _), Value::Odd(b, _)) if a == b => Same::Yes,
            (Value::Odd(_, Some(a)), Value::Odd(_, Some(b)))
            | (Value::Odd(_, Some(a)), Value::Number(Quantity { number: b, .. }))
            | (Value::Number(Quantity { number: a, .. }), Value::Odd(_, Some(b)))
                if a.same(b) != Some(false) =>
            {
                Same::Unsure
            }
            _ => Same::No,
        }
    }
}

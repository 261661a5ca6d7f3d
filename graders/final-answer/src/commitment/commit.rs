//! Reads which number a sentence commits to.

use crate::commitment::chain;
use crate::commitment::hedge;
use crate::language::edges::Edges;
use crate::language::phrases::is_apostrophe;
use crate::numbers::fold::folded;
use crate::numbers::rational::{Piece, Rational, evaluate};
use crate::numbers::token::{MAX_TOKENS, Spanned, Token};
use crate::numbers::value::{Quantity, Value};
use crate::reference::Reference;
use crate::same::Same;
use crate::status::Status;

/// Where a sentence stands, which decides how several values in it are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Behind a marker: several values are compared together.
    Marked,
    /// At the end of an output without a marker: the last value is judged.
    Closing,
}

/// What there is to compare with the reference.
#[derive(Clone, Debug)]
pub(crate) enum Yield {
    /// One value.
    One(Value),
    /// One of these, but code cannot tell which.
    Any(Vec<Value>),
    /// Several unequal values.
    Several,
    /// No number.
    Nothing,
    /// A text.
    Text,
}

/// How a sentence reads.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    /// Whether it offers one answer.
    pub one: Status,
    /// What it offers.
    pub yields: Yield,
}

impl Reading {
    pub(crate) fn one(value: Value) -> Reading {
        Reading { one: Status::Pass, yields: Yield::One(value) }
    }

    pub(crate) fn any(one: Status, values: Vec<Value>) -> Reading {
        Reading { one, yields: Yield::Any(values) }
    }
}

/// A sentence in tokens, with the values that count.
pub(crate) struct Sentence<'a> {
    pub(crate) tokens: Vec<Spanned<'a>>,
    /// Indexes of the values that are neither denied nor a conversion.
    pub(crate) counted: Vec<usize>,
    /// Indexes of values that may be denied.
    pub(crate) doubtful: bool,
    pub(crate) place: Place,
    pub(crate) reference: &'a Reference,
}

/// Reads a sentence without LaTeX wrapping.
pub(crate) fn read(text: &str, place: Place, reference: &Reference) -> Reading {
    let tokens = folded(text);
    let too_long = tokens.len() >= MAX_TOKENS;
    let mut sentence = Sentence { tokens, counted: Vec::new(), doubtful: false, place, reference };
    sentence.count_values();
    let reading = sentence.read();
    let hedged = reading.one == Status::Fail;
    if too_long && hedged {
        let yields =
            if place == Place::Marked { Yield::Several } else { Yield::Any(sentence.values()) };
        return Reading { one: Status::Fail, yields };
    }
    let unsure = too_long || sentence.doubtful;
    match reading.yields {
        Yield::One(_) | Yield::Any(_) if unsure => {
            Reading::any(Status::Unproven, sentence.values())
        }
        _ => reading,
    }
}

impl Sentence<'_> {
    pub(crate) fn value(&self, index: usize) -> Option<&Value> {
        self.tokens.get(index)?.value()
    }

    pub(crate) fn values(&self) -> Vec<Value> {
        self.counted.iter().filter_map(|index| self.value(*index).cloned()).collect()
    }

    /// Whether two values are one answer: equal, or both what the reference lists.
    pub(crate) fn is_same(&self, a: &Value, b: &Value) -> bool {
        let right = |value: &Value| self.reference.equals_value(value) == Same::Yes;
        a.same(b) == Same::Yes || (right(a) && right(b))
    }

    pub(crate) fn failed(&self, last: &Value) -> Reading {
        let yields = match self.place {
            Place::Marked => Yield::Several,
            Place::Closing => match self.last_of_all() {
                // Behind odds, "the last number" may be the odds or the answer that they belong to.
                Some(odds) if odds.same(last) != Same::Yes => {
                    Yield::Any(vec![last.clone(), odds.clone()])
                }
                _ => Yield::One(last.clone()),
            },
        };
        Reading { one: Status::Fail, yields }
    }

    /// The last value that counts, odds included.
    fn last_of_all(&self) -> Option<&Value> {
        self.counted.iter().rev().find_map(|index| self.value(*index))
    }

    fn count_values(&mut self) {
        let mut denied_before = false;
        for index in 0..self.tokens.len() {
            if self.tokens[index].value().is_none() {
                continue;
            }
            let denied = self.is_denied(index);
            if !denied && !self.is_conversion(index) {
                // "not 14 or 12" may deny both.
                let joined = index > 0 && self.tokens[index - 1].is_word(&["or", "nor", "and"]);
                self.doubtful |= denied_before && joined;
                self.counted.push(index);
            }
            denied_before = denied;
        }
    }

    /// Whether a "not" or the like stands right before a value.
    fn is_denied(&self, index: usize) -> bool {
        let fillers = ["the", "a", "an", "equal", "equals", "to", "be", "simply"];
        let mut before =
            self.tokens[..index].iter().rev().skip_while(|token| token.is_word(&fillers));
        let Some(token) = before.next() else { return false };
        match token.token {
            Token::NotEqual => true,
            Token::Word(word) => {
                let negated = word.len() > 3
                    && word.ends_with('t')
                    && word[..word.len() - 1].closes(is_apostrophe);
                let mut pair =
                    |first: &str| before.next().is_some_and(|token| token.is_word(&[first]));
                negated
                    || token.is_word(&["not", "never"])
                    || (token.is_word(&["than"]) && pair("rather"))
                    || (token.is_word(&["of"]) && pair("instead"))
            }
            _ => false,
        }
    }

    /// Whether a value in brackets converts the one right before them.
    fn is_conversion(&self, index: usize) -> bool {
        let mut start = index;
        while start > 0 && matches!(self.tokens[start - 1].token, Token::Approx | Token::Equals) {
            start -= 1;
        }
        let opened = start > 1 && matches!(self.tokens[start - 1].token, Token::Open);
        let closed =
            self.tokens.get(index + 1).is_some_and(|token| matches!(token.token, Token::Close));
        if !opened || !closed {
            return false;
        }
        let (Some(main), Some(other)) = (self.value(start - 2), self.value(index)) else {
            return false;
        };
        let percent = is_share(main, other) || is_share(other, main);
        let both_percent = main.unit().is_percent() || other.unit().is_percent();
        let units = !both_percent
            && !main.unit().is_none()
            && !other.unit().is_none()
            && main.unit().agrees(other.unit()) != Same::Yes;
        percent || units
    }

    fn read(&self) -> Reading {
        let numeric = |index: &usize| self.value(*index).is_some_and(Value::is_numeric);
        let values = || self.counted.iter().rev().filter_map(|index| self.value(*index));
        // Odds are not the answer that they belong to.
        let Some(last) = values().find(|value| !value.unit().is_percent()).or(values().next())
        else {
            return Reading { one: Status::Pass, yields: Yield::Nothing };
        };
        if !self.counted.iter().any(numeric) {
            let one = if self.counted.len() == 1 { Status::Pass } else { Status::Unproven };
            return Reading::any(one, self.values());
        }
        if let Some(reading) = chain::read(self) {
            return reading;
        }
        if self.place == Place::Marked && self.is_expression() {
            return Reading { one: Status::Pass, yields: Yield::Text };
        }
        self.read_plain(last)
    }

    /// A sentence without `=`.
    fn read_plain(&self, last: &Value) -> Reading {
        if let Some(value) = self.only_value() {
            return Reading::one(value);
        }
        if let Some(value) = self.expression_or_value() {
            return Reading::one(value);
        }
        if let Some(value) = self.spaced_fraction() {
            return Reading::one(value);
        }
        if hedge::is_choice(self) {
            return self.failed(last);
        }
        let mut values = self.values();
        values.extend(self.first_expression());
        Reading::any(Status::Unproven, values)
    }

    /// The value, if all that count are the same.
    pub(crate) fn only_value(&self) -> Option<Value> {
        let first = self.value(*self.counted.first()?)?;
        let rest = &self.counted[1..];
        rest.iter()
            .all(|index| self.value(*index).is_some_and(|value| self.is_same(first, value)))
            .then(|| first.clone())
    }

    /// Whether the whole is arithmetic that nobody worked out.
    fn is_expression(&self) -> bool {
        let arithmetic = |token: &Spanned<'_>| {
            matches!(token.token, Token::Value(_) | Token::Operator(_) | Token::Open | Token::Close)
        };
        let operators = self.tokens.iter().filter_map(|token| match token.token {
            Token::Operator(operator) => Some(operator),
            _ => None,
        });
        let (count, slashes) = operators.fold((0, 0), |(count, slashes), operator| {
            (count + 1, slashes + usize::from(operator == '/'))
        });
        count > 0 && count > slashes && self.tokens.iter().all(arithmetic)
    }

    /// "180+15, or 195", either way round.
    fn expression_or_value(&self) -> Option<Value> {
        let or = self.tokens.iter().position(|token| token.is_word(&["or"]))?;
        let left = self.side(or, true)?;
        let right = self.side(or, false)?;
        let inside = |index: &usize| {
            (left.0..=left.1).contains(index) || (right.0..=right.1).contains(index)
        };
        if !self.counted.iter().all(inside) {
            return None;
        }
        let (a, b) = (self.worked_out(left)?, self.worked_out(right)?);
        if a.same(&b) != Same::Yes {
            return None;
        }
        let single = if left.0 == left.1 { left.0 } else { right.0 };
        let value = self.value(single).cloned();
        value.or(Some(a))
    }

    /// The stretch of arithmetic right before or behind a token, commas aside.
    fn side(&self, from: usize, before: bool) -> Option<(usize, usize)> {
        let arithmetic = |index: &usize| {
            matches!(
                self.tokens[*index].token,
                Token::Value(_) | Token::Operator(_) | Token::Open | Token::Close
            )
        };
        let comma = |index: &usize| matches!(self.tokens[*index].token, Token::Comma);
        let stretch: Vec<usize> = if before {
            (0..from).rev().skip_while(comma).take_while(arithmetic).collect()
        } else {
            (from + 1..self.tokens.len()).skip_while(comma).take_while(arithmetic).collect()
        };
        let (first, last) = (*stretch.first()?, *stretch.last()?);
        Some((first.min(last), first.max(last)))
    }

    /// The value of a stretch of arithmetic; its unit is the one that its last number states.
    pub(crate) fn worked_out(&self, (from, to): (usize, usize)) -> Option<Value> {
        if from == to {
            return self.value(from).cloned();
        }
        let pieces = self.tokens[from..=to].iter().map(|token| match &token.token {
            Token::Value(Value::Number(quantity)) => {
                Rational::from_number(&quantity.number).map(Piece::Value)
            }
            Token::Operator(operator) => Some(Piece::Operator(*operator)),
            Token::Open => Some(Piece::Open),
            Token::Close => Some(Piece::Close),
            _ => None,
        });
        let number = evaluate(&pieces.collect::<Option<Vec<Piece>>>()?)?.to_number()?;
        let unit = self.value(to).map_or(crate::numbers::unit::Unit::None, Value::unit);
        Some(Value::Number(Quantity { number, unit }))
    }

    /// "3 / 4" where the reference is the fraction.
    fn spaced_fraction(&self) -> Option<Value> {
        let [first, second] = self.counted[..] else { return None };
        let divided =
            second == first + 2 && matches!(self.tokens[first + 1].token, Token::Operator('/'));
        let value = self.worked_out((first, second)).filter(|_| divided)?;
        (self.reference.equals_value(&value) == Same::Yes).then_some(value)
    }

    /// What the first stretch of arithmetic comes to.
    fn first_expression(&self) -> Option<Value> {
        let operator =
            self.tokens.iter().position(|token| matches!(token.token, Token::Operator(_)))?;
        let (from, _) = self.side(operator, true)?;
        let (_, to) = self.side(operator, false)?;
        self.worked_out((from, to))
    }
}

/// Whether the first is in per cent what the second is as a number.
fn is_share(percent: &Value, number: &Value) -> bool {
    match (percent, number) {
        (Value::Number(percent), Value::Number(number))
            if percent.unit.is_percent() && !number.unit.is_percent() =>
        {
            percent.number.same(&number.number.scaled(2)) == Some(true)
        }
        _ => false,
    }
}

//! The output's form: one JSON object, alone or in one fence, and the three members it must state.

use crate::decimal::Decimal;
use crate::json::{Fault, Value, skip_space};
use crate::members::{Found, find_members};

const FENCE: &str = "```";

/// A ratio as the output states it, in per cent.
#[derive(Clone, Debug)]
pub struct Figure<'a> {
    /// The number as written.
    pub text: &'a str,
    /// The number.
    pub value: Decimal,
}

/// What a well-formed output states.
#[derive(Clone, Debug)]
pub struct Stated<'a> {
    /// Debt to income.
    pub dti: Figure<'a>,
    /// Loan to value.
    pub ltv: Figure<'a>,
    /// Whether the loan is to be flagged.
    pub flag: bool,
    /// Whether the object stood in a fence.
    pub fenced: bool,
}

/// Why an output is not well formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misformed {
    /// It is not one object, alone or in one fence.
    Grammar(Fault),
    /// A member is not there.
    Missing(&'static str),
    /// A member is there more than once.
    Repeated(&'static str),
    /// A member that must be a number is something else.
    NotANumber(&'static str),
    /// The flag is something else than `true` or `false`.
    NotABoolean,
}

/// Reads an output.
pub fn read(output: &str) -> Result<Stated<'_>, Misformed> {
    let first = skip_space(output, 0);
    let fenced = output[first..].starts_with(FENCE);
    let start = if fenced { after_opening_line(output, first)? } else { first };
    let (end, [dti, ltv, flag]) = find_members(output, start, &["dti", "ltv", "flag"])?;
    check_end(output, end, fenced)?;
    let (dti, ltv) = (figure("dti", dti)?, figure("ltv", ltv)?);
    let Value::Bool(flag) = once("flag", flag)? else {
        return Err(Misformed::NotABoolean);
    };
    Ok(Stated { dti, ltv, flag, fenced })
}

impl From<Fault> for Misformed {
    fn from(fault: Fault) -> Self {
        Self::Grammar(fault)
    }
}

/// Where the object begins after the opening fence that stands at `fence`.
fn after_opening_line(output: &str, fence: usize) -> Result<usize, Fault> {
    let info = fence + FENCE.len();
    let rest = output[info..].trim_start_matches([' ', '\t']);
    let rest = rest.strip_prefix("json").unwrap_or(rest).trim_start_matches([' ', '\t']);
    if !rest.starts_with(['\r', '\n']) {
        return Err(Fault {
            at: info,
            expected: "at most `json` and the line's end after a fence",
        });
    }
    Ok(skip_space(output, output.len() - rest.len()))
}

/// Checks that nothing follows the object but white space and, for a fence, its closing line.
fn check_end(output: &str, end: usize, fenced: bool) -> Result<(), Fault> {
    let mut next = skip_space(output, end);
    if fenced {
        let own_line = output[end..next].contains(['\r', '\n']);
        if !own_line || !output[next..].starts_with(FENCE) {
            return Err(Fault { at: next, expected: "a closing fence on a line of its own" });
        }
        next = skip_space(output, next + FENCE.len());
    }
    if next < output.len() {
        return Err(Fault { at: next, expected: "nothing more" });
    }
    Ok(())
}

fn figure<'a>(name: &'static str, found: Found<'a>) -> Result<Figure<'a>, Misformed> {
    let Value::Number(text) = once(name, found)? else {
        return Err(Misformed::NotANumber(name));
    };
    Ok(Figure { text, value: Decimal::parse(text) })
}

fn once<'a>(name: &'static str, found: Found<'a>) -> Result<Value<'a>, Misformed> {
    match found {
        Found::Missing => Err(Misformed::Missing(name)),
        Found::Repeated => Err(Misformed::Repeated(name)),
        Found::Once(member) => Ok(member.value),
    }
}

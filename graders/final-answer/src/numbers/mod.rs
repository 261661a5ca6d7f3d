//! Numbers as they are written: lexemes, tokens, units, ranges and exact values.

pub(crate) mod fold;
pub(crate) mod lexeme;
pub(crate) mod number;
pub(crate) mod rational;
pub(crate) mod token;
pub(crate) mod unit;
pub(crate) mod unit_table;
pub(crate) mod value;

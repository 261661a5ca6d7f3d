//! How an output is laid out: lines, quotations, examples, sentences, LaTeX wrapping.

pub(crate) mod addressed;
pub(crate) mod break_off;
pub(crate) mod latex;
pub(crate) mod layout;
pub(crate) mod lead_in;
pub(crate) mod quotation;
pub(crate) mod sentence;

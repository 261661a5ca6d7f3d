//! Words: the published lists, refusals, candidates, and the normal form of a text.

pub(crate) mod cautions;
pub(crate) mod choice;
pub(crate) mod decompose;
pub(crate) mod edges;
pub(crate) mod lists;
pub(crate) mod phrases;
pub(crate) mod refusal;
pub(crate) mod refusals;
pub(crate) mod text;

//! Which number a sentence commits to.

pub(crate) mod chain;
pub(crate) mod commit;
pub(crate) mod hedge;
pub(crate) mod odds;

//! Outputs with markers: finding them, keeping what they offer, judging what stands.

pub(crate) mod ledger;
pub(crate) mod marked;
pub(crate) mod marker;
pub(crate) mod rival;
pub(crate) mod scan;
pub(crate) mod take_back;

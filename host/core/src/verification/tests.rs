//! Every promise can break, is named when it does, and parts come to what the whole would have been.

mod claims;
mod parts;
mod reruns;

//! Runs: what is recorded while one happens, and what it folds into.

pub mod event;
pub mod fold;
pub mod part;
pub mod promise;

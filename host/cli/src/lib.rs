//! What the binary `accredit` is made of: what it reads, records, shows and returns.
//!
//! A library of its own, so that tests and other binaries can use each part without the command line.

pub mod addition;
pub mod asked;
pub mod authority;
pub mod bench;
pub mod bounds;
pub mod check;
pub mod clock;
pub mod cmd;
pub mod decisions;
pub mod doctor;
pub mod exit;
pub mod failure;
pub mod failures;
pub mod gate;
pub mod grade;
pub mod in_use;
pub mod inspect;
pub mod keygen;
pub mod looks;
pub mod output;
pub mod place;
pub mod probe;
pub mod progress;
pub mod promotion;
pub mod random;
pub mod read;
pub mod record;
pub mod registered;
pub mod render;
pub mod rerun;
pub mod settle;
pub mod signing;
pub mod store;
pub mod terminal;
pub mod trust;
pub mod verify;

//! What the binary `accredit` is made of: what it reads from files.
//!
//! A library of its own, so that tests and other binaries can use each part without the command line.

pub mod read;

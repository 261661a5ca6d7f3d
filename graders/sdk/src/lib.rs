//! Write a grader for accredit in Rust: one function and one rubric table.
//!
//! A grader is a pure function from a [`Case`] to [`Finding`]s, shipped as a WebAssembly component.
//! This crate holds the types of the contract (`wit/grader.wit`), the [`grader!`] macro that exports
//! them, and what lets the standard library run in a sandbox that grants nothing: text written to
//! stderr, a panic's message above all, reaches the host and is attached to the trial.
//!
//! ```
//! use accredit_sdk::{Case, Finding, Refusal, Rule, Scope, Tier, Verdict};
//!
//! const RULES: &[Rule] = &[Rule {
//!     id: "says-something",
//!     text: "The output holds more than white space.",
//!     tier: Tier::Essential,
//!     scope: Scope::Output,
//!     needs: &[],
//! }];
//!
//! fn grade(case: &Case) -> Result<Vec<Finding>, Refusal> {
//!     let (verdict, why) = match case.output.trim() {
//!         "" => (Verdict::Fail, "the output is blank"),
//!         _ => (Verdict::Pass, "the output holds text"),
//!     };
//!     Ok(vec![Finding::new("says-something", verdict, why)])
//! }
//!
//! accredit_sdk::grader! {
//!     name: "not-blank",
//!     version: env!("CARGO_PKG_VERSION"),
//!     rubric: "not-blank",
//!     authors: "Ada Example",
//!     rules: RULES,
//!     grade: grade,
//! }
//!
//! let blank = Case { output: " ".into(), ..Case::default() };
//! let findings = (GRADER.grade)(&blank).expect("every case can be judged");
//! assert_eq!(findings[0].verdict, Verdict::Fail);
//! ```

#[cfg(any(target_os = "wasi", test))]
mod bare;
#[doc(hidden)]
pub mod bindings;
mod case;
#[doc(hidden)]
pub mod contract;
#[cfg(any(target_os = "wasi", test))]
mod diagnostics;
#[doc(hidden)]
pub mod export;
mod finding;
mod rubric;

pub use case::{Artifact, Case, Claim, Evidence, Message};
pub use finding::{Citation, Finding, Refusal, RefusalKind, Verdict};
pub use rubric::{Grader, Rule, Scope, Tier};

/// Keeps the README's example compiling.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! Text that a grader or a system under test wrote.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Text that nobody on our side wrote. It has no `Display`, so every renderer must choose an escaper
/// for the place it writes to.
#[derive(
    Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Untrusted(String);

impl Untrusted {
    /// Marks this text as untrusted.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The raw text: for comparing, digesting or escaping, never for writing out as it is.
    #[must_use]
    pub fn raw(&self) -> &str {
        &self.0
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

//! A figure, or why there is none.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::stats::Absent;

/// A figure, or why there is none: never a 0 that stands for nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Known<T> {
    /// The figure.
    pub value: Option<T>,
    /// Why it is absent, where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absent: Option<String>,
}

impl<T> Known<T> {
    /// A figure.
    pub fn of(value: T) -> Self {
        Self { value: Some(value), absent: None }
    }

    /// No figure, and why.
    pub fn absent(reason: impl fmt::Display) -> Self {
        Self { value: None, absent: Some(reason.to_string()) }
    }
}

impl<T> From<Result<T, Absent>> for Known<T> {
    fn from(result: Result<T, Absent>) -> Self {
        match result {
            Ok(value) => Self::of(value),
            Err(absent) => Self::absent(absent),
        }
    }
}

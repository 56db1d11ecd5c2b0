//! Refusing an input: which one, what was given, what is allowed.

use std::fmt;

/// An input that cannot be answered. Nothing is clamped: the caller is told what to change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidInput {
    /// Name of the refused field, as in the struct or function that took it.
    pub field: &'static str,
    /// What was given, as text.
    pub given: String,
    /// What would have been accepted, as text.
    pub allowed: String,
}

impl InvalidInput {
    pub(super) fn new(field: &'static str, given: impl fmt::Display, allowed: impl Into<String>) -> Self {
        Self { field, given: given.to_string(), allowed: allowed.into() }
    }
}

impl fmt::Display for InvalidInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} was given; allowed: {}", self.field, self.given, self.allowed)
    }
}

impl std::error::Error for InvalidInput {}

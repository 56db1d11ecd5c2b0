//! What is wrong with a description of a model.

use std::fmt;

/// A model that cannot be right: which key, what was given, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelError {
    /// The key of the description, as its author wrote it (`num_key_value_heads`, `text_config.hidden_size`).
    pub field: String,
    /// What was given and what is allowed, as a sentence.
    pub message: String,
}

impl ModelError {
    pub(crate) fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: field.into(), message: message.into() }
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.field, self.message)
    }
}

impl std::error::Error for ModelError {}

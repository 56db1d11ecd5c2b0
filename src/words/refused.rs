//! Refusals as text: in English wherever nobody has chosen a language, as in an error's text and in the report.

use std::fmt;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::{en, fill};
use crate::refusal::FieldError;

impl FieldError {
    /// The text without the field: what was given and what is allowed.
    #[must_use]
    pub fn message(&self) -> String {
        en::refusals::problem(&self.problem)
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.field.is_empty() {
            return f.write_str(&self.message());
        }
        f.write_str(&fill(en::refusals::OF_FIELD, &[&self.field, &self.message()]))
    }
}

impl std::error::Error for FieldError {}

impl Serialize for FieldError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut error = serializer.serialize_struct("FieldError", 2)?;
        error.serialize_field("field", &self.field)?;
        error.serialize_field("message", &self.message())?;
        error.end()
    }
}

//! A number held against its range.

use super::Number;
use crate::refusal::{FieldError, Problem};

/// A whole number within a range, or the default.
pub fn whole(
    field: &'static str,
    given: Option<Number>,
    default: u64,
    least: u64,
    most: u64,
) -> Result<u64, FieldError> {
    let Some(Number(value)) = given else { return Ok(default) };
    if value.fract() == 0.0 && (least as f64..=most as f64).contains(&value) {
        // Whole and between two whole numbers, so nothing is lost.
        Ok(value as u64)
    } else {
        let problem = Problem::Range { given: value, least: least as f64, most: most as f64, whole: true };
        Err(FieldError::new(field, problem))
    }
}

/// A number within a range, or the default.
pub fn real(
    field: &'static str,
    given: Option<Number>,
    default: f64,
    least: f64,
    most: f64,
) -> Result<f64, FieldError> {
    let Some(Number(value)) = given else { return Ok(default) };
    if (least..=most).contains(&value) {
        Ok(value)
    } else {
        Err(FieldError::new(field, Problem::Range { given: value, least, most, whole: false }))
    }
}

/// A whole number within a range, where one is given.
pub fn optional_whole(
    field: &'static str,
    given: Option<Number>,
    least: u64,
    most: u64,
) -> Result<Option<u64>, FieldError> {
    given.map(|number| whole(field, Some(number), least, least, most)).transpose()
}

/// A number within a range, where one is given.
pub fn optional_real(
    field: &'static str,
    given: Option<Number>,
    least: f64,
    most: f64,
) -> Result<Option<f64>, FieldError> {
    given.map(|number| real(field, Some(number), least, least, most)).transpose()
}

/// A number that must be there.
pub fn required(field: &'static str, given: Option<Number>, least: f64, most: f64) -> Result<f64, FieldError> {
    if given.is_none() {
        return Err(FieldError::new(field, Problem::Missing { least, most }));
    }
    real(field, given, least, least, most)
}

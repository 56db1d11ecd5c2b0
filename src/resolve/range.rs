//! Reading one field: its default, its range, and what is not supported yet.

use crate::refusal::{DivisionRule, FieldError, Problem};
use crate::scenario::Number;

/// A whole number within a range, or the default.
#[inline(never)]
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
#[inline(never)]
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
#[inline(never)]
pub fn required(field: &'static str, given: Option<Number>, least: f64, most: f64) -> Result<f64, FieldError> {
    if given.is_none() {
        return Err(FieldError::new(field, Problem::Missing { least, most }));
    }
    real(field, given, least, least, most)
}

/// A name as a message quotes it.
pub fn quoted(name: &str) -> String {
    ["\"", name, "\""].concat()
}

pub fn not_yet(field: &'static str, given: String) -> FieldError {
    FieldError::new(field, Problem::NotYet { given })
}

/// Refuses `given` unless `works` says it works, and names the nearest values that do.
pub fn divides(
    field: &'static str,
    given: u64,
    rule: DivisionRule,
    other: u64,
    works: impl Fn(u64) -> bool,
) -> Result<(), FieldError> {
    if works(given) {
        return Ok(());
    }
    // A working value is never far: multiples of `other` above, divisors or multiples below.
    let below = (1..given).rev().take(SEARCH).find(|value| works(*value));
    let above = (given + 1..).take(SEARCH).find(|value| works(*value));
    let nearest = below.into_iter().chain(above).collect();
    Err(FieldError::new(field, Problem::Divides { given, rule, other, nearest }))
}

/// Refuses `given` unless it is a multiple of `step` and at least `least`, which is one, and names the nearest that are.
pub fn multiple(
    field: &'static str,
    given: u64,
    rule: DivisionRule,
    [least, step]: [u64; 2],
) -> Result<(), FieldError> {
    if given >= least && given.is_multiple_of(step) {
        return Ok(());
    }
    let below = given - given % step;
    let nearest = if below < least { vec![least] } else { vec![below, below + step] };
    Err(FieldError::new(field, Problem::Divides { given, rule, other: least, nearest }))
}

/// How far from a value that does not work others are tried.
const SEARCH: usize = 1 << 16;

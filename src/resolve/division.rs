//! Refusals of values that do not divide what they share out, or are not supported yet.

use crate::refusal::{DivisionRule, FieldError, Problem};

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

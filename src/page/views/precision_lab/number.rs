//! Numbers of the lab as text: no digit that the format does not have, and none less than tells it apart.

use vram_ledger::scenario::Quantity;

use crate::page::fields::quantity::parse;
use crate::page::format;

/// A stored number: the shortest decimal that names it among the numbers of FP32, in which all the others lie.
pub fn text(value: f64) -> String {
    signed(shortest(value))
}

/// A number as it was given, which may lie beyond FP32 or between its numbers.
pub fn given(value: f64) -> String {
    signed(field(value))
}

/// How a field shows a number: plain characters that are read back as the same number.
pub fn field(value: f64) -> String {
    let short = shortest(value);
    if parse(&short, Quantity::Share) == Some(value) { short } else { format!("{value:?}") }
}

/// A count.
pub fn count(count: u64) -> String {
    format::grouped(count as f64)
}

/// `weight + update`, with the sign of the update as the operator.
pub fn sum(weight: f64, update: f64) -> String {
    let operator = if update.is_sign_negative() { '−' } else { '+' };
    format!("{} {operator} {}", text(weight), shortest(update.abs()))
}

fn shortest(value: f64) -> String {
    match value {
        v if v == f64::INFINITY => "∞".to_owned(),
        v if v == f64::NEG_INFINITY => "-∞".to_owned(),
        // Exact: every number of every format here is one of FP32. What was not stored in one may be larger.
        v if v.is_nan() || v.abs() <= f64::from(f32::MAX) => format!("{:?}", v as f32),
        v => format!("{v:e}"),
    }
}

fn signed(text: String) -> String {
    text.strip_prefix('-').map_or(text.clone(), |size| format!("−{size}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_numbers_have_their_own_digits() {
        for (value, expected) in [
            (1.0, "1.0"),
            (0.0078125, "0.0078125"),
            (f64::from(1e-4_f32), "0.0001"),
            (-57344.0, "−57344.0"),
            (2f64.powi(-149), "1e-45"),
            (f64::INFINITY, "∞"),
            (f64::NEG_INFINITY, "−∞"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(text(value), expected);
        }
        assert_eq!(text(3e45), "3e45");
        assert_eq!(sum(1.0, -1e-4), "1.0 − 0.0001");
        assert_eq!(sum(-1.0, 1e-4), "−1.0 + 0.0001");
    }

    #[test]
    fn a_field_shows_what_was_typed() {
        for typed in ["1.0", "0.0001", "1e-30", "-2.5", "1.00000001", "65504.0", "3e38"] {
            let value = parse(typed, Quantity::Share).expect("a number");
            assert_eq!(field(value), typed);
        }
    }
}

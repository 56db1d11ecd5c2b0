//! Numbers in decimal digits with so many behind the point, exactly rounded.
//!
//! The standard library writes any float in the fewest digits that read back, and brings 13 kB of code for it; numbers
//! that people look at need neither.

/// A number with `decimals` digits behind the point, rounded to the nearest, ties to even, as `{:.decimals$}` does.
///
/// `decimals` is at most 17. What is no number is written as such.
#[must_use]
pub fn fixed(value: f64, decimals: usize) -> String {
    const MANTISSA_BITS: u32 = 52;
    if !value.is_finite() {
        return if value.is_nan() { "NaN" } else { "∞" }.to_owned();
    }
    let bits = value.to_bits();
    let exponent_bits = (bits >> MANTISSA_BITS & 0x7ff) as i32;
    let fraction = bits & ((1 << MANTISSA_BITS) - 1);
    let mantissa = if exponent_bits == 0 { fraction } else { fraction | 1 << MANTISSA_BITS };
    // value = ± mantissa × 2^exponent
    let exponent = exponent_bits.max(1) - 1075;
    // Below 2^53 × 10^17, so that no product overflows.
    let scaled = u128::from(mantissa) * 10_u128.pow(decimals.min(17) as u32);
    let mut digits = if exponent < 0 {
        rounded(scaled, exponent.unsigned_abs()).to_string()
    } else {
        (0..exponent).fold(scaled.to_string(), |digits, _| doubled(&digits))
    };
    while digits.len() <= decimals {
        digits.insert(0, '0');
    }
    if decimals > 0 {
        digits.insert(digits.len() - decimals, '.');
    }
    if value.is_sign_negative() {
        digits.insert(0, '-');
    }
    digits
}

/// `number` ÷ 2^`shift`, to the nearest whole number, ties to even.
fn rounded(number: u128, shift: u32) -> u128 {
    if shift > 127 {
        // Less than a half of a half: the number has at most 110 bits.
        return 0;
    }
    let (whole, rest) = (number >> shift, number & ((1 << shift) - 1));
    let half = 1_u128 << (shift - 1);
    whole + u128::from(rest > half || (rest == half && whole & 1 == 1))
}

/// Twice a number in decimal digits.
fn doubled(digits: &str) -> String {
    let mut carry = 0;
    let mut reversed: Vec<u8> = Vec::with_capacity(digits.len() + 1);
    for digit in digits.bytes().rev() {
        let twice = 2 * (digit - b'0') + carry;
        reversed.push(b'0' + twice % 10);
        carry = twice / 10;
    }
    if carry > 0 {
        reversed.push(b'0' + carry);
    }
    reversed.iter().rev().map(|digit| char::from(*digit)).collect()
}

/// The same without zeros at the end.
#[must_use]
pub fn trimmed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn agrees_with_the_standard_library(value in proptest::num::f64::NORMAL | proptest::num::f64::ZERO | proptest::num::f64::SUBNORMAL, decimals in 0_usize..=17) {
            prop_assert_eq!(fixed(value, decimals), format!("{value:.decimals$}"));
        }

        #[test]
        fn and_so_do_numbers_that_people_look_at(value in -1e6..1e12_f64, quarters in 0_u32..10_000, decimals in 0_usize..=6) {
            prop_assert_eq!(fixed(value, decimals), format!("{value:.decimals$}"));
            let tie = f64::from(quarters) / 4.0;
            prop_assert_eq!(fixed(tie, decimals), format!("{tie:.decimals$}"));
        }
    }

    #[test]
    fn zeros_at_the_end_go() {
        assert_eq!(
            [trimmed(1.50, 2), trimmed(2.0, 2), trimmed(100.0, 0), trimmed(0.125, 6)],
            ["1.5", "2", "100", "0.125"]
        );
        assert_eq!([fixed(f64::NAN, 1), fixed(f64::INFINITY, 0)], ["NaN", "∞"]);
    }
}

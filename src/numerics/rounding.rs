//! Putting a number into a format.

use super::error::InvalidInput;
use super::format::Format;
use super::stored::Stored;

/// How a number between two representable ones is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// To the nearer one; half-way to the one whose last bit is 0 (IEEE 754 roundTiesToEven).
    NearestEven,
    /// To the one nearer zero: the extra bits are cut off (IEEE 754 roundTowardZero).
    Truncation,
}

impl Rounding {
    /// Every rounding.
    pub const ALL: [Rounding; 2] = [Rounding::NearestEven, Rounding::Truncation];

    /// The name for links and data.
    pub const fn id(self) -> &'static str {
        match self {
            Rounding::NearestEven => "nearest-even",
            Rounding::Truncation => "truncation",
        }
    }

    /// The rounding with this [`id`](Self::id).
    ///
    /// # Errors
    /// When no rounding has it; the message lists those that exist.
    pub fn from_id(id: &str) -> Result<Self, InvalidInput> {
        Self::ALL.into_iter().find(|rounding| rounding.id() == id).ok_or_else(|| {
            InvalidInput::new("rounding", format!("{id:?}"), Self::ALL.map(|rounding| rounding.id()).join(", "))
        })
    }
}

const F64_MANTISSA_BITS: u32 = 52;
const F64_BIAS: i32 = 1023;

/// Rounds `value` once into `format`.
///
/// The sign survives, on zero and on NaN too. What lies beyond the largest finite number is decided as IEEE 754 (7.4)
/// and OFP8's conversion without saturation say: rounding to nearest delivers infinity, or NaN in E4M3, which has no
/// infinity; truncation stops at the largest finite number. An infinite `value` stays infinite (NaN in E4M3).
pub fn round_to(format: Format, value: f64, rounding: Rounding) -> Stored {
    let negative = value.is_sign_negative();
    let stored = |magnitude| Stored::from_parts(format, negative, magnitude);
    let overflow = || format.infinity_magnitude().unwrap_or(format.nan_magnitude());
    if value.is_nan() {
        return stored(format.nan_magnitude());
    }
    if value.is_infinite() {
        return stored(overflow());
    }

    let bits = value.to_bits();
    let exponent_field = (bits >> F64_MANTISSA_BITS & 0x7ff) as i32;
    let mantissa = bits & ((1 << F64_MANTISSA_BITS) - 1);
    let (exponent, significand) = match exponent_field {
        0 => (1 - F64_BIAS, mantissa),
        _ => (exponent_field - F64_BIAS, mantissa | 1 << F64_MANTISSA_BITS),
    };

    // The grid of the binade the value lies in, or that of the subnormals below the smallest normal number.
    let binade = (exponent - format.min_exponent()).max(0);
    let below_grid =
        F64_MANTISSA_BITS as i32 - format.mantissa_bits() as i32 + (format.min_exponent() - exponent).max(0);
    // The significand has 53 bits: shifted by 54 or more it is less than half a grid step, however far it goes.
    let shift = below_grid.min(60) as u32;
    let whole = significand >> shift;
    let rest = significand & ((1 << shift) - 1);
    let half = 1 << (shift - 1);
    let away = match rounding {
        Rounding::NearestEven => rest > half || (rest == half && whole & 1 == 1),
        Rounding::Truncation => false,
    };

    // A carry out of the mantissa lands in the exponent, which is just what it should do.
    let magnitude = (binade as u64) << format.mantissa_bits();
    let magnitude = magnitude + whole + u64::from(away);
    if magnitude <= u64::from(format.max_finite_magnitude()) {
        return stored(magnitude as u32);
    }
    match rounding {
        Rounding::NearestEven => stored(overflow()),
        Rounding::Truncation => stored(format.max_finite_magnitude()),
    }
}

/// One addition: the exact sum of a stored value and `update`, rounded once into the value's format.
///
/// Exact whenever `update` is an fp32 number, as in [`experiment`](super::experiment()); for other f64 values the sum is
/// correct to f64 before it is rounded.
pub fn add(stored: Stored, update: f64, rounding: Rounding) -> Stored {
    round_to(stored.format(), sum_to_odd(stored.value(), update), rounding)
}

/// `a + b`, with the last bit set where the sum is not exact.
///
/// Rounding a sum to f64 and then to a format could round twice, to a neighbour of the right answer. With the inexact
/// sum rounded to odd, the second rounding sees on which side of a number or half-way point the exact sum lies, provided
/// the format has two bits fewer than f64 (S. Boldo, G. Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
fn sum_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if !sum.is_finite() {
        return sum;
    }
    // D. Knuth's two-sum: the error of a floating-point addition, exactly.
    let b_seen = sum - a;
    let error = (a - (sum - b_seen)) + (b - b_seen);
    let bits = sum.to_bits();
    if error == 0.0 || bits & 1 == 1 {
        return sum;
    }
    f64::from_bits(if (error > 0.0) == (sum > 0.0) { bits + 1 } else { bits - 1 })
}

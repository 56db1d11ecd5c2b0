//! A number as it stands in memory: bits of a format, and what they are worth.

use super::error::InvalidInput;
use super::format::{Format, power_of_two};

/// A value stored in a format.
///
/// Two are equal when their bits are: −0 differs from +0, and a NaN equals itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stored {
    format: Format,
    negative: bool,
    /// Exponent and mantissa fields read as one integer. It grows with the number it stands for, across binades too,
    /// so that the next number is always the next integer.
    magnitude: u32,
}

/// The fields of a stored value as strings of `0` and `1`, most significant bit first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitFields {
    /// One bit.
    pub sign: String,
    /// As many as [`Format::exponent_bits`].
    pub exponent: String,
    /// As many as [`Format::mantissa_bits`].
    pub mantissa: String,
}

impl Stored {
    pub(super) fn from_parts(format: Format, negative: bool, magnitude: u32) -> Self {
        debug_assert!(magnitude < 1 << (format.bits() - 1));
        Self { format, negative, magnitude }
    }

    /// The value these bits stand for, sign bit first, right-aligned (TF32: in the lower 19 bits).
    ///
    /// # Errors
    /// When a bit beyond the format's width is set.
    pub fn from_bits(format: Format, bits: u32) -> Result<Self, InvalidInput> {
        let sign_at = format.bits() - 1;
        if u64::from(bits) >> format.bits() != 0 {
            let allowed = format!("0 to {:#x} in {}", (1u64 << format.bits()) - 1, format.name());
            return Err(InvalidInput::new("bits", format!("{bits:#x}"), allowed));
        }
        Ok(Self::from_parts(format, bits >> sign_at == 1, bits & ((1 << sign_at) - 1)))
    }

    /// The format it is stored in.
    pub fn format(self) -> Format {
        self.format
    }

    /// The bits, sign bit first, right-aligned.
    pub fn to_bits(self) -> u32 {
        u32::from(self.negative) << (self.format.bits() - 1) | self.magnitude
    }

    /// The bits as strings, field by field.
    pub fn bit_fields(self) -> BitFields {
        let (exponent_bits, mantissa_bits) = (self.format.exponent_bits(), self.format.mantissa_bits());
        let mantissa = self.magnitude & ((1 << mantissa_bits) - 1);
        BitFields {
            sign: u8::from(self.negative).to_string(),
            exponent: format!("{:0width$b}", self.magnitude >> mantissa_bits, width = exponent_bits as usize),
            mantissa: format!("{mantissa:0width$b}", width = mantissa_bits as usize),
        }
    }

    /// The number, exactly: every value of every format here is an f64.
    pub fn value(self) -> f64 {
        let size = if self.is_finite() {
            let (quantum, grid_points) = self.quantum_and_grid_points();
            f64::from(grid_points) * quantum
        } else if Some(self.magnitude) == self.format.infinity_magnitude() {
            f64::INFINITY
        } else {
            f64::NAN
        };
        if self.negative { -size } else { size }
    }

    /// Whether it is neither infinite nor NaN.
    pub fn is_finite(self) -> bool {
        self.magnitude <= self.format.max_finite_magnitude()
    }

    /// Whether it is NaN.
    pub fn is_nan(self) -> bool {
        !self.is_finite() && Some(self.magnitude) != self.format.infinity_magnitude()
    }

    /// Whether the sign bit is set.
    pub fn is_sign_negative(self) -> bool {
        self.negative
    }

    /// Distance to the next representable number away from zero: one unit in the last place.
    ///
    /// `None` for the largest finite number and for what is not finite.
    pub fn gap_above(self) -> Option<f64> {
        (self.magnitude < self.format.max_finite_magnitude()).then(|| self.quantum_and_grid_points().0)
    }

    /// Distance to the next representable number towards zero: half of [`gap_above`](Self::gap_above) at a power of two.
    ///
    /// `None` for zero and for what is not finite.
    pub fn gap_below(self) -> Option<f64> {
        (self.is_finite() && self.magnitude > 0)
            .then(|| Self { magnitude: self.magnitude - 1, ..self }.quantum_and_grid_points().0)
    }

    pub(super) fn magnitude(self) -> u32 {
        self.magnitude
    }

    /// The spacing of the grid a finite value lies on, and how many of its steps the value is from zero.
    fn quantum_and_grid_points(self) -> (f64, u32) {
        let mantissa_bits = self.format.mantissa_bits();
        let (exponent, mantissa) = (self.magnitude >> mantissa_bits, self.magnitude & ((1 << mantissa_bits) - 1));
        // Subnormals have no hidden bit and share the grid of the first binade.
        let (binade, grid_points) =
            if exponent == 0 { (1, mantissa) } else { (exponent, mantissa | 1 << mantissa_bits) };
        (power_of_two(binade as i32 - self.format.bias() - mantissa_bits as i32), grid_points)
    }
}

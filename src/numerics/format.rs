//! The formats: how many bits go to sign, exponent and mantissa, and what follows from that.

use super::error::InvalidInput;
use super::stored::Stored;

/// What the all-ones exponent means in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Specials {
    /// Infinity with an empty mantissa, NaN with any other (IEEE 754).
    InfinityAndNan,
    /// Ordinary numbers, but for the all-ones mantissa, which is NaN; there is no infinity (OFP8 E4M3).
    NanOnly,
}

/// A binary floating-point format: one sign bit, a biased exponent, a mantissa with a hidden leading bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// IEEE 754 binary32.
    Fp32,
    /// binary32's range with ten mantissa bits; kept in memory as 32 bits.
    Tf32,
    /// The upper half of binary32.
    Bf16,
    /// IEEE 754 binary16.
    Fp16,
    /// OFP8 E4M3: finite up to 448, no infinity.
    Fp8E4m3,
    /// OFP8 E5M2: finite up to 57 344, infinity as in IEEE 754.
    Fp8E5m2,
}

impl Format {
    /// Every format, widest first.
    pub const ALL: [Format; 6] =
        [Format::Fp32, Format::Tf32, Format::Bf16, Format::Fp16, Format::Fp8E4m3, Format::Fp8E5m2];

    /// The name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Fp32 => "FP32",
            Format::Tf32 => "TF32",
            Format::Bf16 => "BF16",
            Format::Fp16 => "FP16",
            Format::Fp8E4m3 => "FP8 E4M3",
            Format::Fp8E5m2 => "FP8 E5M2",
        }
    }

    /// The name for links and data.
    pub const fn id(self) -> &'static str {
        match self {
            Format::Fp32 => "fp32",
            Format::Tf32 => "tf32",
            Format::Bf16 => "bf16",
            Format::Fp16 => "fp16",
            Format::Fp8E4m3 => "fp8-e4m3",
            Format::Fp8E5m2 => "fp8-e5m2",
        }
    }

    /// The format with this [`id`](Self::id).
    ///
    /// # Errors
    /// When no format has it; the message lists those that exist.
    pub fn from_id(id: &str) -> Result<Self, InvalidInput> {
        Self::ALL.into_iter().find(|format| format.id() == id).ok_or_else(|| {
            InvalidInput::new("format", format!("{id:?}"), Self::ALL.map(|format| format.id()).join(", "))
        })
    }

    /// Bits of the exponent field.
    pub const fn exponent_bits(self) -> u32 {
        match self {
            Format::Fp32 | Format::Tf32 | Format::Bf16 => 8,
            Format::Fp16 | Format::Fp8E5m2 => 5,
            Format::Fp8E4m3 => 4,
        }
    }

    /// Bits of the mantissa field, the hidden bit not counted.
    pub const fn mantissa_bits(self) -> u32 {
        match self {
            Format::Fp32 => 23,
            Format::Tf32 | Format::Fp16 => 10,
            Format::Bf16 => 7,
            Format::Fp8E4m3 => 3,
            Format::Fp8E5m2 => 2,
        }
    }

    /// Bits that carry information: sign, exponent and mantissa. TF32 has 19 of them.
    pub const fn bits(self) -> u32 {
        1 + self.exponent_bits() + self.mantissa_bits()
    }

    /// Bytes one number takes in memory. TF32 takes the four of the binary32 it is held in.
    pub const fn bytes(self) -> u32 {
        match self {
            Format::Fp32 | Format::Tf32 => 4,
            Format::Bf16 | Format::Fp16 => 2,
            Format::Fp8E4m3 | Format::Fp8E5m2 => 1,
        }
    }

    /// What is subtracted from the exponent field: 2^(exponent bits − 1) − 1.
    pub const fn bias(self) -> i32 {
        (1 << (self.exponent_bits() - 1)) - 1
    }

    /// What the all-ones exponent means.
    pub const fn specials(self) -> Specials {
        match self {
            Format::Fp8E4m3 => Specials::NanOnly,
            Format::Fp32 | Format::Tf32 | Format::Bf16 | Format::Fp16 | Format::Fp8E5m2 => Specials::InfinityAndNan,
        }
    }

    /// The largest finite number.
    pub fn max_finite(self) -> f64 {
        Stored::from_parts(self, false, self.max_finite_magnitude()).value()
    }

    /// The smallest positive number with a full mantissa.
    pub fn min_normal(self) -> f64 {
        power_of_two(self.min_exponent())
    }

    /// The smallest positive number, and the gap between neighbours everywhere below [`min_normal`](Self::min_normal).
    pub fn min_subnormal(self) -> f64 {
        power_of_two(self.min_exponent() - self.mantissa_bits() as i32)
    }

    /// The gap between 1 and the next larger number: 2^−(mantissa bits).
    pub fn epsilon(self) -> f64 {
        power_of_two(-(self.mantissa_bits() as i32))
    }

    /// Power of two of the smallest normal number.
    pub(super) const fn min_exponent(self) -> i32 {
        1 - self.bias()
    }

    /// The magnitude field (exponent and mantissa read as one integer) of the largest finite number.
    pub(super) const fn max_finite_magnitude(self) -> u32 {
        let all_ones = (1 << (self.bits() - 1)) - 1;
        match self.specials() {
            Specials::InfinityAndNan => self.infinite_exponent() - 1,
            Specials::NanOnly => all_ones - 1,
        }
    }

    /// The magnitude field of infinity, where the format has one.
    pub(super) const fn infinity_magnitude(self) -> Option<u32> {
        match self.specials() {
            Specials::InfinityAndNan => Some(self.infinite_exponent()),
            Specials::NanOnly => None,
        }
    }

    /// The magnitude field of the NaN that arithmetic delivers: quiet in IEEE 754's sense, the only one in E4M3.
    pub(super) const fn nan_magnitude(self) -> u32 {
        match self.specials() {
            Specials::InfinityAndNan => self.infinite_exponent() | 1 << (self.mantissa_bits() - 1),
            Specials::NanOnly => (1 << (self.bits() - 1)) - 1,
        }
    }

    const fn infinite_exponent(self) -> u32 {
        ((1 << self.exponent_bits()) - 1) << self.mantissa_bits()
    }
}

/// 2^`exponent`, exactly. Every exponent of the formats here is that of a normal f64.
pub(super) fn power_of_two(exponent: i32) -> f64 {
    debug_assert!((-1022..=1023).contains(&exponent));
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

//! Number formats, rounding into them, and what rounding does to a weight that is updated many times.
//!
//! This is the arithmetic of the precision account: why a model trained in bf16 keeps an fp32 copy of its weights.
//! A [`Format`] is a layout of bits; [`round_to`] puts a number into one and answers a [`Stored`] value, which knows
//! its bits and the gap to its neighbours; [`experiment`] adds the same update to a weight again and again.
//!
//! ```
//! use vram_ledger::numerics::{Format, Rounding, round_to};
//!
//! let stored = round_to(Format::Bf16, 1.0 + 1e-3, Rounding::NearestEven);
//! assert_eq!(stored.value(), 1.0); // the update is less than half of the gap above one
//! assert_eq!(stored.gap_above(), Some(0.0078125));
//! ```
//!
//! Sources:
//! - IEEE 754-2019, 3.3 and 3.4 (binary16, binary32: layout, bias, subnormals), 4.3 (roundTiesToEven, roundTowardZero),
//!   7.4 (what an overflow delivers under each of them).
//! - OCP 8-bit Floating Point Specification (OFP8) 1.0: E4M3 gives up infinity and all but one mantissa pattern of NaN
//!   for the values up to 448; E5M2 keeps IEEE 754's conventions.
//! - bfloat16 is the upper 16 bits of binary32 (sign, all eight exponent bits, seven of the mantissa).
//! - TF32 is binary32's exponent with binary16's mantissa: 19 significant bits in a 32-bit register (NVIDIA A100 Tensor
//!   Core GPU Architecture white paper, 2020).

mod error;
mod experiment;
mod format;
mod rounding;
mod stored;

pub use error::InvalidInput;
pub use experiment::{Experiment, MAX_POINTS, MAX_STEPS, Master, Point, Series, experiment};
pub use format::{Format, Specials};
pub use rounding::{Rounding, add, round_to};
pub use stored::{BitFields, Stored};

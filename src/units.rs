//! Quantities with their unit in the type: bytes are never gigabytes, seconds are never milliseconds.
//!
//! GB is 10^9 bytes and GiB is 2^30 bytes; which one is shown is the page's choice, never the core's.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

use serde::{Serialize, Serializer};

/// A whole number of bytes.
///
/// Held as `f64` so that no scenario, however large, can overflow; exact up to 2^53 bytes (9 PB), far beyond what one
/// GPU or one host holds. Made only by [`Bytes::whole`], so the value is always a non-negative whole number.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Bytes(f64);

impl Bytes {
    /// No bytes.
    pub const ZERO: Bytes = Bytes(0.0);

    /// The nearest whole number of bytes (half away from zero); a negative or undefined value counts as none.
    #[must_use]
    pub fn whole(value: f64) -> Bytes {
        Bytes(value.round().max(0.0))
    }

    /// The number of bytes.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }

    /// In gigabytes of 10^9 bytes.
    #[must_use]
    pub fn gigabytes(self) -> f64 {
        self.0 / 1e9
    }

    /// In gibibytes of 2^30 bytes.
    #[must_use]
    pub fn gibibytes(self) -> f64 {
        self.0 / GIB
    }
}

/// Bytes in one GiB.
pub const GIB: f64 = 1_073_741_824.0;
/// Bytes in one MiB.
pub const MIB: f64 = 1_048_576.0;

impl Add for Bytes {
    type Output = Bytes;
    fn add(self, other: Bytes) -> Bytes {
        Bytes(self.0 + other.0)
    }
}

impl AddAssign for Bytes {
    fn add_assign(&mut self, other: Bytes) {
        self.0 += other.0;
    }
}

/// What is left, and nothing where more is taken than there is.
impl Sub for Bytes {
    type Output = Bytes;
    fn sub(self, other: Bytes) -> Bytes {
        Bytes((self.0 - other.0).max(0.0))
    }
}

impl Sum for Bytes {
    fn sum<I: Iterator<Item = Bytes>>(items: I) -> Bytes {
        items.fold(Bytes::ZERO, Add::add)
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_number(&self.0, serializer)
    }
}

/// Writes a number as JSON has it: without a fraction where it has none.
///
/// # Errors
/// Those of the serializer.
pub fn serialize_number<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    let value = *value;
    // 2^63 is where `as u64` would start to lose the sign of the comparison; JSON readers lose digits long before.
    if value.fract() == 0.0 && (0.0..9.2e18).contains(&value) {
        serializer.serialize_u64(value as u64)
    } else {
        serializer.serialize_f64(value)
    }
}

/// A number with at most `decimals` digits behind the point: as many as it takes up to that, exactly rounded.
#[must_use]
pub fn trimmed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A duration in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Seconds(pub f64);

impl Add for Seconds {
    type Output = Seconds;
    fn add(self, other: Seconds) -> Seconds {
        Seconds(self.0 + other.0)
    }
}

impl AddAssign for Seconds {
    fn add_assign(&mut self, other: Seconds) {
        self.0 += other.0;
    }
}

impl Sum for Seconds {
    fn sum<I: Iterator<Item = Seconds>>(items: I) -> Seconds {
        items.fold(Seconds::default(), Add::add)
    }
}

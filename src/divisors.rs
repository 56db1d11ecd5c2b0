//! Divisors of whole numbers, for ranks that have to share something out evenly.

/// The divisors of a number, from 1 on.
#[must_use]
pub fn divisors(number: u64) -> Vec<u64> {
    let small: Vec<u64> = (1..=number.isqrt()).filter(|divisor| number.is_multiple_of(*divisor)).collect();
    let large = small.iter().rev().map(|divisor| number / divisor).filter(|divisor| divisor * divisor > number);
    small.iter().copied().chain(large).collect()
}

/// The greatest common divisor of two numbers.
#[must_use]
pub fn greatest_common(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common(b, a % b) }
}

/// The largest divisor of `number` up to `most` that `works`; 1 where none does.
#[must_use]
pub fn largest_divisor(number: u64, most: u64, works: impl Fn(u64) -> bool) -> u64 {
    (1..=number.min(most)).rev().find(|divisor| number.is_multiple_of(*divisor) && works(*divisor)).unwrap_or(1)
}

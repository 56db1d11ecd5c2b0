//! Drawn curves.

pub const MISSING: &str = "The curve could not be loaded; the table has the same numbers.";

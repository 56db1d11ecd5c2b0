//! Reads scenarios, prints reports.
fn main() {}

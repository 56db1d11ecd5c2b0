//! How long one estimate takes.
fn main() {}

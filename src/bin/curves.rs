//! The curves.
fn main() {}

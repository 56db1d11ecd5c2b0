//! What a layout sends, and how long that takes.

mod traffic;

pub use traffic::{Collective, Group, Pass, Payload, Traffic};

//! What a layout sends, and how long that takes.

pub mod collective;
pub mod curve;
mod layout;
mod serving;
mod traffic;

pub use layout::{Planned, Window, training};
pub use serving::serving;
pub use traffic::{Collective, Group, Pass, Payload, Traffic};

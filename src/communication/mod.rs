//! What a layout sends, and how long that takes.

pub mod collective;
pub mod curve;
mod layout;
mod serving;
mod traffic;

pub use layout::{Planned, Window, between_data_ranks, training, within_a_copy};
pub use serving::serving;
pub use traffic::{Collective, Group, Pass, Payload, Traffic};

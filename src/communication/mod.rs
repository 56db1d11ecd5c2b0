//! What a layout sends, and how long that takes.

pub mod collective;
pub mod curve;
mod layout;
mod serving;

pub use layout::{Planned, Window, between_data_ranks, training, within_a_copy};
pub use serving::serving;

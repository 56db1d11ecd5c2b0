//! The controls as data: what each sets, takes and shows.

mod control;
pub mod notches;
pub mod quantity;
mod refusal;

pub use control::{Control, Kind, controls};
pub use refusal::Refusal;

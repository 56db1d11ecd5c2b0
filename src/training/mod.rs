//! What one GPU holds while training.

mod activations;
mod ends;
mod memory;
mod parts;
mod phases;
mod recipe;
mod stage;
mod state;

pub use memory::{Footprint, footprint, footprint_of, footprints, minimum_gpus, whole_state};
pub use parts::{Parts, SMALL_TENSOR};
pub use phases::{PhasedEntries, Presence, by_account};
pub use recipe::Recipe;
pub use stage::Stage;
pub use state::moments;

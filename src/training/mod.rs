//! What one GPU holds while training.

mod activations;
mod adapter;
mod ends;
mod memory;
mod parts;
mod phases;
mod recipe;
mod stage;
mod state;

pub use adapter::{AdapterPlan, Base, MODULES, Targets};
pub use memory::{
    Footprint, Held, device_bytes, footprint, footprint_of, footprints, minimum_gpus, parts_of, whole_state,
};
pub use parts::{Division, Parts, SMALL_TENSOR, Tensors};
pub use phases::{PhasedEntries, Presence, by_account};
pub use recipe::Recipe;
pub use stage::{Layers, Stage};
pub use state::moments;

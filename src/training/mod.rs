//! What one GPU holds while training.

mod activations;
mod adapter;
mod ends;
mod memory;
mod parts;
mod phases;
mod stage;
mod state;

pub use memory::{
    BytesByPhase, Footprint, device_bytes, footprint, footprint_of, footprints, minimum_gpus, parts_of, whole_state,
};
pub use parts::{Parts, SMALL_TENSOR, Tensors};
pub use phases::{PhasedEntries, Presence};
pub use stage::{Layers, Stage};
pub use state::moments;

//! What one GPU holds while serving, and how much it could.

mod capacity;
mod memory;
mod weights;

pub use capacity::{maximum_concurrency, maximum_context, minimum_gpus};
pub use memory::{Footprint, footprint};
pub use weights::{ServedWeights, cache_element_bytes, weight_bits};

//! What one GPU holds while serving, and how much it could.

mod cache;
mod capacity;
mod engines;
mod formats;
mod log;
mod memory;
mod weights;

pub use cache::{cached, default_block};
pub use capacity::{maximum_concurrency, maximum_context, minimum_gpus};
pub use engines::vllm_sequences;
pub use formats::weight_bits;
pub use log::log;
pub use memory::{Footprint, footprint};

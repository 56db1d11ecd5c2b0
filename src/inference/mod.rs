//! What one GPU holds while serving, and how much it could.

mod cache;
mod capacity;
mod engines;
mod growth;
pub mod log;
mod memory;
mod weights;

pub use cache::{Cache, KindBytes, cached, default_block};
pub use capacity::{maximum_concurrency, maximum_context, minimum_gpus};
pub use engines::{
    Budget, EngineTraits, OF_ENGINES, engines_with, engines_with_cache, engines_with_weights, vllm_sequences,
};
pub use growth::{Growth, growth};
pub use memory::{Footprint, footprint};

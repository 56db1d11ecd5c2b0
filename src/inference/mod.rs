//! What one GPU holds while serving, and how much it could.

mod cache;
mod capacity;
mod comparison;
mod engines;
mod formats;
mod growth;
mod levers;
pub mod log;
mod memory;
mod weights;

pub use cache::{KindBytes, LayerKind, cached, default_block};
pub use capacity::{maximum_concurrency, maximum_context, minimum_gpus};
pub use comparison::{COMPARED, EngineFigures, UnderEngine, engines, under};
pub use engines::{Budget, EngineTraits, vllm_sequences};
pub use formats::weight_bits;
pub use growth::{Growth, growth};
pub use levers::{Lever, Tried, levers};
pub use memory::{Footprint, footprint};

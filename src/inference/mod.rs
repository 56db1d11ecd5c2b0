//! What one GPU holds while serving, and how much it could.

mod cache;
mod capacity;
mod growth;
pub mod log;
mod memory;
mod weights;

pub use cache::{Cache, KindBytes, cached};
pub use capacity::{maximum_concurrency, maximum_context, minimum_gpus};
pub use growth::{Growth, growth};
pub use memory::{Footprint, footprint};

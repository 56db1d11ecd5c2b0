//! How long things take: matrix products, an optimiser step, a pass of serving.

pub mod efficiency;
pub mod flops;
mod roofline;
mod step;

pub use roofline::{ServingTime, serving};
pub use step::{slowest_stage, step};

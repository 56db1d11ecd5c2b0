//! How long things take: matrix products, an optimiser step, a pass of serving.

pub mod efficiency;
pub mod flops;
mod moved;
mod roofline;
mod run;
mod step;

pub use roofline::{ServingTime, serving};
pub use run::{checkpoint, run};
pub use step::{Work, slowest_of, step, step_with};

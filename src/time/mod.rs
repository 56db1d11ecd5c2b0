//! How long things take: matrix products, an optimiser step, a pass of serving.

pub mod efficiency;

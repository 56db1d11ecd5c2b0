//! What slows a step down or hides inside it, whatever the framework: constants of the time model. What a framework's
//! kernels reach of a GPU's peaks stands with the framework ([`crate::frameworks::reached`]), what an engine's own code takes
//! with the engine ([`crate::engines::Times`]).

use crate::hardware::Generation;
use crate::plan::Gpu;

/// Each doubling of the GPUs beyond eight lengthens a step by so much: the slowest of many sets the pace.
const STRAGGLING: f64 = 0.0065;

/// How much longer a step takes among this many GPUs.
#[must_use]
pub fn straggling(gpus: u64) -> f64 {
    1.0 + STRAGGLING * (gpus as f64 / 8.0).max(1.0).log2()
}

/// Share of hidden communication by which computation is slowed down: it takes multiprocessors and memory from it.
pub const INTERFERENCE: f64 = 0.16;

/// Share of tensor-parallel collectives that hides behind the products they belong to unless asked otherwise: XLA cuts both
/// into pieces on TPUs (Wang et al. 2023, Overlap Communication with Dependent Computation via Decomposition, section 5).
#[must_use]
pub fn tensor_hidden(gpu: &Gpu) -> f64 {
    if gpu.generation == Generation::Tpu { 0.8 } else { 0.0 }
}

/// How many times as long as estimated a step took at the most in nine of ten of the published runs: an estimate has no
/// stragglers but the usual ones, no input pipeline, no failing network, so it errs to one side, and the more so the more
/// GPUs there are.
const LATE: f64 = 0.10;
const LATER_A_DOUBLING: f64 = 0.012;

/// The longest that a step among this many GPUs may take, over its estimate.
#[must_use]
pub fn at_most(gpus: u64) -> f64 {
    1.0 + LATE + LATER_A_DOUBLING * (gpus as f64 / 8.0).max(1.0).log2()
}

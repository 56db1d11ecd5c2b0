//! How much of a GPU's dense peak the matrix work of a whole model reaches.

use crate::resolve::Gpu;

/// Share of the best measured matrix product that a whole model's matrix work reaches: 0.644 of the dense peak, fitted
/// on eight published A100 runs (Korthikanti et al. 2022, arXiv 2205.05198, table 5), over the best single product on
/// that card, 0.869 of its peak.
const MODEL_OVER_BEST_PRODUCT: f64 = 0.644 / 0.869;

/// Best matrix product over peak on a card nobody published it for: the lowest of the NVIDIA cards it is known for.
const UNKNOWN_BEST_PRODUCT: f64 = 0.73;

/// The share of the dense peak that a model's matrix work is taken to reach on this GPU.
#[must_use]
pub fn mfu_ceiling(gpu: &Gpu) -> f64 {
    MODEL_OVER_BEST_PRODUCT * gpu.matmul_efficiency.unwrap_or(UNKNOWN_BEST_PRODUCT)
}

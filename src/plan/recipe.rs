//! Recipes: the bytes a parameter costs in each account while training.

use crate::frameworks::Profile;
use crate::names::{ComputeFormat, RecipeName};
use crate::optimizers::Optimizer;

/// Bytes a parameter in each account, and the format of the products.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// Weights as they are stored.
    pub weights: f64,
    /// Gradients as they are kept between micro-batches.
    pub gradients: f64,
    /// An fp32 copy of the gradients beside them, made for the optimiser and sharded with it.
    pub gradient_copy: f64,
    /// Master weights.
    pub master: f64,
    /// First moment.
    pub momentum: f64,
    /// Second moment.
    pub variance: f64,
    /// Weights as the products read them, where that is a copy of its own.
    pub compute_weights: f64,
    /// Gradients as they travel.
    pub reduce: f64,
    /// Format of the matrix products.
    pub compute: ComputeFormat,
}

impl Recipe {
    /// A recipe whose gradients travel as they are kept and whose products read the stored weights.
    #[must_use]
    pub fn new(
        [weights, gradients, master, momentum, variance]: [f64; 5],
        gradient_copy: f64,
        compute: ComputeFormat,
    ) -> Recipe {
        Recipe {
            weights,
            gradients,
            gradient_copy,
            master,
            momentum,
            variance,
            compute_weights: weights,
            reduce: gradients,
            compute,
        }
    }

    /// A named recipe.
    ///
    /// Sources: ZeRO, arXiv 1910.02054, section 3.1 (16 bytes); Megatron-LM's guide to its distributed optimiser (18
    /// with fp32 gradients, 20 with fp16: an fp32 copy of the gradients beside them); torchtitan (fp32 shards with
    /// transient bf16 copies); torchtune (pure bf16: 8). The fp8, mxfp8 and nvfp4 recipes store what the framework's
    /// own recipe stores and switch the format of the products.
    #[must_use]
    pub fn named(name: RecipeName, profile: &Profile) -> Recipe {
        let low_precision = |compute| Recipe { compute, ..Recipe::named(profile.recipe, profile) };
        match name {
            RecipeName::Bf16Mixed => Recipe::new([2.0, 2.0, 4.0, 4.0, 4.0], 0.0, ComputeFormat::Bf16),
            RecipeName::Bf16MixedFp32Gradients => Recipe::new([2.0, 4.0, 4.0, 4.0, 4.0], 0.0, ComputeFormat::Bf16),
            RecipeName::Fp16Mixed => Recipe::new([2.0, 2.0, 4.0, 4.0, 4.0], 0.0, ComputeFormat::Fp16),
            RecipeName::Fp16MixedFp32Gradients => Recipe::new([2.0, 2.0, 4.0, 4.0, 4.0], 4.0, ComputeFormat::Fp16),
            RecipeName::Fp32 => Recipe::new([4.0, 4.0, 0.0, 4.0, 4.0], 0.0, ComputeFormat::Fp32),
            RecipeName::Fp32Sharded => {
                Recipe { compute_weights: 2.0, ..Recipe::new([4.0, 4.0, 0.0, 4.0, 4.0], 0.0, ComputeFormat::Bf16) }
            }
            RecipeName::Bf16Pure => Recipe::new([2.0, 2.0, 0.0, 2.0, 2.0], 0.0, ComputeFormat::Bf16),
            RecipeName::Fp8Mixed => low_precision(ComputeFormat::Fp8),
            RecipeName::Mxfp8Mixed => low_precision(ComputeFormat::Mxfp8),
            RecipeName::Nvfp4Mixed => low_precision(ComputeFormat::Nvfp4),
        }
    }

    /// The recipe with the moments that `optimizer` keeps. Moments whose bytes depend on the shapes of the tensors (8-bit,
    /// factored, Muon's) are counted with those.
    #[must_use]
    pub fn with_optimizer(self, optimizer: Optimizer) -> Recipe {
        let row = optimizer.row();
        let (momentum, variance) = (row.momentum.bytes(self.momentum), row.variance.bytes(self.variance));
        Recipe { momentum, variance, ..self }
    }
}

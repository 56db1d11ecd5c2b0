//! Optimisers: one row each, with the moments it keeps of every parameter and what its update allocates beside them.
//!
//! A row is all that is known of an optimiser; the formulas in [`crate::training`] read it. Its label for people is in
//! the words of each language.

use crate::names::names;

/// What is known of one optimiser.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptimizerRow {
    /// The first moment.
    pub momentum: Moment,
    /// The second moment.
    pub variance: Moment,
    /// What an update without a kernel of its own allocates; none where the optimiser's code is always its own.
    pub update: Option<Update>,
}

/// How one moment of a parameter is stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment {
    /// Not kept.
    None,
    /// As wide as the recipe stores it.
    Recipe,
    /// This many bytes a parameter, whatever the recipe.
    Bytes(f64),
    /// In 8 bits with an fp32 scale a block, except for small tensors.
    Blockwise8bit,
    /// The fp32 sums over the rows and the columns of each matrix.
    Factored,
    /// As wide as the recipe stores it, only of what is no hidden matrix.
    OutsideMatrices,
    /// As wide as the recipe stores it: of each hidden matrix the moment of its projection onto one dimension, which has as
    /// many elements as the longer side, and one number beside it; of what is no hidden matrix the whole moment.
    OneDimension,
}

impl Moment {
    /// Bytes a parameter where the recipe has `recipe`; the storage that depends on the shapes of the tensors is
    /// counted with those.
    #[must_use]
    pub fn bytes(self, recipe: f64) -> f64 {
        match self {
            Moment::None => 0.0,
            Moment::Bytes(bytes) => bytes,
            Moment::Recipe | Moment::Blockwise8bit | Moment::OutsideMatrices | Moment::OneDimension => recipe,
            Moment::Factored => 4.0,
        }
    }
}

/// What an update allocates while it is computed operation by operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Update {
    /// The tensor of which copies are made, and so their width.
    pub copied: Copied,
    /// Copies that exist at once when the update goes tensor by tensor.
    pub copies: f64,
}

/// The tensor of which an update makes copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copied {
    /// The weights that are updated: the master weights where there are any.
    Weights,
    /// The first moment.
    Momentum,
    /// The second moment.
    Variance,
}

/// Adam's denominator is the square root of the second moment, a new tensor; tensor by tensor a second one is made of it
/// (`torch/optim/adam.py`).
const ADAM: Option<Update> = Some(Update { copied: Copied::Variance, copies: 2.0 });
/// Lion's update is made from a copy of the momentum (Chen et al. 2023, arXiv 2302.06675, algorithm 2).
const LION: Option<Update> = Some(Update { copied: Copied::Momentum, copies: 2.0 });
/// SGD adds the weight decay to a copy of the gradients (`torch/optim/sgd.py`).
const SGD: Option<Update> = Some(Update { copied: Copied::Weights, copies: 1.0 });

macro_rules! optimizers {
    ($($(#[$doc:meta])* $value:ident = $name:literal { $momentum:expr, $variance:expr, $update:expr })+) => {
        names! {
            /// The optimiser, which replaces the moments of the recipe.
            Optimizer { $($(#[$doc])* $value = $name),+ }
        }

        impl Optimizer {
            /// What is known of it.
            #[must_use]
            pub const fn row(self) -> OptimizerRow {
                match self {
                    $(Optimizer::$value => OptimizerRow { momentum: $momentum, variance: $variance, update: $update },)+
                }
            }
        }
    };
}

// Name in JSON { first moment, second moment, update }.
optimizers! {
    /// Kingma and Ba 2015, arXiv 1412.6980; Loshchilov and Hutter 2019, arXiv 1711.05101.
    AdamW = "adamw" { Moment::Recipe, Moment::Recipe, ADAM }
    /// Dettmers et al. 2022, arXiv 2110.02861, as bitsandbytes has it.
    AdamW8bit = "adamw-8bit" { Moment::Blockwise8bit, Moment::Blockwise8bit, None }
    /// AdamW with both moments in bf16.
    AdamWBf16 = "adamw-bf16" { Moment::Bytes(2.0), Moment::Bytes(2.0), ADAM }
    /// Shazeer and Stern 2018, arXiv 1804.04235, without momentum.
    Adafactor = "adafactor" { Moment::None, Moment::Factored, None }
    /// Chen et al. 2023, arXiv 2302.06675.
    Lion = "lion" { Moment::Recipe, Moment::None, LION }
    /// Plain gradient descent.
    Sgd = "sgd" { Moment::None, Moment::None, SGD }
    /// Gradient descent with momentum.
    SgdMomentum = "sgd-momentum" { Moment::Recipe, Moment::None, SGD }
    /// Jordan et al. 2024: momentum alone for hidden matrices, AdamW for the rest.
    Muon = "muon" { Moment::Recipe, Moment::OutsideMatrices, None }
    /// Zhu et al. 2025, arXiv 2412.05270, APOLLO-Mini: rank 1, one learning rate a matrix. Embedding, head, norms and biases
    /// keep AdamW's moments, as the paper's own runs have it.
    ApolloMini = "apollo-mini" { Moment::OneDimension, Moment::OneDimension, None }
}

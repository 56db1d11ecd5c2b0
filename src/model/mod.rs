//! Models: the dimensions of a decoder, what they add up to, and the ways of naming one.
//!
//! A model reaches the ledger as an [`Architecture`], by one of three ways: a published row of the
//! [`catalogue`](catalogue()), a Hugging Face `config.json` ([`crate::families::HfConfig`]), or a bare parameter count
//! whose shape is assumed ([`assumed_shape`]).

mod architecture;
mod assumed;
mod catalogue;
mod difference;
mod pasted;

pub use architecture::{
    Architecture, BiasOf, Experts, FullHeads, Further, Indexer, Kept, KeptSize, Latent, Layers, Linear,
    MAXIMUM_PARAMETERS, Mlp, NormKind, Place, QkNorm, Role, TensorGroup, Window, copies_of_heads,
};
pub use assumed::{ASSUMED_SHAPE_RANGE, assumed_shape};
pub use catalogue::{Published, catalogue, find};
pub use difference::{Difference, Surplus};
pub use pasted::{Described, OwnFormat, Understood};

//! What is made of a pasted `config.json`: data, said in words elsewhere.

use super::Architecture;
use crate::names::WeightFormat;

/// A model that a `config.json` describes.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// The name of its family.
    pub name: &'static str,
    /// Its dimensions.
    pub architecture: Architecture,
    /// What is to be said of them.
    pub understood: Option<Understood>,
}

/// What was made of a file of no known family, or of one whose weights are in a format of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct Understood {
    /// What stands under `model_type`, of a family that is not known; it is read as a Llama-like decoder.
    pub unknown: Option<String>,
    /// The dimensions.
    pub shape: Architecture,
    /// The format of the file's own weights.
    pub format: Option<OwnFormat>,
}

/// The format that a checkpoint's own weights are in.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnFormat {
    /// The method, where it is named.
    pub method: Option<String>,
    /// Further names: of the algorithm, of the layout.
    pub further: Vec<String>,
    /// Bits of a weight.
    pub bits: Option<i64>,
    /// Weights that share a scale.
    pub group: Option<i64>,
    /// The value of `inference.weights` that has the same bytes.
    pub matching: Option<WeightFormat>,
}

//! The model as it was understood.

use serde::Serialize;

use crate::model::Understood;
use crate::units::serialize_number;

/// The model as it was understood.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelReport {
    /// Name for people.
    pub name: String,
    /// All parameters, a tied matrix once.
    #[serde(serialize_with = "serialize_number")]
    pub parameters: f64,
    /// Parameters one token meets.
    #[serde(serialize_with = "serialize_number")]
    pub active_parameters: f64,
    /// Token embedding, learned positions and an untied head.
    #[serde(serialize_with = "serialize_number")]
    pub embedding_parameters: f64,
    /// Decoder layers.
    pub layers: u64,
    /// Hidden size.
    pub hidden: u64,
    /// Attention heads.
    pub heads: u64,
    /// Key-value heads.
    pub kv_heads: u64,
    /// Vocabulary, before padding.
    pub vocabulary: u64,
    /// Longest sequence the model states for itself.
    pub maximum_positions: Option<u64>,
    /// Whether layers, hidden size and heads were assumed from the parameter count.
    pub assumed_shape: bool,
    /// What was made of a `config.json` of no known family, for whoever pasted it to check, or of one whose weights are in a
    /// format of their own. The document says it in words.
    #[serde(skip)]
    pub understood: Option<Understood>,
}

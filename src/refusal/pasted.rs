//! What is wrong with a pasted `config.json`.

use super::Problem;

/// What is wrong with what stands, or does not stand, under a key of a `config.json`.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelProblem {
    /// What was given is no object.
    NoObject,
    /// A number is missing; it is whole, from 1 to `most`.
    Missing {
        /// The largest allowed.
        most: u64,
    },
    /// A whole number outside its range.
    Range {
        /// The number given.
        given: u64,
        /// The least allowed.
        least: u64,
        /// The largest allowed.
        most: u64,
    },
    /// A share outside 0 to 1.
    Share {
        /// The number given.
        given: f64,
    },
    /// A value that asks for something that is not counted.
    Only {
        /// What is counted, as it is written.
        allowed: &'static str,
    },
    /// Two names for the same number that stand for different ones.
    TwoNames {
        /// The number given under the key.
        given: u64,
        /// The other name.
        other_key: &'static str,
        /// The number under that.
        other: u64,
    },
    /// Key-value heads that query heads cannot share evenly.
    KvHeads {
        /// Key-value heads.
        kv_heads: u64,
        /// Whether they are the family's default.
        default: bool,
        /// Query heads.
        heads: u64,
        /// The key those stand under.
        heads_key: &'static str,
    },
    /// Query heads that cannot be put into groups of that size.
    Group {
        /// Query heads that share a key-value head.
        given: u64,
        /// Query heads.
        heads: u64,
        /// The key those stand under.
        heads_key: &'static str,
    },
    /// Heads that do not divide the hidden size, where nothing says how wide they are.
    HeadWidth {
        /// Query heads.
        heads: u64,
        /// The hidden size.
        hidden: u64,
        /// The key that stands under.
        hidden_key: &'static str,
    },
    /// No `model_type`.
    NoFamily {
        /// The known ones.
        known: String,
    },
    /// A `model_type` that is not known, and too few keys to read the file all the same.
    KeysOfUnknown {
        /// The `model_type`.
        model_type: String,
        /// The missing keys.
        missing: String,
        /// The known model types.
        known: String,
    },
    /// An unknown family whose norms may have biases.
    OtherNorms {
        /// The `model_type`.
        model_type: String,
    },
    /// A key of an unknown family that tells of layers that are not understood.
    NotUnderstood {
        /// The `model_type`.
        model_type: String,
    },
    /// A value of an unknown family that cannot be read.
    UnderUnknown {
        /// The `model_type`.
        model_type: String,
        /// What is wrong with it.
        problem: Box<Problem>,
    },
    /// A name that is none of the known ones.
    UnknownName {
        /// The name given.
        given: String,
        /// The known names.
        known: String,
    },
    /// A number that stands for no kind of layer: 0 is linear, 1 full attention.
    UnknownKind {
        /// The number given.
        given: u64,
    },
    /// No window, although `layer_types` names layers that have one.
    NoWindow,
    /// A list that does not have one entry for each layer.
    Entries {
        /// Entries given.
        given: u64,
        /// Layers.
        layers: u64,
    },
    /// No layer has an indexer.
    NoIndexer,
    /// A token that meets more experts than there are.
    TooFewExperts {
        /// Experts a token meets.
        per_token: u64,
        /// Experts of a layer.
        count: u64,
        /// The key those stand under.
        count_key: &'static str,
    },
    /// Shared experts that together are too wide.
    SharedWidth {
        /// Shared experts.
        shared: u64,
        /// The width of each.
        width: u64,
        /// The largest width of all together.
        most: u64,
    },
    /// More dense first layers than layers.
    FirstDense {
        /// Dense first layers.
        given: u64,
        /// Layers.
        layers: u64,
    },
    /// Nothing says of which kind each layer is: state space, attention, MLP or experts.
    NoBlocks,
    /// Nothing says of which kind the attention of each layer is: linear or full.
    NoKinds,
    /// A list of another length than the file states.
    Blocks {
        /// Layers of the list.
        layers: u64,
        /// Layers that the file states.
        stated: u64,
    },
    /// Another group of query heads than in the layers before.
    OtherGroup {
        /// The group given.
        given: u64,
    },
    /// The measure of an MLP's width is missing or outside 0 to 1000.
    Measure {
        /// The number given.
        given: Option<f64>,
    },
    /// Dimensions that make too many parameters to be counted in bytes.
    TooLarge {
        /// Parameters.
        parameters: u128,
        /// The most that can be counted.
        most: u64,
    },
}

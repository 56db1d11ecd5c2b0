//! What a row says of a family.

use super::further::List;
use super::layers::{self, Kinds};
use super::{HfConfig, Named};
use crate::model::{FullHeads, Indexer, Mlp, NormKind, QkNorm, Window};
use crate::refusal::FieldError;

/// A family of decoders: which keys of a `config.json` mean which of its tensors.
pub struct Family {
    /// The name in prose.
    pub name: &'static str,
    /// The `model_type` values of this family in a `config.json`; none of the one that stands for unknown families.
    pub model_types: &'static [&'static str],
    /// Keys that no other family's files are read for. They are kept as the file has them and read when the row asks.
    pub own_keys: &'static [&'static str],

    /// Decoder layers.
    pub(super) layers: Number,
    /// Which of them are of which kind.
    pub(super) kinds: fn(&HfConfig, &Family, Named) -> Result<Kinds, FieldError>,
    /// Which of them have a window, where the kinds are told by nothing else.
    pub(super) windows: Windows,
    /// Width of the residual stream.
    pub(super) hidden: Number,
    /// Entries of the vocabulary.
    pub(super) vocabulary: Number,
    /// Whether a file that does not say so ties the head to the embedding.
    pub(super) tied: bool,
    /// Whether the embedding is normalised before the first layer.
    pub(super) embedding_norm: bool,
    /// The longest sequence; none where the layers set no limit.
    pub(super) positions: Option<Number>,
    /// A table of positions that is learned.
    pub(super) learned_positions: Option<LearnedPositions>,
    /// The share of a head that is rotated by its position where no key says it; 0 where positions are told another way.
    pub(super) rotated: fn(&HfConfig) -> f64,

    /// Query heads.
    pub(super) heads: Number,
    /// Key-value heads.
    pub(super) kv_heads: KvHeads,
    /// Width of a head where the key is missing; none: hidden size ÷ heads.
    pub(super) head_dim: Option<u64>,
    /// Query heads of windowed layers and the heads of the others, where the two differ; asked where layers have windows.
    pub(super) heads_by_layer: fn(&HfConfig, [u64; 3]) -> HeadsByLayer,
    /// Whether queries, keys and values are made from narrow vectors.
    pub(super) latent: If,
    /// What picks the tokens that attention looks at.
    pub(super) indexer: fn(&HfConfig, u64) -> Result<Option<Indexer>, FieldError>,
    /// Norms of queries and keys.
    pub(super) qk_norm: fn(&HfConfig) -> QkNorm,
    /// A learned number for each query head in its softmax.
    pub(super) sinks: bool,

    /// Kind of the norms over the hidden size.
    pub(super) norm: NormKind,
    /// How many a layer has.
    pub(super) norms: fn(&HfConfig) -> u64,
    /// Whether attention and MLP read the same residual.
    pub(super) parallel_residual: If,

    /// Shape of MLP and experts.
    pub(super) mlp: fn(&HfConfig) -> Mlp,
    /// Inner width of the dense MLP.
    pub(super) mlp_width: Width,
    /// Routed experts.
    pub(super) mixture: Option<Mixture>,

    /// Biases on query, key and value.
    pub(super) qkv_bias: If,
    /// Bias on attention's output projection.
    pub(super) output_bias: If,
    /// Biases of MLP and experts.
    pub(super) mlp_bias: If,
    /// Bias on the head.
    pub(super) head_bias: If,

    /// Tensors that no field tells of, and what their layers keep for backward.
    pub(super) further: fn(&HfConfig, &Kinds, &mut List) -> Result<(), FieldError>,
    /// Whether `num_nextn_predict_layers` are added while training.
    pub(super) predicts: bool,
    /// What a file may ask for and nobody has counted yet.
    pub(super) uncounted: &'static [Uncounted],
}

/// Whether the model has something, by the keys of a file.
pub type If = fn(&HfConfig) -> bool;

/// Query heads of windowed layers, and the heads of the others where they differ.
pub type HeadsByLayer = Result<(u64, Option<FullHeads>), FieldError>;

/// It never is.
pub const NO: If = |_| false;

/// It always is.
pub const YES: If = |_| true;

/// A key under which a whole number stands.
#[derive(Clone, Copy)]
pub struct Key {
    pub name: &'static str,
    pub given: fn(&HfConfig) -> Result<Option<u64>, FieldError>,
}

/// A number of a file: the keys that it may stand under, and what stands for it where it is left out.
#[derive(Clone, Copy)]
pub struct Number {
    pub keys: &'static [Key],
    /// Whether the keys are names for the same number, which must agree; otherwise the first that is given counts.
    pub alike: bool,
    pub missing: Option<u64>,
}

/// A key: one of those that every file is read for, or in quotes one of the row's own.
macro_rules! key {
    ($name:literal) => {
        $crate::families::row::Key { name: $name, given: |keys| keys.own($name) }
    };
    ($field:ident) => {
        $crate::families::row::Key { name: stringify!($field), given: |keys| Ok(keys.$field) }
    };
}

/// A number: `number!(a)`, `number!(a or 8)` with what stands for a missing key, `number!(a, b)` where the first that is
/// given counts, `number!(a = b)` where both are names for the same.
macro_rules! number {
    ($($key:tt),+) => {
        $crate::families::row::Number { keys: &[$($crate::families::row::key!($key)),+], alike: false, missing: None }
    };
    ($key:tt or $missing:expr) => {
        $crate::families::row::Number { keys: &[$crate::families::row::key!($key)], alike: false, missing: Some($missing) }
    };
    ($($key:tt)=+) => {
        $crate::families::row::Number { keys: &[$($crate::families::row::key!($key)),+], alike: true, missing: None }
    };
}

pub(super) use {key, number};

/// Which layers a family puts under its `sliding_window`.
#[derive(Clone, Copy)]
pub enum Windows {
    /// The family has none, whatever its file says.
    None,
    /// Every layer, where the key is given.
    All,
    /// Layers from `max_window_layers` on, where `use_sliding_window` is true.
    Switched,
    /// All but each layer whose number, counted from 1, is a multiple of `every`; 4096 tokens where the key is missing.
    Alternating { every: u64 },
    /// Those that `layer_types` names, without it those that `sliding_window_pattern` tells, and without that every layer,
    /// where `sliding_window` is given.
    Told,
    /// As a function of the row says, given the number of layers.
    By(fn(&HfConfig, u64) -> Result<Option<Window>, FieldError>),
}

/// A learned table of positions.
#[derive(Clone, Copy)]
pub struct LearnedPositions {
    /// Its length where the file does not say how long a sequence may be; none where it has to.
    pub missing: Option<u64>,
    /// Rows before the first position.
    pub before: u64,
}

/// How many key-value heads there are.
#[derive(Clone, Copy)]
pub enum KvHeads {
    /// As many as stand under a key; where it is missing and the row has no default, as many as query heads.
    Given(Number),
    /// What the file says otherwise; the query heads are given along.
    Told(fn(&HfConfig, &Kinds, u64) -> Result<Named, FieldError>),
}

/// The inner width of an MLP.
#[derive(Clone, Copy)]
pub enum Width {
    /// As it stands under a key.
    Given(Number),
    /// The same; where it is missing, this many times the hidden size.
    OrHidden(Number, u64),
    /// This many times the hidden size, whatever the file says.
    Hidden(u64),
    /// The widest of those that the layers have.
    OfLayers,
}

/// Routed experts.
#[derive(Clone, Copy)]
pub struct Mixture {
    /// Whether a file has any.
    pub when: fn(&HfConfig, &Kinds) -> bool,
    /// How many a layer has.
    pub count: Number,
    /// How many a token meets.
    pub per_token: Number,
    /// How wide each is.
    pub width: ExpertWidth,
    /// Those that every token meets.
    pub shared: Shared,
    /// Whether the router adds a correction to each expert's score.
    pub router_bias: If,
    /// Layers with a dense MLP instead.
    pub dense: Dense,
}

/// The inner width of an expert.
#[derive(Clone, Copy)]
pub enum ExpertWidth {
    /// That of the MLP.
    OfMlp,
    /// As it stands under a key.
    Given(Number),
    /// The same; where it is missing, that of the MLP.
    OrOfMlp(Number),
}

/// Experts that every token meets.
#[derive(Clone, Copy)]
pub enum Shared {
    /// There are none.
    None,
    /// This many, each as wide as a routed one; none where the key is missing and the row has no default.
    Experts(Number),
    /// One as wide as a routed one.
    One,
    /// One of a width of its own, which may be weighted by a gate.
    Width { width: Number, gate: bool },
    /// A width where it is given and not 0, otherwise as many as stand under a key.
    WidthOrExperts(Number, Number),
    /// The dense MLP beside the experts of every layer.
    Mlp,
}

/// Layers of a mixture that have a dense MLP.
#[derive(Clone, Copy)]
pub enum Dense {
    /// None.
    Never,
    /// Those of which the answer, one entry a layer, says so.
    Layers(fn(&HfConfig, u64) -> Result<Vec<bool>, FieldError>),
    /// Each layer is of one kind and nothing else: the kinds have told.
    Kinds,
}

/// A key whose value, if it is another than `allowed`, asks for something that is not counted.
pub struct Uncounted {
    pub key: &'static str,
    /// Whether it asks; the hidden size is given along.
    pub asked: fn(&HfConfig, u64) -> bool,
    pub allowed: &'static str,
}

impl Family {
    /// Whether it is a family, and not what stands for those that are not known.
    pub fn is_known(&self) -> bool {
        !self.model_types.is_empty()
    }
}

/// What most rows start from: Llama's tensors and keys, without biases on the MLP.
pub const DECODER: Family = Family {
    name: "",
    model_types: &[],
    own_keys: &[],
    layers: number!(num_hidden_layers),
    kinds: layers::windowed,
    windows: Windows::None,
    hidden: number!(hidden_size),
    vocabulary: number!(vocab_size),
    tied: false,
    embedding_norm: false,
    positions: Some(number!(max_position_embeddings)),
    learned_positions: None,
    rotated: |_| 1.0,
    heads: number!(num_attention_heads),
    kv_heads: KvHeads::Given(number!(num_key_value_heads)),
    head_dim: None,
    heads_by_layer: |_, [heads, ..]| Ok((heads, None)),
    latent: NO,
    indexer: |_, _| Ok(None),
    qk_norm: |_| QkNorm::No,
    sinks: false,
    norm: NormKind::Rms,
    norms: |_| 2,
    parallel_residual: NO,
    mlp: |_| Mlp::Gated,
    mlp_width: Width::Given(number!(intermediate_size)),
    mixture: None,
    qkv_bias: |keys| keys.attention_bias == Some(true),
    output_bias: |keys| keys.attention_bias == Some(true),
    mlp_bias: NO,
    head_bias: NO,
    further: |_, _, _| Ok(()),
    predicts: false,
    uncounted: &[],
};

/// What rows with LayerNorms and a plain MLP start from.
pub const GPT: Family = Family { norm: NormKind::LayerNorm, mlp: |_| Mlp::Plain, ..DECODER };

/// What mixtures start from: experts as wide as the MLP, in every layer.
pub const MIXTURE: Mixture = Mixture {
    when: |_, _| true,
    count: number!(num_local_experts),
    per_token: number!(num_experts_per_tok),
    width: ExpertWidth::OfMlp,
    shared: Shared::None,
    router_bias: NO,
    dense: Dense::Never,
};

/// This many key-value heads where the key is missing.
pub const fn kv_heads_or(missing: u64) -> KvHeads {
    KvHeads::Given(Number { missing: Some(missing), ..number!(num_key_value_heads) })
}

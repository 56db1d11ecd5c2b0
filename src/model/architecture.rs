//! The dimensions of a decoder and the tensors they make.
//!
//! Everything the ledger counts about weights comes from [`Architecture::tensors`], so a parameter count, a
//! quantised size and a sharded size can never disagree about which tensors a model has.
//!
//! What most decoders are made of is told by fields and made into tensors here. What only some have (linear attention,
//! other heads in some layers, MLPs of several widths) stands in a list of tensors that whoever describes the model
//! gives along, [`Further`]: it costs nothing where there is none.

use serde::{Deserialize, Serialize};

/// The most parameters a described model may have. Twenty bytes for each of them still fit a 64-bit count of bytes.
pub const MAXIMUM_PARAMETERS: u64 = 10_000_000_000_000_000;

/// The shape of a feed-forward block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Mlp {
    /// Gate, up and down: the gate's activation multiplies the up projection (SwiGLU, GeGLU).
    Gated,
    /// Up and down with an activation between them.
    Plain,
}

impl Mlp {
    /// How many matrices lead from the hidden size to the MLP's width: gate and up, or up alone.
    pub const fn inputs(self) -> u64 {
        match self {
            Mlp::Gated => 2,
            Mlp::Plain => 1,
        }
    }
}

/// The normalisation before (and, in some families, after) each block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum NormKind {
    /// Root mean square: a weight.
    Rms,
    /// Mean and variance: a weight and a bias.
    LayerNorm,
    /// Mean and variance, without parameters (OLMo).
    Bare,
}

/// Norms of queries and keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum QkNorm {
    /// There are none.
    No,
    /// Over each head, with one weight of `head_dim` for all query heads and one for all key heads.
    Head,
    /// Over all query heads together and all key heads together.
    All,
    /// Over each head, without parameters (Llama 4).
    Unit,
}

/// Routed experts in place of the dense MLP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Experts {
    /// Routed experts in each layer that has them.
    pub count: u64,
    /// Routed experts that one token meets in each such layer.
    pub per_token: u64,
    /// Inner width of one routed expert.
    pub width: u64,
    /// Inner width of the shared experts that every token meets, all of a layer together; 0 where there are none.
    pub shared_width: u64,
    /// Whether the shared experts' output is weighted by a gate of its own (Qwen2-MoE).
    pub shared_gate: bool,
    /// Whether the router adds a correction to each expert's score (DeepSeek-V3).
    pub router_bias: bool,
    /// Layers with a dense MLP instead.
    pub dense_layers: u64,
    /// Whether those stand evenly between the others; otherwise they are the first ones.
    pub interleaved: bool,
}

/// Multi-head latent attention: queries, keys and values are spread out from narrow vectors (DeepSeek-V2, arXiv
/// 2405.04434, section 2.1). A head's width for queries and keys is then [`Architecture::head_dim`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Latent {
    /// Width of the vector that queries are made from; 0 where they are projected at once.
    pub query_rank: u64,
    /// Width of the vector that keys and values are made from.
    pub rank: u64,
    /// The part of a query or key head that is rotated by its position; of keys, all heads share one.
    pub rope: u64,
    /// Width of a value head.
    pub value: u64,
}

/// Layers whose attention, and therefore whose cache, reaches back a bounded number of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Window {
    /// How many of the layers are windowed.
    pub layers: u64,
    /// The window in tokens.
    pub tokens: u64,
    /// Whether it stands still: attention reaches back to the last multiple of `tokens` (Llama 4), instead of as many
    /// tokens from wherever it is.
    pub chunked: bool,
}

/// Layers that keep a state of constant size instead of a cache, behind a short convolution: a gated delta rule (Gated
/// DeltaNet, arXiv 2412.06464), or a state space. Of Mamba-2 (arXiv 2405.21060) groups are the heads of queries and keys,
/// and what the state has for each element is their width; of Mamba (arXiv 2312.00752) every element is a head, and only
/// those go through the convolution. Their tensors are in [`Architecture::further`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Linear {
    /// How many of the layers are such.
    pub layers: u64,
    /// Heads of queries and keys.
    pub key_heads: u64,
    /// Heads of values, each with a state of `key_dim` × `value_dim`.
    pub value_heads: u64,
    /// Width of a query or key head.
    pub key_dim: u64,
    /// Width of a value head.
    pub value_dim: u64,
    /// Tokens the convolution sees.
    pub kernel: u64,
}

impl Linear {
    /// Width of queries, keys and values together, which the convolution runs over.
    pub const fn width(&self) -> u64 {
        2 * self.key_heads * self.key_dim + self.value_width()
    }

    /// Width of all value heads together.
    pub const fn value_width(&self) -> u64 {
        self.value_heads * self.value_dim
    }

    /// Whether this many tensor ranks can divide its heads.
    pub const fn splits(&self, ranks: u64) -> bool {
        self.key_heads.is_multiple_of(ranks) && self.value_heads.is_multiple_of(ranks)
    }
}

/// Heads of the layers that see everything, in a model whose windowed layers have others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FullHeads {
    /// Query heads.
    pub heads: u64,
    /// Key-value heads.
    pub kv_heads: u64,
    /// Width of a head.
    pub head_dim: u64,
}

/// What picks the tokens that latent attention looks at: small heads of their own, whose keys are cached in FP8 beside the
/// latent vectors, an fp32 scale with each (DeepSeek-V3.2, arXiv 2512.02556, section 2.1). Its tensors are in
/// [`Architecture::further`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Indexer {
    /// Layers with one of their own; the others look where the layer before them did.
    pub layers: u64,
    /// Its query heads; they share one key.
    pub heads: u64,
    /// Width of a head.
    pub head_dim: u64,
    /// Tokens it picks.
    pub picked: u64,
}

/// What the other fields of an [`Architecture`] do not describe.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Further {
    /// Tensors, with the kind of layers that have them.
    pub tensors: Vec<(TensorGroup, Layers)>,
    /// What those layers keep for backward beside what all layers do.
    pub kept: Vec<Kept>,
}

/// What some layers keep for their backward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// How many bytes an element has.
    pub size: KeptSize,
    /// Elements a token of one layer.
    pub width: u64,
    /// Such layers.
    pub layers: u64,
    /// Whether tensor parallelism splits them.
    pub split: bool,
}

/// Bytes of a kept element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeptSize {
    /// Those of a live tensor.
    Element,
    /// Four.
    Single,
    /// What a norm keeps of its input, and its output.
    Norm,
    /// What an MLP keeps of an element of its inner width.
    Mlp,
}

/// The dimensions of one decoder-only transformer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Architecture {
    /// The name of the family whose tensors these are.
    pub family: &'static str,
    /// Decoder layers.
    pub layers: u64,
    /// Width of the residual stream.
    pub hidden: u64,
    /// Query heads.
    pub heads: u64,
    /// Key-value heads: `heads` (multi-head), fewer (grouped-query) or 1 (multi-query).
    pub kv_heads: u64,
    /// Width of one query or key head. `heads` × `head_dim` need not equal `hidden`.
    pub head_dim: u64,
    /// Latent attention, if queries, keys and values are made from narrow vectors.
    pub latent: Option<Latent>,
    /// Shape of the feed-forward block, of the experts too.
    pub mlp: Mlp,
    /// Inner width of the dense feed-forward block; where every layer has experts, the width of one expert.
    pub mlp_width: u64,
    /// Routed experts, if the feed-forward blocks of some layers are a mixture.
    pub experts: Option<Experts>,
    /// Layers with neither attention nor a state.
    pub without_attention: u64,
    /// Layers without an MLP and without experts.
    pub without_mlp: u64,
    /// Layers whose MLP has another width, and is in `further`.
    pub other_mlps: u64,
    /// Entries of the vocabulary, unpadded.
    pub vocabulary: u64,
    /// Rows of the learned position table; 0 where positions are computed (rotary).
    pub learned_positions: u64,
    /// Width of the part of a query or key head that is rotated by its position; 0 where none is.
    pub rotary: u64,
    /// Whether the output head is the embedding matrix itself.
    pub tied_embeddings: bool,
    /// Whether the embedding is normalised before the first layer.
    pub embedding_norm: bool,
    /// Bias on the output head.
    pub head_bias: bool,
    /// Kind of every norm but those on heads.
    pub norm: NormKind,
    /// Norms over the hidden size in each layer.
    pub norms_per_layer: u64,
    /// Biases on query, key and value.
    pub qkv_bias: bool,
    /// Bias on attention's output projection.
    pub output_bias: bool,
    /// Biases on every matrix of the feed-forward blocks, of experts too.
    pub mlp_bias: bool,
    /// A learned number for each query head that takes part in its softmax.
    pub sinks: bool,
    /// Norms of queries and keys in each layer.
    pub qk_norm: QkNorm,
    /// Attention and MLP read the same residual and are added together (GPT-NeoX) instead of one after the other.
    pub parallel_residual: bool,
    /// Layers with sliding-window attention.
    pub window: Option<Window>,
    /// Layers with a state of constant size.
    pub linear: Option<Linear>,
    /// Heads of the layers without a window, where they differ from those of the others.
    pub full_heads: Option<FullHeads>,
    /// Layers that use keys and values of an earlier one: of those with a window, and of those without.
    pub borrowing: [u64; 2],
    /// What picks the tokens that attention looks at, if it does not look at all.
    pub indexer: Option<Indexer>,
    /// What no other field tells of.
    pub further: Further,
    /// Further layers that training adds behind the last one, each to predict one more token ahead (DeepSeek-V3, arXiv
    /// 2412.19437, section 2.2). The model that is served has none, so its own count leaves them out.
    pub prediction_layers: u64,
    /// The longest sequence the model states it is made for, in tokens.
    pub maximum_positions: Option<u64>,
}

/// What stands for the experts of a model without them.
const NO_EXPERTS: Experts = Experts {
    count: 0,
    per_token: 0,
    width: 0,
    shared_width: 0,
    shared_gate: false,
    router_bias: false,
    dense_layers: 0,
    interleaved: false,
};

/// What stands for the vectors of a model without latent attention.
const NO_LATENT: Latent = Latent { query_rank: 0, rank: 0, rope: 0, value: 0 };

/// What a tensor is for. It decides whether it is split, quantised or left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Role {
    /// Token embedding, vocabulary × hidden.
    Embedding,
    /// Learned positions × hidden.
    Positions,
    /// Untied output head, vocabulary × hidden.
    Head,
    /// Query projection; with latent attention from the narrow vector, where there is one.
    Query,
    /// Latent attention: hidden size to the vector that queries are made from.
    QueryDown,
    /// Latent attention: hidden size to the vector that keys and values are made from, and the turning part of the keys.
    KeyValueDown,
    /// Latent attention: that vector to the keys and values of all heads.
    KeyValueUp,
    /// Key projection.
    Key,
    /// Value projection.
    Value,
    /// Attention's output projection.
    Output,
    /// The gate on attention's output.
    AttentionGate,
    /// Linear attention: hidden size to queries, keys and values; of a state space to what the convolution reads.
    LinearInput,
    /// Linear attention: hidden size to the gate on its output.
    LinearGate,
    /// Linear attention: to the rates of each value head.
    LinearRates,
    /// Linear attention: the convolution over queries, keys and values.
    LinearConvolution,
    /// Linear attention: its output projection.
    LinearOutput,
    /// Linear attention: a number for each value head, each element of the convolution or of the state.
    LinearVector,
    /// Indexer: to its queries and its key.
    Index,
    /// Indexer: hidden size to the weight of each of its heads.
    IndexWeights,
    /// Gate and up of a dense MLP (two a layer when gated), width × hidden.
    MlpUp,
    /// Down of a dense MLP, hidden × width.
    MlpDown,
    /// Gate and up of the routed experts.
    ExpertUp,
    /// Down of the routed experts.
    ExpertDown,
    /// Gate and up of the shared experts.
    SharedUp,
    /// Down of the shared experts.
    SharedDown,
    /// Gate of the shared experts, one number a token.
    SharedGate,
    /// The router, experts × hidden.
    Router,
    /// What reads an embedding that each layer has of its own, or writes it (Gemma 4).
    LayerInput,
    /// Of a layer that predicts a further token: hidden state and embedding side by side, to the hidden size.
    Prediction,
    /// Weight of a norm over the hidden size; the final one has `per_layer` false.
    Norm,
    /// Weight and bias of the norm behind the embedding.
    EmbeddingNorm,
    /// Weight of a norm of queries or keys: over one head, shared by all of them, or over all heads together.
    HeadNorm,
    /// Weight of a norm over a vector of latent attention.
    LatentNorm,
    /// A learned number for each query head that takes part in its softmax.
    Sink,
    /// Bias of something else.
    Bias(BiasOf),
}

/// What a bias belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BiasOf {
    /// The query projection.
    Query,
    /// The key projection.
    Key,
    /// The value projection.
    Value,
    /// Attention's output projection.
    Output,
    /// Gate and up of the MLP.
    MlpUp,
    /// Down of the MLP.
    MlpDown,
    /// A LayerNorm.
    Norm,
    /// The router: its correction of each expert's score.
    Router,
    /// Gate and up of an expert.
    ExpertUp,
    /// Down of an expert.
    ExpertDown,
    /// The output head.
    Head,
}

/// Layers of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// All of them.
    EveryLayer,
    /// Those with a dense MLP.
    DenseLayers,
    /// Those with experts.
    ExpertLayers,
}

/// Layers of one kind, told apart by their attention too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Layers {
    /// All of them.
    Every,
    /// Those with attention over past tokens.
    Attention,
    /// Those of them with a window.
    Window,
    /// Those of them without.
    Full,
    /// Those with linear attention.
    Linear,
    /// Those with a dense MLP.
    Dense,
    /// Those with experts.
    Experts,
}

impl Role {
    /// Whether the tensor is two-dimensional.
    pub const fn is_matrix(self) -> bool {
        !matches!(
            self,
            Role::Norm
                | Role::EmbeddingNorm
                | Role::HeadNorm
                | Role::LatentNorm
                | Role::Sink
                | Role::LinearVector
                | Role::Bias(_)
        )
    }

    /// Whether weight-only quantisation quantises the tensor: the matrices of attention, MLP and experts. Embedding,
    /// head, router, norms and biases stay in the format the rest of the model is in.
    pub const fn is_linear(self) -> bool {
        matches!(
            self,
            Role::Query
                | Role::QueryDown
                | Role::KeyValueDown
                | Role::KeyValueUp
                | Role::Key
                | Role::Value
                | Role::Output
                | Role::MlpUp
                | Role::MlpDown
                | Role::ExpertUp
                | Role::ExpertDown
                | Role::SharedUp
                | Role::SharedDown
                | Role::AttentionGate
                | Role::LinearInput
                | Role::LinearGate
                | Role::LinearOutput
                | Role::Index
                | Role::LayerInput
                | Role::Prediction
        )
    }

    /// Which layers have such a tensor, if layers have any; of a model whose layers have one kind of attention.
    pub const fn place(self) -> Place {
        match self.layers() {
            Layers::Dense => Place::DenseLayers,
            Layers::Experts => Place::ExpertLayers,
            _ => Place::EveryLayer,
        }
    }

    /// Which layers have such a tensor, if layers have any.
    pub const fn layers(self) -> Layers {
        match self {
            Role::MlpUp | Role::MlpDown | Role::Bias(BiasOf::MlpUp | BiasOf::MlpDown) => Layers::Dense,
            Role::ExpertUp
            | Role::ExpertDown
            | Role::SharedUp
            | Role::SharedDown
            | Role::SharedGate
            | Role::Router
            | Role::Bias(BiasOf::Router | BiasOf::ExpertUp | BiasOf::ExpertDown) => Layers::Experts,
            Role::LinearInput
            | Role::LinearGate
            | Role::LinearRates
            | Role::LinearConvolution
            | Role::LinearOutput
            | Role::LinearVector => Layers::Linear,
            Role::Query
            | Role::Key
            | Role::Value
            | Role::Output
            | Role::HeadNorm
            | Role::Sink
            | Role::AttentionGate
            | Role::Bias(BiasOf::Query | BiasOf::Key | BiasOf::Value | BiasOf::Output) => Layers::Attention,
            _ => Layers::Every,
        }
    }

    /// Whether the tensor is attention's, so that splitting attention by requests leaves it whole.
    pub const fn is_attention(self) -> bool {
        matches!(self.layers(), Layers::Attention | Layers::Linear) || matches!(self, Role::KeyValueUp)
    }

    /// Whether the tensor belongs to one expert of a mixture, so that expert parallelism divides it.
    pub const fn is_expert(self) -> bool {
        matches!(
            self,
            Role::ExpertUp | Role::ExpertDown | Role::Bias(BiasOf::ExpertUp) | Role::Bias(BiasOf::ExpertDown)
        )
    }

    /// Whether tensor parallelism divides the tensor over its ranks; what it does not divide, every rank holds.
    ///
    /// Matrices are divided by output rows (query, key, value, up, embedding, head) or input columns (output, down),
    /// and a bias follows its matrix only where the output is divided: behind a matrix divided by columns it is added
    /// once, after the sum. Norms, router, learned positions and the narrow side of latent attention are copied
    /// (Megatron-LM, arXiv 1909.08053, section 3).
    pub const fn split_by_tensor(self) -> bool {
        match self {
            Role::Positions
            | Role::Router
            | Role::SharedGate
            | Role::QueryDown
            | Role::KeyValueDown
            | Role::Index
            | Role::IndexWeights
            | Role::Norm
            | Role::EmbeddingNorm
            | Role::HeadNorm
            | Role::LatentNorm => false,
            Role::Bias(of) => matches!(
                of,
                BiasOf::Query | BiasOf::Key | BiasOf::Value | BiasOf::MlpUp | BiasOf::ExpertUp | BiasOf::Head
            ),
            _ => true,
        }
    }
}

/// Equal tensors of one role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TensorGroup {
    /// What the tensors are for.
    pub role: Role,
    /// Outputs of a matrix (what has a scale of its own in per-channel quantisation); the length of a vector.
    pub rows: u64,
    /// Inputs of a matrix; 1 for a vector.
    pub columns: u64,
    /// How many such tensors the whole model has.
    pub count: u64,
    /// Whether they are spread evenly over the decoder layers, or over those of them with experts or without
    /// ([`Architecture::layers_with`]); otherwise they stand before or after all of them.
    pub per_layer: bool,
}

impl TensorGroup {
    /// Parameters of one of the tensors.
    pub const fn elements(&self) -> u64 {
        self.rows * self.columns
    }

    /// Parameters of all of them.
    pub const fn parameters(&self) -> u64 {
        self.elements() * self.count
    }
}

/// How many of `ranks` tensor-parallel ranks hold each key-value head, of a given number of them.
pub fn copies_of_heads(kv_heads: u64, ranks: u64) -> f64 {
    (ranks as f64 / kv_heads as f64).max(1.0)
}

impl Architecture {
    /// Width of all query heads together.
    pub const fn query_width(&self) -> u64 {
        self.heads * self.head_dim
    }

    /// Width of all key heads together, and of all value heads together.
    pub const fn kv_width(&self) -> u64 {
        self.kv_heads * self.head_dim
    }

    /// Width of all value heads together as attention's output has them: one for each query head.
    pub const fn value_width(&self) -> u64 {
        match self.latent {
            Some(latent) => self.heads * latent.value,
            None => self.query_width(),
        }
    }

    /// Width of all keys and all values of one token together, as attention reads them.
    pub const fn keys_and_values(&self) -> u64 {
        match self.latent {
            Some(latent) => self.heads * (self.head_dim + latent.value),
            None => 2 * self.kv_width(),
        }
    }

    /// Layers whose MLP is dense.
    pub const fn dense_layers(&self) -> u64 {
        match self.experts {
            Some(experts) => experts.dense_layers,
            None => self.layers - self.without_mlp - self.other_mlps,
        }
    }

    /// Layers without experts among the first `layers`.
    pub fn dense_among(&self, layers: u64) -> u64 {
        match self.experts {
            None => layers,
            Some(experts) if experts.interleaved => layers - layers * self.expert_layers() / self.layers,
            Some(experts) => layers.min(experts.dense_layers),
        }
    }

    /// Layers with experts.
    pub const fn expert_layers(&self) -> u64 {
        self.layers - self.without_mlp - self.other_mlps - self.dense_layers()
    }

    /// Layers with attention over past tokens.
    pub const fn attention_layers(&self) -> u64 {
        self.layers - self.linear_layers() - self.without_attention
    }

    /// Layers among which tensors of this role are spread, which is one of those that layers have: those with experts for
    /// what belongs to these, those without for a dense MLP.
    pub const fn layers_with(&self, role: Role) -> u64 {
        match role.place() {
            Place::EveryLayer => self.layers,
            Place::DenseLayers => self.layers - self.expert_layers(),
            Place::ExpertLayers => self.expert_layers(),
        }
    }

    /// How many layers of a kind there are.
    pub const fn layers_at(&self, kind: Layers) -> u64 {
        match kind {
            Layers::Every => self.layers,
            Layers::Attention => self.attention_layers(),
            Layers::Window => self.attention_layers() - self.full_attention_layers(),
            Layers::Full => self.full_attention_layers(),
            Layers::Linear => self.linear_layers(),
            Layers::Dense => self.dense_layers(),
            Layers::Experts => self.expert_layers(),
        }
    }

    /// Whether the layer with this index, from 0, is of a kind. Layers that see everything stand behind each group of
    /// others; where layers have either attention or an MLP, each kind is spread evenly.
    pub fn is_at(&self, kind: Layers, index: u64) -> bool {
        let spread = |number: u64| (index + 1) * number / self.layers > index * number / self.layers;
        match kind {
            Layers::Window | Layers::Linear if self.without_attention == 0 => !spread(self.full_attention_layers()),
            Layers::Dense | Layers::Experts if self.without_mlp + self.other_mlps == 0 => {
                (kind == Layers::Dense) == (self.dense_among(index + 1) > self.dense_among(index))
            }
            kind => spread(self.layers_at(kind)),
        }
    }

    /// Layers with a state of constant size.
    pub const fn linear_layers(&self) -> u64 {
        match self.linear {
            Some(linear) => linear.layers,
            None => 0,
        }
    }

    /// How many of `ranks` tensor-parallel ranks hold each key-value head: more than one where there are more ranks than
    /// heads.
    pub fn key_value_copies(&self, ranks: u64) -> f64 {
        copies_of_heads(self.kv_heads, ranks)
    }

    /// How often tensor parallelism over `ranks` holds a tensor that it splits: once, but for keys and values.
    pub fn copies(&self, role: Role, ranks: u64) -> f64 {
        let key_or_value = matches!(role, Role::Key | Role::Value | Role::Bias(BiasOf::Key | BiasOf::Value));
        if key_or_value { self.key_value_copies(ranks) } else { 1.0 }
    }

    /// Into how many parts tensor parallelism over `ranks` cuts a tensor; 1 where every rank has all of it.
    pub fn parts_of(&self, role: Role, ranks: u64) -> f64 {
        if role.split_by_tensor() { ranks as f64 / self.copies(role, ranks) } else { 1.0 }
    }

    /// Elements that one token adds to the cache of one layer: a key and a value for each key-value head; with latent
    /// attention the vector they are made from and the turning part of the keys.
    pub const fn kv_elements_per_layer(&self) -> u64 {
        match self.latent {
            Some(latent) => latent.rank + latent.rope,
            None => 2 * self.kv_width(),
        }
    }

    /// Layers whose cache grows with the whole sequence.
    pub const fn full_attention_layers(&self) -> u64 {
        let others = match self.window {
            Some(window) => window.layers,
            None => 0,
        };
        self.attention_layers() - others
    }

    /// Every tensor of the model with the vocabulary padded to `vocabulary` entries, in the order of a forward pass:
    /// embedding and positions, the layers, the final norm, the untied head; behind them what only some layers have. Roles
    /// the model lacks are left out.
    pub fn tensors(&self, vocabulary: u64) -> impl Iterator<Item = TensorGroup> + '_ {
        self.placed_tensors(vocabulary).map(|(group, _)| group)
    }

    /// The same with the kind of layers that have them; of no account for those that stand at the ends.
    pub fn placed_tensors(&self, vocabulary: u64) -> impl Iterator<Item = (TensorGroup, Layers)> + '_ {
        let further = self.further.tensors.iter().copied();
        self.usual_tensors(vocabulary).into_iter().chain(further).filter(|(group, _)| group.count > 0)
    }

    /// Those that the fields describe, some of them with a count of 0.
    fn usual_tensors(&self, vocabulary: u64) -> [(TensorGroup, Layers); 39] {
        let (hidden, kv) = (self.hidden, self.kv_width());
        let layer_norm = matches!(self.norm, NormKind::LayerNorm);
        let norms = if matches!(self.norm, NormKind::Bare) { 0 } else { self.norms_per_layer };
        let experts = self.experts.unwrap_or(NO_EXPERTS);
        let latent = self.latent.unwrap_or(NO_LATENT);
        let (has_latent, plain) = (u64::from(self.latent.is_some()), u64::from(self.latent.is_none()));
        let compressed = u64::from(latent.query_rank > 0);
        let query_input = if latent.query_rank > 0 { latent.query_rank } else { hidden };
        let up = self.mlp.inputs();

        // `tensors` a layer that has them, or `tensors` at one end of the model; 0 where the model has none.
        let at = |role, kind, [rows, columns]: [u64; 2], tensors: u64| {
            (TensorGroup { role, rows, columns, count: tensors * self.layers_at(kind), per_layer: true }, kind)
        };
        let each = |role: Role, rows, columns, tensors| at(role, role.layers(), [rows, columns], tensors);
        let once = |role, rows, columns, present: bool| {
            (TensorGroup { role, rows, columns, count: present.into(), per_layer: false }, Layers::Every)
        };
        let bias = |of, rows, tensors, present: bool| each(Role::Bias(of), rows, 1, if present { tensors } else { 0 });
        // The heads of most layers, and those of layers that see everything where they have others.
        let most = if self.full_heads.is_some() { Layers::Window } else { Layers::Attention };
        let by_head = if self.qk_norm == QkNorm::Head { 2 } else { 0 };
        // Layers that borrow keys and values have nothing to make them with.
        let borrowing = self.borrowing[0] + if self.full_heads.is_some() { 0 } else { self.borrowing[1] };
        let own = |(group, kind): (TensorGroup, Layers)| {
            (TensorGroup { count: group.count.saturating_sub(borrowing), ..group }, kind)
        };
        [
            once(Role::Embedding, vocabulary, hidden, true),
            once(Role::Positions, self.learned_positions, hidden, self.learned_positions > 0),
            // A weight and a bias.
            (
                TensorGroup {
                    role: Role::EmbeddingNorm,
                    rows: hidden,
                    columns: 1,
                    count: 2 * u64::from(self.embedding_norm),
                    per_layer: false,
                },
                Layers::Every,
            ),
            each(Role::Norm, hidden, 1, norms),
            bias(BiasOf::Norm, hidden, self.norms_per_layer, layer_norm),
            each(Role::QueryDown, latent.query_rank, hidden, compressed),
            each(Role::LatentNorm, latent.query_rank, 1, compressed),
            at(Role::Query, most, [self.query_width(), query_input], 1),
            bias(BiasOf::Query, self.query_width(), 1, self.qkv_bias),
            each(Role::KeyValueDown, latent.rank + latent.rope, hidden, has_latent),
            each(Role::LatentNorm, latent.rank, 1, has_latent),
            each(Role::KeyValueUp, self.heads * (self.head_dim - latent.rope + latent.value), latent.rank, has_latent),
            own(at(Role::Key, most, [kv, hidden], plain)),
            bias(BiasOf::Key, kv, plain, self.qkv_bias),
            own(at(Role::Value, most, [kv, hidden], plain)),
            bias(BiasOf::Value, kv, plain, self.qkv_bias),
            own(at(Role::HeadNorm, most, [self.head_dim, 1], by_head)),
            each(Role::HeadNorm, self.query_width(), 1, u64::from(self.qk_norm == QkNorm::All)),
            each(Role::HeadNorm, kv, 1, u64::from(self.qk_norm == QkNorm::All)),
            each(Role::Sink, self.heads, 1, u64::from(self.sinks)),
            at(Role::Output, most, [hidden, self.value_width()], 1),
            bias(BiasOf::Output, hidden, 1, self.output_bias),
            each(Role::Router, experts.count, hidden, 1),
            bias(BiasOf::Router, experts.count, 1, experts.router_bias),
            each(Role::ExpertUp, experts.width, hidden, up * experts.count),
            bias(BiasOf::ExpertUp, experts.width, up * experts.count, self.mlp_bias),
            each(Role::ExpertDown, hidden, experts.width, experts.count),
            bias(BiasOf::ExpertDown, hidden, experts.count, self.mlp_bias),
            each(Role::SharedUp, experts.shared_width, hidden, if experts.shared_width > 0 { up } else { 0 }),
            each(Role::SharedDown, hidden, experts.shared_width, u64::from(experts.shared_width > 0)),
            each(Role::SharedGate, 1, hidden, u64::from(experts.shared_gate)),
            each(Role::MlpUp, self.mlp_width, hidden, up),
            bias(BiasOf::MlpUp, self.mlp_width, up, self.mlp_bias),
            each(Role::MlpDown, hidden, self.mlp_width, 1),
            bias(BiasOf::MlpDown, hidden, 1, self.mlp_bias),
            once(Role::Norm, hidden, 1, self.norm != NormKind::Bare),
            once(Role::Bias(BiasOf::Norm), hidden, 1, layer_norm),
            once(Role::Head, vocabulary, hidden, !self.tied_embeddings),
            once(Role::Bias(BiasOf::Head), vocabulary, 1, self.head_bias),
        ]
    }

    /// The tensors of the layers that predict further tokens while training: a decoder layer of the last kind, what
    /// joins hidden state and embedding, a norm for each of the two and one before the head. Embedding and head are
    /// the model's own.
    pub fn prediction_tensors(&self) -> impl Iterator<Item = TensorGroup> + '_ {
        let layers = self.prediction_layers;
        let alike = Architecture {
            layers,
            experts: self.experts.map(|experts| Experts { dense_layers: 0, ..experts }),
            // They see everything.
            window: None,
            linear: None,
            full_heads: None,
            borrowing: [0; 2],
            without_attention: 0,
            without_mlp: 0,
            other_mlps: 0,
            further: Further::default(),
            ..*self
        };
        let further = self.further.tensors.iter().filter(|(group, _)| group.per_layer).map(move |(group, kind)| {
            let of_a_layer = group.count.div_ceil(self.layers_at(*kind).max(1));
            TensorGroup { count: of_a_layer * layers, ..*group }
        });
        let more = |role, rows, columns, count| TensorGroup { role, rows, columns, count, per_layer: true };
        alike
            .usual_tensors(0)
            .into_iter()
            .map(|(group, _)| group)
            .filter(|group| group.per_layer)
            .chain(further)
            .chain([
                more(Role::Prediction, self.hidden, 2 * self.hidden, layers),
                more(Role::Norm, self.hidden, 1, 3 * layers),
            ])
            .filter(|group| group.count > 0)
    }

    /// All parameters Ψ: norms, biases and positions included, a tied head once, the vocabulary unpadded.
    pub fn parameters(&self) -> u64 {
        self.tensors(self.vocabulary).map(|group| group.parameters()).sum()
    }

    /// Parameters of the layers that predict further tokens while training.
    pub fn prediction_parameters(&self) -> u64 {
        self.prediction_tensors().map(|group| group.parameters()).sum()
    }

    /// Parameters that one token meets: all of them but the experts it is not routed to.
    pub fn active_parameters(&self) -> u64 {
        let share = |group: TensorGroup| match self.experts {
            Some(experts) if group.role.is_expert() => group.parameters() / experts.count * experts.per_token,
            _ => group.parameters(),
        };
        self.tensors(self.vocabulary).map(share).sum()
    }

    /// Parameters of the token embedding, the learned positions and the untied head.
    pub fn embedding_parameters(&self) -> u64 {
        let table = |role| matches!(role, Role::Embedding | Role::Positions | Role::Head);
        self.tensors(self.vocabulary).filter(|group| table(group.role)).map(|group| group.parameters()).sum()
    }

    /// Parameters of one decoder layer; of one with experts where some have them.
    pub fn layer_parameters(&self) -> u64 {
        let of_another_layer = |role: Role| self.expert_layers() > 0 && role.place() == Place::DenseLayers;
        self.tensors(self.vocabulary)
            .filter(|group| group.per_layer && !of_another_layer(group.role))
            .map(|group| group.parameters() / self.layers_with(group.role).max(1))
            .sum()
    }
}

//! The dimensions of a decoder and the tensors they make.
//!
//! Everything the ledger counts about weights comes from [`Architecture::tensors`], so a parameter count, a
//! quantised size and a sharded size can never disagree about which tensors a model has.

use super::{Family, ModelError};

/// The most parameters a described model may have. Twenty bytes for each of them still fit a 64-bit count of bytes.
pub const MAXIMUM_PARAMETERS: u64 = 10_000_000_000_000_000;

/// The shape of a feed-forward block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NormKind {
    /// Root mean square: a weight.
    Rms,
    /// Mean and variance: a weight and a bias.
    LayerNorm,
}

/// Routed experts, in every layer, in place of the dense MLP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Experts {
    /// Experts in each layer.
    pub count: u64,
    /// Experts that one token meets in each layer.
    pub per_token: u64,
    /// Inner width of one expert.
    pub width: u64,
}

/// Layers whose attention, and therefore whose cache, reaches back a bounded number of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    /// How many of the layers are windowed.
    pub layers: u64,
    /// The window in tokens.
    pub tokens: u64,
}

/// The dimensions of one decoder-only transformer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Architecture {
    /// The family whose tensors these are.
    pub family: Family,
    /// Decoder layers.
    pub layers: u64,
    /// Width of the residual stream.
    pub hidden: u64,
    /// Query heads.
    pub heads: u64,
    /// Key-value heads: `heads` (multi-head), fewer (grouped-query) or 1 (multi-query).
    pub kv_heads: u64,
    /// Width of one head. `heads` × `head_dim` need not equal `hidden`.
    pub head_dim: u64,
    /// Shape of the feed-forward block, of the experts too.
    pub mlp: Mlp,
    /// Inner width of the dense feed-forward block; with experts, the width of one expert.
    pub mlp_width: u64,
    /// Routed experts, if the feed-forward blocks are a mixture.
    pub experts: Option<Experts>,
    /// Entries of the vocabulary, unpadded.
    pub vocabulary: u64,
    /// Rows of the learned position table; 0 where positions are computed (rotary).
    pub learned_positions: u64,
    /// Whether the output head is the embedding matrix itself.
    pub tied_embeddings: bool,
    /// Kind of every norm but those on heads.
    pub norm: NormKind,
    /// Norms over the hidden size in each layer.
    pub norms_per_layer: u64,
    /// Biases on query, key and value.
    pub qkv_bias: bool,
    /// Bias on attention's output projection.
    pub output_bias: bool,
    /// Biases on every matrix of the dense feed-forward block.
    pub mlp_bias: bool,
    /// A norm on each query head and each key head, with one weight of `head_dim` for the queries and one for the
    /// keys in each layer.
    pub qk_norm: bool,
    /// Attention and MLP read the same residual and are added together (GPT-NeoX) instead of one after the other.
    pub parallel_residual: bool,
    /// Layers with sliding-window attention.
    pub window: Option<Window>,
    /// The longest sequence the model states it is made for, in tokens.
    pub maximum_positions: Option<u64>,
}

/// What a tensor is for. It decides whether it is split, quantised or left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Token embedding, vocabulary × hidden.
    Embedding,
    /// Learned positions × hidden.
    Positions,
    /// Untied output head, vocabulary × hidden.
    Head,
    /// Query projection.
    Query,
    /// Key projection.
    Key,
    /// Value projection.
    Value,
    /// Attention's output projection.
    Output,
    /// Gate and up of a dense MLP (two a layer when gated), width × hidden.
    MlpUp,
    /// Down of a dense MLP, hidden × width.
    MlpDown,
    /// Gate and up of the routed experts.
    ExpertUp,
    /// Down of the routed experts.
    ExpertDown,
    /// The router, experts × hidden.
    Router,
    /// Weight of a norm over the hidden size; the final one has `per_layer` false.
    Norm,
    /// Weight of a norm over one head, shared by all query heads or all key heads of a layer.
    HeadNorm,
    /// Bias of something else.
    Bias(BiasOf),
}

/// What a bias belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
}

impl Role {
    /// Whether the tensor is two-dimensional.
    pub const fn is_matrix(self) -> bool {
        !matches!(self, Role::Norm | Role::HeadNorm | Role::Bias(_))
    }

    /// Whether weight-only quantisation quantises the tensor: the matrices of attention, MLP and experts. Embedding,
    /// head, router, norms and biases stay in the format the rest of the model is in.
    pub const fn is_linear(self) -> bool {
        matches!(
            self,
            Role::Query
                | Role::Key
                | Role::Value
                | Role::Output
                | Role::MlpUp
                | Role::MlpDown
                | Role::ExpertUp
                | Role::ExpertDown
        )
    }

    /// Whether the tensor belongs to one expert of a mixture, so that expert parallelism divides it.
    pub const fn is_expert(self) -> bool {
        matches!(self, Role::ExpertUp | Role::ExpertDown)
    }

    /// Whether tensor parallelism divides the tensor over its ranks; what it does not divide, every rank holds.
    ///
    /// Matrices are divided by output rows (query, key, value, up, embedding, head) or input columns (output, down),
    /// and a bias follows its matrix only where the output is divided: behind a matrix divided by columns it is added
    /// once, after the sum. Norms, router and learned positions are copied (Megatron-LM, arXiv 1909.08053, section 3).
    pub const fn split_by_tensor(self) -> bool {
        match self {
            Role::Positions | Role::Router | Role::Norm | Role::HeadNorm => false,
            Role::Bias(of) => matches!(of, BiasOf::Query | BiasOf::Key | BiasOf::Value | BiasOf::MlpUp),
            _ => true,
        }
    }
}

/// Equal tensors of one role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorGroup {
    /// What the tensors are for.
    pub role: Role,
    /// Outputs of a matrix (what has a scale of its own in per-channel quantisation); the length of a vector.
    pub rows: u64,
    /// Inputs of a matrix; 1 for a vector.
    pub columns: u64,
    /// How many such tensors the whole model has.
    pub count: u64,
    /// Whether they are spread evenly over the decoder layers; otherwise they stand before or after all of them.
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

impl Architecture {
    /// Width of all query heads together.
    pub const fn query_width(&self) -> u64 {
        self.heads * self.head_dim
    }

    /// Width of all key heads together, and of all value heads together.
    pub const fn kv_width(&self) -> u64 {
        self.kv_heads * self.head_dim
    }

    /// How many of `ranks` tensor-parallel ranks hold each key-value head: more than one where there are more ranks than
    /// heads.
    pub fn key_value_copies(&self, ranks: u64) -> f64 {
        (ranks as f64 / self.kv_heads as f64).max(1.0)
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

    /// Elements that one token adds to the cache of one layer: a key and a value for each key-value head.
    pub const fn kv_elements_per_layer(&self) -> u64 {
        2 * self.kv_width()
    }

    /// Layers whose cache grows with the whole sequence.
    pub const fn full_attention_layers(&self) -> u64 {
        match self.window {
            Some(window) => self.layers - window.layers,
            None => self.layers,
        }
    }

    /// Every tensor of the model with the vocabulary padded to `vocabulary` entries, in the order of a forward pass:
    /// embedding and positions, the layers, the final norm, the untied head. Roles the model lacks are left out.
    pub fn tensors(&self, vocabulary: u64) -> impl Iterator<Item = TensorGroup> + use<> {
        let (hidden, query, kv) = (self.hidden, self.query_width(), self.kv_width());
        let layer_norm = matches!(self.norm, NormKind::LayerNorm);
        let dense = self.experts.is_none();
        let experts = self.experts.unwrap_or(Experts { count: 0, per_token: 0, width: 0 });
        let up = self.mlp.inputs();

        // `tensors` a layer, or `tensors` at one end of the model; 0 where the model has none.
        let each = |role, rows, columns, tensors: u64| TensorGroup {
            role,
            rows,
            columns,
            count: tensors * self.layers,
            per_layer: true,
        };
        let once = |role, rows, columns, present: bool| TensorGroup {
            role,
            rows,
            columns,
            count: present.into(),
            per_layer: false,
        };
        let bias = |of, rows, tensors, present: bool| each(Role::Bias(of), rows, 1, if present { tensors } else { 0 });
        [
            once(Role::Embedding, vocabulary, hidden, true),
            once(Role::Positions, self.learned_positions, hidden, self.learned_positions > 0),
            each(Role::Norm, hidden, 1, self.norms_per_layer),
            bias(BiasOf::Norm, hidden, self.norms_per_layer, layer_norm),
            each(Role::Query, query, hidden, 1),
            bias(BiasOf::Query, query, 1, self.qkv_bias),
            each(Role::Key, kv, hidden, 1),
            bias(BiasOf::Key, kv, 1, self.qkv_bias),
            each(Role::Value, kv, hidden, 1),
            bias(BiasOf::Value, kv, 1, self.qkv_bias),
            each(Role::HeadNorm, self.head_dim, 1, if self.qk_norm { 2 } else { 0 }),
            each(Role::Output, hidden, query, 1),
            bias(BiasOf::Output, hidden, 1, self.output_bias),
            each(Role::Router, experts.count, hidden, u64::from(!dense)),
            each(Role::ExpertUp, experts.width, hidden, up * experts.count),
            each(Role::ExpertDown, hidden, experts.width, experts.count),
            each(Role::MlpUp, self.mlp_width, hidden, if dense { up } else { 0 }),
            bias(BiasOf::MlpUp, self.mlp_width, up, dense && self.mlp_bias),
            each(Role::MlpDown, hidden, self.mlp_width, u64::from(dense)),
            bias(BiasOf::MlpDown, hidden, 1, dense && self.mlp_bias),
            once(Role::Norm, hidden, 1, true),
            once(Role::Bias(BiasOf::Norm), hidden, 1, layer_norm),
            once(Role::Head, vocabulary, hidden, !self.tied_embeddings),
        ]
        .into_iter()
        .filter(|group| group.count > 0)
    }

    /// All parameters Ψ: norms, biases and positions included, a tied head once, the vocabulary unpadded.
    pub fn parameters(&self) -> u64 {
        self.tensors(self.vocabulary).map(|group| group.parameters()).sum()
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

    /// Parameters of one decoder layer.
    pub fn layer_parameters(&self) -> u64 {
        self.tensors(self.vocabulary)
            .filter(|group| group.per_layer)
            .map(|group| group.parameters() / self.layers)
            .sum()
    }

    /// Refuses a model so large that counting it in bytes would leave the range of a 64-bit number. Each dimension
    /// must already lie within the limits a `config.json` is held to.
    pub(crate) fn check_size(&self) -> Result<(), ModelError> {
        let total: u128 = self
            .tensors(self.vocabulary)
            .map(|group| u128::from(group.rows) * u128::from(group.columns) * u128::from(group.count))
            .sum();
        if total > u128::from(MAXIMUM_PARAMETERS) {
            return Err(ModelError::new(
                "config",
                format!("these dimensions make {total} parameters; at most {MAXIMUM_PARAMETERS} can be counted"),
            ));
        }
        Ok(())
    }
}

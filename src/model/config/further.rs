//! Tensors that only some families have, and what their layers keep for backward.
//!
//! They are made from the keys once, here, so that whoever counts has nothing but a list to go through.
//!
//! What is kept of linear layers is what their fused kernels save, whatever kernels the rest of the layer has: the chunked
//! gated delta rule of flash-linear-attention, and `mamba_inner_fn` and `mamba_split_conv1d_scan_combined` of mamba_ssm.

use std::sync::{Mutex, PoisonError};

use super::super::{
    Architecture, Family, FullHeads, Further, Indexer, Kept, KeptSize, Layers, Linear, ModelError, QkNorm, Role,
    TensorGroup,
};
use super::layers::Kinds;
use super::{HfConfig, dimension, limit};
use crate::refusal::shortened;

/// Tokens of a chunk that the gated delta rule computes at once, each of them with every other.
const CHUNK: u64 = 64;

/// Tokens between two states that Mamba's scan keeps, of two numbers each.
const SCAN: u64 = 2048;

/// Lists on their way.
struct List<'a> {
    shape: &'a Architecture,
    tensors: Vec<(TensorGroup, Layers)>,
    kept: Vec<Kept>,
}

impl List<'_> {
    /// Adds `tensors` of rows × columns to each layer of a kind.
    fn each(&mut self, role: Role, kind: Layers, [rows, columns]: [u64; 2], tensors: u64) {
        self.of_all(role, kind, [rows, columns], tensors * self.shape.layers_at(kind));
    }

    /// Adds so many, spread over the layers of a kind.
    fn of_all(&mut self, role: Role, kind: Layers, [rows, columns]: [u64; 2], count: u64) {
        if count > 0 {
            self.tensors.push((TensorGroup { role, rows, columns, count, per_layer: true }, kind));
        }
    }

    /// Adds what each layer of a kind keeps of a width that tensor parallelism splits.
    fn keep(&mut self, size: KeptSize, kind: Layers, width: u64) {
        self.kept.push(Kept { size, width, layers: self.shape.layers_at(kind), split: true });
    }

    /// The same of a width that every tensor rank has.
    fn keep_whole(&mut self, size: KeptSize, kind: Layers, width: u64) {
        self.kept.push(Kept { size, width, layers: self.shape.layers_at(kind), split: false });
    }
}

impl HfConfig {
    /// What picks the tokens that latent attention looks at.
    pub(super) fn indexer(&self, family: Family, layers: u64) -> Result<Option<Indexer>, ModelError> {
        let heads = match family {
            Family::DeepseekV32 => 64,
            Family::GlmDsa => 32,
            _ => return Ok(None),
        };
        let number = |key, given: Option<u64>, missing, most| dimension(key, Some(given.unwrap_or(missing)), most);
        // The indexer reads the vector that queries are made from.
        dimension("q_lora_rank", self.q_lora_rank, limit::HIDDEN)?;
        Ok(Some(Indexer {
            layers: self.indexer_layers(layers)?,
            heads: number("index_n_heads", self.index_n_heads, heads, limit::HEADS)?,
            head_dim: number("index_head_dim", self.index_head_dim, 128, limit::HEAD_DIM)?,
            picked: number("index_topk", self.index_topk, 2048, limit::POSITIONS)?,
        }))
    }

    /// Layers with an indexer of their own: as a list or a pattern says, or the first and then every so-manieth.
    fn indexer_layers(&self, layers: u64) -> Result<u64, ModelError> {
        let pattern = self.index_topk_pattern.as_deref().unwrap_or_default();
        let told: Vec<&str> = match &self.indexer_types {
            Some(list) => list.iter().map(String::as_str).collect(),
            None => pattern.split("").filter(|sign| !sign.is_empty()).collect(),
        };
        let key = if self.indexer_types.is_some() { "indexer_types" } else { "index_topk_pattern" };
        if told.is_empty() {
            let every = dimension("index_topk_freq", Some(self.index_topk_freq.unwrap_or(1).max(1)), limit::LAYERS)?;
            let first = self.index_skip_topk_offset.unwrap_or(2);
            let own = |index: &u64| (index + 1).saturating_sub(first).is_multiple_of(every);
            return Ok((0..layers).filter(own).count() as u64);
        }
        if told.len() as u64 != layers {
            let message = format!("{} entries are given for {layers} layers; there must be one for each", told.len());
            return Err(ModelError::new(key, message));
        }
        let mut own = 0;
        for kind in told {
            match kind {
                "full" | "F" => own += 1,
                "shared" | "S" => {}
                other => {
                    let known = "known are full F, shared S";
                    return Err(ModelError::new(key, format!("\"{}\" is not known; {known}", shortened(other))));
                }
            }
        }
        if own == 0 { Err(ModelError::new(key, "at least one layer needs an indexer")) } else { Ok(own) }
    }

    /// Width of an embedding that each layer has of its own, and its vocabulary.
    pub(super) fn layer_inputs(&self, family: Family) -> Result<Option<[u64; 2]>, ModelError> {
        match (family, self.hidden_size_per_layer_input) {
            (Family::Gemma4, Some(0)) => Ok(None),
            (Family::Gemma4, given) => {
                let width = dimension("hidden_size_per_layer_input", given.or(Some(256)), limit::HIDDEN)?;
                let vocabulary = self.vocab_size_per_layer_input.or(Some(262_144));
                let vocabulary = dimension("vocab_size_per_layer_input", vocabulary, limit::VOCABULARY)?;
                Ok(Some([width, vocabulary]))
            }
            _ => Ok(None),
        }
    }

    /// What no field of `shape` tells of; it is complete but for that.
    pub(super) fn further(&self, shape: &Architecture, kinds: &Kinds, layer_inputs: Option<[u64; 2]>) -> Further {
        let hidden = shape.hidden;
        let mut list = List { shape, tensors: Vec::new(), kept: Vec::new() };
        match shape.family {
            Family::DeepseekV32 | Family::GlmDsa => {
                if let (Some(indexer), Some(latent)) = (shape.indexer, shape.latent) {
                    list.indexer(&indexer, latent.query_rank);
                }
            }
            Family::Qwen3Next => {
                if self.attn_output_gate != Some(false) {
                    list.gate(shape.head_dim);
                }
                if let Some(linear) = shape.linear {
                    list.delta_rule(&linear);
                }
            }
            Family::Laguna => {
                list.other_heads(true);
                list.gate(1);
            }
            Family::Gemma4 => {
                list.other_heads(self.attention_k_eq_v != Some(true));
                list.other_mlps(&kinds.widths);
                if let Some([width, vocabulary]) = layer_inputs {
                    list.layer_inputs(width, vocabulary);
                }
                if let Some(experts) = shape.experts {
                    // What scales the router's input, and each expert's weight.
                    list.each(Role::Norm, Layers::Experts, [hidden, 1], 1);
                    list.each(Role::Norm, Layers::Experts, [experts.count, 1], 1);
                    // The router's input, normalised and scaled.
                    list.keep_whole(KeptSize::Element, Layers::Experts, 2 * hidden);
                }
                // Values are normalised too; where they are the keys, that norm reads what the keys' reads.
                list.keep(KeptSize::Element, Layers::Window, shape.kv_width());
                if let Some(full) = shape.full_heads.filter(|_| self.attention_k_eq_v != Some(true)) {
                    list.keep(KeptSize::Element, Layers::Full, full.kv_heads * full.head_dim);
                }
            }
            Family::MiniMax => {
                if let Some(linear) = shape.linear {
                    list.lightning(&linear);
                }
            }
            // How steep the activation is on either side of zero.
            Family::Apertus if self.hidden_act.as_deref().is_none_or(|activation| activation == "xielu") => {
                list.each(Role::Norm, Layers::Every, [1, 1], 2);
            }
            Family::Bitnet => {
                list.each(Role::Norm, Layers::Every, [shape.mlp_width, 1], 1);
                list.keep(KeptSize::Norm, Layers::Every, shape.mlp_width);
            }
            Family::Phi if shape.qk_norm == QkNorm::Head => {
                // Their biases.
                list.each(Role::HeadNorm, Layers::Attention, [shape.head_dim, 1], 2);
            }
            Family::NemotronH => {
                if let Some(linear) = shape.linear {
                    list.mamba_2(&linear, self.use_bias == Some(true), self.use_conv_bias != Some(false));
                }
            }
            Family::Mamba | Family::FalconMamba => {
                if let Some(linear) = shape.linear {
                    let rank = self.time_step_rank.and_then(|rank| rank.0).unwrap_or(hidden.div_ceil(16));
                    list.mamba(&linear, rank, self.use_bias == Some(true), self.use_conv_bias != Some(false));
                }
            }
            Family::NemotronNas => {
                // Each layer has a norm before its MLP; that before attention is missing with it.
                list.each(Role::Norm, Layers::Attention, [hidden, 1], 1);
                list.keep_whole(KeptSize::Norm, Layers::Attention, hidden);
                list.other_mlps(&kinds.widths);
            }
            _ => {}
        }
        Further { tensors: for_good(&TENSORS, list.tensors), kept: for_good(&KEPT, list.kept) }
    }
}

impl List<'_> {
    /// From the vector that queries are made from to the heads, from the hidden size to the key and each head's weight,
    /// and weight and bias of the key's norm.
    fn indexer(&mut self, indexer: &Indexer, query_rank: u64) {
        let (width, layers) = (indexer.head_dim, indexer.layers);
        let hidden = self.shape.hidden;
        self.of_all(Role::Index, Layers::Every, [indexer.heads * width, query_rank], layers);
        self.of_all(Role::Index, Layers::Every, [width, hidden], layers);
        self.of_all(Role::LatentNorm, Layers::Every, [width, 1], 2 * layers);
        self.of_all(Role::IndexWeights, Layers::Every, [indexer.heads, hidden], layers);
    }

    /// The gate on attention's output, with so many numbers a head. It is kept, and so is what it lets through.
    fn gate(&mut self, each: u64) {
        let shape = self.shape;
        let mut gate = |kind, heads: u64, head_dim: u64| {
            self.each(Role::AttentionGate, kind, [heads * each, shape.hidden], 1);
            self.keep(KeptSize::Element, kind, heads * (each + head_dim));
        };
        match shape.full_heads {
            None => gate(Layers::Attention, shape.heads, shape.head_dim),
            Some(full) => {
                gate(Layers::Window, shape.heads, shape.head_dim);
                gate(Layers::Full, full.heads, full.head_dim);
            }
        }
    }

    /// Gated MLPs of another width than the first in the list.
    fn other_mlps(&mut self, widths: &[(u64, u64)]) {
        let hidden = self.shape.hidden;
        for (width, layers) in widths.iter().skip(1) {
            self.of_all(Role::MlpUp, Layers::Every, [*width, hidden], 2 * layers);
            self.of_all(Role::MlpDown, Layers::Every, [hidden, *width], *layers);
            self.kept.push(Kept { size: KeptSize::Mlp, width: *width, layers: *layers, split: true });
        }
    }

    /// An embedding of its own for each layer, all in one table, and as much from the embedding of the model; in each
    /// layer what opens it, what writes it into the hidden states, and a norm.
    fn layer_inputs(&mut self, width: u64, vocabulary: u64) {
        let (shape, hidden, kind) = (self.shape, self.shape.hidden, Layers::Every);
        let rows = shape.layers * width;
        let table = TensorGroup { role: Role::Positions, rows: vocabulary, columns: rows, count: 1, per_layer: false };
        self.tensors.push((table, kind));
        let norm = TensorGroup { role: Role::Norm, rows: width, columns: 1, count: 1, per_layer: false };
        self.tensors.push((norm, kind));
        self.each(Role::LayerInput, kind, [width, hidden], 2);
        self.each(Role::LayerInput, kind, [hidden, width], 1);
        self.each(Role::Norm, kind, [hidden, 1], 1);
        // What opens it, before and behind its activation, the embedding, and their product.
        self.keep_whole(KeptSize::Element, kind, 4 * width);
        self.keep_whole(KeptSize::Norm, kind, hidden);
    }

    /// Attention of layers that see everything, where they have other heads; values may be the keys.
    fn other_heads(&mut self, own_values: bool) {
        let Some(FullHeads { heads, kv_heads, head_dim }) = self.shape.full_heads else { return };
        let (query, key, hidden) = (heads * head_dim, kv_heads * head_dim, self.shape.hidden);
        let layers = self.shape.layers_at(Layers::Full);
        let own = layers - self.shape.borrowing[1];
        self.each(Role::Query, Layers::Full, [query, hidden], 1);
        self.of_all(Role::Key, Layers::Full, [key, hidden], own);
        self.of_all(Role::Value, Layers::Full, [key, hidden], if own_values { own } else { 0 });
        self.of_all(Role::HeadNorm, Layers::Full, [head_dim, 1], layers + own);
        self.each(Role::Output, Layers::Full, [hidden, query], 1);
    }

    /// Gated DeltaNet, as Qwen3-Next has it: queries, keys, values and a gate; two rates a value head.
    fn delta_rule(&mut self, linear: &Linear) {
        let (hidden, values, kind) = (self.shape.hidden, linear.value_width(), Layers::Linear);
        self.each(Role::LinearInput, kind, [linear.width(), hidden], 1);
        self.each(Role::LinearGate, kind, [values, hidden], 1);
        self.each(Role::LinearRates, kind, [2 * linear.value_heads, hidden], 1);
        self.each(Role::LinearConvolution, kind, [linear.width(), linear.kernel], 1);
        self.each(Role::LinearVector, kind, [linear.value_heads, 1], 2);
        self.each(Role::HeadNorm, kind, [linear.value_dim, 1], 1);
        self.each(Role::LinearOutput, kind, [hidden, values], 1);
        // The convolution's input; queries and keys behind it, one of each for every value head; values; the gate; the
        // result, and the same normalised; of every head a row of its chunk, and how much it writes.
        let queries_and_keys = 2 * linear.value_heads * linear.key_dim;
        let width = linear.width() + queries_and_keys + 4 * values + (CHUNK + 1) * linear.value_heads;
        self.keep(KeptSize::Element, kind, width);
        // How fast it forgets, on the way and summed up; what normalises query, key and result.
        self.keep(KeptSize::Single, kind, 6 * linear.value_heads);
    }

    /// Lightning attention, as MiniMax-01 has it: queries, keys and values, a gate, and a norm of the result.
    fn lightning(&mut self, linear: &Linear) {
        let (hidden, values, kind) = (self.shape.hidden, linear.value_width(), Layers::Linear);
        self.each(Role::LinearInput, kind, [linear.width(), hidden], 1);
        self.each(Role::LinearGate, kind, [values, hidden], 1);
        self.each(Role::LinearVector, kind, [values, 1], 1);
        self.each(Role::LinearOutput, kind, [hidden, values], 1);
        // Queries, keys and values before their activation and behind it; the result, the same normalised, the gate, and
        // what it lets through.
        self.keep(KeptSize::Element, kind, 2 * linear.width() + 4 * values);
    }

    /// Mamba-2 (arXiv 2405.21060): what the convolution reads, a gate, a step a head; three vectors of the heads.
    fn mamba_2(&mut self, linear: &Linear, bias: bool, convolution_bias: bool) {
        let (hidden, values, kind) = (self.shape.hidden, linear.value_width(), Layers::Linear);
        let width = linear.width();
        self.each(Role::LinearInput, kind, [width, hidden], 1);
        self.each(Role::LinearGate, kind, [values, hidden], 1);
        self.each(Role::LinearRates, kind, [linear.value_heads, hidden], 1);
        self.each(Role::LinearVector, kind, [width + values + linear.value_heads + hidden, 1], u64::from(bias));
        self.each(Role::LinearConvolution, kind, [width, linear.kernel], 1);
        self.each(Role::LinearVector, kind, [width, 1], u64::from(convolution_bias));
        self.each(Role::LinearVector, kind, [linear.value_heads, 1], 3);
        self.each(Role::LinearVector, kind, [values, 1], 1);
        self.each(Role::LinearOutput, kind, [hidden, values], 1);
        // What the first products made, and the result of the scan; all else is computed anew.
        self.keep(KeptSize::Element, kind, width + 2 * values + linear.value_heads);
        // What normalises each group.
        self.keep(KeptSize::Single, kind, linear.key_heads);
    }

    /// Mamba (arXiv 2312.00752): input and gate; from the convolved input a narrow step, and what goes into and comes out
    /// of the state; the step made wide; a rate for each number of the state, and a skip.
    fn mamba(&mut self, linear: &Linear, rank: u64, bias: bool, convolution_bias: bool) {
        let (hidden, inner, state, kind) = (self.shape.hidden, linear.value_width(), linear.key_dim, Layers::Linear);
        self.each(Role::LinearInput, kind, [inner, hidden], 1);
        self.each(Role::LinearGate, kind, [inner, hidden], 1);
        self.each(Role::LinearVector, kind, [2 * inner + hidden, 1], u64::from(bias));
        self.each(Role::LinearConvolution, kind, [inner, linear.kernel], 1);
        self.each(Role::LinearVector, kind, [inner, 1], u64::from(convolution_bias));
        self.each(Role::LinearRates, kind, [rank + 2 * state, inner], 1);
        self.each(Role::LinearRates, kind, [inner, rank], 1);
        self.each(Role::LinearVector, kind, [inner, 1], 2);
        self.each(Role::LinearVector, kind, [inner * state, 1], 1);
        self.each(Role::LinearOutput, kind, [hidden, inner], 1);
        // Input and gate, the result; the narrow step, and what goes into and comes out of the state, with a copy.
        self.keep(KeptSize::Element, kind, 3 * inner + rank + 4 * state);
        // The state now and then.
        self.keep(KeptSize::Single, kind, (2 * inner * state).div_ceil(SCAN));
    }
}

/// The lists that there are.
static TENSORS: Lists<(TensorGroup, Layers)> = Mutex::new(Vec::new());
static KEPT: Lists<Kept> = Mutex::new(Vec::new());

type Lists<T> = Mutex<Vec<&'static [T]>>;

/// The list for as long as the program runs, so that an architecture can be copied. Equal lists are one: a page that
/// reads the same file at every key press keeps it once.
fn for_good<T: PartialEq>(lists: &Lists<T>, list: Vec<T>) -> &'static [T] {
    if list.is_empty() {
        return &[];
    }
    let mut lists = lists.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = lists.iter().find(|known| **known == list.as_slice()) {
        return known;
    }
    let list: &'static [T] = list.leak();
    lists.push(list);
    list
}

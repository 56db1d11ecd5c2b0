//! Tensors that only some families have.
//!
//! They are made from the keys once, here, so that whoever counts has nothing but a list to go through.

use std::sync::{Mutex, PoisonError};

use super::super::{
    Architecture, Family, FullHeads, Further, Indexer, Layers, Linear, ModelError, QkNorm, Role, TensorGroup,
};
use super::layers::Kinds;
use super::{HfConfig, dimension, limit};
use crate::scenario::shortened;

type Tensors = Vec<(TensorGroup, Layers)>;

/// A list on its way.
struct List<'a> {
    shape: &'a Architecture,
    tensors: Tensors,
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

    /// The tensors of `shape`, which is complete but for them.
    pub(super) fn further(&self, shape: &Architecture, kinds: &Kinds) -> Further {
        let hidden = shape.hidden;
        let mut list = List { shape, tensors: Vec::new() };
        match shape.family {
            Family::DeepseekV32 | Family::GlmDsa => {
                if let (Some(indexer), Some(latent)) = (shape.indexer, shape.latent) {
                    list.indexer(&indexer, latent.query_rank);
                }
            }
            Family::Qwen3Next => {
                list.gate(shape.head_dim);
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
                if let Some(experts) = shape.experts {
                    // What scales the router's input, and each expert's weight.
                    list.each(Role::Norm, Layers::Experts, [hidden, 1], 1);
                    list.each(Role::Norm, Layers::Experts, [experts.count, 1], 1);
                }
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
                for (width, layers) in kinds.widths.iter().skip(1) {
                    list.of_all(Role::MlpUp, Layers::Every, [*width, hidden], 2 * layers);
                    list.of_all(Role::MlpDown, Layers::Every, [hidden, *width], *layers);
                }
            }
            _ => {}
        }
        kept(list.tensors)
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

    /// The gate on attention's output, with so many numbers a head.
    fn gate(&mut self, each: u64) {
        let (shape, hidden) = (self.shape, self.shape.hidden);
        match shape.full_heads {
            None => self.each(Role::AttentionGate, Layers::Attention, [shape.heads * each, hidden], 1),
            Some(full) => {
                self.each(Role::AttentionGate, Layers::Window, [shape.heads * each, hidden], 1);
                self.each(Role::AttentionGate, Layers::Full, [full.heads * each, hidden], 1);
            }
        }
    }

    /// Attention of layers that see everything, where they have other heads; values may be the keys.
    fn other_heads(&mut self, own_values: bool) {
        let Some(FullHeads { heads, kv_heads, head_dim }) = self.shape.full_heads else { return };
        let (query, key, hidden) = (heads * head_dim, kv_heads * head_dim, self.shape.hidden);
        self.each(Role::Query, Layers::Full, [query, hidden], 1);
        self.each(Role::Key, Layers::Full, [key, hidden], 1);
        self.each(Role::Value, Layers::Full, [key, hidden], u64::from(own_values));
        self.each(Role::HeadNorm, Layers::Full, [head_dim, 1], 2);
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
    }
}

/// The list for as long as the program runs, so that an architecture can be copied. Equal lists are one: a page that
/// reads the same file at every key press keeps it once.
fn kept(tensors: Tensors) -> Further {
    static KEPT: Mutex<Vec<&'static [(TensorGroup, Layers)]>> = Mutex::new(Vec::new());
    if tensors.is_empty() {
        return Further(&[]);
    }
    let mut lists = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = lists.iter().find(|known| **known == tensors.as_slice()) {
        return Further(known);
    }
    let list: &'static [_] = tensors.leak();
    lists.push(list);
    Further(list)
}

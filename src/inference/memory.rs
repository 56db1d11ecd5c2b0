//! The whole of what one GPU holds while serving.

use crate::ledger::{Account, Accounts, Entry, Rule};
use crate::model::Mlp;
use crate::resolve::{InferencePlan, Model};
use crate::scenario::Attention;
use crate::training::by_account;
use crate::units::Bytes;

use super::weights::{ServedWeights, cache_element_bytes};

/// What one GPU holds while serving `model` by `plan`, as a function of how long and how many its requests are.
#[derive(Clone, Debug)]
pub struct Footprint<'a> {
    model: &'a Model,
    plan: &'a InferencePlan,
    weights: [Entry; 3],
}

/// The weights are settled here, once; what depends on the requests is counted when it is asked for.
#[must_use]
pub fn footprint<'a>(model: &'a Model, plan: &'a InferencePlan) -> Footprint<'a> {
    let weights = ServedWeights::new(model, plan.weights, plan.tensor).entries(plan.weights);
    Footprint { model, plan, weights }
}

impl Footprint<'_> {
    /// Every entry with requests of `context` tokens, `requests` of them on this replica.
    #[must_use]
    pub fn entries(&self, context: f64, requests: f64) -> Vec<Entry> {
        self.weights
            .into_iter()
            .chain(self.cache(context, requests))
            .chain(self.workspace(context, requests))
            .filter(|entry| entry.bytes > Bytes::ZERO)
            .collect()
    }

    /// The same by account.
    #[must_use]
    pub fn accounts(&self, entries: &[Entry]) -> Accounts {
        by_account(entries.iter())
    }

    /// Bytes with requests of `context` tokens, `requests` of them.
    #[must_use]
    pub fn bytes(&self, context: f64, requests: f64) -> Bytes {
        let sum = |entries: &[Entry]| entries.iter().map(|entry| entry.bytes).sum::<Bytes>();
        sum(&self.weights) + sum(&self.cache(context, requests)) + sum(&self.workspace(context, requests))
    }

    /// Bytes of weights on one rank.
    #[must_use]
    pub fn weight_bytes(&self) -> Bytes {
        self.weights.iter().map(|entry| entry.bytes).sum()
    }

    /// Key-value heads that one rank holds: at least one, copied where there are more ranks than heads.
    fn key_value_heads(&self) -> f64 {
        (self.model.architecture.kv_heads as f64 / self.plan.tensor as f64).max(1.0)
    }

    /// Bytes that one more token adds on one rank, over all layers with a cache.
    #[must_use]
    pub fn cache_per_token(&self) -> f64 {
        let shape = &self.model.architecture;
        let elements = match shape.latent {
            // Every rank needs the whole vector, so every rank has it.
            Some(_) => shape.kv_elements_per_layer() as f64,
            None => 2.0 * self.key_value_heads() * shape.head_dim as f64,
        };
        cache_element_bytes(self.plan.cache) * elements * shape.layers as f64
    }

    /// The cache: layers that see everything, and layers that see a window and keep no more than it.
    fn cache(&self, context: f64, requests: f64) -> [Entry; 2] {
        let shape = &self.model.architecture;
        let block = self.plan.block as f64;
        let element = cache_element_bytes(self.plan.cache);
        let entry = |tokens: f64, layers: u64| {
            let whole_blocks = (tokens / block).ceil() * block;
            if shape.latent.is_some() {
                let terms = [element, shape.kv_elements_per_layer() as f64, whole_blocks, requests, layers as f64];
                return Entry::new(Account::KvCache, Rule::LatentCache, terms);
            }
            let terms = [element, self.key_value_heads(), shape.head_dim as f64, whole_blocks, requests, layers as f64];
            Entry::new(Account::KvCache, Rule::KeyValueCache, terms)
        };
        let windowed = shape.window.map_or((0.0, 0), |window| (context.min(window.tokens as f64), window.layers));
        [entry(context, shape.full_attention_layers()), entry(windowed.0, windowed.1)]
    }

    /// Live tensors of one pass: a chunk of a prompt through the widest moment of a layer, scores of eager attention,
    /// and the logits of one token a request.
    fn workspace(&self, context: f64, requests: f64) -> [Entry; 3] {
        let shape = &self.model.architecture;
        let ranks = self.plan.tensor as f64;
        let chunk = (self.plan.prefill_chunk as f64).min(context * requests);
        let dense = if shape.dense_layers() > 0 { shape.mlp_width as f64 } else { 0.0 };
        let routed = shape.experts.map_or(0.0, |experts| (experts.per_token * experts.width) as f64);
        // Inputs of the MLP's activation and its result; queries, keys, values and attention's result.
        let mlp = if shape.mlp == Mlp::Gated { 3.0 } else { 2.0 } * dense.max(routed) / ranks;
        let keys_and_values = match shape.latent {
            Some(_) => shape.keys_and_values() as f64 / ranks,
            None => 2.0 * self.key_value_heads() * shape.head_dim as f64,
        };
        let attention = (shape.query_width() + shape.value_width()) as f64 / ranks + keys_and_values;
        let score_bytes = if self.plan.attention == Attention::Eager { self.plan.element_bytes() + 4.0 } else { 0.0 };
        [
            Entry::new(
                Account::Workspace,
                Rule::PrefillTensors,
                [self.plan.element_bytes(), chunk, shape.hidden as f64, mlp.max(attention)],
            ),
            Entry::new(
                Account::Workspace,
                Rule::PrefillScores,
                [score_bytes, chunk, context, shape.heads as f64, ranks],
            ),
            Entry::new(
                Account::Workspace,
                Rule::LogitRows,
                [self.plan.element_bytes() + 4.0, requests, shape.vocabulary as f64, ranks],
            ),
        ]
    }
}

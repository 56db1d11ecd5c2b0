//! The whole of what one GPU holds while serving.

use crate::engines::{Budget, Traits, Workspace};
use crate::ledger::{Account, Accounts, Entry, Rule};
use crate::model::Mlp;
use crate::names::Attention;
use crate::plan::{Cluster, InferencePlan, Model};
use crate::units::Bytes;

use super::cache::Cache;
use super::weights;

/// What one GPU holds while serving `model` by `plan`, as a function of how long and how many its requests are.
#[derive(Clone, Debug)]
pub struct Footprint<'a> {
    model: &'a Model,
    plan: &'a InferencePlan,
    engine: &'static Traits,
    weights: Vec<Entry>,
    /// Bytes of weights, and of what lies outside the allocator: neither depends on the requests.
    settled: [Bytes; 2],
    /// The cache of past tokens.
    pub cache: Cache<'a>,
}

/// The weights are settled here, once; what depends on the requests is counted when it is asked for.
#[must_use]
pub fn footprint<'a>(model: &'a Model, plan: &'a InferencePlan) -> Footprint<'a> {
    let mut footprint = Footprint {
        model,
        plan,
        engine: plan.engine.traits(),
        weights: weights::served(model, plan),
        settled: [Bytes::ZERO; 2],
        cache: Cache::new(&model.architecture, plan),
    };
    footprint.settled = [sum(&footprint.weights), sum(&footprint.outside())];
    footprint
}

fn sum(entries: &[Entry]) -> Bytes {
    entries.iter().map(|entry| entry.bytes).sum()
}

impl Footprint<'_> {
    /// Every entry with requests of `context` tokens, `requests` of them on this replica.
    #[must_use]
    pub fn entries(&self, context: f64, requests: f64) -> Vec<Entry> {
        let mut entries = self.weights.clone();
        self.cache.enter(context, requests, |entry| entries.push(entry));
        entries.extend(self.workspace(context, requests));
        entries.extend(self.outside());
        entries.retain(|entry| entry.bytes > Bytes::ZERO);
        entries
    }

    /// The same by account.
    #[must_use]
    pub fn accounts(&self, entries: &[Entry]) -> Accounts {
        Accounts::of(entries.iter())
    }

    /// Bytes with requests of `context` tokens, `requests` of them.
    #[must_use]
    pub fn bytes(&self, context: f64, requests: f64) -> Bytes {
        self.others(context, requests) + self.cache.bytes(context, requests)
    }

    /// The same without the cache.
    fn others(&self, context: f64, requests: f64) -> Bytes {
        self.settled[0] + self.settled[1] + sum(&self.workspace(context, requests))
    }

    /// Bytes of weights on one rank.
    #[must_use]
    pub fn weight_bytes(&self) -> Bytes {
        self.settled[0]
    }

    /// Bytes that a GPU of `cluster` has for the cache, beside such requests; less than none where it is short.
    #[must_use]
    pub fn pool(&self, cluster: &Cluster, context: f64, requests: f64) -> f64 {
        self.pool_beside(cluster, self.others(context, requests))
    }

    /// Of what the engine's budget is a fraction, and that fraction: the given one, else the engine's.
    #[must_use]
    pub fn budget(&self, cluster: &Cluster) -> (Budget, f64) {
        let default = || self.engine.fraction(cluster.gpu.capacity.get(), self.plan.tensor * self.plan.pipeline);
        let fraction = self.plan.memory_fraction.unwrap_or_else(default);
        (self.engine.budget, fraction)
    }

    fn pool_beside(&self, cluster: &Cluster, others: Bytes) -> f64 {
        let free = cluster.usable().get() - others.get();
        // The budget is of the whole device; what something else holds of it makes the engine fail, not shrink.
        let (kind, fraction) = self.budget(cluster);
        let budget = fraction * cluster.gpu.capacity.get();
        match (self.plan.kv_cache_bytes, kind) {
            (Some(given), _) => given,
            (None, Budget::Free) => free,
            // Graphs are captured once the pool is allocated, outside the budget.
            (None, Budget::Device) => free.min(budget - (others - self.graphs().bytes).get()),
            (None, Budget::Static) => free.min(budget - self.weight_bytes().get()),
            (None, Budget::Loaded) => {
                // Nothing but weights and contexts is there yet; passes come later and may have less than they need.
                let loaded = cluster.usable() - self.settled[0] - self.settled[1];
                free.min(fraction * loaded.get())
            }
            (None, Budget::Rest) => fraction * free,
        }
    }

    /// Bytes of a GPU that it would take to serve such requests: what they hold, and what the engine's budget keeps from
    /// the cache.
    #[must_use]
    pub fn needed(&self, cluster: &Cluster, context: f64, requests: f64) -> Bytes {
        let others = self.others(context, requests);
        let kept = cluster.usable().get() - self.pool_beside(cluster, others);
        let reserved = others.get() + self.plan.kv_cache_bytes.unwrap_or(0.0);
        // Whole bytes first: no fraction of one may decide.
        Bytes::whole((kept + self.cache.bytes(context, requests).get()).max(reserved))
    }

    /// Live tensors of one pass.
    fn workspace(&self, context: f64, requests: f64) -> Vec<Entry> {
        if self.engine.workspace == Workspace::Graph {
            return self.compute_buffer(context, requests);
        }
        let element = self.plan.element_bytes();
        let vocabulary = self.model.architecture.vocabulary as f64;
        let mut pass = self.prefill(context, requests);
        if self.engine.torch {
            pass.push(Entry::new(Account::Workspace, Rule::LibraryWorkspace, [self.plan.library_bytes]));
        }
        if self.engine.sampler_bytes > 0.0 {
            // The trial pass ends with a sampler for the most sequences, which no rank shares.
            let terms = [self.engine.sampler_bytes, self.plan.max_sequences as f64, vocabulary, 1.0];
            let sampler = vec![Entry::new(Account::Workspace, Rule::SamplerRows, terms)];
            return if sum(&sampler) > sum(&pass) { sampler } else { pass };
        }
        let rows = requests * (1 + self.plan.draft_tokens) as f64;
        let terms = [element + 4.0, rows, vocabulary, self.plan.tensor as f64];
        pass.push(Entry::new(Account::Workspace, Rule::LogitRows, terms));
        pass
    }

    /// A chunk of a prompt through the widest moment of a layer, and scores of eager attention.
    fn prefill(&self, context: f64, requests: f64) -> Vec<Entry> {
        let shape = &self.model.architecture;
        let ranks = self.plan.tensor as f64;
        let whole = context * requests;
        let chunk = if self.engine.whole_prompts { whole } else { whole.min(self.plan.prefill_chunk as f64) };
        let dense = if shape.dense_layers() > 0 { shape.mlp_width as f64 } else { 0.0 };
        let routed = shape.experts.map_or(0.0, |experts| (experts.per_token * experts.width) as f64);
        // Inputs of the MLP's activation and its result; queries, keys, values and attention's result.
        let mlp = if shape.mlp == Mlp::Gated { 3.0 } else { 2.0 } * dense.max(routed) / ranks;
        let keys_and_values = match shape.latent {
            Some(_) => shape.keys_and_values() as f64 / ranks,
            None => self.cache.widest(),
        };
        let attention = (shape.query_width() + shape.value_width()) as f64 / ranks + keys_and_values;
        // What the convolution reads, the gate and the result.
        let linear = shape.linear.map_or(0, |linear| linear.width() + 2 * linear.value_width()) as f64 / ranks;
        let score_bytes = if self.plan.attention == Attention::Eager { self.plan.element_bytes() + 4.0 } else { 0.0 };
        let terms = [self.plan.element_bytes(), chunk, shape.hidden as f64, mlp.max(attention).max(linear)];
        vec![
            Entry::new(Account::Workspace, Rule::PrefillTensors, terms),
            Entry::new(
                Account::Workspace,
                Rule::PrefillScores,
                [score_bytes, chunk, context, shape.heads as f64, ranks],
            ),
        ]
    }

    /// The buffer of a whole graph: the larger of the moment of the logits and that of attention over a full cache.
    fn compute_buffer(&self, context: f64, requests: f64) -> Vec<Entry> {
        let shape = &self.model.architecture;
        let eager = self.plan.attention == Attention::Eager;
        let cells = self.cache.cells(context, requests);
        let all = if self.plan.kv_unified { cells } else { cells * requests };
        let batch = (self.plan.prefill_chunk as f64).min(all);
        let rows = self.plan.logits_rows.map_or(requests * (1 + self.plan.draft_tokens) as f64, |rows| rows as f64);
        let tensors =
            |number: f64| Entry::new(Account::Workspace, Rule::GraphTensors, [4.0, batch, number, shape.hidden as f64]);
        let vocabulary = shape.vocabulary as f64;
        let logits = vec![Entry::new(Account::Workspace, Rule::LogitRows, [4.0, rows, vocabulary, 1.0]), tensors(2.0)];
        // Flash attention has a 16-bit mask and reads 16-bit keys and values; without it the scores are there in fp32.
        let turned = if self.cache.is_quantised() && !eager { 2.0 } else { 0.0 };
        let attention = vec![
            Entry::new(Account::Workspace, Rule::AttentionMask, [if eager { 4.0 } else { 2.0 }, batch, cells]),
            Entry::new(Account::Workspace, Rule::TurnedCache, [turned, all, self.cache.widest()]),
            Entry::new(
                Account::Workspace,
                Rule::PrefillScores,
                [if eager { 4.0 } else { 0.0 }, batch, cells, shape.heads as f64, self.plan.tensor as f64],
            ),
            tensors(8.0),
        ];
        if sum(&logits) > sum(&attention) { logits } else { attention }
    }

    /// What lies outside the allocator.
    fn outside(&self) -> [Entry; 3] {
        let stages = if self.engine.places_layers { 1 } else { self.plan.pipeline };
        let ranks = self.plan.tensor * stages;
        let communicators = if ranks > 1 { self.engine.communicators } else { 0.0 };
        [
            Entry::new(Account::Runtime, Rule::EngineContext, [self.engine.context]),
            Entry::new(Account::Runtime, Rule::EngineCommunicators, [communicators]),
            self.graphs(),
        ]
    }

    /// Bytes outside the allocator by one rule.
    #[must_use]
    pub fn outside_by(&self, rule: Rule) -> f64 {
        self.outside().iter().filter(|entry| entry.rule == rule).map(|entry| entry.bytes.get()).sum()
    }

    fn graphs(&self) -> Entry {
        let bytes = if self.plan.cuda_graphs { self.engine.graphs } else { 0.0 };
        Entry::new(Account::Runtime, Rule::CapturedGraphs, [bytes])
    }
}

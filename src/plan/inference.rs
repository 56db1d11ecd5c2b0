//! A deployment: formats, requests, and how the model is split.

use crate::divisors::largest_divisor;
use crate::model::Architecture;
use crate::names::{Attention, CacheFormat, Engine, LatentCache, WeightFormat};

/// A deployment with everything settled.
#[derive(Clone, Debug, PartialEq)]
pub struct InferencePlan {
    /// The engine.
    pub engine: Engine,
    /// Format of the weights.
    pub weights: WeightFormat,
    /// Format of the key-value cache.
    pub cache: CacheFormat,
    /// Tokens a request holds.
    pub context: u64,
    /// Requests at once, over all replicas.
    pub concurrency: u64,
    /// Tokens shared by all requests.
    pub shared_prefix: u64,
    /// Tokens in a block of the cache.
    pub block: u64,
    /// Tokens in one forward pass at most.
    pub prefill_chunk: u64,
    /// Tensor-parallel ranks of one replica.
    pub tensor: u64,
    /// Pipeline stages of one replica.
    pub pipeline: u64,
    /// Ranks over which routed experts are spread.
    pub expert: u64,
    /// Whether the engine places whole layers on one GPU after the other, which work one at a time while tokens are
    /// generated.
    pub places_layers: bool,
    /// Whether attention and its cache are split by request over the tensor ranks.
    pub data_parallel_attention: bool,
    /// Copies of the model.
    pub replicas: u64,
    /// The engine's budget, of what the engine takes it of; none: its own default, which may depend on the split.
    pub memory_fraction: Option<f64>,
    /// Whether graphs are captured.
    pub cuda_graphs: bool,
    /// Bytes a GPU gives the cache, instead of the engine's budget.
    pub kv_cache_bytes: Option<f64>,
    /// Most sequences in a batch.
    pub max_sequences: u64,
    /// Whether all slots of llama.cpp share one cache.
    pub kv_unified: bool,
    /// Whether its windowed layers are kept at full length.
    pub swa_full: bool,
    /// Rows of logits that it reserves; none: one a request.
    pub logits_rows: Option<u64>,
    /// Tokens drafted in a step.
    pub draft_tokens: u64,
    /// What latent attention caches.
    pub mla: LatentCache,
    /// Whether attention scores are materialised.
    pub attention: Attention,
    /// Bytes that matrix libraries take in PyTorch's allocator.
    pub library_bytes: f64,
    /// Share of the dense peak that the model's matrix work reaches.
    pub mfu_ceiling: Option<f64>,
}

impl InferencePlan {
    /// Bytes of one element of a live tensor: fp32 weights are computed with in fp32, all others in 16 bits.
    #[must_use]
    pub fn element_bytes(&self) -> f64 {
        if self.weights == WeightFormat::Fp32 { 4.0 } else { 2.0 }
    }

    /// Requests on the fullest replica.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.concurrency.div_ceil(self.replicas)
    }

    /// Requests in one pass: a pipeline's stages work on as many parts of the batch at a time, each on one request at the
    /// least; where layers are only placed, all requests pass them together.
    #[must_use]
    pub fn batch(&self) -> f64 {
        let requests = self.requests() as f64;
        if self.places_layers { requests } else { (requests / self.pipeline as f64).max(1.0) }
    }

    /// Share of the layers that the fullest stage has.
    #[must_use]
    pub fn layer_share(&self, shape: &Architecture) -> f64 {
        shape.layers.div_ceil(self.pipeline) as f64 / shape.layers as f64
    }

    /// The same deployment on a single GPU.
    #[must_use]
    pub fn unsplit(&self) -> InferencePlan {
        let one = InferencePlan { tensor: 1, pipeline: 1, expert: 1, replicas: 1, ..self.clone() };
        InferencePlan { data_parallel_attention: false, ..one }
    }
}

/// Whether `ranks` tensor ranks can hold the heads: query heads divided, key-value heads divided or copied.
pub fn splits(shape: &Architecture, ranks: u64) -> bool {
    let groups = |heads: u64, kv_heads: u64| {
        heads.is_multiple_of(ranks) && (kv_heads.is_multiple_of(ranks) || ranks.is_multiple_of(kv_heads))
    };
    groups(shape.heads, shape.kv_heads)
        && shape.full_heads.is_none_or(|full| groups(full.heads, full.kv_heads))
        && shape.linear.is_none_or(|linear| linear.splits(ranks))
}

/// How the GPUs of one replica share the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// Tensor-parallel ranks.
    pub tensor: u64,
    /// Pipeline stages.
    pub pipeline: u64,
}

impl Split {
    /// What was given of it (tensor ranks, stages), and what an engine does by itself where it was not: tensor ranks, or,
    /// where it places layers, stages on as many GPUs of a node as there are.
    #[must_use]
    pub fn of(
        places_layers: bool,
        (tensor, pipeline): (Option<u64>, Option<u64>),
        gpus: u64,
        gpus_per_node: u64,
        shape: &Architecture,
    ) -> Split {
        if places_layers {
            let stages = || largest_divisor(gpus, gpus_per_node.min(shape.layers), |_| true);
            let pipeline = pipeline.unwrap_or_else(|| if tensor.is_some() { 1 } else { stages() });
            return Split { tensor: tensor.unwrap_or(1), pipeline };
        }
        let pipeline = pipeline.unwrap_or(1);
        let ranks = || largest_divisor(gpus / pipeline, gpus_per_node, |ranks| splits(shape, ranks));
        Split { tensor: tensor.unwrap_or_else(ranks), pipeline }
    }

    /// GPUs of one replica.
    #[must_use]
    pub fn gpus(self) -> u64 {
        self.tensor * self.pipeline
    }
}

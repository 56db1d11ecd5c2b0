//! A deployment: formats, requests, and how the model is split.

use std::ops::Deref;

use crate::divisors::largest_divisor;
use crate::model::Architecture;
use crate::names::WeightFormat;
use crate::scenario::SettledInference;

/// A deployment with everything settled. It dereferences to its settings, as a training plan does.
#[derive(Clone, Debug, PartialEq)]
pub struct InferencePlan {
    /// Every setting of it.
    pub settings: SettledInference,
    /// Whether the engine places whole layers on one GPU after the other, which work one at a time while tokens are
    /// generated.
    pub places_layers: bool,
    /// Copies of the model.
    pub replicas: u64,
    /// Bytes that matrix libraries take in PyTorch's allocator.
    pub library_bytes: f64,
}

impl Deref for InferencePlan {
    type Target = SettledInference;

    fn deref(&self) -> &SettledInference {
        &self.settings
    }
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
        let one = SettledInference { tensor: 1, pipeline: 1, expert: 1, ..self.settings };
        let settings = SettledInference { data_parallel_attention: false, ..one };
        InferencePlan { settings, replicas: 1, ..*self }
    }

    /// The same deployment with other settings of what it computes; the number of replicas stays.
    #[must_use]
    pub fn with(&self, change: impl FnOnce(&mut SettledInference)) -> InferencePlan {
        let mut plan = self.clone();
        change(&mut plan.settings);
        plan
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

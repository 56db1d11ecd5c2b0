//! The two halves of the answer, and what lies between them.

use serde::Serialize;

use crate::ledger::{Accounts, Entry};
use crate::units::{Bytes, Seconds, serialize_number};

use super::{Checkpoint, Padding, Peak, Run, StageReport, Step, Traffic};

/// The training half.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrainingReport {
    /// Data-parallel ranks.
    pub data_parallel: u64,
    /// Micro-batches a rank adds up in one optimiser step.
    pub gradient_accumulation: u64,
    /// One entry a pipeline stage.
    pub stages: Vec<StageReport>,
    /// The peak over the stages.
    pub peak: Peak,
    /// Bytes one GPU offers.
    pub capacity_bytes: Bytes,
    /// Whether the peak and the reserve fit.
    pub fits: bool,
    /// The fewest GPUs of this layout that fit, if any number does.
    pub minimum_gpus: Option<u64>,
    /// Bytes in host memory, of one node.
    pub host_bytes: Bytes,
    /// What one GPU has there.
    pub host_entries: Vec<Entry>,
    /// What one GPU sends in an optimiser step.
    pub traffic: Vec<Traffic>,
    /// Where the time of a step goes.
    pub step: Step,
    /// The whole run; absent while no token budget is given.
    pub run: Option<Run>,
    /// A checkpoint of the whole model.
    pub checkpoint: Checkpoint,
    /// What padding costs; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub padding: Option<Padding>,
}

/// The serving half.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InferenceReport {
    /// Tensor-parallel ranks of one replica.
    pub tensor: u64,
    /// Copies of the model.
    pub replicas: u64,
    /// Bytes by account on one GPU.
    pub accounts: Accounts,
    /// What the accounts are made of.
    pub entries: Vec<Entry>,
    /// Three sizes of one GPU.
    pub peak: Peak,
    /// Bytes one GPU offers.
    pub capacity_bytes: Bytes,
    /// What a GPU would have to offer: what is held, and what the engine's budget keeps from the cache.
    pub needed_bytes: Bytes,
    /// Whether that and the reserve fit.
    pub fits: bool,
    /// The fewest GPUs that serve this, if any number of one node does.
    pub minimum_gpus: Option<u64>,
    /// Weights of one replica.
    pub weight_bytes: Bytes,
    /// Cache of one more token in one replica, before replication.
    pub kv_bytes_per_token: Bytes,
    /// Bytes that an indexer adds to that.
    pub indexer_bytes_per_token: Bytes,
    /// Bytes that a request's linear attention or state space takes however long the request is.
    pub state_bytes_per_sequence: Bytes,
    /// Tokens the cache could hold on one replica.
    #[serde(serialize_with = "serialize_number")]
    pub kv_capacity_tokens: f64,
    /// Longest context that fits at this concurrency.
    #[serde(serialize_with = "serialize_number")]
    pub maximum_context: f64,
    /// Most requests that fit at this context, over all replicas.
    pub maximum_concurrency: f64,
    /// Time of the pass over one request's prompt.
    pub prefill_seconds: Seconds,
    /// Time of one decode step.
    pub decode_seconds: Seconds,
    /// Prompt tokens a second of one GPU.
    pub prefill_tokens_per_second_per_gpu: f64,
    /// Generated tokens a second of one GPU.
    pub decode_tokens_per_second_per_gpu: f64,
    /// Generated tokens a second of the whole deployment.
    pub tokens_per_second: f64,
    /// Lines the engine would log.
    pub log: Vec<String>,
    /// What one GPU sends in a pass.
    pub traffic: Vec<Traffic>,
}

/// What lies between serving a model and training it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Gap {
    /// Bytes of model state a parameter costs while training, before any sharding.
    pub state_bytes_per_parameter: Option<f64>,
    /// That state over the weights served.
    pub training_over_inference: Option<f64>,
}

//! What advice is about: its kinds, how much each matters, and which half it concerns.

use serde::Serialize;

/// What a piece of advice proposes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AdviceId {
    /// Share out more of the model state among the GPUs there are.
    RaiseSharding,
    /// Share it out among more GPUs.
    MoreShards,
    /// Compute activations again instead of keeping them.
    Recompute,
    /// Recomputation and more sharding together.
    RecomputeAndShard,
    /// Take smaller micro-batches and add up more of them.
    SmallerMicroBatch,
    /// Take the weights in a smaller format.
    SmallerWeights,
    /// Split the served model over more GPUs.
    MoreTensorRanks,
}

/// How much it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Nothing runs without it.
    Error,
    /// It would run better.
    Hint,
}

/// The half of the report a piece of advice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// Training.
    Training,
    /// Serving.
    Inference,
}

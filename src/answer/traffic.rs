//! One line of the communication account: what one GPU sends, in which collective, over which link.

use std::borrow::Cow;

use serde::Serialize;

use crate::units::{Bytes, Seconds, serialize_number};

/// A collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Collective {
    /// Every rank ends with the sum.
    AllReduce,
    /// Every rank ends with all shards.
    AllGather,
    /// Every rank ends with its shard of the sum.
    ReduceScatter,
    /// Every rank sends a part to every other.
    AllToAll,
    /// One rank sends to all.
    Broadcast,
    /// One rank ends with the sum.
    Reduce,
    /// One rank sends to one other.
    SendRecv,
}

/// The ranks that take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// Data-parallel ranks.
    Data,
    /// Outer tier of `hsdp`.
    Replica,
    /// Tensor-parallel ranks.
    Tensor,
    /// Pipeline stages.
    Pipeline,
    /// Context-parallel ranks.
    Context,
    /// Expert-parallel ranks.
    Expert,
}

/// What is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Payload {
    /// Weights.
    Weights,
    /// Gradients.
    Gradients,
    /// Activations.
    Activations,
    /// Keys and values.
    KeyValue,
    /// Tokens on their way to experts.
    Tokens,
    /// Logits and loss terms.
    Logits,
}

/// Which pass of serving a line belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Pass {
    /// Over a prompt.
    Prefill,
    /// One token a request.
    Decode,
}

/// What one GPU sends of one kind, in an optimiser step (training) or in one pass (serving).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Traffic {
    /// The pass, when serving.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pass: Option<Pass>,
    /// The collective.
    pub collective: Collective,
    /// What is moved.
    pub payload: Payload,
    /// Among whom.
    pub group: Group,
    /// How many ranks that is.
    pub size: u64,
    /// Id of the slowest link crossed; `custom` where its figures were given.
    pub link: Cow<'static, str>,
    /// How often.
    #[serde(serialize_with = "serialize_number")]
    pub calls: f64,
    /// What one GPU sends in all of them.
    pub bytes: Bytes,
    /// How long all of them take.
    pub seconds: Seconds,
    /// What of that no computation hides.
    pub exposed_seconds: Seconds,
}

/// What would hide more of a line of traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Nothing hides it; fewer ranks and more replicas wait less.
    FewerRanks,
    /// Batches in two halves that take turns.
    TwoHalves,
    /// More products for each gather: larger micro-batches or sequences, or sharding within a node.
    MoreWorkPerGather,
    /// More micro-batches in a step.
    MoreMicroBatches,
    /// Products cut in pieces, or fewer tensor ranks.
    ProductsInPieces,
    /// More micro-batches: only filling and draining the pipeline waits.
    LongerPipeline,
    /// A ring, whose blocks travel while the last one is used.
    Ring,
    /// A schedule made for it, or experts within a node.
    MadeSchedule,
}

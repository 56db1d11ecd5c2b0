//! Collectives: what they are called and what would hide them.

use crate::answer::{Collective, Group, Pass, Payload, Remedy};

/// A collective.
pub fn collective(collective: Collective) -> &'static str {
    match collective {
        Collective::AllReduce => "all-reduce",
        Collective::AllGather => "all-gather",
        Collective::ReduceScatter => "reduce-scatter",
        Collective::AllToAll => "all-to-all",
        Collective::Broadcast => "broadcast",
        Collective::Reduce => "reduce",
        Collective::SendRecv => "send and receive",
    }
}

/// The ranks that take part in a collective.
pub fn group(group: Group) -> &'static str {
    match group {
        Group::Data => "data",
        Group::Replica => "replica",
        Group::Tensor => "tensor",
        Group::Pipeline => "pipeline",
        Group::Context => "context",
        Group::Expert => "expert",
    }
}

/// What a collective moves.
pub fn payload(payload: Payload) -> &'static str {
    match payload {
        Payload::Weights => "weights",
        Payload::Gradients => "gradients",
        Payload::Activations => "activations",
        Payload::KeyValue => "keys and values",
        Payload::Tokens => "tokens",
        Payload::Logits => "logits",
    }
}

/// A pass of serving.
pub fn pass(pass: Pass) -> &'static str {
    match pass {
        Pass::Prefill => "prefill",
        Pass::Decode => "decode",
    }
}

/// What would hide more of a line of traffic.
pub fn remedy(remedy: Remedy) -> &'static str {
    match remedy {
        Remedy::FewerRanks => "nothing: fewer ranks and more replicas wait less",
        Remedy::TwoHalves => "batches in two halves that take turns",
        Remedy::MoreWorkPerGather => "larger micro-batches or sequences; sharding within a node",
        Remedy::MoreMicroBatches => "more micro-batches a step",
        Remedy::ProductsInPieces => "products cut in pieces (tensor overlap); fewer tensor ranks",
        Remedy::LongerPipeline => "more micro-batches: only filling and draining waits",
        Remedy::Ring => "a ring, whose blocks travel while the last one is used",
        Remedy::MadeSchedule => "a schedule made for it (DualPipe); experts within a node",
    }
}

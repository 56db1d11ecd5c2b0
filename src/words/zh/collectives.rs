//! Collectives: what they are called and what would hide them.

use crate::answer::{Collective, Group, Pass, Payload, Remedy};

/// A collective.
pub fn collective(collective: Collective) -> &'static str {
    match collective {
        Collective::AllReduce => "all-reduce",
        Collective::AllGather => "all-gather",
        Collective::ReduceScatter => "reduce-scatter",
        Collective::AllToAll => "all-to-all",
        Collective::Broadcast => "广播",
        Collective::Reduce => "归约",
        Collective::SendRecv => "点对点收发",
    }
}

/// The ranks that take part in a collective.
pub fn group(group: Group) -> &'static str {
    match group {
        Group::Data => "数据并行",
        Group::Replica => "副本",
        Group::Tensor => "张量并行",
        Group::Pipeline => "流水线并行",
        Group::Context => "上下文并行",
        Group::Expert => "专家并行",
    }
}

/// What a collective moves.
pub fn payload(payload: Payload) -> &'static str {
    match payload {
        Payload::Weights => "权重",
        Payload::Gradients => "梯度",
        Payload::Activations => "激活",
        Payload::KeyValue => "键和值",
        Payload::Tokens => "词元",
        Payload::Logits => "logits",
    }
}

/// A pass of serving.
pub fn pass(pass: Pass) -> &'static str {
    match pass {
        Pass::Prefill => "预填充",
        Pass::Decode => "解码",
    }
}

/// What would hide more of a line of traffic.
pub fn remedy(remedy: Remedy) -> &'static str {
    match remedy {
        Remedy::FewerRanks => "无法掩盖：减少路数、增加副本可少等",
        Remedy::TwoHalves => "把批次分成两半交替执行",
        Remedy::MoreWorkPerGather => "更大的微批或更长的序列；在节点内分片",
        Remedy::MoreMicroBatches => "每步更多微批",
        Remedy::ProductsInPieces => "把矩阵乘切块与通信重叠；减少张量并行数",
        Remedy::LongerPipeline => "更多微批：只有填充和排空时在等待",
        Remedy::Ring => "环形方式：边算边传",
        Remedy::MadeSchedule => "专门的调度（DualPipe）；专家放在节点内",
    }
}

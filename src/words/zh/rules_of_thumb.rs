//! Rules of thumb of the field that speak against a layout.

use crate::answer::Heuristic;

pub const BUT: &str = "{0}，{1}";
pub const HEADING: &str = "业界经验";
pub const NO_RULES: &str = "所检查的经验法则都不反对这一布局。";
pub const EFFECT: &str = "{0}：每步 {2} 变为 {1}，峰值 {3}";
pub const LESS: &str = "降低 {0}";
pub const MORE: &str = "升高 {0}";
pub const SAME: &str = "不变";
pub const SOURCE: &str = "{0}（{1}）";
pub const SEVERAL_SOURCES: &str = "多个来源";
pub const ONE_SOURCE: &str = "单一来源";

/// What a rule says. `{0}`, `{1}` … are places for the numbers that triggered it.
pub fn rule_of_thumb(rule: Heuristic) -> &'static str {
    match rule {
        Heuristic::TensorInNode => "{0} 路张量并行超出了 {1} 块 GPU 的节点：每一层都要等网络，占每步的 {2}",
        Heuristic::TensorTooNarrow => "{0} 路张量并行的等待占每步 {1}：隐藏维度 {2} 对这么多路来说太窄",
        Heuristic::TensorForASmallModel => "{0} 参数在该节点的单块 GPU 上放得下，不必用 {1} 路张量并行切分",
        Heuristic::PipelineBubble => "{0} 个微批经过 {1} 个阶段，气泡占每步 {2}；每阶段四个微批可使其低于四分之一",
        Heuristic::ShardedPipeline => "{0} 与流水线一起用，每步要在数据并行组内传 {1}；ZeRO-1 只传一次",
        Heuristic::ShardingExposed => "{0} 的聚合与散发等待占每步 {1}：每个微批 {2} 个词元，不足以掩盖",
        Heuristic::AccumulatedSharding => "{0} 个微批每步要聚合权重 {0} 次；更大的微批可减少次数",
        Heuristic::ShardWithinNode => "模型状态 {0} 在 {1} 块 GPU 的节点内放得下，跨节点聚合的等待却占每步 {2}",
        Heuristic::LongRing => "{0} 块 GPU 的环每步要启动 {1} 次集合通信：{2} 的时间花在环长上，而不是字节上",
        Heuristic::RecomputesTooMuch => "不需要{0}：减少重算后峰值为 {1}，可用 {2}",
        Heuristic::SelectiveInstead => "全部重算会重复每一个矩阵乘；选择性重算只重复注意力核心，同样放得下",
        Heuristic::ExpertsInNode => "专家分布在 {0} 块 GPU 上，跨 {1} 块的节点交换词元：占每步 {2}",
        Heuristic::ContextForLength => "{0} 词元的序列使单块 GPU 保存 {1} 激活；上下文并行可以切分",
        Heuristic::PairOfAMesh => "网状互连的 {0} 块 GPU 每块只用七条链路中的 {0} − 1 条；八块一组才能全部用上",
        Heuristic::GradientsIn16Bits => "{0} 个 rank 的梯度以 16 位累加，小梯度会被舍入掉",
        Heuristic::CheckpointTooSlow => "写一个检查点要 {0}，超过最佳间隔 {1} 的十分之一：损失 {2} 的时间",
        Heuristic::ServingWaits => "{0} 路张量并行时每步解码等待 all-reduce {1}；减少路数、增加副本能服务更多请求",
    }
}

/// What sources say that do otherwise, where some do.
pub fn rule_of_thumb_but(rule: Heuristic) -> Option<&'static str> {
    match rule {
        Heuristic::ShardedPipeline => Some("不过 Llama 3 和 torchtitan 确实这样组合：微批之间保留完整权重，或微批很少"),
        Heuristic::ExpertsInNode => Some("不过 DeepSeek-V3 把专家分到 64 块 GPU，并用边传边算的调度"),
        Heuristic::TensorInNode
        | Heuristic::TensorTooNarrow
        | Heuristic::TensorForASmallModel
        | Heuristic::PipelineBubble
        | Heuristic::ShardingExposed
        | Heuristic::AccumulatedSharding
        | Heuristic::ShardWithinNode
        | Heuristic::LongRing
        | Heuristic::RecomputesTooMuch
        | Heuristic::SelectiveInstead
        | Heuristic::ContextForLength
        | Heuristic::PairOfAMesh
        | Heuristic::GradientsIn16Bits
        | Heuristic::CheckpointTooSlow
        | Heuristic::ServingWaits => None,
    }
}

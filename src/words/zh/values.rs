//! What the values of settings are called.

use crate::names::{
    AdapterKind, Attention, BandwidthView, CacheFormat, ComputeFormat, ContextMethod, DispatchFormat, FlopsConvention,
    Kernels, LatentCache, Loss, Name, Offload, OptimizerStep, RecipeName, Recompute, ReduceFormat, Schedule, Sharding,
    WeightFormat,
};
use crate::optimizers::Optimizer;

pub const TEXTBOOK: &str = "教科书口径";

/// A training recipe.
pub fn recipe(recipe: RecipeName) -> &'static str {
    match recipe {
        RecipeName::Bf16Mixed => "BF16 混合精度",
        RecipeName::Bf16MixedFp32Gradients => "BF16 混合精度，FP32 梯度",
        RecipeName::Fp16Mixed => "FP16 混合精度",
        RecipeName::Fp16MixedFp32Gradients => "FP16 混合精度，FP32 梯度",
        RecipeName::Fp32 => "全程 FP32",
        RecipeName::Fp32Sharded => "FP32 分片，BF16 计算",
        RecipeName::Bf16Pure => "全程 BF16",
        RecipeName::Fp8Mixed => "FP8 混合精度",
        RecipeName::Mxfp8Mixed => "MXFP8 混合精度",
        RecipeName::Nvfp4Mixed => "NVFP4 混合精度",
    }
}

/// What is sharded over the data-parallel ranks.
pub fn sharding(sharding: Sharding) -> &'static str {
    match sharding {
        Sharding::None => "不分片（各存一份）",
        Sharding::Zero1 => "ZeRO-1：优化器状态",
        Sharding::Zero2 => "ZeRO-2：再加梯度",
        Sharding::Zero3 => "ZeRO-3：再加权重",
        Sharding::Hsdp => "HSDP",
    }
}

/// The same in a word or two.
pub fn sharding_short(sharding: Sharding) -> &'static str {
    match sharding {
        Sharding::None => "不分片",
        Sharding::Zero1 => "ZeRO-1",
        Sharding::Zero2 => "ZeRO-2",
        Sharding::Zero3 => "ZeRO-3",
        Sharding::Hsdp => "HSDP",
    }
}

/// The same at the head of a column, under "sharding".
pub fn sharding_in_short(sharding: Sharding) -> &'static str {
    match sharding {
        Sharding::None => "不分片",
        Sharding::Zero1 => "ZeRO-1",
        Sharding::Zero2 => "ZeRO-2",
        Sharding::Zero3 => "ZeRO-3",
        Sharding::Hsdp => "HSDP",
    }
}

/// What is computed a second time in backward.
pub fn recompute(recompute: Recompute) -> &'static str {
    match recompute {
        Recompute::None => "不重算",
        Recompute::Selective => "选择性重算",
        Recompute::Full => "全部重算",
        Recompute::SelectiveOps => "按算子重算",
    }
}

/// The order of micro-batches in a pipeline.
pub fn schedule(schedule: Schedule) -> &'static str {
    match schedule {
        Schedule::OneForwardOneBackward => "1F1B",
        Schedule::GPipe => "GPipe",
        Schedule::Interleaved => "交错 1F1B",
        Schedule::Zb1p => "ZB1P",
        Schedule::Zb2p => "ZB2P",
        Schedule::Zbv => "ZBV",
        Schedule::DualPipe => "DualPipe",
    }
}

/// How a long sequence is split over ranks.
pub fn context_method(method: ContextMethod) -> &'static str {
    match method {
        ContextMethod::Ring => "环形",
        ContextMethod::AllGather => "all-gather 键和值",
        ContextMethod::Ulysses => "Ulysses",
    }
}

/// How the weights are updated.
pub fn optimizer_step(step: OptimizerStep) -> &'static str {
    match step {
        OptimizerStep::Fused => "融合算子",
        OptimizerStep::Foreach => "所有张量一起（foreach）",
        OptimizerStep::ForLoop => "逐个张量",
    }
}

/// The format of matrix products.
pub fn compute(format: ComputeFormat) -> &'static str {
    match format {
        ComputeFormat::Fp32 => "FP32",
        ComputeFormat::Bf16 => "BF16",
        ComputeFormat::Fp16 => "FP16",
        ComputeFormat::Fp8 => "FP8",
        ComputeFormat::Mxfp8 => "MXFP8",
        ComputeFormat::Nvfp4 => "NVFP4",
    }
}

/// The format in which gradients travel.
pub fn reduce_format(format: ReduceFormat) -> &'static str {
    match format {
        ReduceFormat::Bf16 => "BF16",
        ReduceFormat::Fp16 => "FP16",
        ReduceFormat::Fp32 => "FP32",
    }
}

/// The format in which tokens travel to experts.
pub fn dispatch(format: DispatchFormat) -> &'static str {
    match format {
        DispatchFormat::Bf16 => "BF16",
        DispatchFormat::Fp8 => "FP8",
    }
}

/// What is offloaded to host memory.
pub fn offload(offload: Offload) -> &'static str {
    match offload {
        Offload::None => "不卸载",
        Offload::Optimizer => "优化器状态",
        Offload::OptimizerAndParameters => "优化器状态和权重",
    }
}

/// A kind of adapter.
pub fn adapter(kind: AdapterKind) -> &'static str {
    match kind {
        AdapterKind::Lora => "LoRA",
        AdapterKind::Qlora => "QLoRA（冻结权重用 NF4）",
    }
}

/// An optimiser.
pub fn optimizer(optimizer: Optimizer) -> &'static str {
    match optimizer {
        Optimizer::AdamW => "AdamW",
        Optimizer::AdamW8bit => "AdamW，8 位动量",
        Optimizer::AdamWBf16 => "AdamW，BF16 动量",
        Optimizer::Adafactor => "Adafactor",
        Optimizer::Lion => "Lion",
        Optimizer::Sgd => "SGD",
        Optimizer::SgdMomentum => "带动量的 SGD",
        Optimizer::Muon => "Muon",
        Optimizer::ApolloMini => "APOLLO-Mini",
    }
}

/// How attention is computed.
pub fn attention(attention: Attention) -> &'static str {
    match attention {
        Attention::Flash => "FlashAttention",
        Attention::Eager => "朴素实现（保存注意力分数）",
    }
}

/// The kernels of a layer.
pub fn kernels(kernels: Kernels) -> &'static str {
    match kernels {
        Kernels::Fused => "融合算子",
        Kernels::Eager => "逐算子",
        Kernels::Compiled => "torch.compile",
        Kernels::TransformerEngine => "Transformer Engine",
    }
}

/// How the loss is computed.
pub fn loss(loss: Loss) -> &'static str {
    match loss {
        Loss::Fused => "原地融合",
        Loss::Eager => "逐算子",
        Loss::Compiled => "torch.compile",
        Loss::VocabParallel => "词表并行",
        Loss::Chunked => "分块",
        Loss::FusedLinear => "与输出层融合",
    }
}

/// A format of served weights.
pub fn weight_format(format: WeightFormat) -> &'static str {
    match format {
        WeightFormat::Fp32 => "FP32",
        WeightFormat::Bf16 => "BF16",
        WeightFormat::Fp16 => "FP16",
        WeightFormat::Fp8 => "FP8",
        WeightFormat::Fp8Block => "FP8，按 128 × 128 分块",
        WeightFormat::Int8 => "INT8",
        WeightFormat::Int4G128 => "INT4，每组 128（AWQ）",
        WeightFormat::Nf4 => "NF4",
        WeightFormat::Nf4Dq => "NF4，双重量化",
        WeightFormat::GptqG128
        | WeightFormat::GptqG32
        | WeightFormat::Mxfp4
        | WeightFormat::Nvfp4
        | WeightFormat::GgufF16
        | WeightFormat::GgufQ8_0
        | WeightFormat::GgufQ6K
        | WeightFormat::GgufQ5KM
        | WeightFormat::GgufQ5KS
        | WeightFormat::GgufQ4KM
        | WeightFormat::GgufQ4KS
        | WeightFormat::GgufQ4_0
        | WeightFormat::GgufQ3KL
        | WeightFormat::GgufQ3KM
        | WeightFormat::GgufQ2K => format.name(),
    }
}

/// A format of the key-value cache.
pub fn cache_format(format: CacheFormat) -> &'static str {
    match format {
        CacheFormat::Bf16 => "BF16",
        CacheFormat::Fp16 => "FP16",
        CacheFormat::Fp8 => "FP8",
        CacheFormat::Int8 => "INT8",
        CacheFormat::Int4
        | CacheFormat::Q8_0
        | CacheFormat::Q5_0
        | CacheFormat::Q5_1
        | CacheFormat::Q4_0
        | CacheFormat::Q4_1
        | CacheFormat::Iq4Nl
        | CacheFormat::Q8Kv => format.name(),
    }
}

/// What counts as model FLOPs.
pub fn convention(convention: FlopsConvention) -> &'static str {
    match convention {
        FlopsConvention::Palm => "PaLM",
        FlopsConvention::Megatron => "Megatron-LM",
        FlopsConvention::Torchtitan => "torchtitan",
        FlopsConvention::Nemo => "NeMo",
        FlopsConvention::LlmFoundry => "llm-foundry",
    }
}

/// Which network cards of a node one collective can use.
pub fn bandwidth_view(view: BandwidthView) -> &'static str {
    match view {
        BandwidthView::Rails => "节点的所有网卡",
        BandwidthView::SingleNic => "节点的一张网卡",
    }
}

/// What latent attention caches.
pub fn latent_cache(cache: LatentCache) -> &'static str {
    match cache {
        LatentCache::Latent => "潜在向量",
        LatentCache::Expanded => "展开后的键和值",
    }
}

//! What the values of settings are called.

use crate::names::{
    AdapterKind, Attention, BandwidthView, CacheFormat, ComputeFormat, ContextMethod, DispatchFormat, FlopsConvention,
    Kernels, LatentCache, Loss, Name, Offload, OptimizerStep, RecipeName, Recompute, ReduceFormat, Schedule, Sharding,
    WeightFormat,
};
use crate::optimizers::Optimizer;

pub const TEXTBOOK: &str = "Textbook";

/// A training recipe.
pub fn recipe(recipe: RecipeName) -> &'static str {
    match recipe {
        RecipeName::Bf16Mixed => "BF16 mixed",
        RecipeName::Bf16MixedFp32Gradients => "BF16 mixed, FP32 gradients",
        RecipeName::Fp16Mixed => "FP16 mixed",
        RecipeName::Fp16MixedFp32Gradients => "FP16 mixed, FP32 gradients",
        RecipeName::Fp32 => "FP32 throughout",
        RecipeName::Fp32Sharded => "FP32 shards, BF16 compute",
        RecipeName::Bf16Pure => "BF16 throughout",
        RecipeName::Fp8Mixed => "FP8 mixed",
        RecipeName::Mxfp8Mixed => "MXFP8 mixed",
        RecipeName::Nvfp4Mixed => "NVFP4 mixed",
    }
}

/// What is sharded over the data-parallel ranks.
pub fn sharding(sharding: Sharding) -> &'static str {
    match sharding {
        Sharding::None => "none: replicas",
        Sharding::Zero1 => "ZeRO-1: optimiser state",
        Sharding::Zero2 => "ZeRO-2: and gradients",
        Sharding::Zero3 => "ZeRO-3: and weights",
        Sharding::Hsdp => "HSDP",
    }
}

/// The same in a word or two.
pub fn sharding_short(sharding: Sharding) -> &'static str {
    match sharding {
        Sharding::None => "replicas",
        Sharding::Zero1 => "ZeRO-1",
        Sharding::Zero2 => "ZeRO-2",
        Sharding::Zero3 => "ZeRO-3",
        Sharding::Hsdp => "HSDP",
    }
}

/// The same at the head of a column, under "sharding".
pub fn sharding_in_short(sharding: Sharding) -> &'static str {
    match sharding {
        Sharding::None => "nothing",
        Sharding::Zero1 => "ZeRO-1",
        Sharding::Zero2 => "ZeRO-2",
        Sharding::Zero3 => "ZeRO-3",
        Sharding::Hsdp => "HSDP",
    }
}

/// What is computed a second time in backward.
pub fn recompute(recompute: Recompute) -> &'static str {
    match recompute {
        Recompute::None => "none",
        Recompute::Selective => "selective",
        Recompute::Full => "full",
        Recompute::SelectiveOps => "selective operators",
    }
}

/// The order of micro-batches in a pipeline.
pub fn schedule(schedule: Schedule) -> &'static str {
    match schedule {
        Schedule::OneForwardOneBackward => "1F1B",
        Schedule::GPipe => "GPipe",
        Schedule::Interleaved => "interleaved 1F1B",
        Schedule::Zb1p => "ZB1P",
        Schedule::Zb2p => "ZB2P",
        Schedule::Zbv => "ZBV",
        Schedule::DualPipe => "DualPipe",
    }
}

/// How a long sequence is split over ranks.
pub fn context_method(method: ContextMethod) -> &'static str {
    match method {
        ContextMethod::Ring => "ring",
        ContextMethod::AllGather => "all-gather of keys and values",
        ContextMethod::Ulysses => "Ulysses",
    }
}

/// How the weights are updated.
pub fn optimizer_step(step: OptimizerStep) -> &'static str {
    match step {
        OptimizerStep::Fused => "fused",
        OptimizerStep::Foreach => "all tensors at once (foreach)",
        OptimizerStep::ForLoop => "tensor by tensor",
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
        Offload::None => "nothing",
        Offload::Optimizer => "optimiser state",
        Offload::OptimizerAndParameters => "optimiser state and weights",
    }
}

/// A kind of adapter.
pub fn adapter(kind: AdapterKind) -> &'static str {
    match kind {
        AdapterKind::Lora => "LoRA",
        AdapterKind::Qlora => "QLoRA (frozen weights in NF4)",
    }
}

/// An optimiser.
pub fn optimizer(optimizer: Optimizer) -> &'static str {
    match optimizer {
        Optimizer::AdamW => "AdamW",
        Optimizer::AdamW8bit => "AdamW, 8-bit moments",
        Optimizer::AdamWBf16 => "AdamW, BF16 moments",
        Optimizer::Adafactor => "Adafactor",
        Optimizer::Lion => "Lion",
        Optimizer::Sgd => "SGD",
        Optimizer::SgdMomentum => "SGD with momentum",
        Optimizer::Muon => "Muon",
        Optimizer::ApolloMini => "APOLLO-Mini",
    }
}

/// How attention is computed.
pub fn attention(attention: Attention) -> &'static str {
    match attention {
        Attention::Flash => "FlashAttention",
        Attention::Eager => "eager (scores kept)",
    }
}

/// The kernels of a layer.
pub fn kernels(kernels: Kernels) -> &'static str {
    match kernels {
        Kernels::Fused => "fused",
        Kernels::Eager => "eager",
        Kernels::Compiled => "torch.compile",
        Kernels::TransformerEngine => "Transformer Engine",
    }
}

/// How the loss is computed.
pub fn loss(loss: Loss) -> &'static str {
    match loss {
        Loss::Fused => "fused in place",
        Loss::Eager => "eager",
        Loss::Compiled => "torch.compile",
        Loss::VocabParallel => "vocabulary-parallel",
        Loss::Chunked => "in chunks",
        Loss::FusedLinear => "fused with the head",
    }
}

/// A format of served weights.
pub fn weight_format(format: WeightFormat) -> &'static str {
    match format {
        WeightFormat::Fp32 => "FP32",
        WeightFormat::Bf16 => "BF16",
        WeightFormat::Fp16 => "FP16",
        WeightFormat::Fp8 => "FP8",
        WeightFormat::Fp8Block => "FP8, blocks of 128 × 128",
        WeightFormat::Int8 => "INT8",
        WeightFormat::Int4G128 => "INT4, groups of 128 (AWQ)",
        WeightFormat::Nf4 => "NF4",
        WeightFormat::Nf4Dq => "NF4, double quantisation",
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
        BandwidthView::Rails => "all cards of a node",
        BandwidthView::SingleNic => "one card of a node",
    }
}

/// What latent attention caches.
pub fn latent_cache(cache: LatentCache) -> &'static str {
    match cache {
        LatentCache::Latent => "latent rows",
        LatentCache::Expanded => "full keys and values",
    }
}

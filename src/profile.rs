//! Framework profiles: what a training framework does unless told otherwise.
//!
//! One table. `textbook` gives the well-known figures and adds nothing of its own; the others start from what public
//! code and public measurements of the framework show. Every entry can be overridden by the scenario.

use crate::names::{Framework, Kernels, Loss, RecipeName, Sharding};
use crate::units::MIB;

/// Reserved over allocated memory: what a framework's allocator was seen to hold beyond what tensors use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slack {
    /// Least seen.
    pub low: f64,
    /// Usual.
    pub usual: f64,
    /// Most seen.
    pub high: f64,
}

impl Slack {
    const fn new(low: f64, usual: f64, high: f64) -> Slack {
        Slack { low, usual, high }
    }
}

/// Flat buckets of collectives, in elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Buckets {
    /// Of one bucket for gradients, or for updated weights.
    pub elements: f64,
    /// Most weights that stay whole at once with ZeRO-3.
    pub live: f64,
    /// Most that are fetched ahead.
    pub prefetched: f64,
}

/// The defaults of one framework.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profile {
    /// Whose they are.
    pub framework: Framework,
    /// Bytes a parameter.
    pub recipe: RecipeName,
    /// Kernels of a layer.
    pub kernels: Kernels,
    /// Loss.
    pub loss: Loss,
    /// What the data-parallel ranks share out, on several GPUs.
    pub sharding: Sharding,
    /// The same on a single GPU.
    pub sharding_alone: Sharding,
    /// The same with a pipeline, where that takes another.
    pub sharding_in_pipeline: Option<Sharding>,
    /// Whether gradients stay allocated between steps; else they come into being during backward.
    pub gradients_stay: bool,
    /// Whether the 16-bit logits are still referenced while the loss is computed.
    pub logits_referenced: bool,
    /// Bytes an attention score that eager attention keeps: 2 for a 16-bit softmax, 6 where it is computed in fp32 and
    /// cast.
    pub score_bytes: f64,
    /// Whether eager attention repeats keys and values to all heads.
    pub repeats_keys_values: bool,
    /// Flat buckets of collectives and limits on what is whole, where a framework works by them instead of by layers.
    pub buckets: Option<Buckets>,
    /// Whether gathered weights are dropped after forward where a pipeline brings many micro-batches.
    pub reshards_in_pipeline: bool,
    /// Whether libraries, device context and communicators are counted.
    pub counts_overhead: bool,
    /// Reserved over allocated.
    pub slack: Slack,
    /// The same with compiled kernels, where it was seen to differ.
    pub slack_compiled: Option<Slack>,
}

const TEXTBOOK: Profile = Profile {
    framework: Framework::Textbook,
    recipe: RecipeName::Bf16Mixed,
    kernels: Kernels::Fused,
    loss: Loss::Fused,
    sharding: Sharding::None,
    sharding_alone: Sharding::None,
    sharding_in_pipeline: None,
    gradients_stay: true,
    logits_referenced: false,
    score_bytes: 2.0,
    repeats_keys_values: false,
    buckets: None,
    reshards_in_pipeline: true,
    counts_overhead: false,
    slack: Slack::new(1.0, 1.0, 1.0),
    slack_compiled: None,
};

/// Megatron-LM: one fp32 gradient buffer, distributed optimiser, Transformer Engine. Slack: reserved over allocated in
/// 19 published runs on B200, 1.03 to 1.09.
const MEGATRON_CORE: Profile = Profile {
    framework: Framework::MegatronCore,
    recipe: RecipeName::Bf16MixedFp32Gradients,
    kernels: Kernels::TransformerEngine,
    sharding: Sharding::Zero1,
    sharding_alone: Sharding::Zero1,
    counts_overhead: true,
    slack: Slack::new(1.02, 1.05, 1.09),
    ..TEXTBOOK
};

/// FSDP2 as torchtitan uses it: fp32 shards, gradients set to none after each step; with a pipeline weights stay whole
/// and gradients wait for the last micro-batch. Slack: torchtitan's published runs. With full recomputation it was 1.36
/// in early runs of a 7B model (2024) and 1.16 to 1.20 in later ones, hence the high end; those early runs also kept the
/// 16-bit logits through the loss, which none since do.
const PYTORCH_FSDP2: Profile = Profile {
    framework: Framework::PytorchFsdp2,
    recipe: RecipeName::Fp32Sharded,
    kernels: Kernels::Eager,
    loss: Loss::Eager,
    sharding: Sharding::Zero3,
    sharding_alone: Sharding::Zero3,
    gradients_stay: false,
    reshards_in_pipeline: false,
    counts_overhead: true,
    slack: Slack::new(1.01, 1.20, 1.44),
    slack_compiled: Some(Slack::new(1.01, 1.12, 1.44)),
    ..TEXTBOOK
};

/// DeepSpeed: bf16 with fp32 accumulated gradients; the defaults of its configuration for all-gather and reduce buckets,
/// live parameters and prefetching. Its pipelines take ZeRO-1 at most. Slack: assumed, as no public run tells reserved
/// from allocated memory.
const DEEPSPEED: Profile = Profile {
    framework: Framework::DeepSpeed,
    recipe: RecipeName::Bf16MixedFp32Gradients,
    kernels: Kernels::Eager,
    loss: Loss::Eager,
    sharding: Sharding::Zero2,
    sharding_alone: Sharding::Zero2,
    sharding_in_pipeline: Some(Sharding::Zero1),
    buckets: Some(Buckets { elements: 5e8, live: 1e9, prefetched: 5e7 }),
    counts_overhead: true,
    slack: Slack::new(1.02, 1.10, 1.20),
    ..TEXTBOOK
};

/// Hugging Face Trainer: plain modules, a softmax in fp32, keys and values repeated to all heads. Its AdamW is fused, as
/// everywhere here, so that an update holds nothing of its own. Slack: assumed, as no public run tells reserved from
/// allocated memory.
const HF_TRAINER: Profile = Profile {
    framework: Framework::HfTrainer,
    kernels: Kernels::Eager,
    loss: Loss::Eager,
    gradients_stay: false,
    logits_referenced: true,
    score_bytes: 6.0,
    repeats_keys_values: true,
    counts_overhead: true,
    slack: Slack::new(1.02, 1.15, 1.30),
    ..TEXTBOOK
};

/// torchtune: pure bf16. Slack: reserved over allocated memory in its published runs, 1.02 (QLoRA of a 7B model) to 1.14
/// (all of it, updated in backward).
const TORCHTUNE: Profile = Profile {
    framework: Framework::Torchtune,
    recipe: RecipeName::Bf16Pure,
    kernels: Kernels::Eager,
    loss: Loss::Eager,
    sharding: Sharding::Zero3,
    gradients_stay: false,
    counts_overhead: true,
    slack: Slack::new(1.02, 1.10, 1.14),
    ..TEXTBOOK
};

impl Profile {
    /// The profile of a framework.
    #[must_use]
    pub fn of(framework: Framework) -> &'static Profile {
        match framework {
            Framework::Textbook => &TEXTBOOK,
            Framework::MegatronCore => &MEGATRON_CORE,
            Framework::PytorchFsdp2 => &PYTORCH_FSDP2,
            Framework::DeepSpeed => &DEEPSPEED,
            Framework::HfTrainer => &HF_TRAINER,
            Framework::Torchtune => &TORCHTUNE,
        }
    }

    /// Reserved over allocated with these kernels.
    #[must_use]
    pub fn slack_with(&self, kernels: Kernels) -> Slack {
        self.slack_compiled.filter(|_| kernels == Kernels::Compiled).unwrap_or(self.slack)
    }
}

/// Bytes of the device context: assumed, 0.3 to 0.55 GiB on data-centre cards in public logs.
pub const DEVICE_CONTEXT: f64 = 512.0 * MIB;
/// Bytes of a communicator of two ranks (NVIDIA/nccl issue 964).
pub const PAIR_COMMUNICATOR: f64 = 544.0 * MIB;
/// Bytes of a larger communicator (NVIDIA/nccl issue 964).
pub const LARGE_COMMUNICATOR: f64 = 688.0 * MIB;
/// Bytes that the first all-to-all makes (NVIDIA/nccl issue 1685: 4.34 GB behind it, 1.06 before).
pub const ALL_TO_ALL: f64 = 3.28e9;
/// Workspaces of matrix libraries on Ampere and older (residual in Megatron-LM's golden values).
pub const LIBRARIES_AMPERE: f64 = 75.0 * MIB;
/// The same on Hopper and newer.
pub const LIBRARIES_HOPPER: f64 = 101.0 * MIB;

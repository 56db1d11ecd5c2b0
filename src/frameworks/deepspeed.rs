//! DeepSpeed: bf16 with fp32 accumulated gradients; the defaults of its configuration for all-gather and reduce buckets,
//! live parameters and prefetching. Its pipelines take ZeRO-1 at most. Slack: assumed, as no public run tells reserved
//! from allocated memory.

use crate::names::{Kernels, Loss, RecipeName, Sharding};

use super::{Buckets, Framework, Profile, Slack, textbook};

/// Its defaults.
pub const PROFILE: Profile = Profile {
    framework: Framework::DeepSpeed,
    title: Some("DeepSpeed"),
    recipe: RecipeName::Bf16MixedFp32Gradients,
    kernels: Kernels::Eager,
    loss: Loss::Eager,
    sharding: Sharding::Zero2,
    sharding_alone: Sharding::Zero2,
    sharding_in_pipeline: Some(Sharding::Zero1),
    buckets: Some(Buckets { elements: 5e8, live: 1e9, prefetched: 5e7 }),
    counts_overhead: true,
    slack: Slack::new(1.02, 1.10, 1.20),
    ..textbook::PROFILE
};

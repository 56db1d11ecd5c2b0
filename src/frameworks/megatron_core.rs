//! Megatron-LM: one fp32 gradient buffer, distributed optimiser, Transformer Engine. Slack: reserved over allocated in
//! 19 published runs on B200, 1.03 to 1.09.

use crate::names::{Kernels, RecipeName, Sharding};

use super::{Framework, Profile, Slack, reached, textbook};

/// Its defaults.
pub const PROFILE: Profile = Profile {
    framework: Framework::MegatronCore,
    title: Some("Megatron-Core"),
    reached: &reached::MEGATRON,
    recipe: RecipeName::Bf16MixedFp32Gradients,
    kernels: Kernels::TransformerEngine,
    sharding: Sharding::Zero1,
    sharding_alone: Sharding::Zero1,
    // The buffer of main gradients is the GPU's; the update on the host reads copies of its own (`HybridDeviceOptimizer`
    // in core/optimizer/cpu_offloading/hybrid_optimizer.py at 0d41ecd).
    gradients_follow_states: false,
    counts_overhead: true,
    slack: Slack::new(1.02, 1.05, 1.09),
    ..textbook::PROFILE
};

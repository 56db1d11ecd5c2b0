//! FSDP2 as torchtitan uses it: fp32 shards, gradients set to none after each step; with a pipeline weights stay whole
//! and gradients wait for the last micro-batch. Slack: torchtitan's published runs. With full recomputation it was 1.36
//! in early runs of a 7B model (2024) and 1.16 to 1.20 in later ones, hence the high end; those early runs also kept the
//! 16-bit logits through the loss, which none since do.

use crate::names::{Kernels, Loss, RecipeName, Sharding};

use super::{Framework, Profile, Slack, textbook};

/// Its defaults.
pub const PROFILE: Profile = Profile {
    framework: Framework::PytorchFsdp2,
    title: Some("PyTorch FSDP2"),
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
    ..textbook::PROFILE
};

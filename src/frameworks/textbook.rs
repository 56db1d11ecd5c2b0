//! The textbook: the well-known figures, with nothing of any framework added.

use crate::names::{Kernels, Loss, RecipeName, Sharding};

use super::{Framework, Profile, Slack, reached};

/// Its defaults.
pub const PROFILE: Profile = Profile {
    framework: Framework::Textbook,
    title: None,
    reached: &reached::PYTORCH,
    recipe: RecipeName::Bf16Mixed,
    kernels: Kernels::Fused,
    loss: Loss::Fused,
    sharding: Sharding::None,
    sharding_alone: Sharding::None,
    sharding_in_pipeline: None,
    gradients_stay: true,
    gradients_follow_states: true,
    logits_referenced: false,
    score_bytes: 2.0,
    repeats_keys_values: false,
    buckets: None,
    reshards_in_pipeline: true,
    counts_overhead: false,
    slack: Slack::new(1.0, 1.0, 1.0),
    slack_compiled: None,
};

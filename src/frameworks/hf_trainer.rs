//! Hugging Face Trainer: plain modules, a softmax in fp32, keys and values repeated to all heads. Its AdamW is fused, as
//! everywhere here, so that an update holds nothing of its own. Slack: assumed, as no public run tells reserved from
//! allocated memory.

use crate::names::{Kernels, Loss};

use super::{Framework, Profile, Slack, textbook};

/// Its defaults.
pub const PROFILE: Profile = Profile {
    framework: Framework::HfTrainer,
    title: Some("Hugging Face Trainer"),
    kernels: Kernels::Eager,
    loss: Loss::Eager,
    gradients_stay: false,
    logits_referenced: true,
    score_bytes: 6.0,
    repeats_keys_values: true,
    counts_overhead: true,
    slack: Slack::new(1.02, 1.15, 1.30),
    ..textbook::PROFILE
};

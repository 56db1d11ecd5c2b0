//! torchtune: pure bf16. Slack: reserved over allocated memory in its published runs, 1.02 (QLoRA of a 7B model) to 1.14
//! (all of it, updated in backward).

use crate::names::{Kernels, Loss, RecipeName, Sharding};

use super::{Framework, Profile, Slack, textbook};

/// Its defaults.
pub const PROFILE: Profile = Profile {
    framework: Framework::Torchtune,
    title: Some("torchtune"),
    recipe: RecipeName::Bf16Pure,
    kernels: Kernels::Eager,
    loss: Loss::Eager,
    sharding: Sharding::Zero3,
    gradients_stay: false,
    counts_overhead: true,
    slack: Slack::new(1.02, 1.10, 1.14),
    ..textbook::PROFILE
};

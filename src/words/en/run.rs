//! What the whole run costs.

pub const HEADING: &str = "The whole run";
pub const NO_RUN: &str = "Say how many tokens the run has (under Cluster) to see days, GPU-hours and cost.";
pub const TAKES: &str = "{0} tokens take {1} days on {2}, up to {3}: {4} GPU-hours.";
pub const COSTS: &str = "That costs {0}, up to {1}.";
pub const CHECKPOINT_SIZE: &str = "A checkpoint is {0}: weights, master weights and moments of the whole model.";
pub const CHECKPOINT_TAKES: &str = "Writing it takes {0}.";
pub const CHECKPOINT_EVERY: &str =
    "It is best written every {0}; {1} of the time then goes to writing and to work done again after failures.";

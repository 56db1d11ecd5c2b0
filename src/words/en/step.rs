//! How long a step takes.

pub const ONE_STEP: &str = "One step";
pub const ON_GPUS_WAITS: &str = "on {0}, waiting on the network";
pub const COMPUTE: &str = "compute";
pub const WAITING: &str = "waiting";
pub const BUBBLE: &str = "pipeline bubble";
pub const OPTIMIZER_STEP: &str = "optimiser";
pub const BAND: &str = "A step takes {0}; runs that were measured took up to {1}. The estimate knows nothing of slow nodes, data loading and failures, so it errs to one side.";
pub const OTHER_VIEW: &str =
    "With the other count of a node's network, {0}, the same step takes {1} and waits {2} of it.";
pub const TWO_VIEWS: &str = "One tensor sent around a ring leaves a node through all of its network cards at once: that is what runs of FSDP and NCCL show (rails). With one card to leave by, as on older clusters or where only one GPU of a node takes part, it takes as much longer (single card). The truth lies between the two.";

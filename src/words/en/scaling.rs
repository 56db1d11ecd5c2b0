//! The view Scaling.

pub const NAME: &str = "Scaling";
pub const CAPTION: &str = "The same training on other numbers of GPUs";
pub const GPUS_COLUMN: &str = "GPUs";
pub const STATE_PER_GPU: &str = "state on a GPU";
pub const PEAK_PER_GPU: &str = "peak on a GPU";
pub const STEP_TIME: &str = "one step";
pub const WAITING_SHARE: &str = "waiting";
pub const STATE_CURVE: &str = "State on one GPU: weights, gradients, optimiser state";
pub const STATE_AXIS: &str = "{0} on a GPU";
pub const STATE_WORDS: &str = "Curves on logarithmic axes: state on one GPU, on 1 to 4,096 GPUs. As chosen ({0}): {1}.";
pub const STATE_LESSON: &str =
    "What is shared out shrinks with every GPU that joins; what is not stays whole on each of them.";
pub const NOW: &str = "now: {0}";
pub const AMOUNT_ON: &str = "{0} on {1}";
pub const WAITING_CURVE: &str = "Share of a step in which GPUs wait for the network";
pub const WAITING_WORDS: &str = "Curve: the share of a step that waits for the network, on 1 to 4,096 GPUs: {0}.";
pub const STATE_BY_SHARDING: &str = "{0}, sharing out";
pub const LEFT_OUT: &str = "Left out, as this cannot be trained on them: {0} GPUs.";
pub const NO_TRAINING: &str = "With these settings there is no number of GPUs to train on.";
pub const OVER_NETWORK: &str = "over {0}";
pub const CROSSOVER: &str = "From {0} GPUs on the slower network costs more than a tenth of the step.";

//! The view Compare.

pub const NAME: &str = "Compare";
pub const CAPTION: &str = "Serving and training the same model, with today's numbers";
pub const COMPARED_COLUMN: &str = "on one GPU";
pub const ROW_WEIGHTS: &str = "Weights";
pub const ROW_GRADIENTS: &str = "Gradients";
pub const ROW_MASTER: &str = "FP32 master weights";
pub const ROW_MOMENTUM: &str = "First moment";
pub const ROW_VARIANCE: &str = "Second moment";
pub const ROW_ACTIVATIONS: &str = "Activations kept for backward";
pub const ROW_CACHE: &str = "Key-value cache";
pub const ROW_SEQUENCE_DOUBLED: &str = "Sequences twice as long";
pub const ROW_BATCH_DOUBLED: &str = "Twice the batch (requests at once; sequences a micro-batch)";
pub const ROW_NETWORK: &str = "The network carries";
pub const ROW_TIME: &str = "Time";
pub const NOTHING: &str = "nothing";
pub const A_TOKEN: &str = "{0} a generated token";
pub const A_STEP: &str = "{0} an optimiser step";
pub const A_TOKEN_TAKES: &str = "{0} a token, after {1} for the prompt";
pub const A_STEP_TAKES: &str = "{0} a step; waiting in it: {1}";

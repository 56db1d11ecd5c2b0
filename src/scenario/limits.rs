//! How far the numbers of a scenario reach, where several fields share a limit.

/// The most GPUs a cluster may have.
pub const MOST_GPUS: u64 = 1 << 20;
/// The most layers of a stage, or chunks of them.
pub const MOST_LAYERS: u64 = 1 << 16;
/// The longest sequence or context, in tokens.
pub const MOST_TOKENS: u64 = 1 << 26;
/// The most sequences in a batch.
pub const MOST_SEQUENCES: u64 = 1 << 30;

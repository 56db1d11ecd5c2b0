//! What a field stands for when a scenario leaves it out and no profile decides it.

/// Parameters of the opening model.
pub const PARAMETERS: f64 = 7e9;
/// The opening GPU.
pub const GPU: &str = "h100-sxm-80gb";
/// GPUs in all.
pub const GPUS: u64 = 1;
/// GPUs joined by the fast link.
pub const GPUS_PER_NODE: u64 = 8;
/// The network between nodes.
pub const NETWORK: &str = "ib-ndr-400";
/// Achievable share of memory bandwidth: what an optimiser step that only streams memory was seen to reach.
pub const MEMORY_EFFICIENCY: f64 = 0.80;
/// Tokens in a training sequence.
pub const SEQUENCE: u64 = 4096;
/// Sequences in a micro-batch.
pub const MICRO_BATCH: u64 = 1;
/// Chunks of a chunked loss.
pub const LOSS_CHUNKS: u64 = 8;
/// Rank of adapters.
pub const ADAPTER_RANK: u64 = 16;
/// Tokens a request holds.
pub const CONTEXT: u64 = 4096;
/// Requests at once.
pub const CONCURRENCY: u64 = 1;
/// Tokens in a block of the cache.
pub const BLOCK: u64 = 16;
/// Tokens in one forward pass at most.
pub const PREFILL_CHUNK: u64 = 2048;

//! No engine: the well-known figures and nothing of an engine's own.

use crate::names::{CacheFormat, WeightFormat};
use crate::scenario::SettingId;

use super::formats::{GGML_CACHE, GGUF, MICRO_SCALED, NF4, PLAIN, PLAIN_CACHE, QUANTISED, SCALED_CACHE};
use super::log::{Lines, Reading};
use super::times::no_unpacking;
use super::{Budget, Fraction, Levers, Offers, Storage, Times, Traits, Windows, Workspace};

/// What can be asked of it.
pub const OFFERS: Offers = Offers {
    title: None,
    has: &[
        SettingId::CacheBytes,
        SettingId::Block,
        SettingId::DataParallelAttention,
        SettingId::ServingExpert,
        SettingId::PrefillChunk,
        SettingId::SharedPrefix,
    ],
    weights: &[PLAIN, MICRO_SCALED, QUANTISED, NF4, GGUF],
    caches: &[PLAIN_CACHE, SCALED_CACHE, GGML_CACHE],
    levers: LEVERS,
};

/// Changes worth trying.
pub const LEVERS: Levers = Levers {
    fraction: None,
    sequences: None,
    wide: &[WeightFormat::Fp32, WeightFormat::Bf16],
    rounded: &[WeightFormat::Fp8, WeightFormat::Int4G128],
    cache: CacheFormat::Fp8,
};

/// What it allocates.
pub const TRAITS: Traits = Traits {
    budget: Budget::Free,
    fraction: Fraction::Fixed(1.0),
    prefill_chunk: 2048,
    block: 16,
    block_eager: 16,
    storage: Storage::Blocks(Windows::Width),
    groups_layers: false,
    mixes_latent_rows: false,
    int8_head_bytes: 0.0,
    convolution_bytes: None,
    shares_prefix: true,
    pool_of_tokens: false,
    fractional_requests: false,
    workspace: Workspace::Pass,
    sequences: None,
    sampler_bytes: 0.0,
    whole_prompts: false,
    rotary_bytes: 0.0,
    mxfp4_multiple: 1.0,
    embedding_on_host: false,
    places_layers: false,
    torch: false,
    context: 0.0,
    communicators: 0.0,
    graphs: 0.0,
};

/// Its times. Whether it would have to unpack weights is not known.
pub const TIMES: Times =
    Times { small_all_reduces: None, low_latency_experts: false, layer_seconds: 0.0, unpacking: no_unpacking };

/// It prints nothing.
pub const LINES: Option<Lines> = None;

/// It has no log.
pub const READING: Reading = Reading::UNKNOWN;

//! vLLM.
//!
//! Its own ways were read in `kv_cache_utils.py` and its neighbours at 001cabc; figures are residuals of published logs.

use crate::answer::LogFigure;
use crate::ledger::grouped;
use crate::scenario::SettingId;
use crate::units::GIB;

use super::formats::{GGUF, MICRO_SCALED, NF4, PLAIN, PLAIN_CACHE, QUANTISED, SCALED_CACHE};
use super::log::{Expected, Lines, Phrase, PredictedLine, Reading, Scale, phrase};
use super::{Budget, Fraction, Levers, Offers, SmallAllReduces, Storage, Times, Traits, Windows, ggml, textbook};

/// What can be asked of it. It reads GGUF files too.
pub const OFFERS: Offers = Offers {
    title: Some("vLLM"),
    has: &[
        SettingId::MemoryFraction,
        SettingId::CudaGraphs,
        SettingId::MaxSequences,
        SettingId::CacheBytes,
        SettingId::Block,
        SettingId::DataParallelAttention,
        SettingId::ServingExpert,
        SettingId::PrefillChunk,
        SettingId::SharedPrefix,
    ],
    weights: &[PLAIN, MICRO_SCALED, QUANTISED, NF4, GGUF],
    caches: &[PLAIN_CACHE, SCALED_CACHE],
    levers: Levers { fraction: Some(0.95), sequences: Some(256), ..textbook::LEVERS },
};

/// What it allocates. `gpu_memory_utilization` is 0.90 up to v0.19. Sampler: 38.4 to 39.8 bytes in six published start-ups
/// of v0.11 on H100 with 1,024 sequences (llm-d-planner at e50305a), and 1.19 GiB with 256. Outside the allocator 0.07 to
/// 0.20 GiB with one rank, 0.5 to 0.6 with two; graphs 0.52 to 0.65 GiB (the same logs). The rotary table and the filled-up
/// experts explain "Model loading took" to four digits (vllm issues 10517 and 17122; gpt-oss in llm-d-planner). It turns
/// `fp8` into `fp8_ds_mla` where attention is sparse, which its kernels ask for.
pub const TRAITS: Traits = Traits {
    budget: Budget::Device,
    fraction: Fraction::Fixed(0.90),
    storage: Storage::Blocks(Windows::Passes),
    groups_layers: true,
    mixes_latent_rows: true,
    fractional_requests: true,
    sequences: Some(sequences),
    sampler_bytes: 38.9,
    rotary_bytes: 2.0,
    mxfp4_multiple: 256.0,
    torch: true,
    context: 0.13 * GIB,
    communicators: 0.42 * GIB,
    graphs: 0.5 * GIB,
    ..textbook::TRAITS
};

/// `max_num_seqs` where none is given: 1,024 on cards from 70 GiB on, 256 on smaller ones.
fn sequences(capacity: f64) -> u64 {
    if capacity >= 70.0 * GIB { 1024 } else { 256 }
}

/// Its times. It reads GGUF files with ggml's kernels.
pub const TIMES: Times = Times {
    small_all_reduces: Some(SmallAllReduces::fitted(3.9, 11.1, 1.63e12)),
    low_latency_experts: true,
    unpacking: ggml::unpacking,
    ..textbook::TIMES
};

/// The lines it prints.
pub const LINES: Option<Lines> = Some(lines);

fn lines(expected: &Expected) -> Vec<PredictedLine> {
    use LogFigure::{Context, Graphs, Pool, Requests, Tokens, Weights};
    let most = format!("{:.2}", expected.of(Requests));
    let [tokens, context] = [Tokens, Context].map(|figure| grouped(&expected.whole(figure)));
    let mut lines = vec![
        expected.line(&["Model loading took ", &expected.gib(Weights, 4), " GiB"], &[Weights]),
        expected.line(&["Available KV cache memory: ", &expected.gib(Pool, 2), " GiB"], &[Pool]),
        expected.line(&["GPU KV cache size: ", &tokens, " tokens"], &[Tokens]),
        expected
            .line(&["Maximum concurrency for ", &context, " tokens per request: ", &most, "x"], &[Context, Requests]),
    ];
    if expected.of(Graphs) > 0.0 {
        let took = expected.gib(Graphs, 2);
        lines.push(expected.line(&["Graph capturing finished, took ", &took, " GiB"], &[Graphs]));
    }
    lines
}

/// How its log is read. All ranks take the least that one has left for a cache.
pub const READING: Reading = Reading {
    phrases: PHRASES,
    least: &[LogFigure::Pool, LogFigure::Tokens],
    looked_for: &[
        "Model loading took",
        "Available KV cache memory:",
        "GPU KV cache size:",
        "Maximum concurrency for",
        "Graph capturing finished",
        "# GPU blocks:",
    ],
    ..Reading::UNKNOWN
};

/// V0 says "model weights take", V1 "Model loading took"; in between it was "Loading model weights took".
const PHRASES: &[Phrase] = {
    use LogFigure::*;
    use Scale::{Gib, One};
    &[
        phrase("", "Model loading took", Weights, Gib),
        phrase("", "Loading model weights took", Weights, Gib),
        phrase("", "model weights take", Weights, Gib),
        phrase("", "Available KV cache memory:", Pool, Gib),
        phrase("", "the rest of the memory reserved for KV Cache is", Pool, Gib),
        phrase("", "GPU KV cache size:", Tokens, One),
        phrase("", "# GPU blocks:", Blocks, One),
        phrase("", "Maximum concurrency for", Context, One),
        phrase("Maximum concurrency for", "tokens per request:", Requests, One),
        phrase("Graph capturing finished", "took", Graphs, Gib),
        phrase("", "PyTorch activation peak memory takes", Workspace, Gib),
        phrase("", "non_torch_memory takes", Outside, Gib),
        phrase("", "total_gpu_memory (", Device, Gib),
        phrase("", "gpu_memory_utilization (", Fraction, One),
    ]
};

//! SGLang.

use crate::answer::LogFigure;
use crate::scenario::SettingId;
use crate::units::MIB;

use super::formats::{GGUF, MICRO_SCALED, NF4, PLAIN, PLAIN_CACHE, QUANTISED, SCALED_CACHE};
use super::log::{Expected, Lines, Phrase, PredictedLine, Reading, Scale, Stated, after, phrase};
use super::{Budget, Fraction, Offers, SmallAllReduces, Storage, Times, Traits, Windows, ggml, textbook, vllm};

/// What can be asked of it. It reads GGUF files too.
pub const OFFERS: Offers = Offers {
    title: Some("SGLang"),
    has: &[
        SettingId::MemoryFraction,
        SettingId::CudaGraphs,
        SettingId::CacheBytes,
        SettingId::Block,
        SettingId::DataParallelAttention,
        SettingId::ServingExpert,
        SettingId::PrefillChunk,
        SettingId::SharedPrefix,
    ],
    weights: &[PLAIN, MICRO_SCALED, QUANTISED, NF4, GGUF],
    caches: &[PLAIN_CACHE, SCALED_CACHE],
    levers: textbook::LEVERS,
};

/// What it allocates. The pool is the fraction of the device less the weights (its `mem_fraction_static`); pages of one
/// token. Its context and graphs are assumed to be those of vLLM, which captures the same way; windows are assumed not to
/// be cut.
pub const TRAITS: Traits = Traits {
    budget: Budget::Static,
    fraction: Fraction::Worked(fraction),
    block: 1,
    block_eager: 1,
    storage: Storage::Blocks(Windows::Whole),
    pool_of_tokens: true,
    rotary_bytes: 4.0,
    torch: true,
    context: vllm::TRAITS.context,
    communicators: vllm::TRAITS.communicators,
    graphs: vllm::TRAITS.graphs,
    ..textbook::TRAITS
};

/// `mem_fraction_static` where none is given: MiB set aside for the chunk of a prompt, the largest captured batch and what
/// the ranks add, from the device's size (as reproduced in aiconfigurator at 095f58a).
fn fraction(capacity: f64, ranks: u64) -> f64 {
    const GB: f64 = 1024.0;
    let memory = capacity / MIB;
    // Below each size: tokens of a chunk, largest captured batch, and that with four ranks or more.
    let (chunk, batch, batch_of_four) = match memory {
        size if size < 20.0 * GB => (2048.0, 8.0, 8.0),
        size if size < 35.0 * GB => (2048.0, 24.0, 80.0),
        size if size < 60.0 * GB => (4096.0, 32.0, 160.0),
        size if size < 160.0 * GB => (8192.0, 256.0, 256.0),
        _ => (16384.0, 512.0, 512.0),
    };
    let batch = if ranks >= 4 { batch_of_four } else { batch };
    let reserved = 512.0 + 1.5 * chunk + ranks as f64 / 8.0 * 1024.0 + 2.0 * batch;
    let reserved = if memory > 60.0 * GB { reserved.max(10.0 * GB) } else { reserved };
    ((memory - reserved) / memory).max(0.05)
}

/// Its times. It reads GGUF files with ggml's kernels.
pub const TIMES: Times = Times {
    small_all_reduces: Some(SmallAllReduces::fitted(2.3, 11.3, 9.3e11)),
    low_latency_experts: true,
    unpacking: ggml::unpacking,
    ..textbook::TIMES
};

/// The lines it prints.
pub const LINES: Option<Lines> = Some(lines);

/// It says GB and means GiB.
fn lines(expected: &Expected) -> Vec<PredictedLine> {
    use LogFigure::{Graphs, Pool, Tokens, Weights};
    let size = if expected.latent {
        ["KV size: ", &expected.gib(Pool, 2), " GB"].concat()
    } else {
        let half = format!("{:.2}", expected.of(Pool) / 2.0 / crate::units::GIB);
        ["K size: ", &half, " GB, V size: ", &half, " GB"].concat()
    };
    let tokens = expected.whole(Tokens);
    let mut lines = vec![
        expected.line(&["Load weight end. mem usage=", &expected.gib(Weights, 2), " GB."], &[Weights]),
        expected.line(&["KV Cache is allocated. #tokens: ", &tokens, ", ", &size], &[Tokens, Pool]),
    ];
    if expected.of(Graphs) > 0.0 {
        let graphs = expected.gib(Graphs, 2);
        lines.push(expected.line(&["Capture cuda graph end. mem usage=", &graphs, " GB."], &[Graphs]));
    }
    lines
}

/// How its log is read.
pub const READING: Reading = Reading {
    phrases: PHRASES,
    line: Some(halves),
    text: Some(difference),
    looked_for: &["Load weight end.", "KV Cache is allocated.", "max_total_num_tokens=", "Capture cuda graph end."],
    ..Reading::UNKNOWN
};

const PHRASES: &[Phrase] = {
    use LogFigure::*;
    use Scale::{Gib, One};
    &[
        phrase("Load weight end", "mem usage=", Weights, Gib),
        phrase("KV Cache is allocated", "#tokens:", Tokens, One),
        phrase("KV Cache is allocated", "KV size:", Pool, Gib),
        phrase("", "max_total_num_tokens=", Tokens, One),
        phrase("max_total_num_tokens=", "context_len=", Context, One),
        phrase("Capture cuda graph end", "mem usage=", Graphs, Gib),
        phrase("CUDA graph end", "mem usage=", Graphs, Gib),
    ]
};

/// Keys and values each have their size.
fn halves(line: &str, stated: &mut Vec<Stated>) {
    if !line.contains("KV Cache is allocated") {
        return;
    }
    let Some((keys, step, rest)) = after(line, "K size:") else { return };
    let Some((values, more, _)) = after(rest, "V size:") else { return };
    stated.push(Stated::new("", LogFigure::Pool, (keys + values, step + more), Scale::Gib, line));
}

/// Older versions print only what is free before and after the weights are loaded.
fn difference(text: &str) -> Option<Stated> {
    let free = |words: &str| {
        let line = text.lines().find(|line| line.contains(words))?;
        after(line, "avail mem=").map(|(value, step, _)| (value, step, line))
    };
    let ((before, one, _), (behind, other, line)) = (free("Load weight begin")?, free("Load weight end")?);
    let loaded = || Stated::new("", LogFigure::Weights, (before - behind, one + other), Scale::Gib, line);
    (before > behind).then(loaded)
}

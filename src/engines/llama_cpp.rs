//! llama.cpp.

use crate::answer::LogFigure;
use crate::names::{CacheFormat, WeightFormat};
use crate::scenario::SettingId;
use crate::units::GIB;

use super::formats::{GGML_CACHE, GGUF, MICRO_SCALED, PLAIN, PLAIN_CACHE};
use super::log::{Expected, Lines, Phrase, PredictedLine, Reading, Scale, Stated, after, number, phrase};
use super::{Levers, Offers, Storage, Times, Traits, Workspace, ggml, textbook};

/// What can be asked of it. GGUF files have the plain formats and the micro-scaled ones beside ggml's own; its cache has
/// ggml's blocks.
pub const OFFERS: Offers = Offers {
    title: Some("llama.cpp"),
    has: &[
        SettingId::PrefillChunk,
        SettingId::SharedPrefix,
        SettingId::UnifiedCache,
        SettingId::FullWindows,
        SettingId::LogitsRows,
    ],
    weights: &[PLAIN, MICRO_SCALED, GGUF],
    caches: &[PLAIN_CACHE, GGML_CACHE],
    levers: Levers {
        fraction: None,
        sequences: None,
        wide: &[WeightFormat::Fp32, WeightFormat::GgufF16],
        rounded: &[WeightFormat::GgufQ8_0, WeightFormat::GgufQ4KM],
        cache: CacheFormat::Q8_0,
    },
};

/// What it allocates. Cells come in multiples of 256, of 32 without flash attention; a convolution's state is in fp32 as
/// the recurrent state is; 153 and 309 MiB of context in two public logs. Its `--split-mode` is `layer` unless given: a
/// graph runs through the GPUs one after the other, a step of all slots at once (its tools/server/README.md).
pub const TRAITS: Traits = Traits {
    block: 256,
    block_eager: 32,
    storage: Storage::Slots,
    convolution_bytes: Some(4.0),
    workspace: Workspace::Graph,
    embedding_on_host: true,
    places_layers: true,
    context: 0.3 * GIB,
    ..textbook::TRAITS
};

/// Its times. A layer takes some time beside its work, since kernels start one by one: between what two published runs of
/// 32 layers say. From F16 to Q8_0 a step of I106 (inference.md, section 5) shrinks by less than its bytes, by 94 µs a
/// layer; I141b (Q8_0 on an RTX 4080) is read faster than 0.80 of the bandwidth, which leaves none.
pub const TIMES: Times = Times { layer_seconds: 42e-6, unpacking: ggml::unpacking, ..textbook::TIMES };

/// The lines it prints.
pub const LINES: Option<Lines> = Some(lines);

fn lines(expected: &Expected) -> Vec<PredictedLine> {
    use LogFigure::{Pool, States, Weights, Workspace};
    let buffers = [("model", Weights), ("KV", Pool), ("RS", States), ("compute", Workspace)].into_iter();
    // Only models with linear attention have the third.
    let allocated = buffers.filter(|(_, one)| *one != States || expected.of(States) > 0.0);
    let line = |(name, one)| expected.line(&["CUDA0 ", name, " buffer size = ", &expected.mib(one), " MiB"], &[one]);
    allocated.map(line).collect()
}

/// How its log is read. Windowed layers have a cache of their own, so a device may have several.
pub const READING: Reading = Reading {
    phrases: PHRASES,
    line: Some(buffers_and_caches),
    adds_up: &[LogFigure::Pool, LogFigure::States],
    looked_for: &["model buffer size =", "KV buffer size =", "compute buffer size =", "llama_kv_cache: size ="],
    ..Reading::UNKNOWN
};

/// The device stands in front of most of its figures: see [`BUFFERS`].
const PHRASES: &[Phrase] = {
    use LogFigure::*;
    use Scale::{Mib, One};
    &[
        phrase("n_ctx_seq", "=", Context, One),
        phrase("n_ctx_per_seq", "=", Context, One),
        phrase("n_seq_max", "=", Slots, One),
        phrase("KV self size", "=", Pool, Mib),
    ]
};

/// What follows the name of a device, in MiB. The oldest lines say nothing of the model.
const BUFFERS: [(&str, LogFigure); 5] = [
    ("model buffer size", LogFigure::Weights),
    ("KV buffer size", LogFigure::Pool),
    ("RS buffer size", LogFigure::States),
    ("compute buffer size", LogFigure::Workspace),
    ("llm_load_tensors:", LogFigure::Weights),
];

fn buffers_and_caches(line: &str, stated: &mut Vec<Stated>) {
    buffers(line, stated);
    caches(line, stated);
}

/// The name of a device, what the buffer is for, `=`, MiB.
fn buffers(line: &str, stated: &mut Vec<Stated>) {
    for (words, figure) in BUFFERS {
        let Some(at) = line.find(words) else { continue };
        let (front, rest) = if words.ends_with(':') {
            // "llm_load_tensors: CUDA0 buffer size = 12698.93 MiB", without a word of the model.
            let Some((device, rest)) = line[at + words.len()..].split_once(" buffer size") else { continue };
            if device.trim().contains(' ') {
                continue;
            }
            (device, rest)
        } else {
            (&line[..at], &line[at + words.len()..])
        };
        let Some(device) = front.split_whitespace().next_back() else { continue };
        let Some((value, step, _)) = after(rest, "=") else { continue };
        let on_host = device.starts_with("CPU") || device.ends_with("_Host");
        let figure = match figure {
            LogFigure::Weights if on_host => LogFigure::HostWeights,
            // Other buffers in host memory are no part of a GPU's account.
            _ if on_host => continue,
            figure => figure,
        };
        stated.push(Stated::new(device, figure, (value, step), Scale::Mib, line));
    }
}

/// A whole cache, over all devices, with its cells.
fn caches(line: &str, stated: &mut Vec<Stated>) {
    let Some((_, rest)) = line.split_once("llama_kv_cache") else { return };
    let Some((_, rest)) = rest.split_once(": size =") else { return };
    let Some((value, step, rest)) = number(rest) else { return };
    stated.push(Stated::new("", LogFigure::Pool, (value, step), Scale::Mib, line));
    if let Some((cells, step, rest)) = after(rest, "(")
        && rest.trim_start().starts_with("cells")
    {
        stated.push(Stated::new("", LogFigure::Cells, (cells, step), Scale::One, line));
    }
}

//! TensorRT-LLM.

use crate::answer::LogFigure;
use crate::scenario::SettingId;
use crate::units::{GIB, MIB};

use super::formats::{MICRO_SCALED, PLAIN, PLAIN_CACHE, QUANTISED, SCALED_CACHE};
use super::log::{Expected, Lines, Phrase, PredictedLine, Reading, Scale, Stated, after, phrase};
use super::{Budget, Fraction, Levers, Offers, SmallAllReduces, Times, Traits, textbook};

/// What can be asked of it. It has no NF4 (its page on quantisation).
pub const OFFERS: Offers = Offers {
    title: Some("TensorRT-LLM"),
    has: &[
        SettingId::MemoryFraction,
        SettingId::CacheBytes,
        SettingId::Block,
        SettingId::DataParallelAttention,
        SettingId::ServingExpert,
        SettingId::PrefillChunk,
        SettingId::SharedPrefix,
    ],
    weights: &[PLAIN, MICRO_SCALED, QUANTISED],
    caches: &[PLAIN_CACHE, SCALED_CACHE],
    levers: Levers { fraction: Some(0.95), ..textbook::LEVERS },
};

/// What it allocates. `free_gpu_memory_fraction` is 0.9 of what is left, blocks have 32 tokens. Outside everything counted
/// 3.5 GiB, and 0.38 GiB for communicators (aiconfigurator at 095f58a); with them 36 measured limits are met within 2 %.
pub const TRAITS: Traits = Traits {
    budget: Budget::Rest,
    fraction: Fraction::Fixed(0.90),
    block: 32,
    block_eager: 32,
    context: 3.5 * GIB,
    communicators: 392.0 * MIB,
    ..textbook::TRAITS
};

/// Its times.
pub const TIMES: Times =
    Times { small_all_reduces: Some(SmallAllReduces::fitted(2.1, 11.3, 2.75e11)), ..textbook::TIMES };

/// The lines it prints.
pub const LINES: Option<Lines> = Some(lines);

fn lines(expected: &Expected) -> Vec<PredictedLine> {
    use LogFigure::{Pool, Tokens, Weights};
    let [weights, pool] = [Weights, Pool].map(|figure| expected.gib(figure, 2));
    let loaded = "Memory used after loading model weights (inside torch) in memory usage profiling: ";
    let tokens = expected.whole(Tokens);
    vec![
        expected.line(&[loaded, &weights, " GiB"], &[Weights]),
        expected
            .line(&["Allocated ", &pool, " GiB for max tokens in paged KV cache (", &tokens, ")."], &[Pool, Tokens]),
    ]
}

/// How its log is read.
pub const READING: Reading = Reading {
    phrases: PHRASES,
    line: Some(pool),
    looked_for: &["Memory used after loading model weights", "for max tokens in paged KV cache"],
    ..Reading::UNKNOWN
};

const PHRASES: &[Phrase] = {
    use LogFigure::*;
    use Scale::{Gib, One};
    &[
        phrase("Memory used after loading model weights (inside torch)", ":", Weights, Gib),
        phrase("Memory used after loading model weights (outside torch)", ":", Outside, Gib),
        phrase("Memory dynamically allocated during inference (inside torch)", ":", Workspace, Gib),
        phrase("fraction is set", "device total memory", Device, Gib),
        phrase("KV cache", "fraction is set", Fraction, One),
        phrase("", "for max tokens in paged KV cache (", Tokens, One),
    ]
};

/// The amount stands in front of what it is of.
fn pool(line: &str, stated: &mut Vec<Stated>) {
    let Some((front, _)) = line.split_once("GiB for max tokens in paged KV cache") else { return };
    let Some((value, step, _)) = after(front, "Allocated") else { return };
    stated.push(Stated::new("", LogFigure::Pool, (value, step), Scale::Gib, line));
}

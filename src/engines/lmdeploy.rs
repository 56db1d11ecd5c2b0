//! LMDeploy with its engine TurboMind.
//!
//! Read in its sources at 1263d5c (v0.16.0); its engine on PyTorch is another one.

use crate::answer::LogFigure;
use crate::names::{CacheFormat, WeightFormat};
use crate::scenario::SettingId;
use crate::units::MIB;

use super::formats::PLAIN_CACHE;
use super::log::{Expected, Lines, Phrase, PredictedLine, Reading, Scale, Stated, after, phrase};
use super::{Budget, Fraction, Levers, Offers, Storage, Times, Traits, Windows, textbook, vllm};

/// What can be asked of it. Attention is split by request with `dp`, experts are whole with `ep` (`parallel_config.py`).
/// `max_batch_size` sizes only tables of indices, which are not counted, so it is no setting here; nor is a size of the
/// cache, since `cache_max_entry_count` has to be below 1 (`turbomind.cc`).
pub const OFFERS: Offers = Offers {
    title: Some("LMDeploy"),
    has: &[
        SettingId::MemoryFraction,
        SettingId::Block,
        SettingId::DataParallelAttention,
        SettingId::ServingExpert,
        SettingId::PrefillChunk,
        SettingId::SharedPrefix,
    ],
    weights: &[WEIGHTS],
    caches: &[PLAIN_CACHE, &[CacheFormat::Int8, CacheFormat::Int4]],
    levers: Levers {
        fraction: Some(0.9),
        wide: &[WeightFormat::Bf16],
        rounded: &[WeightFormat::Fp8Block, WeightFormat::Int4G128],
        cache: CacheFormat::Int8,
        ..textbook::LEVERS
    },
};

/// Live tensors and weights that are not quantised have 16 bits (`TurbomindEngineConfig.dtype`). AWQ and GPTQ in groups of
/// 128 alone, FP8 in blocks of 128 by 128, MXFP4 (`converter.py`).
const WEIGHTS: &[WeightFormat] = &[
    WeightFormat::Bf16,
    WeightFormat::Fp16,
    WeightFormat::Fp8Block,
    WeightFormat::Int4G128,
    WeightFormat::GptqG128,
    WeightFormat::Mxfp4,
];

/// What it allocates. `cache_max_entry_count` is 0.8 of what is free once the weights are loaded, the least over the ranks,
/// asked for before anything for a pass is there; blocks have 64 tokens (`turbomind.cc`, `messages.py`). The allocator
/// hands blocks out of slabs of which up to 5 % may stay unused (`memory/slab.h`), which is not counted. A block has all
/// layers, windowed or not; INT4 and INT8 have a 16-bit scale and zero a head and token (`attention/block.h`).
///
/// Assumed: what is outside its tensors, to be that of vLLM, and the live tensors of a pass, to be the textbook's.
/// Recurrent states are counted in fp32, which it can be told to use; by itself it keeps 16 bits
/// (`turbomind_config.md`).
pub const TRAITS: Traits = Traits {
    // `max_prefill_token_num`.
    prefill_chunk: 8192,
    budget: Budget::Loaded,
    fraction: Fraction::Fixed(0.8),
    block: 64,
    block_eager: 64,
    storage: Storage::Blocks(Windows::Whole),
    int8_head_bytes: 4.0,
    context: vllm::TRAITS.context,
    communicators: vllm::TRAITS.communicators,
    ..textbook::TRAITS
};

/// Its times. All-reduces are NCCL's unless another communicator is asked for (`messages.py`); what its kernels take
/// beyond the bytes they read is not known.
pub const TIMES: Times = textbook::TIMES;

/// The lines it prints.
pub const LINES: Option<Lines> = Some(lines);

/// It says MB and means MiB.
fn lines(expected: &Expected) -> Vec<PredictedLine> {
    use LogFigure::{Fraction, Pool};
    let fraction = expected.of(Fraction);
    let free = format!("{:.2}", expected.of(Pool) / fraction / MIB);
    let ratio = format!("{fraction:.3}");
    let parts = ["Object cache budget: ", &expected.mib(Pool), " MB from free ", &free, " MB and ratio ", &ratio];
    vec![expected.line(&parts, &[Pool, Fraction])]
}

/// How its log is read. Up to v0.14 it printed the size of a block and how many there are.
pub const READING: Reading = Reading {
    phrases: PHRASES,
    text: Some(blocks),
    least: &[LogFigure::Pool],
    looked_for: &["Object cache budget:", "block_size =", "max_block_count ="],
    ..Reading::UNKNOWN
};

const PHRASES: &[Phrase] = {
    use LogFigure::*;
    use Scale::{Mib, One};
    &[
        phrase("", "Object cache budget:", Pool, Mib),
        phrase("Object cache budget:", "and ratio", Fraction, One),
        phrase("", "max_block_count =", Blocks, One),
    ]
};

/// The pool of the older versions, in two lines: MiB of a block, and blocks.
fn blocks(text: &str) -> Option<Stated> {
    let number = |words: &str| text.lines().find_map(|line| after(line, words).map(|found| (found, line)));
    let (((size, step, _), _), ((count, ..), line)) = (number("block_size =")?, number("max_block_count =")?);
    Some(Stated::new("", LogFigure::Pool, (size * count, step * count), Scale::Mib, line))
}

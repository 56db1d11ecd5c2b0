//! What each serving engine does of its own: one table, with what every figure rests on.

use crate::names::{CacheFormat, Engine, Name, WeightFormat};
use crate::scenario::SettingId;
use crate::units::{GIB, MIB};

/// Of what an engine's `memory_fraction` is the fraction, and what the fraction has to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// There is none: whatever is free.
    Free,
    /// Of the whole device: weights, the peak of a trial pass, what is outside the allocator, and the cache.
    Device,
    /// Of the whole device: weights and the cache; the rest is left to everything else.
    Static,
    /// Of what is free once everything else is there: the cache.
    Rest,
}

/// What a request keeps of a windowed layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Windows {
    /// The window.
    Width,
    /// The window and the tokens of a pass, and a block that both ends of it touch.
    Passes,
    /// Cells for the window and a micro-batch.
    Cells,
    /// As much as a layer that sees everything.
    Whole,
}

/// The ways and figures of one engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineTraits {
    /// Of what the budget is a fraction.
    pub budget: Budget,
    /// That fraction, where none is given; SGLang's is worked out.
    pub fraction: f64,
    /// Tokens in a block of the cache, where none is given.
    pub block: u64,
    /// What stays of windowed layers.
    pub windows: Windows,
    /// Whether requests can share the blocks of a prefix.
    pub shares_prefix: bool,
    /// Bytes a sampled row and vocabulary entry at the sampler's peak, where it is sized for the most sequences.
    pub sampler_bytes: f64,
    /// Whether a prompt is computed in one pass.
    pub whole_prompts: bool,
    /// Bytes of an element of the rotary table that counts as a weight; 0 where there is none.
    pub rotary_bytes: f64,
    /// The residual width of MXFP4 experts is filled up to a multiple of this.
    pub mxfp4_multiple: f64,
    /// Whether the token embedding stays in host memory.
    pub embedding_on_host: bool,
    /// Whether whole layers are placed on one GPU after the other unless ranks are asked for, and only one of them works at
    /// a time while tokens are generated.
    pub places_layers: bool,
    /// Whether the engine's pass runs on PyTorch, whose libraries have workspaces in its allocator.
    pub torch: bool,
    /// Bytes outside the allocator with one tensor rank.
    pub context: f64,
    /// Further bytes there with several.
    pub communicators: f64,
    /// Bytes of captured graphs; 0 where there are none.
    pub graphs: f64,
}

/// Nothing of its own: the well-known figures.
const TEXTBOOK: EngineTraits = EngineTraits {
    budget: Budget::Free,
    fraction: 1.0,
    block: 16,
    windows: Windows::Width,
    shares_prefix: true,
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

/// vLLM: `gpu_memory_utilization` 0.90 up to v0.19. Sampler: 38.4 to 39.8 bytes in six published start-ups of v0.11 on
/// H100 with 1,024 sequences (llm-d-planner at e50305a), and 1.19 GiB with 256. Outside the allocator 0.07 to 0.20 GiB
/// with one rank, 0.5 to 0.6 with two; graphs 0.52 to 0.65 GiB (the same logs). The rotary table and the filled-up
/// experts explain "Model loading took" to four digits (vllm issues 10517 and 17122; gpt-oss in llm-d-planner).
const VLLM: EngineTraits = EngineTraits {
    budget: Budget::Device,
    fraction: 0.90,
    windows: Windows::Passes,
    sampler_bytes: 38.9,
    rotary_bytes: 2.0,
    mxfp4_multiple: 256.0,
    torch: true,
    context: 0.13 * GIB,
    communicators: 0.42 * GIB,
    graphs: 0.5 * GIB,
    ..TEXTBOOK
};

/// SGLang: the pool is the fraction of the device less the weights (its `mem_fraction_static`); pages of one token. Its
/// context and graphs are assumed to be those of vLLM, which captures the same way; windows are assumed not to be cut.
const SGLANG: EngineTraits = EngineTraits {
    budget: Budget::Static,
    block: 1,
    windows: Windows::Whole,
    rotary_bytes: 4.0,
    sampler_bytes: 0.0,
    mxfp4_multiple: 1.0,
    ..VLLM
};

/// TensorRT-LLM: `free_gpu_memory_fraction` 0.9 of what is left, blocks of 32. Outside everything counted 3.5 GiB, and
/// 0.38 GiB for communicators (aiconfigurator at 095f58a); with them 36 measured limits are met within 2 %.
const TENSORRT_LLM: EngineTraits = EngineTraits {
    budget: Budget::Rest,
    fraction: 0.90,
    block: 32,
    context: 3.5 * GIB,
    communicators: 392.0 * MIB,
    ..TEXTBOOK
};

/// llama.cpp: cells in multiples of 256, 32 without flash attention; 153 and 309 MiB of context in two public logs. Its
/// `--split-mode` is `layer` unless given: a graph runs through the GPUs one after the other, a step of all slots at once
/// (its tools/server/README.md).
const LLAMA_CPP: EngineTraits = EngineTraits {
    block: 256,
    windows: Windows::Cells,
    embedding_on_host: true,
    places_layers: true,
    context: 0.3 * GIB,
    ..TEXTBOOK
};

/// Transformers: tensors that grow token by token, one a layer; every prompt in one pass. `device_map="auto"` places layers
/// on one GPU after the other (accelerate's guide to big model inference: only one of them works at a time); communicators
/// are there only for tensor ranks.
const TRANSFORMERS: EngineTraits = EngineTraits {
    block: 1,
    shares_prefix: false,
    whole_prompts: true,
    places_layers: true,
    torch: true,
    context: 0.5 * GIB,
    communicators: 544.0 * MIB,
    ..TEXTBOOK
};

impl EngineTraits {
    /// Those of an engine.
    #[must_use]
    pub const fn of(engine: Engine) -> EngineTraits {
        match engine {
            Engine::Textbook => TEXTBOOK,
            Engine::Vllm => VLLM,
            Engine::Sglang => SGLANG,
            Engine::TensorRtLlm => TENSORRT_LLM,
            Engine::LlamaCpp => LLAMA_CPP,
            Engine::Transformers => TRANSFORMERS,
        }
    }
}

/// SGLang's `mem_fraction_static` where none is given: MiB set aside for the chunk of a prompt, the largest captured batch
/// and what the ranks add, from the device's size (as reproduced in aiconfigurator at 095f58a).
#[must_use]
pub fn sglang_fraction(capacity: f64, ranks: u64) -> f64 {
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

/// Most sequences of a batch in vLLM where none is given: 1,024 on cards from 70 GiB on, 256 on smaller ones.
#[must_use]
pub fn vllm_sequences(capacity: f64) -> u64 {
    if capacity >= 70.0 * GIB { 1024 } else { 256 }
}

/// Fields that only some engines have, in the order in which they are looked at; formats of the cache stand apart.
pub const OF_ENGINES: &[(SettingId, &[Engine])] = {
    use Engine::{LlamaCpp, Sglang, TensorRtLlm, Textbook, Vllm};
    const PAGED: &[Engine] = &[Textbook, Vllm, Sglang, TensorRtLlm];
    const CHUNKED: &[Engine] = &[Textbook, Vllm, Sglang, TensorRtLlm, LlamaCpp];
    const BUDGETED: &[Engine] = &[Vllm, Sglang, TensorRtLlm];
    &[
        (SettingId::MemoryFraction, BUDGETED),
        (SettingId::CudaGraphs, &[Vllm, Sglang]),
        (SettingId::MaxSequences, &[Vllm]),
        (SettingId::CacheBytes, PAGED),
        (SettingId::Block, PAGED),
        (SettingId::DataParallelAttention, PAGED),
        (SettingId::ServingExpert, PAGED),
        (SettingId::PrefillChunk, CHUNKED),
        (SettingId::SharedPrefix, CHUNKED),
        (SettingId::UnifiedCache, &[LlamaCpp]),
        (SettingId::FullWindows, &[LlamaCpp]),
        (SettingId::LogitsRows, &[LlamaCpp]),
    ]
};

/// The engines that have a setting; all of them where nothing is said of it.
#[must_use]
pub fn engines_with(setting: SettingId) -> &'static [Engine] {
    OF_ENGINES.iter().find(|(of_engines, _)| *of_engines == setting).map_or(Engine::ALL, |(_, engines)| engines)
}

/// The engines that have a format of the cache: blocks are ggml's, one scale a tensor or a head is everybody else's.
#[must_use]
pub fn engines_with_cache(format: CacheFormat) -> &'static [Engine] {
    use Engine::{LlamaCpp, Sglang, TensorRtLlm, Textbook, Transformers, Vllm};
    match format {
        CacheFormat::Bf16 | CacheFormat::Fp16 => Engine::ALL,
        CacheFormat::Fp8 | CacheFormat::Int8 | CacheFormat::Int4 => {
            &[Textbook, Vllm, Sglang, TensorRtLlm, Transformers]
        }
        _ => &[Textbook, LlamaCpp],
    }
}

/// The engines that load a format of the weights and keep it: llama.cpp reads GGUF files, which have the plain formats and
/// the micro-scaled ones beside ggml's own; vLLM and SGLang read those too; Transformers turns them into plain numbers when
/// it loads them, and only TensorRT-LLM has no NF4 (the engines' pages on quantisation).
#[must_use]
pub fn engines_with_weights(format: WeightFormat) -> &'static [Engine] {
    use Engine::{LlamaCpp, Sglang, TensorRtLlm, Textbook, Transformers, Vllm};
    use WeightFormat::{Bf16, Fp8, Fp8Block, Fp16, Fp32, GptqG32, GptqG128, Int4G128, Int8, Mxfp4, Nf4, Nf4Dq, Nvfp4};
    match format {
        Fp32 | Bf16 | Fp16 | Mxfp4 | Nvfp4 => Engine::ALL,
        Fp8 | Fp8Block | Int8 | Int4G128 | GptqG128 | GptqG32 => &[Textbook, Vllm, Sglang, TensorRtLlm, Transformers],
        Nf4 | Nf4Dq => &[Textbook, Vllm, Sglang, Transformers],
        _ => &[Textbook, Vllm, Sglang, LlamaCpp],
    }
}

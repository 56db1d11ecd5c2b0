//! Formats that engines load or cache together, by what reads them.

use crate::names::{CacheFormat, WeightFormat};

/// Numbers as they are.
pub const PLAIN: &[WeightFormat] = &[WeightFormat::Fp32, WeightFormat::Bf16, WeightFormat::Fp16];
/// Micro-scaled 4-bit numbers, which GGUF files have too.
pub const MICRO_SCALED: &[WeightFormat] = &[WeightFormat::Mxfp4, WeightFormat::Nvfp4];
/// Quantised checkpoints with kernels of their own.
pub const QUANTISED: &[WeightFormat] = &[
    WeightFormat::Fp8,
    WeightFormat::Fp8Block,
    WeightFormat::Int8,
    WeightFormat::Int4G128,
    WeightFormat::GptqG128,
    WeightFormat::GptqG32,
];
/// Of bitsandbytes.
pub const NF4: &[WeightFormat] = &[WeightFormat::Nf4, WeightFormat::Nf4Dq];
/// Of ggml, in GGUF files.
pub const GGUF: &[WeightFormat] = &[
    WeightFormat::GgufF16,
    WeightFormat::GgufQ8_0,
    WeightFormat::GgufQ6K,
    WeightFormat::GgufQ5KM,
    WeightFormat::GgufQ5KS,
    WeightFormat::GgufQ4KM,
    WeightFormat::GgufQ4KS,
    WeightFormat::GgufQ4_0,
    WeightFormat::GgufQ3KL,
    WeightFormat::GgufQ3KM,
    WeightFormat::GgufQ2K,
];

/// Cached numbers in 16 bits.
pub const PLAIN_CACHE: &[CacheFormat] = &[CacheFormat::Bf16, CacheFormat::Fp16];
/// Cached numbers with one scale a tensor or a head.
pub const SCALED_CACHE: &[CacheFormat] = &[CacheFormat::Fp8, CacheFormat::Int8, CacheFormat::Int4];
/// Cached numbers in blocks of ggml.
pub const GGML_CACHE: &[CacheFormat] = &[
    CacheFormat::Q8_0,
    CacheFormat::Q5_0,
    CacheFormat::Q5_1,
    CacheFormat::Q4_0,
    CacheFormat::Q4_1,
    CacheFormat::Iq4Nl,
    CacheFormat::Q8Kv,
];

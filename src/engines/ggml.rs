//! ggml's kernels, which llama.cpp runs and others borrow for GGUF files.

use crate::names::WeightFormat;

/// Operations of the vector units that turn one weight of a GGUF file into a number that is multiplied, as far as reading
/// the next ones does not hide them. What a step of I106 takes beyond its bytes, which F16 reads at 450 GiB/s, and beyond
/// what layers take: 0.8 ms with Q8_0, 2.5 with Q4_K_M, 4.7 with Q2_K. The row does not state the GPU; it is taken to have
/// 20 operations a byte, as the middle one of the catalogue's NVIDIA cards. Legacy blocks of 32 count as Q8_0, what has
/// more than 4 bits as Q4_K_M, less as Q2_K.
///
/// Not fitted: the public table GPU-Benchmarks-on-LLM-Inference. Llama 3 Q4_K_M is 5 % too fast on an RTX 3090, 4 % on an
/// RTX 4090, right on A100 PCIe and 12 % too fast on H100 PCIe, on two RTX 3090 or 4090 10 to 13 % too slow; F16 is right on
/// the 3090, and a third too fast on H100 PCIe.
pub fn unpacking(weights: WeightFormat) -> f64 {
    use WeightFormat::*;
    match weights {
        GgufQ8_0 | GgufQ4_0 => 1.3,
        GgufQ6K | GgufQ5KM | GgufQ5KS | GgufQ4KM | GgufQ4KS => 4.1,
        GgufQ3KL | GgufQ3KM | GgufQ2K => 7.6,
        Fp32 | Bf16 | Fp16 | Fp8 | Fp8Block | Int8 | Int4G128 | GptqG128 | GptqG32 | Nf4 | Nf4Dq | Mxfp4 | Nvfp4
        | GgufF16 => 0.0,
    }
}

//! What slows a step down or hides inside it, whatever the framework: constants of the time model. What a framework's
//! kernels reach of a GPU's peaks stands with the framework ([`crate::frameworks::reached`]).

use crate::names::{Engine, WeightFormat};
use crate::plan::{Generation, Gpu};

/// Seconds that a layer of llama.cpp takes beside its work in a decode step: its kernels start one by one. Between what two
/// published runs of 32 layers say: from F16 to Q8_0 a step of I106 (inference.md, section 5) shrinks by less than its
/// bytes, by 94 µs a layer; I141b (Q8_0 on an RTX 4080) is read faster than 0.80 of the bandwidth, which leaves none.
const GGML_LAYER_SECONDS: f64 = 42e-6;

/// Operations of the vector units that turn one weight of a GGUF file into a number that is multiplied, as far as reading
/// the next ones does not hide them. What a step of I106 takes beyond its bytes, which F16 reads at 450 GiB/s, and beyond
/// what layers take: 0.8 ms with Q8_0, 2.5 with Q4_K_M, 4.7 with Q2_K. The row does not state the GPU; it is taken to have
/// 20 operations a byte, as the middle one of the catalogue's NVIDIA cards. Legacy blocks of 32 count as Q8_0, what has
/// more than 4 bits as Q4_K_M, less as Q2_K.
///
/// Not fitted: the public table GPU-Benchmarks-on-LLM-Inference. Llama 3 Q4_K_M is 5 % too fast on an RTX 3090, 4 % on an
/// RTX 4090, right on A100 PCIe and 12 % too fast on H100 PCIe, on two RTX 3090 or 4090 10 to 13 % too slow; F16 is right on
/// the 3090, and a third too fast on H100 PCIe.
const GGML_OPERATIONS: [f64; 3] = [1.3, 4.1, 7.6];

/// Seconds a layer takes beside its work in a decode step of an engine.
#[must_use]
pub fn decode_layer_seconds(engine: Engine) -> f64 {
    if engine == Engine::LlamaCpp { GGML_LAYER_SECONDS } else { 0.0 }
}

/// Operations of the vector units that a weight takes in a decode step before it is multiplied. vLLM and SGLang read GGUF
/// files with ggml's kernels; of the textbook's it is not known that they need any.
#[must_use]
pub fn unpacking(engine: Engine, weights: WeightFormat) -> f64 {
    use WeightFormat::{
        GgufQ2K, GgufQ3KL, GgufQ3KM, GgufQ4_0, GgufQ4KM, GgufQ4KS, GgufQ5KM, GgufQ5KS, GgufQ6K, GgufQ8_0,
    };
    let [blocks, super_blocks, planes] = GGML_OPERATIONS;
    match (engine, weights) {
        (Engine::Textbook, _) => 0.0,
        (_, GgufQ8_0 | GgufQ4_0) => blocks,
        (_, GgufQ6K | GgufQ5KM | GgufQ5KS | GgufQ4KM | GgufQ4KS) => super_blocks,
        (_, GgufQ3KL | GgufQ3KM | GgufQ2K) => planes,
        _ => 0.0,
    }
}

/// Each doubling of the GPUs beyond eight lengthens a step by so much: the slowest of many sets the pace.
const STRAGGLING: f64 = 0.0065;

/// How much longer a step takes among so many GPUs.
#[must_use]
pub fn straggling(gpus: u64) -> f64 {
    1.0 + STRAGGLING * (gpus as f64 / 8.0).max(1.0).log2()
}

/// Share of hidden communication by which computation is slowed down: it takes multiprocessors and memory from it.
pub const INTERFERENCE: f64 = 0.16;

/// Share of tensor-parallel collectives that hides behind the products they belong to unless asked otherwise: XLA cuts both
/// into pieces on TPUs (Wang et al. 2023, Overlap Communication with Dependent Computation via Decomposition, section 5).
#[must_use]
pub fn tensor_hidden(gpu: &Gpu) -> f64 {
    if gpu.generation == Generation::Tpu { 0.8 } else { 0.0 }
}

/// How many times as long as estimated a step took at the most in nine of ten of the published runs: an estimate has no
/// stragglers but the usual ones, no input pipeline, no failing network, so it errs to one side, and the more so the more
/// GPUs there are.
const LATE: f64 = 0.10;
const LATER_A_DOUBLING: f64 = 0.012;

/// What a step among so many GPUs may take at the most, over what it is estimated at.
#[must_use]
pub fn at_most(gpus: u64) -> f64 {
    1.0 + LATE + LATER_A_DOUBLING * (gpus as f64 / 8.0).max(1.0).log2()
}

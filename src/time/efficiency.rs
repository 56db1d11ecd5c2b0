//! What a GPU reaches of its peaks in a whole model: one table by generation and framework.
//!
//! Fitted on published runs, by coordinate descent on their error over the tolerance of each: on A100 with Megatron-LM
//! Korthikanti et al. 2022, table 5, Narayanan et al. 2021, tables 1 and 2, and MegaScale's baseline; on A100 with PyTorch
//! llm-foundry's table, fms-fsdp, the FSDP paper; on H100 with Megatron-Core Megatron-LM's scaling runs and NeMo's tables
//! of dense models; on H100 with PyTorch llm-foundry, torchtitan, nanotron and maxtext; on Blackwell NeMo's tables and
//! SimuMax's runs; on TPU v5e maxtext's. Of the 175 published figures of tests/cases/measured/communication.jsonl 82 % are
//! then within their tolerance, half of them within 5 %. What was not fitted: the 130 rows of llm-foundry's whole table that
//! FSDP runs (half within 6 %, nine of ten within 15 %), and NeMo's tables of dense models (two of three within 15 %); of
//! its mixtures those with small experts run a half slower than this says.
//!
//! Runs that no row describes, and why: DeepSpeed's ZeRO-3 of 2021 (its network carried less than one card a GPU), MT-NLG
//! and the first DeepSeek runs of NeMo (younger software of the same makers is a quarter faster), tensor parallelism over 32
//! ranks and two nodes, GPUs of half the power (torchtitan's, uncompiled).

use crate::names::{ComputeFormat, Engine, Framework, WeightFormat};
use crate::plan::{Generation, Gpu};

/// What one generation of accelerators reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// Shares of the dense peak that large products reach: in 16, in 8 and in 4 bits.
    products: [f64; 3],
    /// What the grouped products of experts reach of that.
    pub experts: f64,
    /// Share of the 16-bit peak that attention reaches.
    pub attention: f64,
    /// A product whose narrow side is so wide reaches half of what a large one does.
    half_width: f64,
    /// Seconds that a layer takes beside its work in each micro-batch, forward and backward together: launches, and where
    /// its weights are gathered for it (the second) what of that begins and ends a layer.
    layer_seconds: [f64; 2],
}

/// A100 and Megatron-LM.
const AMPERE_MEGATRON: Reached = Reached {
    products: [0.79, 0.70, 0.70],
    experts: 0.80,
    attention: 0.80,
    half_width: 40.0,
    layer_seconds: [0.22e-3, 0.22e-3],
};

/// A100 and PyTorch's own parallelism. Its fitted runs have short sequences, which tell nothing of attention: that is the
/// 25 to 40 % that the first FlashAttention reaches (Dao 2023, arXiv 2307.08691, section 1).
const AMPERE: Reached = Reached {
    products: [0.80, 0.70, 0.70],
    experts: 0.80,
    attention: 0.35,
    half_width: 25.0,
    layer_seconds: [0.3e-3, 6.0e-3],
};

/// H100 and Megatron-Core with Transformer Engine.
const HOPPER_MEGATRON: Reached = Reached {
    products: [0.75, 0.65, 0.50],
    experts: 0.55,
    attention: 0.50,
    half_width: 115.0,
    layer_seconds: [0.2e-3, 0.2e-3],
};

/// H100 and PyTorch's own parallelism.
const HOPPER: Reached = Reached {
    products: [0.68, 0.50, 0.50],
    experts: 0.55,
    attention: 0.20,
    half_width: 215.0,
    layer_seconds: [2.0e-3, 3.8e-3],
};

/// B200, B300, GB200 and GB300; all published runs are of Megatron-Core.
const BLACKWELL: Reached = Reached {
    products: [0.42, 0.70, 0.40],
    experts: 0.90,
    attention: 0.44,
    half_width: 250.0,
    layer_seconds: [0.03e-3, 0.03e-3],
};

/// TPU v5e.
const TPU: Reached = Reached {
    products: [0.88, 0.70, 0.70],
    experts: 0.80,
    attention: 0.70,
    half_width: 100.0,
    layer_seconds: [0.0, 0.0],
};

/// Everything else. Assumed: the lowest of the others, as nobody published a run.
const OTHER: Reached = Reached {
    products: [0.60, 0.50, 0.40],
    experts: 0.55,
    attention: 0.40,
    half_width: 200.0,
    layer_seconds: [0.2e-3, 0.2e-3],
};

impl Reached {
    /// What a GPU reaches while training with a framework.
    #[must_use]
    pub fn training(gpu: &Gpu, framework: Framework) -> &'static Reached {
        match (gpu.generation, framework) {
            (Generation::Ampere, Framework::MegatronCore) => &AMPERE_MEGATRON,
            (Generation::Ampere, _) => &AMPERE,
            (Generation::Hopper, Framework::MegatronCore) => &HOPPER_MEGATRON,
            (Generation::Hopper, _) => &HOPPER,
            (Generation::Blackwell, _) => &BLACKWELL,
            (Generation::Tpu, _) => &TPU,
            (Generation::Other, _) => &OTHER,
        }
    }

    /// What it reaches while serving, whose kernels are tuned like Megatron's.
    #[must_use]
    pub fn serving(gpu: &Gpu) -> &'static Reached {
        Reached::training(gpu, Framework::MegatronCore)
    }

    /// Share of the peak of its format that a product with a narrow side of `width` reaches.
    #[must_use]
    pub fn of_products(&self, format: ComputeFormat, width: f64) -> f64 {
        let [sixteen, eight, four] = self.products;
        let large = match format {
            ComputeFormat::Fp32 | ComputeFormat::Bf16 | ComputeFormat::Fp16 => sixteen,
            ComputeFormat::Fp8 | ComputeFormat::Mxfp8 => eight,
            ComputeFormat::Nvfp4 => four,
        };
        large * width / (width + self.half_width)
    }

    /// Seconds that a layer takes beside its work in each micro-batch.
    #[must_use]
    pub fn layer_seconds(&self, gathers: bool) -> f64 {
        self.layer_seconds[usize::from(gathers)]
    }
}

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

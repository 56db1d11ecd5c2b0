//! What a GPU reaches of its peaks while a whole model trains: rows by generation, for each family of kernels.
//!
//! Fitted on published runs, by coordinate descent on their error over the tolerance of each: on A100 with Megatron-LM
//! Korthikanti et al. 2022, table 5, Narayanan et al. 2021, tables 1 and 2, and MegaScale's baseline; on A100 with PyTorch
//! llm-foundry's table, fms-fsdp, the FSDP paper; on H100 with Megatron-Core Megatron-LM's scaling runs and NeMo's tables
//! of dense models; on H100 with PyTorch llm-foundry, torchtitan, nanotron and maxtext; on Blackwell NeMo's tables and
//! SimuMax's runs; on TPU v5e maxtext's. Of the 175 published figures of tests/cases/measured/communication.jsonl 82 % are
//! then within their tolerance, half of them within 5 %. What was not fitted: the 130 rows of llm-foundry's whole table
//! that FSDP runs (half within 6 %, nine of ten within 15 %), and NeMo's tables of dense models (two of three within
//! 15 %); of its mixtures those with small experts run a half slower than this says.
//!
//! Runs that no row describes, and why: DeepSpeed's ZeRO-3 of 2021 (its network carried less than one card a GPU), MT-NLG
//! and the first DeepSeek runs of NeMo (younger software of the same makers is a quarter faster), tensor parallelism over
//! 32 ranks and two nodes, GPUs of half the power (torchtitan's, uncompiled).

use crate::hardware::Generation;
use crate::names::ComputeFormat;

/// What one generation of accelerators reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// Shares of the dense peak that large products reach: in 16, in 8 and in 4 bits.
    products: [f64; 3],
    /// What the grouped products of experts reach of that.
    pub experts: f64,
    /// Share of the 16-bit peak that attention reaches.
    pub attention: f64,
    /// Width of the narrow side at which a product reaches half of what a large one does.
    half_width: f64,
    /// Seconds that a layer takes beside its work in each micro-batch, forward and backward together: kernel launches;
    /// the second where its weights are gathered for it.
    layer_seconds: [f64; 2],
}

impl Reached {
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

/// What the kernels of a framework reach on each generation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kernels {
    ampere: Reached,
    hopper: Reached,
}

impl Kernels {
    /// What they reach on a generation. Beyond Ampere and Hopper no two frameworks were published on one generation.
    #[must_use]
    pub fn on(&self, generation: Generation) -> &Reached {
        match generation {
            Generation::Ampere => &self.ampere,
            // Nobody published a run on Ada, or on Blackwell's cards for desktops and what follows it: taken to reach what the
            // data-centre generation with the same matrix formats does.
            Generation::Hopper | Generation::Ada => &self.hopper,
            Generation::Blackwell | Generation::RtxBlackwell | Generation::Rubin => &BLACKWELL,
            Generation::Tpu => &TPU,
            Generation::Volta
            | Generation::Turing
            | Generation::Cdna2
            | Generation::Cdna3
            | Generation::Cdna4
            | Generation::Rdna3
            | Generation::Rdna35
            | Generation::Gaudi
            | Generation::Xe2
            | Generation::NeuronCoreV2
            | Generation::NeuronCoreV3
            | Generation::Ascend
            | Generation::AppleSilicon => &OTHER,
        }
    }
}

/// Megatron-LM on A100; Megatron-Core with Transformer Engine on H100. Serving kernels are tuned like these.
pub static MEGATRON: Kernels = Kernels {
    ampere: Reached {
        products: [0.79, 0.70, 0.70],
        experts: 0.80,
        attention: 0.80,
        half_width: 40.0,
        layer_seconds: [0.22e-3, 0.22e-3],
    },
    hopper: Reached {
        products: [0.75, 0.65, 0.50],
        experts: 0.55,
        attention: 0.50,
        half_width: 115.0,
        layer_seconds: [0.2e-3, 0.2e-3],
    },
};

/// PyTorch's own parallelism. On A100 the fitted runs have short sequences, which tell nothing of attention: that is the
/// 25 to 40 % that the first FlashAttention reaches (Dao 2023, arXiv 2307.08691, section 1).
pub static PYTORCH: Kernels = Kernels {
    ampere: Reached {
        products: [0.80, 0.70, 0.70],
        experts: 0.80,
        attention: 0.35,
        half_width: 25.0,
        layer_seconds: [0.3e-3, 6.0e-3],
    },
    hopper: Reached {
        products: [0.68, 0.50, 0.50],
        experts: 0.55,
        attention: 0.20,
        half_width: 215.0,
        layer_seconds: [2.0e-3, 3.8e-3],
    },
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

/// Assumed, as nobody published a run: between the slowest and the fastest of the others.
const OTHER: Reached = Reached {
    products: [0.60, 0.50, 0.40],
    experts: 0.55,
    attention: 0.40,
    half_width: 200.0,
    layer_seconds: [0.2e-3, 0.2e-3],
};

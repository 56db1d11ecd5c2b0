//! The names that a scenario may use, each list in one place: what is read, what is written, and what a select box offers.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::refusal::{Expected, FieldError, Problem};
use crate::schema::Path;

/// A closed list of names.
pub trait Name: Copy + PartialEq + 'static {
    /// Every value, in the order in which it is offered.
    const ALL: &'static [Self];
    /// Every name, in the same order.
    const NAMES: &'static [&'static str];

    /// The name as it stands in JSON and in the link.
    fn name(self) -> &'static str;

    /// The names of all other values.
    fn others(self) -> Vec<&'static str> {
        Self::ALL.iter().filter(|value| **value != self).map(|value| value.name()).collect()
    }

    /// The value of that name.
    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.name() == name)
    }
}

/// Reads a name, or lists the allowed ones.
pub(crate) fn position(names: &'static [&'static str], value: &Value, at: &Path) -> Result<usize, FieldError> {
    let given = value.as_str().ok_or_else(|| at.expected(value, Expected::OneOf(names)))?;
    names.iter().position(|name| *name == given).ok_or_else(|| at.refuse(Problem::unknown(given, names.join(", "))))
}

/// Reads a name for serde.
pub(crate) fn deserialize<'de, N: Name, D: Deserializer<'de>>(deserializer: D) -> Result<N, D::Error> {
    let name = String::deserialize(deserializer)?;
    N::from_name(&name).ok_or_else(|| D::Error::unknown_variant(&name, N::NAMES))
}

macro_rules! names {
    ($($(#[$doc:meta])* $kind:ident { $($(#[$value_doc:meta])* $value:ident = $name:literal),+ $(,)? })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $kind { $($(#[$value_doc])* #[doc = concat!("`", $name, "`")] $value),+ }

        impl $crate::names::Name for $kind {
            const ALL: &'static [Self] = &[$($kind::$value),+];
            const NAMES: &'static [&'static str] = &[$($name),+];
            fn name(self) -> &'static str {
                match self { $($kind::$value => $name),+ }
            }
        }

        impl serde::Serialize for $kind {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str($crate::names::Name::name(*self))
            }
        }

        impl<'de> serde::Deserialize<'de> for $kind {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::names::deserialize(deserializer)
            }
        }

        impl $crate::schema::Schema for $kind {
            fn read(value: &serde_json::Value, at: &$crate::schema::Path) -> Result<Self, $crate::refusal::FieldError> {
                $crate::names::position(<Self as $crate::names::Name>::NAMES, value, at).map(|index| <Self as $crate::names::Name>::ALL[index])
            }

            fn write(&self) -> serde_json::Value {
                $crate::names::Name::name(*self).into()
            }
        }
    )+};
}

pub(crate) use names;

names! {
    /// How many network cards of a node one collective can use.
    BandwidthView { Rails = "rails", SingleNic = "single_nic" }
    /// Named training recipes: the bytes a parameter costs in each account.
    RecipeName {
        Bf16Mixed = "bf16-mixed", Bf16MixedFp32Gradients = "bf16-mixed-fp32-gradients", Fp16Mixed = "fp16-mixed",
        Fp16MixedFp32Gradients = "fp16-mixed-fp32-gradients", Fp32 = "fp32", Fp32Sharded = "fp32-sharded",
        Bf16Pure = "bf16-pure", Fp8Mixed = "fp8-mixed", Mxfp8Mixed = "mxfp8-mixed", Nvfp4Mixed = "nvfp4-mixed",
    }
    /// The format of the matrix products, where it differs from what is stored.
    ComputeFormat { Fp32 = "fp32", Bf16 = "bf16", Fp16 = "fp16", Fp8 = "fp8", Mxfp8 = "mxfp8", Nvfp4 = "nvfp4" }
    /// What the data-parallel ranks share out.
    Sharding { None = "none", Zero1 = "zero1", Zero2 = "zero2", Zero3 = "zero3", Hsdp = "hsdp" }
    /// The format in which gradients travel.
    ReduceFormat { Bf16 = "bf16", Fp16 = "fp16", Fp32 = "fp32" }
    /// Parts of ZeRO++.
    ZeroPlusPlus {
        QuantizedWeights = "quantized_weights", QuantizedGradients = "quantized_gradients",
        SecondaryPartition = "secondary_partition",
    }
    /// The order of micro-batches in a pipeline.
    Schedule {
        OneForwardOneBackward = "1f1b", GPipe = "gpipe", Interleaved = "interleaved", Zb1p = "zb1p", Zb2p = "zb2p",
        Zbv = "zbv", DualPipe = "dualpipe",
    }
    /// The format in which tokens travel to their experts.
    DispatchFormat { Bf16 = "bf16", Fp8 = "fp8" }
    /// How a long sequence is split over ranks.
    ContextMethod { Ring = "ring", AllGather = "all_gather", Ulysses = "ulysses" }
    /// What is computed a second time in backward instead of being kept.
    Recompute { None = "none", Selective = "selective", Full = "full", SelectiveOps = "selective_ops" }
    /// What counts as model FLOPs.
    FlopsConvention {
        Palm = "palm", Megatron = "megatron", Torchtitan = "torchtitan", Nemo = "nemo", LlmFoundry = "llm-foundry",
    }
    /// Whether attention scores are materialised.
    Attention { Flash = "flash", Eager = "eager" }
    /// Which kernels run a layer, and so which intermediate tensors are kept.
    Kernels { Fused = "fused", Eager = "eager", Compiled = "compiled", TransformerEngine = "transformer_engine" }
    /// How the loss is computed from the logits.
    Loss {
        Fused = "fused", Eager = "eager", Compiled = "compiled", VocabParallel = "vocab_parallel", Chunked = "chunked",
        FusedLinear = "fused_linear",
    }
    /// What is moved to host memory.
    Offload { None = "none", Optimizer = "optimizer", OptimizerAndParameters = "optimizer_and_parameters" }
    /// How the weights are updated: by one kernel, by an operation at a time over all tensors, or tensor by tensor.
    OptimizerStep { Fused = "fused", Foreach = "foreach", ForLoop = "for_loop" }
    /// The kind of an adapter.
    AdapterKind { Lora = "lora", Qlora = "qlora" }
    /// The format served weights are stored in.
    WeightFormat {
        Fp32 = "fp32", Bf16 = "bf16", Fp16 = "fp16", Fp8 = "fp8", Fp8Block = "fp8-block", Int8 = "int8",
        Int4G128 = "int4-g128", GptqG128 = "gptq-g128", GptqG32 = "gptq-g32", Nf4 = "nf4", Nf4Dq = "nf4-dq",
        Mxfp4 = "mxfp4", Nvfp4 = "nvfp4", GgufF16 = "gguf-f16", GgufQ8_0 = "gguf-q8_0", GgufQ6K = "gguf-q6_k",
        GgufQ5KM = "gguf-q5_k_m", GgufQ5KS = "gguf-q5_k_s", GgufQ4KM = "gguf-q4_k_m", GgufQ4KS = "gguf-q4_k_s",
        GgufQ4_0 = "gguf-q4_0", GgufQ3KL = "gguf-q3_k_l", GgufQ3KM = "gguf-q3_k_m", GgufQ2K = "gguf-q2_k",
    }
    /// The format of the key-value cache.
    CacheFormat {
        Bf16 = "bf16", Fp16 = "fp16", Fp8 = "fp8", Int8 = "int8", Int4 = "int4", Q8_0 = "q8_0", Q5_0 = "q5_0",
        Q5_1 = "q5_1", Q4_0 = "q4_0", Q4_1 = "q4_1", Iq4Nl = "iq4_nl", Q8Kv = "q8_kv",
    }
    /// The serving engine.
    Engine {
        Textbook = "textbook", Vllm = "vllm", Sglang = "sglang", TensorRtLlm = "tensorrt-llm", LmDeploy = "lmdeploy",
        LlamaCpp = "llama.cpp", Transformers = "transformers",
    }
    /// What a latent-attention model caches.
    LatentCache { Latent = "latent", Expanded = "expanded" }
}

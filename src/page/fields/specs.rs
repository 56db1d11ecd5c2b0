//! The list of controls.

use std::borrow::Cow;

use vram_ledger::engines::Budget;
use vram_ledger::frameworks::Framework;
use vram_ledger::names::{
    AdapterKind, Attention, BandwidthView, CacheFormat, ComputeFormat, ContextMethod, DispatchFormat, Engine,
    FlopsConvention, Kernels, LatentCache, Loss, Name, Offload, OptimizerStep, RecipeName, Recompute, ReduceFormat,
    Schedule, Sharding, WeightFormat, ZeroPlusPlus,
};
use vram_ledger::optimizers::Optimizer;
use vram_ledger::plan::{Base, InferencePlan, TrainingPlan};
use vram_ledger::scenario::{
    Adapter, Change, Cluster, Inference, ModelChoice, Number, RecipeChoice, Scenario, Training,
};
use vram_ledger::text;
use vram_ledger::words::Language;

use crate::page::answer::Answer;
use crate::page::fields::quantity::Quantity;
use crate::page::fields::{CUSTOM, Control, Field, Kind, Spec};

/// The part of the question of that name.
macro_rules! part_of {
    (cluster) => {
        Cluster
    };
    (training) => {
        Training
    };
    (inference) => {
        Inference
    };
}

/// A field of the question that holds a number, by its path.
macro_rules! field {
    ($part:ident . $field:ident) => {
        Field {
            given: |scenario| <part_of!($part)>::$field.given(scenario).map(|number| number.0),
            change: |number| <part_of!($part)>::$field.set(number.map(Number)),
        }
    };
}

macro_rules! numbers {
    ($($name:ident = $part:ident . $field:ident, $label:expr, $quantity:ident, $effective:expr;)+) => {$(
        /// A number of the question.
        pub const $name: Control = {
            static SPEC: Spec = Spec {
                id: concat!(stringify!($part), ".", stringify!($field)),
                label: |language| language.say($label),
                kind: Kind::Number {
                    quantity: Quantity::$quantity,
                    fields: &[field!($part.$field)],
                    effective: $effective,
                },
            };
            Control(&SPEC)
        };
    )+};
}

/// The name given to a field, and giving it one, by its path.
macro_rules! name_of {
    ($scenario:ident, framework) => {
        $scenario.framework.map(Name::name)
    };
    ($scenario:ident, training.recipe) => {
        match &$scenario.training.as_ref()?.recipe {
            Some(RecipeChoice::Named(name)) => Some(name.name()),
            Some(RecipeChoice::Custom(_)) => Some(CUSTOM),
            None => None,
        }
    };
    ($scenario:ident, training.adapter) => {
        $scenario.training.as_ref()?.adapter.as_ref()?.kind.map(Name::name)
    };
    ($scenario:ident, $part:ident . $field:ident) => {
        $scenario.$part.as_ref()?.$field.map(Name::name)
    };
}
macro_rules! give_name {
    ($name:expr, framework) => {
        Scenario::framework.set($name)
    };
    ($name:expr, training.recipe) => {
        Training::recipe.set($name.map(RecipeChoice::Named))
    };
    ($name:expr, training.adapter) => {
        match $name {
            Some(kind) => Adapter::kind.to(kind),
            // Without a kind the remainder of an adapter means nothing.
            None => Training::adapter.unset(),
        }
    };
    ($name:expr, $part:ident . $field:ident) => {
        <part_of!($part)>::$field.set($name)
    };
}

/// The values that a choice offers: those listed, or all of them.
macro_rules! offered {
    ($kind:ident [all]) => {
        <$kind as Name>::ALL
    };
    ($kind:ident [$($value:ident),+]) => {
        &[$($kind::$value),+]
    };
}

/// A choice among the values of an enum of the schema; some of them may not be accounted for yet.
macro_rules! choices {
    ($($name:ident = $id:literal [$($path:tt)+], $label:expr, $kind:ident $values:tt, $text:ident, $effective:expr;)+) => {$(
        /// A choice of the question.
        pub const $name: Control = {
            const OFFERED: &[$kind] = offered!($kind $values);
            static NAMES: [&str; OFFERED.len()] = {
                let mut names = [""; OFFERED.len()];
                let mut index = 0;
                while index < names.len() {
                    // The schema's lists of names and values stand in the same order, by the macro that makes them.
                    names[index] = <$kind as Name>::NAMES[OFFERED[index] as usize];
                    index += 1;
                }
                names
            };
            fn text(language: Language, index: usize) -> Cow<'static, str> {
                language.$text(OFFERED[index]).into()
            }
            fn given(scenario: &Scenario) -> Option<&'static str> {
                name_of!(scenario, $($path)+)
            }
            fn change(index: Option<usize>) -> Change {
                give_name!(index.map(|index| OFFERED[index]), $($path)+)
            }
            fn effective(answer: &Answer) -> Option<&'static str> {
                let effective: fn(&Answer) -> Option<$kind> = $effective;
                effective(answer).map(Name::name)
            }
            static SPEC: Spec = Spec {
                id: $id,
                label: |language| language.say($label),
                kind: Kind::Choice { names: &NAMES, text, given, change, effective },
            };
            Control(&SPEC)
        };
    )+};
}

macro_rules! own {
    ($($name:ident = $id:literal, $label:expr, $kind:expr;)+) => {$(
        /// A control with a shape of its own.
        pub const $name: Control = {
            static SPEC: Spec = Spec { id: $id, label: |language| language.say($label), kind: $kind };
            Control(&SPEC)
        };
    )+};
}

fn training(answer: &Answer) -> Option<&TrainingPlan> {
    answer.settled().training.as_ref().ok()
}

fn inference(answer: &Answer) -> Option<&InferencePlan> {
    answer.settled().inference.as_ref().ok()
}

own! {
    MODEL = "model", text!(models::MODEL), Kind::Own;
    MODEL_CONFIG = "model.config", text!(models::CONFIG_JSON), Kind::Config;
    PRECISION = "precision", text!(settings::PRECISION), Kind::Own;
    GPU = "cluster.gpu", text!(settings::GPU), Kind::Own;
    NETWORK = "cluster.network", text!(settings::NETWORK), Kind::Own;
}

numbers! {
    GPUS = cluster.gpus, text!(settings::SHARDS_GPUS), Count, |answer| Some(answer.settled().cluster.gpus as f64);
    MICRO_BATCH = training.micro_batch, text!(settings::MICRO_BATCH), Count, |answer| training(answer).map(|plan| plan.micro_batch as f64);
    GLOBAL_BATCH = training.global_batch, text!(settings::GLOBAL_BATCH), Count,
        |answer| training(answer).map(|plan| plan.global_batch as f64);
    TRAINING_SEQUENCE = training.sequence, text!(settings::TRAINING_SEQUENCE), Tokens,
        |answer| training(answer).map(|plan| plan.sequence as f64);
    TRAINING_TENSOR = training.tensor, text!(settings::TENSOR_PARALLEL), Count, |answer| training(answer).map(|plan| plan.tensor as f64);
    LOSS_CHUNKS = training.loss_chunks, text!(settings::LOSS_CHUNKS), Count,
        |answer| training(answer).map(|plan| plan.loss_chunks as f64);
    DROPOUT = training.dropout, text!(settings::DROPOUT), Share, |_| Some(0.0);
    PACKING = training.packing, text!(settings::PACKING), Share, |answer| training(answer).map(|plan| plan.packing);
    VOCAB_MULTIPLE = training.vocab_multiple, text!(settings::VOCAB_MULTIPLE), Count, |_| Some(1.0);
    EXPERT_TENSOR = training.expert_tensor, text!(settings::EXPERT_TENSOR), Count,
        |answer| training(answer).map(|plan| plan.expert_tensor as f64);
    EXPERT_CAPACITY = training.expert_capacity, text!(settings::EXPERT_CAPACITY), Factor, |_| None;
    EXPERT_IMBALANCE = training.expert_imbalance, text!(settings::EXPERT_IMBALANCE), Factor, |_| Some(1.0);
    CONTEXT = inference.context, text!(settings::CONTEXT), Tokens, |answer| inference(answer).map(|plan| plan.context as f64);
    CONCURRENCY = inference.concurrency, text!(settings::CONCURRENCY), Count,
        |answer| inference(answer).map(|plan| plan.concurrency as f64);
    PREFILL_CHUNK = inference.prefill_chunk, text!(settings::PREFILL_CHUNK), Tokens,
        |answer| inference(answer).map(|plan| plan.prefill_chunk as f64);
    SERVING_TENSOR = inference.tensor, text!(settings::SERVING_TENSOR), Count, |answer| inference(answer).map(|plan| plan.tensor as f64);
    PIPELINE = training.pipeline, text!(settings::PIPELINE_STAGES), Count, |answer| training(answer).map(|plan| plan.pipeline as f64);
    VIRTUAL_STAGES = training.virtual_stages, text!(settings::VIRTUAL_STAGES), Count,
        |answer| training(answer).map(|plan| plan.virtual_stages as f64);
    CONTEXT_PARALLEL = training.context, text!(settings::CONTEXT_PARALLEL), Count,
        |answer| training(answer).map(|plan| plan.context as f64);
    EXPERT_PARALLEL = training.expert, text!(settings::EXPERT_PARALLEL), Count,
        |answer| training(answer).map(|plan| plan.expert as f64);
    SHARD_GROUP = training.shard_group, text!(settings::SHARD_GROUP), Count,
        |answer| training(answer).map(|plan| plan.shard_group as f64);
    RECOMPUTE_LAYERS = training.recompute_layers, text!(settings::RECOMPUTED_LAYERS), Count,
        |answer| training(answer).map(|plan| plan.recompute_layers as f64);
    TENSOR_OVERLAP = training.tensor_overlap, text!(settings::TENSOR_OVERLAP), Share,
        |answer| training(answer).map(|plan| plan.tensor_overlap);
    DATA_OVERLAP = training.data_overlap, text!(settings::DATA_OVERLAP), Share,
        |answer| training(answer).map(|plan| plan.data_overlap);
    RUN_TOKENS = training.tokens, text!(settings::RUN_TOKENS), Parameters, |_| None;
    PRICE = cluster.price_per_gpu_hour, text!(settings::PRICE), Factor, |_| None;
    MTBF = cluster.gpu_mtbf_hours, text!(settings::MTBF), Count, |_| None;
    STORAGE = cluster.storage_bandwidth, text!(settings::STORAGE), Bytes, |_| None;
    GPUS_PER_NODE = cluster.gpus_per_node, text!(settings::GPUS_PER_NODE), Count,
        |answer| Some(answer.settled().cluster.gpus_per_node as f64);
}

/// Parameters of a decoder whose shape is assumed.
pub const PARAMETERS: Control = {
    const COUNT: Field = Field {
        given: |scenario| match &scenario.model {
            Some(ModelChoice::Parameters(count)) => Some(count.0),
            _ => None,
        },
        change: |count| Scenario::model.set(count.map(|count| ModelChoice::Parameters(Number(count)))),
    };
    static SPEC: Spec = Spec {
        id: "model.parameters",
        label: |language| language.say(text!(settings::PARAMETERS)),
        kind: Kind::Number {
            quantity: Quantity::Parameters,
            fields: &[COUNT],
            effective: |answer| Some(answer.memory().model.parameters),
        },
    };
    Control(&SPEC)
};

/// The sequence slider: training sequences and served contexts have the same length.
pub const SEQUENCE: Control = {
    static SPEC: Spec = Spec {
        id: "sequence",
        label: |language| language.say(text!(settings::SEQUENCE)),
        kind: Kind::Number {
            quantity: Quantity::Tokens,
            fields: &[field!(training.sequence), field!(inference.context)],
            // The two may differ once somebody sets them apart; the slider then shows the training's.
            effective: |answer| {
                let context = inference(answer).map(|plan| plan.context);
                training(answer).map(|plan| plan.sequence).or(context).map(|tokens| tokens as f64)
            },
        },
    };
    Control(&SPEC)
};

choices! {
    FRAMEWORK = "framework" [framework], text!(settings::FRAMEWORK),
        Framework [Textbook, MegatronCore, PytorchFsdp2, DeepSpeed, HfTrainer, Torchtune], framework,
        |answer| Some(answer.settled().profile.framework);
    RECIPE = "training.recipe" [training.recipe], text!(settings::RECIPE),
        RecipeName [Bf16Mixed, Bf16MixedFp32Gradients, Fp16Mixed, Fp16MixedFp32Gradients, Fp32, Fp32Sharded, Bf16Pure,
            Fp8Mixed, Mxfp8Mixed, Nvfp4Mixed], recipe,
        |answer| Some(answer.settled().profile.recipe);
    SHARDING = "training.sharding" [training.sharding], text!(settings::SHARDING), Sharding [None, Zero1, Zero2, Zero3, Hsdp], sharding,
        |answer| training(answer).map(|plan| plan.sharding);
    RECOMPUTE = "training.recompute" [training.recompute], text!(settings::RECOMPUTE), Recompute [None, Selective, SelectiveOps, Full], recompute,
        |answer| training(answer).map(|plan| plan.recompute);
    OPTIMIZER = "training.optimizer" [training.optimizer], text!(settings::OPTIMIZER),
        Optimizer [AdamW, AdamW8bit, AdamWBf16, Adafactor, Lion, Sgd, SgdMomentum, Muon], optimizer,
        |answer| training(answer).map(|plan| plan.optimizer);
    TRAINING_ATTENTION = "training.attention" [training.attention], text!(settings::ATTENTION), Attention [Flash, Eager], attention,
        |answer| training(answer).map(|plan| plan.attention);
    KERNELS = "training.kernels" [training.kernels], text!(settings::KERNELS), Kernels [Fused, Eager, Compiled, TransformerEngine], kernels,
        |answer| training(answer).map(|plan| plan.kernels);
    LOSS = "training.loss" [training.loss], text!(settings::LOSS), Loss [Fused, Eager, Compiled, VocabParallel, Chunked, FusedLinear], loss,
        |answer| training(answer).map(|plan| plan.loss);
    WEIGHTS = "inference.weights" [inference.weights], text!(settings::SERVED_WEIGHTS),
        WeightFormat [Fp32, Bf16, Fp16, Fp8, Fp8Block, Int8, Int4G128, GptqG128, GptqG32, Nf4, Nf4Dq, Mxfp4, Nvfp4,
            GgufF16, GgufQ8_0, GgufQ6K, GgufQ5KM, GgufQ5KS, GgufQ4KM, GgufQ4KS, GgufQ4_0, GgufQ3KL, GgufQ3KM, GgufQ2K],
        weight_format,
        |answer| inference(answer).map(|plan| plan.weights);
    CACHE = "inference.kv" [inference.kv], text!(settings::CACHE_FORMAT), CacheFormat [Bf16, Fp16, Fp8, Int8, Int4, Q8_0, Q5_1, Q5_0, Q4_1, Q4_0, Iq4Nl, Q8Kv], cache_format,
        |answer| inference(answer).map(|plan| plan.kv);
    SERVING_ATTENTION = "inference.attention" [inference.attention], text!(settings::ATTENTION), Attention [Flash, Eager], attention,
        |answer| inference(answer).map(|plan| plan.attention);
}

choices! {
    SCHEDULE = "training.schedule" [training.schedule], text!(settings::SCHEDULE),
        Schedule [OneForwardOneBackward, GPipe, Interleaved, Zb1p, Zb2p, Zbv, DualPipe], schedule,
        |answer| training(answer).map(|plan| plan.schedule);
    CONTEXT_METHOD = "training.context_method" [training.context_method], text!(settings::CONTEXT_METHOD),
        ContextMethod [Ring, AllGather, Ulysses], context_method,
        |answer| training(answer).map(|plan| plan.context_method);
    OPTIMIZER_STEP = "training.optimizer_step" [training.optimizer_step], text!(settings::OPTIMIZER_STEP),
        OptimizerStep [Fused, Foreach, ForLoop], optimizer_step,
        |answer| training(answer).map(|plan| plan.optimizer_step);
    COMPUTE = "training.compute" [training.compute], text!(settings::COMPUTE_IN),
        ComputeFormat [Bf16, Fp16, Fp8, Mxfp8, Nvfp4], compute,
        |answer| training(answer).map(|plan| plan.recipe.compute);
    REDUCE_DTYPE = "training.reduce_dtype" [training.reduce_dtype], text!(settings::GRADIENTS_TRAVEL_IN),
        ReduceFormat [Bf16, Fp16, Fp32], reduce_format, |_| None;
    EXPERT_DISPATCH = "training.expert_dispatch" [training.expert_dispatch], text!(settings::EXPERT_DISPATCH),
        DispatchFormat [Bf16, Fp8], dispatch,
        |answer| training(answer).map(|plan| plan.expert_dispatch);
    CONVENTION = "training.flops_convention" [training.flops_convention], text!(settings::CONVENTION),
        FlopsConvention [Palm, Megatron, Torchtitan, Nemo, LlmFoundry], convention,
        |answer| training(answer).map(|plan| plan.flops_convention);
    NETWORK_VIEW = "cluster.bandwidth_view" [cluster.bandwidth_view], text!(settings::NETWORK_VIEW),
        BandwidthView [Rails, SingleNic], bandwidth_view, |answer| Some(answer.settled().cluster.bandwidth_view);
    OFFLOAD = "training.offload" [training.offload], text!(settings::OFFLOAD),
        Offload [None, Optimizer, OptimizerAndParameters], offload, |answer| training(answer).map(|plan| plan.offload);
    ADAPTER = "training.adapter" [training.adapter], text!(settings::ADAPTER), AdapterKind [Lora, Qlora], adapter,
        |answer| training(answer)?.adapter.map(|adapter| match adapter.base {
            Base::Plain => AdapterKind::Lora,
            Base::Nf4 | Base::Nf4DoubleQuantised => AdapterKind::Qlora,
        });
}

/// Rank of the adapters.
pub const ADAPTER_RANK: Control = {
    const RANK: Field = Field {
        given: |scenario| Adapter::rank.given(scenario).map(|rank| rank.0),
        change: |rank| Adapter::rank.set(rank.map(Number)),
    };
    static SPEC: Spec = Spec {
        id: "training.adapter.rank",
        label: |language| language.say(text!(settings::ADAPTER_RANK)),
        kind: Kind::Number {
            quantity: Quantity::Count,
            fields: &[RANK],
            effective: |answer| training(answer)?.adapter.map(|adapter| adapter.rank as f64),
        },
    };
    Control(&SPEC)
};

own! {
    OPTIMIZER_IN_BACKWARD = "training.optimizer_in_backward", text!(settings::OPTIMIZER_IN_BACKWARD),
        Kind::Switch {
            change: |_, on| Training::optimizer_in_backward.to(on),
            effective: |answer| training(answer).map(|plan| plan.optimizer_in_backward),
        };
    PAGED_OPTIMIZER = "training.paged_optimizer", text!(settings::PAGED_OPTIMIZER),
        Kind::Switch {
            change: |_, on| Training::paged_optimizer.to(on),
            effective: |answer| training(answer).map(|plan| plan.paged_optimizer),
        };
    FUSED_ACCUMULATION = "training.gradient_accumulation_fusion", text!(settings::FUSED_ACCUMULATION),
        Kind::Switch {
            change: |_, on| Training::gradient_accumulation_fusion.to(on),
            effective: |answer| training(answer).map(|plan| plan.gradient_accumulation_fusion),
        };
    ZERO_PLUS_WEIGHTS = "training.zeropp.quantized_weights", text!(settings::ZERO_PLUS_WEIGHTS),
        Kind::Switch {
            change: |scenario, on| with_part(scenario, ZeroPlusPlus::QuantizedWeights, on),
            effective: |answer| training(answer).map(|plan| plan.zeropp.quantized_weights),
        };
    ZERO_PLUS_GRADIENTS = "training.zeropp.quantized_gradients", text!(settings::ZERO_PLUS_GRADIENTS),
        Kind::Switch {
            change: |scenario, on| with_part(scenario, ZeroPlusPlus::QuantizedGradients, on),
            effective: |answer| training(answer).map(|plan| plan.zeropp.quantized_gradients),
        };
    ZERO_PLUS_COPY = "training.zeropp.secondary_partition", text!(settings::ZERO_PLUS_COPY),
        Kind::Switch {
            change: |scenario, on| with_part(scenario, ZeroPlusPlus::SecondaryPartition, on),
            effective: |answer| training(answer).map(|plan| plan.zeropp.secondary_partition),
        };
    RESHARD = "training.reshard_after_forward", text!(settings::RESHARD),
        Kind::Switch {
            change: |_, on| Training::reshard_after_forward.to(on),
            effective: |answer| training(answer).map(|plan| plan.reshard_after_forward),
        };
    ACTIVATION_OFFLOAD = "training.activation_offload", text!(settings::ACTIVATION_OFFLOAD),
        Kind::Switch {
            change: |_, on| Training::activation_offload.to(on),
            effective: |answer| training(answer).map(|plan| plan.activation_offload),
        };
}

own! {
    SEQUENCE_PARALLEL = "training.sequence_parallel", text!(settings::SEQUENCE_PARALLEL),
        Kind::Switch {
            change: |_, on| Training::sequence_parallel.to(on),
            effective: |answer| training(answer).map(|plan| plan.sequence_parallel),
        };
}

// What engines let be set.
numbers! {
    MEMORY_FRACTION = inference.memory_fraction, text!(settings::MEMORY_FRACTION), Share, |answer| {
        answer.memory().inference.as_ref().filter(|half| half.budget != Budget::Free).map(|half| half.budget_fraction)
    };
    CACHE_BYTES = inference.kv_cache_bytes, text!(settings::CACHE_BYTES), Bytes, |answer| inference(answer)?.kv_cache_bytes;
    MAX_SEQUENCES = inference.max_sequences, text!(settings::MAX_SEQUENCES), Count,
        |answer| inference(answer).map(|plan| plan.max_sequences as f64);
    LOGITS_ROWS = inference.logits_rows, text!(settings::LOGITS_ROWS), Count,
        |answer| inference(answer).map(|plan| {
            plan.logits_rows.unwrap_or(plan.requests() * (1 + plan.draft_tokens)) as f64
        });
    DRAFT_TOKENS = inference.draft_tokens, text!(settings::DRAFT_TOKENS), Count,
        |answer| inference(answer).map(|plan| plan.draft_tokens as f64);
    SHARED_PREFIX = inference.shared_prefix, text!(settings::SHARED_PREFIX), Tokens,
        |answer| inference(answer).map(|plan| plan.shared_prefix as f64);
    BLOCK = inference.block, text!(settings::BLOCK), Count, |answer| inference(answer).map(|plan| plan.block as f64);
    SERVING_PIPELINE = inference.pipeline, text!(settings::PIPELINE_STAGES), Count,
        |answer| inference(answer).map(|plan| plan.pipeline as f64);
    SERVING_EXPERT = inference.expert, text!(settings::EXPERT_PARALLEL), Count,
        |answer| inference(answer).map(|plan| plan.expert as f64);
}

choices! {
    ENGINE = "inference.engine" [inference.engine], text!(settings::ENGINE),
        Engine [all], engine,
        |answer| inference(answer).map(|plan| plan.engine);
    MLA = "inference.mla" [inference.mla], text!(settings::LATENT_CACHE), LatentCache [Latent, Expanded], latent_cache,
        |answer| inference(answer).map(|plan| plan.mla);
}

own! {
    CUDA_GRAPHS = "inference.cuda_graphs", text!(settings::CUDA_GRAPHS),
        Kind::Switch {
            change: |_, on| Inference::cuda_graphs.to(on),
            effective: |answer| inference(answer).map(|plan| plan.cuda_graphs),
        };
    BY_REQUEST = "inference.data_parallel_attention", text!(settings::BY_REQUEST),
        Kind::Switch {
            change: |_, on| Inference::data_parallel_attention.to(on),
            effective: |answer| inference(answer).map(|plan| plan.data_parallel_attention),
        };
    KV_UNIFIED = "inference.kv_unified", text!(settings::KV_UNIFIED),
        Kind::Switch {
            change: |_, on| Inference::kv_unified.to(on),
            effective: |answer| inference(answer).map(|plan| plan.kv_unified),
        };
    SWA_FULL = "inference.swa_full", text!(settings::SWA_FULL),
        Kind::Switch {
            change: |_, on| Inference::swa_full.to(on),
            effective: |answer| inference(answer).map(|plan| plan.swa_full),
        };
}

/// Takes a part of ZeRO++ into the list, or out of it; an empty list is none at all.
fn with_part(scenario: &Scenario, part: ZeroPlusPlus, on: bool) -> Change {
    let given = Training::zeropp.given(scenario).cloned().unwrap_or_default();
    let list: Vec<_> = given.into_iter().filter(|other| *other != part).chain(on.then_some(part)).collect();
    Training::zeropp.set((!list.is_empty()).then_some(list))
}

//! The list of controls.

use std::borrow::Cow;

use vram_ledger::resolve::{InferencePlan, TrainingPlan};
use vram_ledger::scenario::{
    Attention, CacheFormat, Framework, Kernels, Loss, ModelChoice, Name, Number, Optimizer, RecipeChoice, RecipeName,
    Recompute, Scenario, Sharding, WeightFormat,
};

use super::super::core::Answer;
use super::super::language::{Language, Message};
use super::super::quantity::Quantity;
use super::{CUSTOM, Control, Field, Kind, Spec};

/// A field of the question that holds a number, by its path.
macro_rules! field {
    ($part:ident . $field:ident, $part_mut:ident) => {
        Field {
            given: |scenario| scenario.$part.as_ref()?.$field.map(|number| number.0),
            set: |scenario, number| scenario.$part_mut().$field = number.map(Number),
        }
    };
    (cluster.$field:ident) => {
        field!(cluster.$field, cluster_mut)
    };
    (training.$field:ident) => {
        field!(training.$field, training_mut)
    };
    (inference.$field:ident) => {
        field!(inference.$field, inference_mut)
    };
}

macro_rules! numbers {
    ($($name:ident = $part:ident . $field:ident, $label:ident, $quantity:ident, $effective:expr;)+) => {$(
        /// A number of the question.
        pub const $name: Control = {
            static SPEC: Spec = Spec {
                id: concat!(stringify!($part), ".", stringify!($field)),
                label: Message::$label,
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
    ($scenario:ident, $part:ident . $field:ident) => {
        $scenario.$part.as_ref()?.$field.map(Name::name)
    };
}
macro_rules! give_name {
    ($scenario:ident, $name:expr, framework) => {
        $scenario.framework = $name
    };
    ($scenario:ident, $name:expr, training.recipe) => {
        $scenario.training_mut().recipe = $name.map(RecipeChoice::Named)
    };
    ($scenario:ident, $name:expr, training.$field:ident) => {
        $scenario.training_mut().$field = $name
    };
    ($scenario:ident, $name:expr, inference.$field:ident) => {
        $scenario.inference_mut().$field = $name
    };
}

/// A choice among the values of an enum of the schema; some of them may not be accounted for yet.
macro_rules! choices {
    ($($name:ident = $id:literal [$($path:tt)+], $label:ident, $kind:ident [$($value:ident),+], $text:ident, $effective:expr;)+) => {$(
        /// A choice of the question.
        pub const $name: Control = {
            const OFFERED: &[$kind] = &[$($kind::$value),+];
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
            fn set(scenario: &mut Scenario, index: Option<usize>) {
                give_name!(scenario, index.map(|index| OFFERED[index]), $($path)+);
            }
            fn effective(answer: &Answer) -> Option<&'static str> {
                let effective: fn(&Answer) -> Option<$kind> = $effective;
                effective(answer).map(Name::name)
            }
            static SPEC: Spec = Spec {
                id: $id,
                label: Message::$label,
                kind: Kind::Choice { names: &NAMES, text, given, set, effective },
            };
            Control(&SPEC)
        };
    )+};
}

macro_rules! own {
    ($($name:ident = $id:literal, $label:ident, $kind:expr;)+) => {$(
        /// A control with a shape of its own.
        pub const $name: Control = {
            static SPEC: Spec = Spec { id: $id, label: Message::$label, kind: $kind };
            Control(&SPEC)
        };
    )+};
}

fn training(answer: &Answer) -> Option<&TrainingPlan> {
    answer.settled.training.as_ref().ok()
}

fn inference(answer: &Answer) -> Option<&InferencePlan> {
    answer.settled.inference.as_ref().ok()
}

own! {
    MODEL = "model", Model, Kind::Own;
    MODEL_CONFIG = "model.config", ConfigJson, Kind::Config;
    PRECISION = "precision", Precision, Kind::Own;
    GPU = "cluster.gpu", Gpu, Kind::Own;
    NETWORK = "cluster.network", Network, Kind::Own;
}

numbers! {
    GPUS = cluster.gpus, ShardsGpus, Count, |answer| Some(answer.settled.cluster.gpus as f64);
    MICRO_BATCH = training.micro_batch, MicroBatch, Count, |answer| training(answer).map(|plan| plan.micro_batch as f64);
    GLOBAL_BATCH = training.global_batch, GlobalBatch, Count,
        |answer| training(answer).map(|plan| plan.global_batch as f64);
    TRAINING_SEQUENCE = training.sequence, TrainingSequence, Tokens,
        |answer| training(answer).map(|plan| plan.sequence as f64);
    TRAINING_TENSOR = training.tensor, TensorParallel, Count, |answer| training(answer).map(|plan| plan.tensor as f64);
    LOSS_CHUNKS = training.loss_chunks, LossChunks, Count,
        |answer| training(answer).map(|plan| plan.loss_chunks as f64);
    DROPOUT = training.dropout, Dropout, Share, |_| Some(0.0);
    CONTEXT = inference.context, Context, Tokens, |answer| inference(answer).map(|plan| plan.context as f64);
    CONCURRENCY = inference.concurrency, Concurrency, Count,
        |answer| inference(answer).map(|plan| plan.concurrency as f64);
    PREFILL_CHUNK = inference.prefill_chunk, PrefillChunk, Tokens,
        |answer| inference(answer).map(|plan| plan.prefill_chunk as f64);
    SERVING_TENSOR = inference.tensor, ServingTensor, Count, |answer| inference(answer).map(|plan| plan.tensor as f64);
    GPUS_PER_NODE = cluster.gpus_per_node, GpusPerNode, Count,
        |answer| Some(answer.settled.cluster.gpus_per_node as f64);
}

/// Parameters of a decoder whose shape is assumed.
pub const PARAMETERS: Control = {
    const COUNT: Field = Field {
        given: |scenario| match &scenario.model {
            Some(ModelChoice::Parameters(count)) => Some(count.0),
            _ => None,
        },
        set: |scenario, count| scenario.model = count.map(|count| ModelChoice::Parameters(Number(count))),
    };
    static SPEC: Spec = Spec {
        id: "model.parameters",
        label: Message::Parameters,
        kind: Kind::Number {
            quantity: Quantity::Parameters,
            fields: &[COUNT],
            effective: |answer| Some(answer.report.model.parameters),
        },
    };
    Control(&SPEC)
};

/// The sequence slider: training sequences and served contexts have the same length.
pub const SEQUENCE: Control = {
    static SPEC: Spec = Spec {
        id: "sequence",
        label: Message::Sequence,
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
    FRAMEWORK = "framework" [framework], Framework,
        Framework [Textbook, MegatronCore, PytorchFsdp2, DeepSpeed, HfTrainer, Torchtune], framework,
        |answer| Some(answer.settled.profile.framework);
    RECIPE = "training.recipe" [training.recipe], Recipe,
        RecipeName [Bf16Mixed, Bf16MixedFp32Gradients, Fp16Mixed, Fp16MixedFp32Gradients, Fp32, Fp32Sharded, Bf16Pure,
            Fp8Mixed, Mxfp8Mixed, Nvfp4Mixed], recipe,
        |answer| Some(answer.settled.profile.recipe);
    SHARDING = "training.sharding" [training.sharding], Sharding, Sharding [None, Zero1, Zero2, Zero3], sharding,
        |answer| training(answer).map(|plan| plan.sharding);
    RECOMPUTE = "training.recompute" [training.recompute], Recompute, Recompute [None, Selective, Full], recompute,
        |answer| training(answer).map(|plan| plan.recompute);
    OPTIMIZER = "training.optimizer" [training.optimizer], Optimizer,
        Optimizer [AdamW, AdamW8bit, AdamWBf16, Adafactor, Lion, Sgd, SgdMomentum, Muon], optimizer,
        |answer| training(answer).map(|plan| plan.optimizer);
    TRAINING_ATTENTION = "training.attention" [training.attention], Attention, Attention [Flash, Eager], attention,
        |answer| training(answer).map(|plan| plan.attention);
    KERNELS = "training.kernels" [training.kernels], Kernels, Kernels [Fused, Eager, Compiled, TransformerEngine], kernels,
        |answer| training(answer).map(|plan| plan.kernels);
    LOSS = "training.loss" [training.loss], Loss, Loss [Fused, Eager, Compiled, VocabParallel, Chunked, FusedLinear], loss,
        |answer| training(answer).map(|plan| plan.loss);
    WEIGHTS = "inference.weights" [inference.weights], ServedWeights,
        WeightFormat [Fp32, Bf16, Fp16, Fp8, Fp8Block, Int8, Int4G128, Nf4, Nf4Dq], weight_format,
        |answer| inference(answer).map(|plan| plan.weights);
    CACHE = "inference.kv" [inference.kv], CacheFormat, CacheFormat [Bf16, Fp16, Fp8, Int8], cache_format,
        |answer| inference(answer).map(|plan| plan.cache);
    SERVING_ATTENTION = "inference.attention" [inference.attention], Attention, Attention [Flash, Eager], attention,
        |answer| inference(answer).map(|plan| plan.attention);
}

own! {
    SEQUENCE_PARALLEL = "training.sequence_parallel", SequenceParallel,
        Kind::Switch {
            set: |scenario, on| scenario.training_mut().sequence_parallel = Some(on),
            effective: |answer| training(answer).map(|plan| plan.sequence_parallel),
        };
}

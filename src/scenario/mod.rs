//! The question: what somebody asks the ledger, as JSON, as a link, or as sliders.
//!
//! Every field is optional and a scenario holds only what was given, so that writing one back gives the same text and a
//! link stays short. What the absent fields stand for is settled by [`crate::resolve`].

mod change;
mod limits;

use std::sync::{Arc, OnceLock};

use serde_json::Value;

pub use change::{Change, Patch, Setting};
pub use limits::{MOST_GPUS, MOST_SEQUENCES, MOST_TOKENS};

use crate::frameworks::Framework;
use crate::model::{self, Described, Published};
use crate::names::{
    AdapterKind, Attention, BandwidthView, CacheFormat, ComputeFormat, ContextMethod, DispatchFormat, Engine,
    FlopsConvention, Kernels, LatentCache, Loss, Offload, OptimizerStep, RecipeName, Recompute, ReduceFormat, Schedule,
    Sharding, WeightFormat, ZeroPlusPlus,
};
use crate::optimizers::Optimizer;
use crate::refusal::{Expected, FieldError, Problem};
use crate::schema::{Path, Schema, Strict, object, schema, serde_by_schema, unknown};

/// A number as somebody wrote it: `7e9`, `7000000000.0` and `7000000000` are the same. Its range is checked on resolving.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Number(pub f64);

impl Schema for Number {
    fn read(value: &Value, at: &Path) -> Result<Number, FieldError> {
        f64::read(value, at).map(Number)
    }

    fn write(&self) -> Value {
        self.0.write()
    }
}

impl<T: Into<f64>> From<T> for Number {
    fn from(value: T) -> Number {
        Number(value.into())
    }
}

/// The settings of one part of the question, as constants named after its fields.
macro_rules! settings {
    ([] $($rest:tt)*) => {};
    ([root] $($fields:tt)+) => {
        settings! { "", given: |scenario| Some(scenario), slot: |scenario| scenario; $($fields)+ }
    };
    ([cluster] $($fields:tt)+) => {
        settings! {
            "cluster.", given: |scenario| scenario.cluster.as_ref(), slot: |scenario| scenario.cluster_mut(); $($fields)+
        }
    };
    ([training] $($fields:tt)+) => {
        settings! {
            "training.", given: |scenario| scenario.training.as_ref(), slot: |scenario| scenario.training_mut();
            $($fields)+
        }
    };
    ([inference] $($fields:tt)+) => {
        settings! {
            "inference.", given: |scenario| scenario.inference.as_ref(), slot: |scenario| scenario.inference_mut();
            $($fields)+
        }
    };
    ([adapter] $($fields:tt)+) => {
        settings! {
            "training.adapter.",
            given: |scenario| scenario.training.as_ref().and_then(|half| half.adapter.as_ref()),
            slot: |scenario| scenario.training_mut().adapter.get_or_insert_default();
            $($fields)+
        }
    };
    (
        $prefix:literal, given: |$given_in:ident| $given:expr, slot: |$set_in:ident| $part:expr;
        $name:ident { $($key:literal $field:ident: $kind:ty),+ }
    ) => {
        #[allow(non_upper_case_globals, reason = "a setting has the name of its field")]
        impl $name {$(
            #[doc = concat!("The setting `", $prefix, $key, "`.")]
            pub const $field: Setting<$kind> = Setting {
                path: concat!($prefix, $key),
                get: |$given_in| $given.and_then(|part| part.$field.as_ref()),
                slot: |$set_in| &mut $part.$field,
            };
        )+}
    };
}

/// The structures of the question, and the settings of those that have a place in it.
macro_rules! question {
    ($($(#[$doc:meta])* pub struct $name:ident $(in $place:ident)? {
        $($(#[$field_doc:meta])* $key:literal $field:ident: $kind:ty),+ $(,)?
    })+) => {
        schema! { Refused: $($(#[$doc])* pub struct $name { $($(#[$field_doc])* $key $field: $kind),+ })+ }
        $(settings! { [$($place)?] $name { $($key $field: $kind),+ } })+
    };
}

question! {
    /// Everything that can be asked; `{}` is the opening state.
    pub struct Scenario in root {
        /// The model: a parameter count, a catalogue id, or the keys of a `config.json`.
        "model" model: ModelChoice,
        /// The profile of defaults.
        "framework" framework: Framework,
        /// The machines.
        "cluster" cluster: Cluster,
        /// The training half.
        "training" training: Training,
        /// The serving half.
        "inference" inference: Inference,
    }

    /// The machines.
    pub struct Cluster in cluster {
        /// A catalogue id or the figures of a GPU.
        "gpu" gpu: GpuChoice,
        /// GPUs in all.
        "gpus" gpus: Number,
        /// GPUs joined by the fast link.
        "gpus_per_node" gpus_per_node: Number,
        /// The link inside a node.
        "link" link: LinkChoice,
        /// The network between nodes.
        "network" network: LinkChoice,
        /// How many network cards of a node one collective can use.
        "bandwidth_view" bandwidth_view: BandwidthView,
        /// Achievable share of memory bandwidth.
        "memory_efficiency" memory_efficiency: Number,
        /// Bytes of each GPU to leave free.
        "reserve_bytes" reserve_bytes: Number,
        /// Mean time between failures of one GPU, in hours.
        "gpu_mtbf_hours" gpu_mtbf_hours: Number,
        /// Bytes a second with which the whole job writes a checkpoint.
        "storage_bandwidth" storage_bandwidth: Number,
        /// Price of one GPU for an hour.
        "price_per_gpu_hour" price_per_gpu_hour: Number,
    }

    /// The training half.
    pub struct Training in training {
        /// Bytes a parameter in each account.
        "recipe" recipe: RecipeChoice,
        /// Format of the matrix products.
        "compute" compute: ComputeFormat,
        /// The optimiser.
        "optimizer" optimizer: Optimizer,
        /// How the weights are updated.
        "optimizer_step" optimizer_step: OptimizerStep,
        /// Tokens in a sequence.
        "sequence" sequence: Number,
        /// Sequences in a micro-batch.
        "micro_batch" micro_batch: Number,
        /// Sequences in an optimiser step.
        "global_batch" global_batch: Number,
        /// What the data-parallel ranks share out.
        "sharding" sharding: Sharding,
        /// Ranks that share one copy with `hsdp`.
        "shard_group" shard_group: Number,
        /// Whether gathered weights are dropped after forward.
        "reshard_after_forward" reshard_after_forward: bool,
        /// Share of data-parallel traffic that may hide behind compute.
        "data_overlap" data_overlap: Number,
        /// Format in which gradients travel.
        "reduce_dtype" reduce_dtype: ReduceFormat,
        /// Parts of ZeRO++.
        "zeropp" zeropp: Vec<ZeroPlusPlus>,
        /// Tensor-parallel ranks.
        "tensor" tensor: Number,
        /// Whether the parts tensor parallelism leaves whole are split by tokens.
        "sequence_parallel" sequence_parallel: bool,
        /// Pipeline stages.
        "pipeline" pipeline: Number,
        /// Context-parallel ranks.
        "context" context: Number,
        /// Expert-parallel ranks.
        "expert" expert: Number,
        /// Order of micro-batches in the pipeline.
        "schedule" schedule: Schedule,
        /// Chunks of layers a stage holds.
        "virtual_stages" virtual_stages: Number,
        /// Layers of each stage.
        "layers_per_stage" layers_per_stage: Vec<Number>,
        /// Share of tensor-parallel collectives hidden behind compute.
        "tensor_overlap" tensor_overlap: Number,
        /// Format of dispatched tokens.
        "expert_dispatch" expert_dispatch: DispatchFormat,
        /// Capacity factor when tokens are padded or dropped.
        "expert_capacity" expert_capacity: Number,
        /// How a sequence is split over context ranks.
        "context_method" context_method: ContextMethod,
        /// What is computed a second time in backward.
        "recompute" recompute: Recompute,
        /// Layers of each stage that are recomputed.
        "recompute_layers" recompute_layers: Number,
        /// Whether weight gradients are added up inside the matrix product's kernel.
        "gradient_accumulation_fusion" gradient_accumulation_fusion: bool,
        /// Whether each tensor is updated during backward.
        "optimizer_in_backward" optimizer_in_backward: bool,
        /// Whether optimiser states can be paged to the host.
        "paged_optimizer" paged_optimizer: bool,
        /// Whether kept tensors are moved to the host.
        "activation_offload" activation_offload: bool,
        /// Tensor-parallel ranks inside an expert.
        "expert_tensor" expert_tensor: Number,
        /// What counts as model FLOPs in `mfu`.
        "flops_convention" flops_convention: FlopsConvention,
        /// Whether attention scores are materialised.
        "attention" attention: Attention,
        /// Which kernels run a layer.
        "kernels" kernels: Kernels,
        /// How the loss is computed.
        "loss" loss: Loss,
        /// Chunks of a chunked loss.
        "loss_chunks" loss_chunks: Number,
        /// Dropout probability; above zero the masks are kept.
        "dropout" dropout: Number,
        /// Share of tokens that are not padding.
        "packing" packing: Number,
        /// Tokens of the whole run.
        "tokens" tokens: Number,
        /// The vocabulary is padded to a multiple of this × tensor.
        "vocab_multiple" vocab_multiple: Number,
        /// Tokens of the most loaded rank over the mean.
        "expert_imbalance" expert_imbalance: Number,
        /// What is moved to host memory.
        "offload" offload: Offload,
        /// Low-rank adapters.
        "adapter" adapter: Adapter,
        /// Share of the dense peak that the model's matrix work reaches.
        "mfu_ceiling" mfu_ceiling: Number,
    }

    /// The serving half.
    pub struct Inference in inference {
        /// Format of the weights.
        "weights" weights: WeightFormat,
        /// Format of the key-value cache.
        "kv" kv: CacheFormat,
        /// Tokens a request holds.
        "context" context: Number,
        /// Requests at once.
        "concurrency" concurrency: Number,
        /// Tokens shared by all requests.
        "shared_prefix" shared_prefix: Number,
        /// Tokens in a block of the cache.
        "block" block: Number,
        /// Tokens in one forward pass at most.
        "prefill_chunk" prefill_chunk: Number,
        /// Tensor-parallel ranks.
        "tensor" tensor: Number,
        /// Pipeline stages.
        "pipeline" pipeline: Number,
        /// Expert-parallel ranks.
        "expert" expert: Number,
        /// Whether attention is split by request over the tensor ranks.
        "data_parallel_attention" data_parallel_attention: bool,
        /// The engine.
        "engine" engine: Engine,
        /// The engine's memory budget.
        "memory_fraction" memory_fraction: Number,
        /// Whether CUDA graphs are captured.
        "cuda_graphs" cuda_graphs: bool,
        /// Bytes a GPU gives the cache.
        "kv_cache_bytes" kv_cache_bytes: Number,
        /// Most sequences in a batch.
        "max_sequences" max_sequences: Number,
        /// Whether attention scores are materialised.
        "attention" attention: Attention,
        /// llama.cpp: one cache for all slots.
        "kv_unified" kv_unified: bool,
        /// llama.cpp: window layers at full length.
        "swa_full" swa_full: bool,
        /// llama.cpp: rows of fp32 logits reserved in a pass.
        "logits_rows" logits_rows: Number,
        /// Tokens drafted in a step.
        "draft_tokens" draft_tokens: Number,
        /// What a latent-attention model caches.
        "mla" mla: LatentCache,
        /// Share of the dense peak that the model's matrix work reaches.
        "mfu_ceiling" mfu_ceiling: Number,
    }

    /// Low-rank adapters.
    pub struct Adapter in adapter {
        /// LoRA or QLoRA.
        "kind" kind: AdapterKind,
        /// Rank of the adapters.
        "rank" rank: Number,
        /// What they are put on.
        "targets" targets: AdapterTargets,
        /// Dropout before an adapter.
        "dropout" dropout: Number,
        /// QLoRA: whether the scales of the frozen weights are quantised too.
        "double_quantization" double_quantization: bool,
    }

    /// Dense peak rates in FLOP/s by format.
    pub struct PeakFlops {
        /// FP32.
        "fp32" fp32: Number,
        /// TF32.
        "tf32" tf32: Number,
        /// BF16.
        "bf16" bf16: Number,
        /// FP16.
        "fp16" fp16: Number,
        /// FP8.
        "fp8" fp8: Number,
        /// INT8.
        "int8" int8: Number,
        /// FP4.
        "fp4" fp4: Number,
    }

    /// A GPU that is not in the catalogue.
    pub struct CustomGpu {
        /// Bytes the framework sees.
        "memory_bytes" memory_bytes: Number,
        /// Bytes a second of its memory.
        "bandwidth" bandwidth: Number,
        /// Dense peak rates.
        "peak_flops" peak_flops: PeakFlops,
    }

    /// A link that is not in the catalogue.
    pub struct CustomLink {
        /// Bytes a second, one way, of one GPU.
        "bandwidth" bandwidth: Number,
        /// Seconds a message.
        "latency" latency: Number,
        /// Achievable share of the bandwidth.
        "efficiency" efficiency: Number,
    }

    /// Bytes a parameter in each account.
    pub struct CustomRecipe {
        /// Weights.
        "weights" weights: Number,
        /// Gradients.
        "gradients" gradients: Number,
        /// Master weights.
        "master" master: Number,
        /// First moment.
        "momentum" momentum: Number,
        /// Second moment.
        "variance" variance: Number,
    }
}

/// A value that is either a name or an object of its own.
macro_rules! named_or_custom {
    ($($(#[$doc:meta])* $name:ident { $named:ident($named_kind:ty), $custom:ident($custom_kind:ty), expected $expected:ident })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name {
            /// By its name.
            $named($named_kind),
            /// By its own figures.
            $custom(Box<$custom_kind>),
        }

        impl Schema for $name {
            fn read(value: &Value, at: &Path) -> Result<Self, FieldError> {
                match value {
                    Value::String(_) => Schema::read(value, at).map($name::$named),
                    Value::Object(_) => Schema::read(value, at).map($name::$custom),
                    _ => Err(at.expected(value, Expected::$expected)),
                }
            }

            fn write(&self) -> Value {
                match self {
                    $name::$named(name) => name.write(),
                    $name::$custom(custom) => custom.write(),
                }
            }
        }
    )+};
}

named_or_custom! {
    /// The GPU.
    GpuChoice { Catalogue(String), Custom(CustomGpu), expected Gpu }
    /// A link.
    LinkChoice { Catalogue(String), Custom(CustomLink), expected Link }
    /// The training recipe.
    RecipeChoice { Named(RecipeName), Custom(CustomRecipe), expected Recipe }
}

/// The model.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelChoice {
    /// A bare parameter count; the shape is assumed.
    Parameters(Number),
    /// A published model, by its id in the catalogue.
    Catalogue(&'static Published),
    /// The keys of a Hugging Face `config.json`.
    Config(Arc<PastedConfig>),
}

/// The keys of a `config.json`, and what they describe once somebody has asked for it.
#[derive(Clone, Debug)]
pub struct PastedConfig {
    keys: Value,
    described: OnceLock<Result<Described, FieldError>>,
}

impl PastedConfig {
    /// The keys as they were given.
    #[must_use]
    pub fn new(keys: Value) -> PastedConfig {
        PastedConfig { keys, described: OnceLock::new() }
    }

    /// The keys as they were given.
    #[must_use]
    pub fn keys(&self) -> &Value {
        &self.keys
    }

    /// What they describe, which `describe` reads from them the first time.
    pub fn described(
        &self,
        describe: impl FnOnce(&Value) -> Result<Described, FieldError>,
    ) -> &Result<Described, FieldError> {
        self.described.get_or_init(|| describe(&self.keys))
    }
}

impl PartialEq for PastedConfig {
    fn eq(&self, other: &PastedConfig) -> bool {
        self.keys == other.keys
    }
}

/// The key of a bare parameter count.
const PARAMETERS: &str = "parameters";

impl Schema for ModelChoice {
    fn read(value: &Value, at: &Path) -> Result<ModelChoice, FieldError> {
        match value {
            Value::String(id) => {
                let known = model::find(id).ok_or_else(|| {
                    let ids: Vec<&str> = model::catalogue().iter().map(|row| row.id).collect();
                    at.refuse(Problem::unknown(id, ids.join(", ")))
                });
                known.map(ModelChoice::Catalogue)
            }
            Value::Object(keys) => match keys.get(PARAMETERS) {
                None => Ok(ModelChoice::Config(Arc::new(PastedConfig::new(value.clone())))),
                // Of a count and a shape beside each other one would have to be ignored.
                Some(_) if keys.len() > 1 => {
                    let other = keys.keys().find(|key| *key != PARAMETERS).map_or("", String::as_str);
                    Err(unknown(at, other, [PARAMETERS].into_iter()))
                }
                Some(count) => Schema::read(count, &at.under(PARAMETERS)).map(ModelChoice::Parameters),
            },
            _ => Err(at.expected(value, Expected::Model)),
        }
    }

    fn write(&self) -> Value {
        match self {
            ModelChoice::Parameters(count) => {
                let mut map = serde_json::Map::new();
                map.insert(PARAMETERS.to_owned(), count.write());
                Value::Object(map)
            }
            ModelChoice::Catalogue(row) => row.id.write(),
            ModelChoice::Config(config) => config.keys.clone(),
        }
    }
}

/// What adapters are put on.
#[derive(Clone, Debug, PartialEq)]
pub enum AdapterTargets {
    /// `attention` or `all_linear`.
    Group(String),
    /// Module names.
    Modules(Vec<String>),
}

impl Schema for AdapterTargets {
    fn read(value: &Value, at: &Path) -> Result<AdapterTargets, FieldError> {
        match value {
            Value::String(group) => Ok(AdapterTargets::Group(group.clone())),
            Value::Array(_) => Schema::read(value, at).map(AdapterTargets::Modules),
            _ => Err(at.expected(value, Expected::AdapterTargets)),
        }
    }

    fn write(&self) -> Value {
        match self {
            AdapterTargets::Group(group) => group.write(),
            AdapterTargets::Modules(modules) => modules.write(),
        }
    }
}

serde_by_schema!(Scenario);

impl Scenario {
    /// Reads a scenario from JSON text.
    ///
    /// # Errors
    /// Names the field, what was given and what is allowed.
    pub fn from_json(text: &str) -> Result<Scenario, FieldError> {
        let value = Strict::from_text(text).map_err(|error| FieldError::new("", Problem::Malformed(error)))?;
        Scenario::from_value(&value)
    }

    /// Reads a scenario from JSON that is already parsed.
    ///
    /// # Errors
    /// Names the field, what was given and what is allowed.
    pub fn from_value(value: &Value) -> Result<Scenario, FieldError> {
        object(value, &Path::ROOT)?;
        Schema::read(value, &Path::ROOT)
    }

    /// The same scenario as JSON.
    #[must_use]
    pub fn to_value(&self) -> Value {
        self.write()
    }

    /// The cluster, created where it is not there yet.
    pub fn cluster_mut(&mut self) -> &mut Cluster {
        self.cluster.get_or_insert_default()
    }

    /// The training half, created where it is not there yet.
    pub fn training_mut(&mut self) -> &mut Training {
        self.training.get_or_insert_default()
    }

    /// The serving half, created where it is not there yet.
    pub fn inference_mut(&mut self) -> &mut Inference {
        self.inference.get_or_insert_default()
    }
}

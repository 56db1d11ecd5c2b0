//! The question: what somebody asks the ledger, as JSON, as a link, or as sliders.
//!
//! Every field is optional and a scenario holds only what was given, so that writing one back gives the same text and a
//! link stays short. What the absent fields stand for is settled by [`crate::resolve`].

mod error;
mod names;

use std::fmt;

use serde::de::{self, Deserializer, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Serialize, Serializer};

pub use error::{DivisionRule, FieldError, Problem};
pub use names::*;

use crate::model::HfConfig;
use crate::units::serialize_number;

/// A number as somebody wrote it: `7e9`, `7000000000.0` and `7000000000` are the same. Its range is checked on resolving.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Deserialize)]
#[serde(transparent)]
pub struct Number(pub f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_number(self.0, serializer)
    }
}

impl<T: Into<f64>> From<T> for Number {
    fn from(value: T) -> Number {
        Number(value.into())
    }
}

/// A part of the question whose fields are all optional; an unknown field is an error that lists the known ones.
macro_rules! question {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $kind:ty),+ $(,)? })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields, remote = "Self")]
        pub struct $name {
            $($(#[$field_doc])* #[serde(skip_serializing_if = "Option::is_none")] pub $field: Option<$kind>),+
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $name::serialize(self, serializer)
            }
        }

        // What is derived would take a list as the fields in their order; only an object is meant.
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Fields;
                impl<'de> Visitor<'de> for Fields {
                    type Value = $name;
                    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                        f.write_str("an object")
                    }
                    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<$name, A::Error> {
                        $name::deserialize(MapAccessDeserializer::new(map))
                    }
                }
                deserializer.deserialize_map(Fields)
            }
        }
    )+};
}

question! {
    /// Everything that can be asked; `{}` is the opening state.
    Scenario {
        /// The model: a parameter count, a catalogue id, or the keys of a `config.json`.
        model: ModelChoice,
        /// The profile of defaults.
        framework: Framework,
        /// The machines.
        cluster: Cluster,
        /// The training half.
        training: Training,
        /// The serving half.
        inference: Inference,
    }

    /// The machines.
    Cluster {
        /// A catalogue id or the figures of a GPU.
        gpu: GpuChoice,
        /// GPUs in all.
        gpus: Number,
        /// GPUs joined by the fast link.
        gpus_per_node: Number,
        /// The link inside a node.
        link: LinkChoice,
        /// The network between nodes.
        network: LinkChoice,
        /// How many network cards of a node one collective can use.
        bandwidth_view: BandwidthView,
        /// Achievable share of memory bandwidth.
        memory_efficiency: Number,
        /// Bytes of each GPU to leave free.
        reserve_bytes: Number,
        /// Mean time between failures of one GPU, in hours.
        gpu_mtbf_hours: Number,
        /// Bytes a second with which the whole job writes a checkpoint.
        storage_bandwidth: Number,
        /// Price of one GPU for an hour.
        price_per_gpu_hour: Number,
    }

    /// The training half.
    Training {
        /// Bytes a parameter in each account.
        recipe: RecipeChoice,
        /// Format of the matrix products.
        compute: ComputeFormat,
        /// The optimiser.
        optimizer: Optimizer,
        /// Tokens in a sequence.
        sequence: Number,
        /// Sequences in a micro-batch.
        micro_batch: Number,
        /// Sequences in an optimiser step.
        global_batch: Number,
        /// What the data-parallel ranks share out.
        sharding: Sharding,
        /// Ranks that share one copy with `hsdp`.
        shard_group: Number,
        /// Whether gathered weights are dropped after forward.
        reshard_after_forward: bool,
        /// Share of data-parallel traffic that may hide behind compute.
        data_overlap: Number,
        /// Format in which gradients travel.
        reduce_dtype: ReduceFormat,
        /// Parts of ZeRO++.
        zeropp: Vec<ZeroPlusPlus>,
        /// Tensor-parallel ranks.
        tensor: Number,
        /// Whether the parts tensor parallelism leaves whole are split by tokens.
        sequence_parallel: bool,
        /// Pipeline stages.
        pipeline: Number,
        /// Context-parallel ranks.
        context: Number,
        /// Expert-parallel ranks.
        expert: Number,
        /// Order of micro-batches in the pipeline.
        schedule: Schedule,
        /// Chunks of layers a stage holds.
        virtual_stages: Number,
        /// Layers of each stage.
        layers_per_stage: Vec<Number>,
        /// Share of tensor-parallel collectives hidden behind compute.
        tensor_overlap: Number,
        /// Format of dispatched tokens.
        expert_dispatch: DispatchFormat,
        /// Capacity factor when tokens are padded or dropped.
        expert_capacity: Number,
        /// How a sequence is split over context ranks.
        context_method: ContextMethod,
        /// What is computed a second time in backward.
        recompute: Recompute,
        /// Layers of each stage that are recomputed.
        recompute_layers: Number,
        /// Whether weight gradients are added up inside the matrix product's kernel.
        gradient_accumulation_fusion: bool,
        /// Whether each tensor is updated during backward.
        optimizer_in_backward: bool,
        /// Whether optimiser states can be paged to the host.
        paged_optimizer: bool,
        /// Whether kept tensors are moved to the host.
        activation_offload: bool,
        /// Tensor-parallel ranks inside an expert.
        expert_tensor: Number,
        /// What counts as model FLOPs in `mfu`.
        flops_convention: FlopsConvention,
        /// Whether attention scores are materialised.
        attention: Attention,
        /// Which kernels run a layer.
        kernels: Kernels,
        /// How the loss is computed.
        loss: Loss,
        /// Chunks of a chunked loss.
        loss_chunks: Number,
        /// Dropout probability; above zero the masks are kept.
        dropout: Number,
        /// Share of tokens that are not padding.
        packing: Number,
        /// Tokens of the whole run.
        tokens: Number,
        /// The vocabulary is padded to a multiple of this × tensor.
        vocab_multiple: Number,
        /// Tokens of the most loaded rank over the mean.
        expert_imbalance: Number,
        /// What is moved to host memory.
        offload: Offload,
        /// Low-rank adapters.
        adapter: Adapter,
        /// Share of the dense peak that the model's matrix work reaches.
        mfu_ceiling: Number,
    }

    /// The serving half.
    Inference {
        /// Format of the weights.
        weights: WeightFormat,
        /// Format of the key-value cache.
        kv: CacheFormat,
        /// Tokens a request holds.
        context: Number,
        /// Requests at once.
        concurrency: Number,
        /// Tokens shared by all requests.
        shared_prefix: Number,
        /// Tokens in a block of the cache.
        block: Number,
        /// Tokens in one forward pass at most.
        prefill_chunk: Number,
        /// Tensor-parallel ranks.
        tensor: Number,
        /// Pipeline stages.
        pipeline: Number,
        /// Expert-parallel ranks.
        expert: Number,
        /// Whether attention is split by request over the tensor ranks.
        data_parallel_attention: bool,
        /// The engine.
        engine: Engine,
        /// The engine's memory budget.
        memory_fraction: Number,
        /// Whether CUDA graphs are captured.
        cuda_graphs: bool,
        /// Bytes a GPU gives the cache.
        kv_cache_bytes: Number,
        /// Most sequences in a batch.
        max_sequences: Number,
        /// Whether attention scores are materialised.
        attention: Attention,
        /// llama.cpp: one cache for all slots.
        kv_unified: bool,
        /// llama.cpp: window layers at full length.
        swa_full: bool,
        /// llama.cpp: rows of fp32 logits reserved in a pass.
        logits_rows: Number,
        /// Tokens drafted in a step.
        draft_tokens: Number,
        /// What a latent-attention model caches.
        mla: LatentCache,
        /// Share of the dense peak that the model's matrix work reaches.
        mfu_ceiling: Number,
    }

    /// Low-rank adapters.
    Adapter {
        /// LoRA or QLoRA.
        kind: AdapterKind,
        /// Rank of the adapters.
        rank: Number,
        /// What they are put on.
        targets: AdapterTargets,
        /// Dropout before an adapter.
        dropout: Number,
    }

    /// Dense peak rates in FLOP/s by format.
    PeakFlops {
        /// FP32.
        fp32: Number,
        /// TF32.
        tf32: Number,
        /// BF16.
        bf16: Number,
        /// FP16.
        fp16: Number,
        /// FP8.
        fp8: Number,
        /// INT8.
        int8: Number,
        /// FP4.
        fp4: Number,
    }

    /// A GPU that is not in the catalogue.
    CustomGpu {
        /// Bytes the framework sees.
        memory_bytes: Number,
        /// Bytes a second of its memory.
        bandwidth: Number,
        /// Dense peak rates.
        peak_flops: PeakFlops,
    }

    /// A link that is not in the catalogue.
    CustomLink {
        /// Bytes a second, one way, of one GPU.
        bandwidth: Number,
        /// Seconds a message.
        latency: Number,
        /// Achievable share of the bandwidth.
        efficiency: Number,
    }

    /// Bytes a parameter in each account.
    CustomRecipe {
        /// Weights.
        weights: Number,
        /// Gradients.
        gradients: Number,
        /// Master weights.
        master: Number,
        /// First moment.
        momentum: Number,
        /// Second moment.
        variance: Number,
    }
}

/// A value that is either a name or an object of its own.
macro_rules! named_or_custom {
    ($($(#[$doc:meta])* $name:ident { $named:ident($named_kind:ty), $custom:ident($custom_kind:ty), expecting $expecting:literal })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name {
            /// By its name.
            $named($named_kind),
            /// By its own figures.
            $custom(Box<$custom_kind>),
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $name::$named(name) => name.serialize(serializer),
                    $name::$custom(custom) => custom.serialize(serializer),
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Choice;
                impl<'de> Visitor<'de> for Choice {
                    type Value = $name;
                    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                        f.write_str($expecting)
                    }
                    fn visit_str<E: de::Error>(self, name: &str) -> Result<$name, E> {
                        <$named_kind>::deserialize(de::value::StrDeserializer::new(name)).map($name::$named)
                    }
                    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<$name, A::Error> {
                        <$custom_kind>::deserialize(MapAccessDeserializer::new(map)).map(|custom| $name::$custom(Box::new(custom)))
                    }
                }
                deserializer.deserialize_any(Choice)
            }
        }
    )+};
}

named_or_custom! {
    /// The GPU.
    GpuChoice { Catalogue(String), Custom(CustomGpu), expecting "a GPU of the catalogue or an object with memory_bytes, bandwidth, peak_flops" }
    /// A link.
    LinkChoice { Catalogue(String), Custom(CustomLink), expecting "a link of the catalogue or an object with bandwidth, latency, efficiency" }
    /// The training recipe.
    RecipeChoice { Named(RecipeName), Custom(CustomRecipe), expecting "the name of a recipe or an object with weights, gradients, master, momentum, variance" }
}

/// The model.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelChoice {
    /// A bare parameter count; the shape is assumed.
    Parameters(Number),
    /// An id of the catalogue.
    Catalogue(String),
    /// The keys of a Hugging Face `config.json`.
    Config(Box<HfConfig>),
}

impl Serialize for ModelChoice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            ModelChoice::Parameters(count) => {
                use serde::ser::SerializeStruct;
                let mut model = serializer.serialize_struct("Model", 1)?;
                model.serialize_field("parameters", count)?;
                model.end()
            }
            ModelChoice::Catalogue(id) => serializer.serialize_str(id),
            ModelChoice::Config(config) => config.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for ModelChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Choice;
        impl<'de> Visitor<'de> for Choice {
            type Value = ModelChoice;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("{\"parameters\": count}, an id of the catalogue, or the keys of a config.json")
            }
            fn visit_str<E: de::Error>(self, id: &str) -> Result<ModelChoice, E> {
                Ok(ModelChoice::Catalogue(id.to_owned()))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ModelChoice, A::Error> {
                // Buffered, because one key decides how the others are read.
                let object = serde_json::Map::deserialize(MapAccessDeserializer::new(map))?;
                let bare = object.get("parameters").filter(|_| !object.contains_key("model_type"));
                let Some(count) = bare else {
                    return serde_json::from_value(object.into())
                        .map(|config| ModelChoice::Config(Box::new(config)))
                        .map_err(de::Error::custom);
                };
                if let Some(unknown) = object.keys().find(|key| *key != "parameters") {
                    return Err(de::Error::unknown_field(unknown, &["parameters"]));
                }
                Number::deserialize(count).map(ModelChoice::Parameters).map_err(de::Error::custom)
            }
        }
        deserializer.deserialize_any(Choice)
    }
}

/// What adapters are put on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AdapterTargets {
    /// `attention` or `all_linear`.
    Group(String),
    /// Module names.
    Modules(Vec<String>),
}

impl Scenario {
    /// Reads a scenario from JSON text.
    ///
    /// # Errors
    /// Names the field, what was given and what is allowed.
    pub fn from_json(text: &str) -> Result<Scenario, FieldError> {
        let value: serde_json::Value =
            serde_json::from_str(text).map_err(|error| FieldError::new("", Problem::Malformed(error.to_string())))?;
        Scenario::from_value(&value)
    }

    /// Reads a scenario from JSON that is already parsed.
    ///
    /// # Errors
    /// Names the field, what was given and what is allowed.
    pub fn from_value(value: &serde_json::Value) -> Result<Scenario, FieldError> {
        serde_path_to_error::deserialize(value).map_err(|error| {
            let path = error.path().to_string();
            let field = if path == "." { String::new() } else { path };
            FieldError::new(field, Problem::Malformed(error.into_inner().to_string()))
        })
    }

    /// The same scenario as JSON.
    #[must_use]
    pub fn to_value(&self) -> serde_json::Value {
        serde_json::to_value(self).expect("a scenario has string keys and finite numbers only")
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

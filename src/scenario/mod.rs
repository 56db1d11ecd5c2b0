//! The question: what somebody asks the ledger, as JSON, as a link, or as sliders.
//!
//! Every field is optional and a scenario holds only what was given, so that writing one back gives the same text and a
//! link stays short. What the absent fields stand for is settled by [`crate::resolve`].

mod change;
mod limits;
mod plain;
pub(crate) mod range;
pub(crate) mod rows;
mod settings;

use std::sync::{Arc, OnceLock};

use serde_json::Value;

pub use change::{Change, Patch, Setting};
pub use limits::{MOST_GPUS, MOST_LAYERS, MOST_SEQUENCES, MOST_TOKENS};
pub use plain::Plain;
pub use settings::*;

use crate::model::{self, Described, Published};
use crate::names::RecipeName;
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

schema! { Refused:
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

    /// What they describe, if somebody has asked for it.
    #[must_use]
    pub fn known(&self) -> Option<&Result<Described, FieldError>> {
        self.described.get()
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
            ModelChoice::Catalogue(row) => row.id.into(),
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

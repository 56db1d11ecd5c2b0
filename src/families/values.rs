//! Values that files write in several ways.
//!
//! A key has the type it has in the families that are understood. Others write a number once for each layer, or a pattern
//! of layers as text: where that says no more than the number would, it is read as the number. What is left is no broken
//! file but a family nobody has described yet, and the refusal says so.

use std::borrow::Cow;

use serde_json::Value;

use super::{HfConfig, find, refused};
use crate::refusal::{FieldError, ModelProblem, shortened};
use crate::schema::{Path, Schema};

/// Numbers that some files give for each layer.
const BY_LAYER: [&str; 8] = [
    "intermediate_size",
    "moe_intermediate_size",
    "moe_layer_freq",
    "moe_topk",
    "num_experts",
    "num_experts_per_tok",
    "num_key_value_heads",
    "num_shared_expert",
];

const PATTERN: &str = "sliding_window_pattern";
const TEXT: &str = "text_config";

impl HfConfig {
    /// Reads the keys of a file.
    pub(super) fn read_keys(value: &Value) -> Result<HfConfig, FieldError> {
        Schema::read(&evened(value), &Path::ROOT).map_err(|error| match family_nobody_described(value) {
            None => error,
            Some(model_type) => {
                let problem = Box::new(error.problem.clone());
                let problem = ModelProblem::UnderUnknown { model_type: shortened(model_type), problem };
                refused(error.field.clone(), problem)
            }
        })
    }
}

/// The `model_type` of a file, where it names no known family.
fn family_nobody_described(value: &Value) -> Option<&str> {
    let of = |value: &'_ Value| value.get("model_type").is_some();
    let inner = value.get(TEXT).filter(|text| of(text)).unwrap_or(value);
    let model_type = inner.get("model_type")?.as_str()?;
    find(model_type).is_none().then_some(model_type)
}

/// The same file with a number in place of each value that says no more than it.
fn evened(value: &Value) -> Cow<'_, Value> {
    let mut found: Vec<(&str, Value)> = Vec::new();
    for key in BY_LAYER {
        found.extend(value.get(key).and_then(one_of_a_list).map(|number| (key, number)));
    }
    found.extend(value.get(PATTERN).and_then(one_of_a_pattern).map(|number| (PATTERN, number)));
    if let Some(Cow::Owned(text)) = value.get(TEXT).map(evened) {
        found.push((TEXT, text));
    }
    if found.is_empty() {
        return Cow::Borrowed(value);
    }
    let mut value = value.clone();
    for (key, number) in found {
        value[key] = number;
    }
    Cow::Owned(value)
}

/// The number of a list in which it stands for every layer.
fn one_of_a_list(value: &Value) -> Option<Value> {
    let [first, others @ ..] = value.as_array()?.as_slice() else { return None };
    (first.is_number() && others.iter().all(|other| other == first)).then(|| first.clone())
}

/// The number of layers in a pattern of local ones with a global one behind them (`LLLG` of EXAONE 4).
fn one_of_a_pattern(value: &Value) -> Option<Value> {
    let pattern = value.as_str()?;
    let local = pattern.strip_suffix('G')?;
    local.chars().all(|layer| layer == 'L').then(|| Value::from(pattern.len()))
}

//! Questions as text: links, and pasted models. All of it is fetched when there first is such a text; the opening page
//! has none.

use std::sync::Arc;

use serde_json::{Map, Value};
use vram_ledger::link;
use vram_ledger::refusal::FieldError;
use vram_ledger::resolve::understood_keys;
use vram_ledger::scenario::{ModelChoice, PastedConfig, Scenario};

use crate::page::context::state::{Refusal, opening};

/// What can be done with texts.
pub struct Text {
    /// Reads the part of a link behind `#`.
    pub decode: fn(&str) -> Result<Scenario, FieldError>,
    /// Writes it with its `#`; the opening question has none.
    pub hash: fn(&Scenario) -> String,
    /// Whether two questions are the same.
    pub same: fn(&Scenario, &Scenario) -> bool,
    /// Reads a pasted model.
    pub read_model: fn(&str) -> Result<ModelChoice, Refusal>,
}

/// The one there is.
pub static TEXT: Text = Text { decode: link::decode, hash, same: |one, other| one == other, read_model };

/// The part of a link behind `?`, with its `#`; empty for the opening question.
pub fn hash(scenario: &Scenario) -> String {
    if *scenario == opening() { String::new() } else { format!("#{}", link::encode(scenario)) }
}

/// Reads a pasted `config.json`, or whatever else the question has for a model.
///
/// # Errors
/// Text that is no JSON, or JSON that is no model.
pub fn read_model(text: &str) -> Result<ModelChoice, Refusal> {
    let model: Value = serde_json::from_str(text).map_err(|error| Refusal::NotJson(error.to_string()))?;
    let question = Value::Object(Map::from_iter([("model".to_owned(), model)]));
    let model = Scenario::from_value(&question).map_err(Refusal::Ledger)?.model;
    match model {
        // Only the keys that count go into the question, so that its link stays short.
        Some(ModelChoice::Config(config)) => {
            let keys = understood_keys(config.keys()).map_err(Refusal::Ledger)?;
            Ok(ModelChoice::Config(Arc::new(PastedConfig::new(keys))))
        }
        Some(model) => Ok(model),
        // A null is a model that was not given.
        None => Err(Refusal::NotJson("null".to_owned())),
    }
}

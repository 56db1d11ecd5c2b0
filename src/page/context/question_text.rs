//! Questions as text: links, and pasted models.

use std::sync::Arc;

use serde_json::{Map, Value};
use vram_ledger::link;
use vram_ledger::refusal::FieldError;
use vram_ledger::resolve::{read_model, understood_keys};
use vram_ledger::scenario::{ModelChoice, PastedConfig, Scenario};

use crate::page::context::state::opening;
use crate::page::fields::Refusal;

/// The part of a link behind `?`, with its `#`; empty for the opening question.
pub fn hash(scenario: &Scenario) -> String {
    if *scenario == opening() { String::new() } else { format!("#{}", link::encode(scenario)) }
}

/// Reads the part of a link behind `#`, and the model in it.
///
/// # Errors
/// What is wrong with the link or with its model.
pub fn decode(hash: &str) -> Result<Scenario, FieldError> {
    let scenario = link::decode(hash)?;
    if let Some(ModelChoice::Config(config)) = &scenario.model {
        read_model(config)?;
    }
    Ok(scenario)
}

/// Reads a pasted `config.json`, or whatever else the question has for a model.
///
/// # Errors
/// Text that is no JSON, or JSON that is no model.
pub fn pasted_model(text: &str) -> Result<ModelChoice, Refusal> {
    let model: Value = serde_json::from_str(text).map_err(|error| Refusal::NotJson(error.to_string()))?;
    let question = Value::Object(Map::from_iter([("model".to_owned(), model)]));
    let model = Scenario::from_value(&question).map_err(Refusal::Ledger)?.model;
    match model {
        // Only the keys that count go into the question, so that its link stays short.
        Some(ModelChoice::Config(config)) => {
            let keys = understood_keys(config.keys()).map_err(Refusal::Ledger)?;
            let config = PastedConfig::new(keys);
            read_model(&config).map_err(Refusal::Ledger)?;
            Ok(ModelChoice::Config(Arc::new(config)))
        }
        Some(model) => Ok(model),
        // A null is a model that was not given.
        None => Err(Refusal::NotJson("null".to_owned())),
    }
}

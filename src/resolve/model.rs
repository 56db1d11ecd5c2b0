//! The model of a scenario: a bare count with an assumed shape, a row of the catalogue, or a pasted `config.json`.

use serde_json::Value;

use crate::families::HfConfig;
use crate::model::{self, Architecture, Described};
use crate::plan::Model;
use crate::refusal::FieldError;
use crate::scenario::{ModelChoice, Number, PastedConfig, range};
use crate::schema::Schema;

/// Parameters of the opening model.
const PARAMETERS: f64 = 7e9;

/// Reads what a pasted model describes.
pub type ReadModel = fn(&PastedConfig) -> Result<Described, FieldError>;

pub fn resolve(choice: Option<&ModelChoice>, read: ReadModel) -> Result<Model, FieldError> {
    match choice {
        None => bare(PARAMETERS),
        Some(ModelChoice::Parameters(Number(count))) => bare(*count),
        Some(ModelChoice::Catalogue(row)) => Ok(with_shape(row.name, row.architecture.clone())),
        Some(ModelChoice::Config(config)) => {
            let Described { name, architecture, understood } = read(config)?;
            Ok(Model { understood, ..with_shape(name, architecture) })
        }
    }
}

/// Reads what a pasted model describes. It is read once, whoever asks again.
///
/// # Errors
/// A key that is missing or out of its range, or a family nobody described.
pub fn read_model(config: &PastedConfig) -> Result<Described, FieldError> {
    config.described(describe).clone()
}

/// What the keys of a `config.json` describe.
fn describe(keys: &Value) -> Result<Described, FieldError> {
    HfConfig::from_value(keys).and_then(|config| config.describe()).map_err(|error| under_model(&error))
}

/// The keys of a `config.json` that its reader understands.
///
/// # Errors
/// What it refuses, as [`crate::estimate()`] would.
pub fn understood_keys(keys: &Value) -> Result<Value, FieldError> {
    let config = HfConfig::from_value(keys).map_err(|error| under_model(&error))?;
    config.describe().map_err(|error| under_model(&error))?;
    Ok(config.write())
}

/// A refusal of a model's key, under the question's path.
fn under_model(error: &FieldError) -> FieldError {
    FieldError::new(format!("model.{}", error.field), error.problem.clone())
}

fn with_shape(name: &'static str, architecture: Architecture) -> Model {
    Model {
        named: Some(name),
        parameters: architecture.parameters() as f64,
        active_parameters: architecture.active_parameters() as f64,
        architecture,
        assumed_shape: false,
        understood: None,
    }
}

fn bare(count: f64) -> Result<Model, FieldError> {
    let (least, most) = model::ASSUMED_SHAPE_RANGE.into_inner();
    let count = range::whole("model.parameters", Some(Number(count)), 0, least, most)?;
    let architecture = model::assumed_shape(count).map_err(|error| under_model(&error))?;
    Ok(Model {
        named: None,
        architecture,
        parameters: count as f64,
        active_parameters: count as f64,
        assumed_shape: true,
        understood: None,
    })
}

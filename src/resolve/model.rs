//! The model of a scenario: a bare count with an assumed shape, a row of the catalogue, or a pasted `config.json`.

use crate::defaults;
use crate::model::{self, Architecture};
use crate::plan::Model;
use crate::refusal::{FieldError, Problem};
use crate::scenario::{ModelChoice, Number};

use super::range;

pub fn resolve(choice: Option<&ModelChoice>) -> Result<Model, FieldError> {
    match choice {
        None => bare(defaults::PARAMETERS),
        Some(ModelChoice::Parameters(Number(count))) => bare(*count),
        Some(ModelChoice::Catalogue(row)) => Ok(with_shape(row.name, row.architecture)),
        Some(ModelChoice::Config(config)) => {
            let understood = config.understood().map(str::to_owned);
            Ok(Model { understood, ..with_shape(config.name(), config.architecture()) })
        }
    }
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
    let architecture = model::assumed_shape(count)
        .map_err(|error| FieldError::new("model.parameters", Problem::Malformed(error.message)))?;
    Ok(Model {
        named: None,
        architecture,
        parameters: count as f64,
        active_parameters: count as f64,
        assumed_shape: true,
        understood: None,
    })
}

//! The model of a scenario: a bare count with an assumed shape, a row of the catalogue, or a pasted `config.json`.

use crate::decimal::trimmed;
use crate::defaults;
use crate::model::{self, Architecture};
use crate::scenario::{FieldError, ModelChoice, Number, Problem};

use super::range;

/// A model with its shape.
#[derive(Clone, Debug)]
pub struct Model {
    /// Name for people, where it has one.
    named: Option<&'static str>,
    /// The shape.
    pub architecture: Architecture,
    /// Exact parameter count.
    pub parameters: f64,
    /// Parameters one token meets.
    pub active_parameters: f64,
    /// Whether the shape was assumed from the count.
    pub assumed_shape: bool,
    /// What was made of a pasted file of no known family.
    pub understood: Option<String>,
}

impl Model {
    /// Name for people: the catalogue's, the family's, or the parameter count.
    #[must_use]
    pub fn name(&self) -> String {
        self.named.map_or_else(|| format!("{} decoder", short_count(self.parameters)), str::to_owned)
    }

    /// What the count has beyond the shape's own: zero unless the shape is assumed.
    #[must_use]
    pub fn extra(&self) -> f64 {
        if self.assumed_shape { self.parameters - self.architecture.parameters() as f64 } else { 0.0 }
    }
}

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

/// A count as people say it: 7B, 350M.
fn short_count(count: f64) -> String {
    let (divisor, unit) = match count {
        count if count >= 1e12 => (1e12, "T"),
        count if count >= 1e9 => (1e9, "B"),
        _ => (1e6, "M"),
    };
    trimmed(count / divisor, 2) + unit
}

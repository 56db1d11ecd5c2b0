//! The model that a plan serves or trains.

use crate::model::{Architecture, Understood};
use crate::units::trimmed;

/// A model with its shape.
#[derive(Clone, Debug)]
pub struct Model {
    /// Name for people, where it has one.
    pub named: Option<&'static str>,
    /// The shape.
    pub architecture: Architecture,
    /// Exact parameter count.
    pub parameters: f64,
    /// Parameters one token meets.
    pub active_parameters: f64,
    /// Whether the shape was assumed from the count.
    pub assumed_shape: bool,
    /// What is to be said of a pasted file.
    pub understood: Option<Understood>,
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

/// A count as people say it: 7B, 350M.
fn short_count(count: f64) -> String {
    let (divisor, unit) = match count {
        count if count >= 1e12 => (1e12, "T"),
        count if count >= 1e9 => (1e9, "B"),
        _ => (1e6, "M"),
    };
    trimmed(count / divisor, 2) + unit
}

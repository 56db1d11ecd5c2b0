//! What lies between the two halves of the answer.

use serde::Serialize;

/// What lies between serving a model and training it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Gap {
    /// Bytes of model state a parameter costs while training, before any sharding.
    pub state_bytes_per_parameter: Option<f64>,
    /// That state over the weights served.
    pub training_over_inference: Option<f64>,
}

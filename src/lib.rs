//! The shared accounting core of VRAM Ledger.

pub mod advice;
pub mod communication;
pub mod ledger;
pub mod link;
pub mod report;
pub mod scenario;
pub mod units;

/// Stands in until the models are there.
pub mod model {
    use serde::{Deserialize, Serialize};
    /// Keys of a config.json.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    pub struct HfConfig {}
}

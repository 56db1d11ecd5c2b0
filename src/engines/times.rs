//! What an engine's own code adds to the time of a pass, or takes from it.

use crate::names::WeightFormat;

/// Times of one engine.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// Its own all-reduces of small messages inside a node.
    pub small_all_reduces: Option<SmallAllReduces>,
    /// Whether tokens of a decode step travel to their experts by kernels of low latency (DeepEP's).
    pub low_latency_experts: bool,
    /// Seconds a layer takes beside its work in a decode step.
    pub layer_seconds: f64,
    /// Operations of the vector units that a weight takes in a decode step before it is multiplied.
    pub unpacking: fn(WeightFormat) -> f64,
}

/// All-reduces of small messages inside a node by an engine's own kernels, which write to each other's memory instead of
/// going round.
///
/// Fitted on the tables of custom all-reduces of aiconfigurator at 095f58a, 8 H100, 16 KiB to 4 MiB.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmallAllReduces {
    /// Seconds to start with eight ranks.
    pub start: f64,
    /// Seconds for each square root of a byte.
    pub middle: f64,
    /// Bytes a second beyond.
    pub rate: f64,
}

impl SmallAllReduces {
    /// From microseconds, nanoseconds for each square root of a byte, and bytes a second.
    #[must_use]
    pub const fn fitted(start_us: f64, middle_ns: f64, rate: f64) -> SmallAllReduces {
        SmallAllReduces { start: start_us * 1e-6, middle: middle_ns * 1e-9, rate }
    }
}

/// Weights are multiplied as they are read.
pub fn no_unpacking(_: WeightFormat) -> f64 {
    0.0
}

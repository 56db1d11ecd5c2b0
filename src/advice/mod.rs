//! What would make it fit: changes to the scenario, each tried before it is proposed, cheapest first.

mod change;
mod heuristics;
mod search;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

pub use change::{Change, Patch};
pub use heuristics::{Figure, Grade, Heuristic, Hint, hints};
pub use search::advise;

use crate::units::{Bytes, Seconds};

/// What a piece of advice proposes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AdviceId {
    /// Share out more of the model state among the GPUs there are.
    RaiseSharding,
    /// Share it out among more GPUs.
    MoreShards,
    /// Compute activations again instead of keeping them.
    Recompute,
    /// Recomputation and more sharding together.
    RecomputeAndShard,
    /// Take smaller micro-batches and add up more of them.
    SmallerMicroBatch,
    /// Take the weights in a smaller format.
    SmallerWeights,
    /// Split the served model over more GPUs.
    MoreTensorRanks,
}

/// How much it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Nothing runs without it.
    Error,
    /// It would run better.
    Hint,
}

/// The half of the report a piece of advice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// Training.
    Training,
    /// Serving.
    Inference,
}

/// A change that makes the scenario fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// What is proposed.
    pub id: AdviceId,
    /// The half it is about.
    pub half: Half,
    /// How much it matters.
    pub severity: Severity,
    /// By how much one GPU is short as things are.
    pub short: Bytes,
    /// The peak of one GPU with the change made.
    pub peak_after: Bytes,
    /// The change.
    pub patch: Patch,
    /// Bytes one GPU saves.
    pub bytes_saved: Bytes,
    /// Seconds an optimiser step (or a decode step) takes longer; negative where it gets faster.
    pub seconds_cost: Seconds,
}

impl Advice {
    /// The reason, in English.
    #[must_use]
    pub fn because(&self) -> String {
        format!(
            "one GPU is {:.1} GB short; with this change its peak is {:.1} GB",
            self.short.gigabytes(),
            self.peak_after.gigabytes()
        )
    }
}

impl Serialize for Advice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut advice = serializer.serialize_struct("Advice", 6)?;
        advice.serialize_field("id", &self.id)?;
        advice.serialize_field("severity", &self.severity)?;
        advice.serialize_field("because", &self.because())?;
        advice.serialize_field("patch", &self.patch)?;
        advice.serialize_field("bytes_saved", &self.bytes_saved)?;
        advice.serialize_field("seconds_cost", &self.seconds_cost)?;
        advice.end()
    }
}

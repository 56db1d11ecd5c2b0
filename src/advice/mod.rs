//! What would make it fit: changes to the scenario, each tried before it is proposed, cheapest first.

mod heuristics;
mod levers;
mod search;
mod trials;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

pub use heuristics::{Hint, hints};
pub use levers::{Lever, levers};
pub use search::advise;

use crate::answer::{AdviceId, Half, Severity};
use crate::scenario::Patch;
use crate::units::{Bytes, Seconds};

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

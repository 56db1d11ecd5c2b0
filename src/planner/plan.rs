//! A layout that was judged, and why it is faster than another.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::answer::{Step, Term};
use crate::estimate::Estimate;
use crate::scenario::Scenario;
use crate::units::{Bytes, Seconds};

use super::Layout;

/// A layout that fits, with the figures that [`crate::estimate()`] gives for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The layout.
    pub layout: Layout,
    /// What one GPU needs.
    pub peak: Bytes,
    /// What is left of what it may use.
    pub headroom: Bytes,
    /// Where the time of a step goes.
    pub step: Step,
}

impl Plan {
    /// A layout of `scenario` with its figures, by the estimate; `None` where it is impossible. Whether it fits is not asked:
    /// one that does not leaves no headroom.
    #[must_use]
    pub fn of(scenario: &Scenario, layout: Layout) -> Option<Plan> {
        let estimate = Estimate::of(layout.patch().applied(scenario)).ok()?;
        let peak = estimate.memory().training.as_ref()?.peak.device_bytes;
        let step = estimate.times().training.as_ref()?.step;
        Some(Plan { layout, peak, headroom: estimate.asked().resolved().cluster.usable() - peak, step })
    }
}

impl Serialize for Plan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut plan = serializer.serialize_struct("Plan", 5)?;
        plan.serialize_field("data_parallel", &self.layout.data())?;
        plan.serialize_field("patch", &self.layout.patch())?;
        plan.serialize_field("peak_bytes", &self.peak)?;
        plan.serialize_field("headroom_bytes", &self.headroom)?;
        plan.serialize_field("step", &self.step)?;
        plan.end()
    }
}

/// How much one plan differs from another in a part of its step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reason {
    /// The part.
    pub term: Term,
    /// Seconds less than the other plan takes for it; negative where it takes more.
    pub seconds_saved: Seconds,
}

/// Why `plan` is faster than `other`: the parts of a step in which they differ, the most telling first.
#[must_use]
pub fn reasons(plan: &Plan, other: &Plan) -> Vec<Reason> {
    let parts = |step: &Step| {
        [
            (Term::Compute, step.compute_seconds),
            (Term::Exposed, step.exposed_communication_seconds),
            (Term::Bubble, step.bubble_seconds),
            (Term::Optimizer, step.optimizer_seconds),
        ]
    };
    let mut differing: Vec<Reason> = parts(&plan.step)
        .into_iter()
        .zip(parts(&other.step))
        .map(|((term, here), (_, there))| Reason { term, seconds_saved: Seconds(there.0 - here.0) })
        .filter(|reason| reason.seconds_saved.0 != 0.0)
        .collect();
    differing.sort_by(|a, b| b.seconds_saved.0.abs().total_cmp(&a.seconds_saved.0.abs()));
    differing
}

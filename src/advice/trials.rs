//! Changes of a question, each made and answered before anything is said of it.

use crate::estimate::Asked;
use crate::scenario::{Patch, Scenario};

/// A change that was tried.
#[derive(Clone, Debug)]
pub struct Tried<T> {
    /// The change.
    pub patch: Patch,
    /// The question with it.
    pub scenario: Scenario,
    /// What was measured of its answer.
    pub then: T,
}

/// The candidates that change something and leave each half an answer that has one, with what `measure` says of the
/// question they make.
pub fn tried<T>(
    asked: &Asked,
    candidates: impl IntoIterator<Item = Patch>,
    measure: impl Fn(&Asked) -> Option<T>,
) -> impl Iterator<Item = Tried<T>> {
    candidates.into_iter().filter_map(move |patch| {
        if patch.0.iter().all(|change| change.is_made_in(asked.scenario())) {
            return None;
        }
        let changed = asked.changed(&patch)?;
        let then = measure(&changed)?;
        Some(Tried { patch, scenario: changed.into_scenario(), then })
    })
}

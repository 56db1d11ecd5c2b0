//! A question together with what it was resolved to.

use crate::refusal::FieldError;
use crate::resolve::{ReadModel, Resolved, read_model, resolve_with};
use crate::scenario::{Patch, Scenario};

/// A scenario and what its absent fields stand for. Made from the scenario alone, so that the two belong together.
#[derive(Clone, Debug)]
pub struct Asked {
    scenario: Scenario,
    resolved: Resolved,
}

impl Asked {
    /// Settles a scenario.
    ///
    /// # Errors
    /// Those of [`resolve`](crate::resolve::resolve).
    pub fn new(scenario: Scenario) -> Result<Asked, FieldError> {
        Asked::read_by(scenario, read_model)
    }

    /// Settles a scenario whose pasted model is read by `read`.
    ///
    /// # Errors
    /// Those of [`resolve_with`].
    pub fn read_by(scenario: Scenario, read: ReadModel) -> Result<Asked, FieldError> {
        let resolved = resolve_with(&scenario, read)?;
        Ok(Asked { scenario, resolved })
    }

    /// The question as it was asked.
    #[must_use]
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The question with everything settled.
    #[must_use]
    pub fn resolved(&self) -> &Resolved {
        &self.resolved
    }

    /// The question as it was asked, to keep.
    #[must_use]
    pub fn into_scenario(self) -> Scenario {
        self.scenario
    }

    /// The question with everything settled, to keep.
    #[must_use]
    pub fn into_resolved(self) -> Resolved {
        self.resolved
    }

    /// The question with `patch` applied, if each half that has an answer keeps one: GPUs that serve may be a number that
    /// nothing can be trained on, and the other way round.
    #[must_use]
    pub fn changed(&self, patch: &Patch) -> Option<Asked> {
        let changed = Asked::new(patch.applied(&self.scenario)).ok()?;
        let (now, then) = (&self.resolved, &changed.resolved);
        let keeps =
            (now.training.is_err() || then.training.is_ok()) && (now.inference.is_err() || then.inference.is_ok());
        keeps.then_some(changed)
    }
}

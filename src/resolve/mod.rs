//! From what was asked to what is computed: defaults filled in, ranges and divisions checked, names looked up.
//!
//! Nothing is clamped. A value outside its range, a name that is not known and a layout that does not divide are errors
//! that name the field; an error in one half leaves the other half to be answered.

mod cluster;
mod inference;
mod model;
mod range;
mod training;

pub use model::understood_keys;

use crate::frameworks::{Framework, Profile};
use crate::plan::{Cluster, Deployment, InferencePlan, Model, TrainingJob, TrainingPlan};
use crate::refusal::FieldError;
use crate::scenario::Scenario;

/// A scenario with everything settled.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The model.
    pub model: Model,
    /// The framework's defaults.
    pub profile: &'static Profile,
    /// The machines.
    pub cluster: Cluster,
    /// The training half, or why there is none.
    pub training: Result<TrainingPlan, FieldError>,
    /// The serving half, or why there is none.
    pub inference: Result<InferencePlan, FieldError>,
}

impl Resolved {
    /// The training half with all it is computed with; `None` where there is none.
    #[must_use]
    pub fn training_job(&self) -> Option<TrainingJob<'_>> {
        let plan = self.training.as_ref().ok()?;
        Some(TrainingJob { model: &self.model, plan, profile: self.profile, cluster: &self.cluster })
    }

    /// The serving half with all it is computed with; `None` where there is none.
    #[must_use]
    pub fn deployment(&self) -> Option<Deployment<'_>> {
        let plan = self.inference.as_ref().ok()?;
        Some(Deployment { model: &self.model, plan, cluster: &self.cluster })
    }
}

/// Settles a scenario.
///
/// # Errors
/// Where a field is out of its range, unknown or not supported yet, and so neither half can be answered.
pub fn resolve(scenario: &Scenario) -> Result<Resolved, FieldError> {
    let profile = scenario.framework.unwrap_or(Framework::Textbook).profile();
    let model = model::resolve(scenario.model.as_ref())?;
    let cluster = cluster::resolve(scenario.cluster.as_ref())?;
    let training_ranges = training::Ranges::check(scenario.training.as_ref())?;
    let inference_ranges = inference::Ranges::check(scenario.inference.as_ref())?;
    let training = training::plan(&training_ranges, scenario.training.as_ref(), &model, profile, &cluster);
    let inference = inference::plan(&inference_ranges, scenario.inference.as_ref(), &model, &cluster);
    Ok(Resolved { model, profile, cluster, training, inference })
}

/// Settles the training half alone, for machines and a model that are settled already.
///
/// # Errors
/// Those of [`resolve`] for the training half, and why a layout is impossible.
pub fn training_plan(
    given: &crate::scenario::Training,
    model: &Model,
    profile: &'static Profile,
    cluster: &Cluster,
) -> Result<TrainingPlan, FieldError> {
    training::plan(&training::Ranges::check(Some(given))?, Some(given), model, profile, cluster)
}

//! From what was asked to what is computed: defaults filled in, ranges and divisions checked, names looked up.
//!
//! Nothing is clamped. A value outside its range, a name that is not known and a layout that does not divide are errors
//! that name the field; an error in one half leaves the other half to be answered.

mod cluster;
mod division;
mod inference;
mod model;
mod training;

pub use model::{ReadModel, read_model, understood_keys};

use crate::frameworks::Profile;
use crate::plan::{Cluster, Deployment, InferencePlan, Model, TrainingJob, TrainingPlan};
use crate::refusal::FieldError;
use crate::scenario::{Plain, Scenario, SettingId, SettledScenario, Training};

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

    /// What a setting stands for, given or not; none where its absence means something, where its half was
    /// refused, and where it has no plain value.
    #[must_use]
    pub fn value(&self, setting: SettingId) -> Option<Plain> {
        let training = self.training.as_ref().ok();
        let inference = self.inference.as_ref().ok();
        let framework = SettledScenario { framework: self.profile.framework };
        framework
            .value(setting)
            .or_else(|| self.cluster.value(setting))
            .or_else(|| training?.value(setting))
            .or_else(|| training?.adapter?.value(setting))
            .or_else(|| inference?.value(setting))
    }
}

/// Settles a scenario.
///
/// # Errors
/// Where a field is out of its range, unknown or not supported yet, and so neither half can be answered.
pub fn resolve(scenario: &Scenario) -> Result<Resolved, FieldError> {
    resolve_with(scenario, read_model)
}

/// Settles a scenario whose pasted model, if it has one, is read by `read`: for a program that has the reader of models
/// elsewhere.
///
/// # Errors
/// Those of [`resolve`], and of `read`.
pub fn resolve_with(scenario: &Scenario, read: ReadModel) -> Result<Resolved, FieldError> {
    let profile = scenario.check()?.framework.profile();
    let model = model::resolve(scenario.model.as_ref(), read)?;
    let cluster = cluster::resolve(scenario.cluster.as_ref())?;
    let empty = Training::default();
    let training = training::Checked::new(scenario.training.as_ref().unwrap_or(&empty))?;
    let inference = inference::Checked::new(scenario)?;
    let training = training.plan(&model, profile, &cluster);
    let inference = inference.plan(&model, &cluster);
    Ok(Resolved { model, profile, cluster, training, inference })
}

/// Settles the training half alone, for machines and a model that are settled already.
///
/// # Errors
/// Those of [`resolve`] for the training half, and why a layout is impossible.
pub fn training_plan(
    given: &Training,
    model: &Model,
    profile: &'static Profile,
    cluster: &Cluster,
) -> Result<TrainingPlan, FieldError> {
    training::Checked::new(given)?.plan(model, profile, cluster)
}

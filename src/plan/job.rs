//! What is computed with, together: a plan with the model and the machines it is for.

use crate::frameworks::Profile;

use super::{Cluster, InferencePlan, Model, TrainingPlan};

/// A model trained by a plan on a cluster, with what its framework does.
#[derive(Clone, Copy, Debug)]
pub struct TrainingJob<'a> {
    /// The model.
    pub model: &'a Model,
    /// How it is trained.
    pub plan: &'a TrainingPlan,
    /// The framework's defaults.
    pub profile: &'static Profile,
    /// The machines.
    pub cluster: &'a Cluster,
}

impl<'a> TrainingJob<'a> {
    /// The same model on the same machines by another plan.
    #[must_use]
    pub fn by(self, plan: &'a TrainingPlan) -> TrainingJob<'a> {
        TrainingJob { plan, ..self }
    }
}

/// A model served by a plan on a cluster.
#[derive(Clone, Copy, Debug)]
pub struct Deployment<'a> {
    /// The model.
    pub model: &'a Model,
    /// How it is served.
    pub plan: &'a InferencePlan,
    /// The machines.
    pub cluster: &'a Cluster,
}

//! Changes to a scenario that advice can propose: data that can be applied, compared and written as a JSON merge patch.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::names::{Name, Recompute, Schedule, Sharding, WeightFormat};
use crate::resolve::{Resolved, resolve};
use crate::scenario::{Number, Scenario};

/// One field set to another value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// `cluster.gpus`
    Gpus(u64),
    /// `training.sharding`
    Sharding(Sharding),
    /// `training.recompute`
    Recompute(Recompute),
    /// `training.micro_batch`
    MicroBatch(u64),
    /// `training.global_batch`
    GlobalBatch(u64),
    /// `training.tensor`
    Tensor(u64),
    /// `training.context`
    Context(u64),
    /// `training.expert`
    Expert(u64),
    /// `training.schedule`
    Schedule(Schedule),
    /// `training.virtual_stages`
    VirtualStages(u64),
    /// `inference.weights`
    Weights(WeightFormat),
    /// `inference.tensor`
    ServingTensor(u64),
}

impl Change {
    /// The part of the scenario and the field.
    #[must_use]
    pub fn path(self) -> (&'static str, &'static str) {
        match self {
            Change::Gpus(_) => ("cluster", "gpus"),
            Change::Sharding(_) => ("training", "sharding"),
            Change::Recompute(_) => ("training", "recompute"),
            Change::MicroBatch(_) => ("training", "micro_batch"),
            Change::GlobalBatch(_) => ("training", "global_batch"),
            Change::Tensor(_) => ("training", "tensor"),
            Change::Context(_) => ("training", "context"),
            Change::Expert(_) => ("training", "expert"),
            Change::Schedule(_) => ("training", "schedule"),
            Change::VirtualStages(_) => ("training", "virtual_stages"),
            Change::Weights(_) => ("inference", "weights"),
            Change::ServingTensor(_) => ("inference", "tensor"),
        }
    }

    /// The new value as JSON.
    #[must_use]
    pub fn value(self) -> serde_json::Value {
        match self {
            Change::Gpus(count)
            | Change::MicroBatch(count)
            | Change::GlobalBatch(count)
            | Change::Tensor(count)
            | Change::Context(count)
            | Change::Expert(count)
            | Change::VirtualStages(count)
            | Change::ServingTensor(count) => count.into(),
            Change::Schedule(value) => value.name().into(),
            Change::Sharding(value) => value.name().into(),
            Change::Recompute(value) => value.name().into(),
            Change::Weights(value) => value.name().into(),
        }
    }

    /// Whether `scenario` already says so.
    #[must_use]
    pub fn stands_in(self, scenario: &Scenario) -> bool {
        let mut changed = scenario.clone();
        self.apply(&mut changed);
        changed == *scenario
    }

    /// Sets the field in `scenario`.
    pub fn apply(self, scenario: &mut Scenario) {
        // Counts come from scenarios, whose ranges keep them far below 2^53.
        match self {
            Change::Gpus(count) => scenario.cluster_mut().gpus = Some(Number(count as f64)),
            Change::Sharding(value) => scenario.training_mut().sharding = Some(value),
            Change::Recompute(value) => scenario.training_mut().recompute = Some(value),
            Change::MicroBatch(count) => scenario.training_mut().micro_batch = Some(Number(count as f64)),
            Change::GlobalBatch(count) => scenario.training_mut().global_batch = Some(Number(count as f64)),
            Change::Tensor(count) => scenario.training_mut().tensor = Some(Number(count as f64)),
            Change::Context(count) => scenario.training_mut().context = Some(Number(count as f64)),
            Change::Expert(count) => scenario.training_mut().expert = Some(Number(count as f64)),
            Change::Schedule(value) => scenario.training_mut().schedule = Some(value),
            Change::VirtualStages(count) => scenario.training_mut().virtual_stages = Some(Number(count as f64)),
            Change::Weights(value) => scenario.inference_mut().weights = Some(value),
            Change::ServingTensor(count) => scenario.inference_mut().tensor = Some(Number(count as f64)),
        }
    }
}

/// Several changes, written as one JSON merge patch (RFC 7396).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Patch(pub Vec<Change>);

impl Patch {
    /// `scenario` with every change made.
    #[must_use]
    pub fn applied(&self, scenario: &Scenario) -> Scenario {
        let mut changed = scenario.clone();
        for change in &self.0 {
            change.apply(&mut changed);
        }
        changed
    }

    /// `scenario` with every change made, where each half that has an answer keeps one: GPUs that serve may be a number
    /// that nothing can be trained on, and the other way round. `now` is what the scenario is settled to.
    #[must_use]
    pub fn answerable(&self, scenario: &Scenario, now: &Resolved) -> Option<Scenario> {
        let changed = self.applied(scenario);
        let then = resolve(&changed).ok()?;
        let keeps =
            (now.training.is_err() || then.training.is_ok()) && (now.inference.is_err() || then.inference.is_ok());
        keeps.then_some(changed)
    }
}

impl Serialize for Patch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut parts: Vec<(&str, serde_json::Map<String, serde_json::Value>)> = Vec::new();
        for change in &self.0 {
            let (part, field) = change.path();
            let index = parts.iter().position(|(name, _)| *name == part).unwrap_or_else(|| {
                parts.push((part, serde_json::Map::new()));
                parts.len() - 1
            });
            parts[index].1.insert(field.to_owned(), change.value());
        }
        let mut map = serializer.serialize_map(Some(parts.len()))?;
        for (name, fields) in &parts {
            map.serialize_entry(name, fields)?;
        }
        map.end()
    }
}

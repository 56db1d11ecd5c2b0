//! A layout: everything a planner chooses, as a change of the scenario.

use serde::{Deserialize, Serialize};

use crate::names::{Recompute, Schedule, Sharding};
use crate::scenario::{Change, Cluster, Number, Patch, Scenario, Training};

/// One way to train a model on some GPUs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layout {
    /// GPUs in all.
    pub gpus: u64,
    /// Tokens in a sequence.
    pub sequence: u64,
    /// Sequences in an optimiser step.
    pub global_batch: u64,
    /// Tensor-parallel ranks.
    pub tensor: u64,
    /// Pipeline stages.
    pub pipeline: u64,
    /// Context-parallel ranks.
    pub context: u64,
    /// Ranks over which experts are spread.
    pub expert: u64,
    /// Order of micro-batches in the pipeline.
    pub schedule: Schedule,
    /// Chunks of layers a stage holds, where the schedule is interleaved.
    pub virtual_stages: u64,
    /// Layers of each stage; empty where all hold equally many.
    pub layers_per_stage: Vec<u64>,
    /// What the data-parallel ranks share out.
    pub sharding: Sharding,
    /// What is computed a second time.
    pub recompute: Recompute,
    /// Sequences in a micro-batch.
    pub micro_batch: u64,
}

impl Layout {
    /// Data-parallel ranks.
    #[must_use]
    pub fn data(&self) -> u64 {
        self.gpus / (self.tensor * self.pipeline * self.context)
    }

    /// The layout as changes of a question, one for each field that it settles. What is 1 is left to its default.
    #[must_use]
    pub fn changes(&self) -> [Change; 14] {
        let beyond_one = |count: u64| (count > 1).then(|| number(count));
        let layers = || self.layers_per_stage.iter().copied().map(number).collect();
        [
            Cluster::gpus.count(self.gpus),
            Training::sequence.count(self.sequence),
            Training::global_batch.count(self.global_batch),
            Training::micro_batch.count(self.micro_batch),
            Training::tensor.set(beyond_one(self.tensor)),
            Training::pipeline.set(beyond_one(self.pipeline)),
            Training::context.set(beyond_one(self.context)),
            Training::expert.set(beyond_one(self.expert)),
            Training::schedule.set((self.pipeline > 1).then_some(self.schedule)),
            Training::virtual_stages.set((self.schedule == Schedule::Interleaved).then(|| number(self.virtual_stages))),
            Training::layers_per_stage.set((!self.layers_per_stage.is_empty()).then(layers)),
            Training::sharding.to(self.sharding),
            Training::recompute.to(self.recompute),
            // A planner recomputes all layers or none.
            Training::recompute_layers.unset(),
        ]
    }

    /// Those of the changes in which the layouts of a [`super::Cell`] differ.
    pub(super) fn changes_within_a_cell(&self) -> [Change; 3] {
        [
            Training::micro_batch.count(self.micro_batch),
            Training::sharding.to(self.sharding),
            Training::recompute.to(self.recompute),
        ]
    }

    /// All the changes as one patch.
    #[must_use]
    pub fn patch(&self) -> Patch {
        Patch(self.changes().into())
    }
}

/// `scenario` on one GPU by the plainest layout there is: nothing split, nothing shared out, nothing recomputed. Model,
/// sequence and whatever a layout does not settle stay as they are.
pub(super) fn on_one_gpu(scenario: &Scenario) -> Scenario {
    let plainest = Layout {
        gpus: 1,
        sequence: 1,
        global_batch: 1,
        tensor: 1,
        pipeline: 1,
        context: 1,
        expert: 1,
        schedule: Schedule::OneForwardOneBackward,
        virtual_stages: 1,
        layers_per_stage: Vec::new(),
        sharding: Sharding::None,
        recompute: Recompute::None,
        micro_batch: 1,
    };
    let sequence = Training::sequence.set(Training::sequence.given(scenario).copied());
    let further = [sequence, Training::expert_tensor.unset(), Cluster::gpus.unset()];
    Patch(plainest.changes().into_iter().chain(further).collect()).applied(scenario)
}

/// Counts of a layout are those of scenarios, far below 2^53.
fn number(count: u64) -> Number {
    Number(count as f64)
}

/// Layers of each stage where they do not divide evenly: the stages that lack one are those at the ends, which hold
/// embedding and head besides, from the last inwards. Llama 3 405B's 126 layers over 16 stages lack one at either end
/// (arXiv 2407.21783, section 3.3.2). Empty where they divide.
#[must_use]
pub fn uneven_layers(layers: u64, stages: u64) -> Vec<u64> {
    if layers.is_multiple_of(stages) || layers < stages {
        return Vec::new();
    }
    let most = layers.div_ceil(stages);
    let mut each = vec![most; stages as usize];
    for lacking in 0..(most * stages - layers) as usize {
        let from_end = lacking / 2;
        let index = if lacking % 2 == 0 { each.len() - 1 - from_end } else { from_end };
        each[index] -= 1;
    }
    each
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn the_ends_hold_fewer_layers() {
        let llama = uneven_layers(126, 16);
        assert_eq!((llama[0], llama[15], llama[7]), (7, 7, 8));
        assert_eq!(llama.iter().sum::<u64>(), 126);
        assert_eq!(uneven_layers(7, 4), [2, 2, 2, 1]);
        assert_eq!(uneven_layers(126, 64).iter().sum::<u64>(), 126);
        assert!(uneven_layers(126, 64).iter().all(|layers| (1..=2).contains(layers)));
        assert_eq!(uneven_layers(32, 4), Vec::<u64>::new());
    }

    #[test]
    fn the_patch_says_what_the_change_does() {
        let before = Scenario::from_json(
            r#"{"model":"llama-3.1-8b","cluster":{"gpus":8},"training":{"tensor":4,"recompute":"full","recompute_layers":3}}"#,
        )
        .expect("a scenario");
        let layout = Layout {
            gpus: 16,
            sequence: 4096,
            global_batch: 64,
            tensor: 1,
            pipeline: 2,
            context: 1,
            expert: 1,
            schedule: Schedule::Interleaved,
            virtual_stages: 4,
            layers_per_stage: Vec::new(),
            sharding: Sharding::Zero1,
            recompute: Recompute::None,
            micro_batch: 2,
        };
        let mut patched = before.to_value();
        merge(&mut patched, &layout.patch().to_value());
        assert_eq!(Scenario::from_value(&patched).expect("a patched scenario"), layout.patch().applied(&before));
    }

    /// RFC 7396.
    fn merge(target: &mut Value, patch: &Value) {
        let Value::Object(fields) = patch else { return target.clone_from(patch) };
        if !target.is_object() {
            *target = json!({});
        }
        for (name, value) in fields {
            if value.is_null() {
                target.as_object_mut().expect("an object").remove(name);
            } else {
                merge(&mut target[name], value);
            }
        }
    }
}

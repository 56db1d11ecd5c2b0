//! Why one stage of a pipeline holds more than the others, from what each of them holds; and where there is one stage,
//! what several would be like.

use crate::answer::StageReport;
use crate::estimate::Asked;
use crate::ledger::{Account, Accounts};
use crate::plan::TrainingJob;
use crate::scenario::{Cluster, Patch, Scenario, Training};
use crate::units::Bytes;

/// Accounts that grow together, so that one reason covers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountGroup {
    /// Model state.
    State,
    /// What decoder layers keep for backward.
    Activations,
    /// What belongs to the two ends of the model alone.
    Ends,
    /// Any other account by itself.
    One(Account),
}

impl AccountGroup {
    /// Every group of what tensors hold: slack and runtime follow from those.
    const ALL: [AccountGroup; 7] = [
        AccountGroup::Activations,
        AccountGroup::State,
        AccountGroup::Ends,
        AccountGroup::One(Account::GatheredWeights),
        AccountGroup::One(Account::BackwardTemporaries),
        AccountGroup::One(Account::CommunicationBuffers),
        AccountGroup::One(Account::Workspace),
    ];

    /// The accounts in it.
    #[must_use]
    pub fn accounts(&self) -> &[Account] {
        match self {
            AccountGroup::State => &[
                Account::Weights,
                Account::Gradients,
                Account::MasterWeights,
                Account::Momentum,
                Account::Variance,
                Account::Adapters,
            ],
            AccountGroup::Activations => &[Account::Activations],
            AccountGroup::Ends => &[Account::EdgeActivations, Account::Loss],
            AccountGroup::One(account) => std::slice::from_ref(account),
        }
    }

    /// What they hold together.
    #[must_use]
    pub fn bytes(self, accounts: &Accounts) -> Bytes {
        self.accounts().iter().map(|account| accounts[*account]).sum()
    }
}

/// Why a stage holds the most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// It has more micro-batches in flight, each with all of its layers.
    MicroBatches {
        /// Micro-batches in flight.
        count: f64,
        /// Layers of the stage.
        layers: f64,
    },
    /// More layers wait for their backward, not all of them as often.
    LayersInFlight(f64),
    /// It has more layers.
    Layers(f64),
    /// As many layers as elsewhere, but they keep more.
    HeavierLayers,
    /// Head and loss are here.
    HeadAndLoss,
    /// The embedding is here.
    Embedding,
    /// The head is here.
    Head,
    /// Both ends of the model are here.
    BothEnds,
    /// As many layers as elsewhere, but with more parameters.
    MoreParameters,
    /// More of an account that needs no words beyond its name.
    Account(Account),
}

/// What makes the largest stage the largest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cause {
    /// Why.
    pub reason: Reason,
    /// The accounts in which it shows.
    pub group: AccountGroup,
    /// What they hold here.
    pub here: Bytes,
    /// What they hold on the other stages on average.
    pub elsewhere: Bytes,
}

/// Why stage `peak` is the largest of `stages`: what makes most of the difference, and what else makes a good part of
/// it. Nothing where no other holds less of anything.
#[must_use]
pub fn causes(stages: &[StageReport], peak: usize) -> Vec<Cause> {
    let Some(stage) = stages.get(peak) else { return Vec::new() };
    let others = || stages.iter().filter(|other| other.stage != stage.stage);
    let count = others().count() as f64;
    if count == 0.0 {
        return Vec::new();
    }
    let average = |figure: &dyn Fn(&StageReport) -> f64| others().map(figure).sum::<f64>() / count;
    let more_layers = stage.layers > average(&|other| other.layers);
    let times = |stage: &StageReport| stage.layers_in_flight / stage.layers.max(1.0);
    let more_in_flight = times(stage) > average(&times);
    let mut causes: Vec<Cause> = AccountGroup::ALL
        .into_iter()
        .map(|group| Cause {
            reason: reason(stage, group, more_in_flight, more_layers),
            group,
            here: group.bytes(&stage.accounts),
            elsewhere: Bytes::whole(average(&|other| group.bytes(&other.accounts).get())),
        })
        .filter(|cause| cause.here > cause.elsewhere)
        .collect();
    let more = |cause: &Cause| (cause.here - cause.elsewhere).get();
    causes.sort_by(|a, b| more(b).total_cmp(&more(a)));
    causes.truncate(2);
    let least = causes.first().map_or(0.0, more) / GOOD_PART;
    causes.retain(|cause| more(cause) >= least);
    causes
}

/// What makes less of a difference than the first cause by more than this is not worth words.
const GOOD_PART: f64 = 4.0;

/// Why a stage holds more of a group than the others do.
fn reason(stage: &StageReport, group: AccountGroup, more_in_flight: bool, more_layers: bool) -> Reason {
    match group {
        AccountGroup::Activations if more_in_flight => {
            let count = stage.layers_in_flight / stage.layers.max(1.0);
            if count.fract() == 0.0 {
                Reason::MicroBatches { count, layers: stage.layers }
            } else {
                Reason::LayersInFlight(stage.layers_in_flight)
            }
        }
        AccountGroup::Activations | AccountGroup::State if more_layers => Reason::Layers(stage.layers),
        AccountGroup::Activations => Reason::HeavierLayers,
        AccountGroup::State => match (stage.embedding, stage.head) {
            (true, true) => Reason::BothEnds,
            (true, false) => Reason::Embedding,
            (false, true) => Reason::Head,
            (false, false) => Reason::MoreParameters,
        },
        AccountGroup::Ends if stage.head => Reason::HeadAndLoss,
        AccountGroup::Ends => Reason::Embedding,
        AccountGroup::One(account) => Reason::Account(account),
    }
}

/// A question of one stage split in a few.
#[derive(Clone, Debug, PartialEq)]
pub struct SplitInStages {
    /// The question.
    pub scenario: Scenario,
    /// Its pipeline stages.
    pub stages: u64,
    /// Its GPUs: those of the question, or the next number above that divides.
    pub gpus: u64,
    /// Micro-batches in a step: two for each stage.
    pub micro_batches: u64,
}

/// The numbers of stages that are tried, those that people meet most often first.
const STAGES: [u64; 7] = [4, 2, 8, 3, 5, 6, 7];

/// The same question in a few stages with twice as many micro-batches, on as many more GPUs as that takes. `None` where
/// there is no training half, or where none of the numbers of stages divides its layers and is possible.
#[must_use]
pub fn split_in_stages(asked: &Asked) -> Option<SplitInStages> {
    let TrainingJob { model, plan, cluster, .. } = asked.resolved().training_job()?;
    let layers = model.architecture.layers;
    STAGES.into_iter().filter(|stages| layers.is_multiple_of(*stages)).find_map(|stages| {
        let model_parallel = plan.tensor * plan.context * stages;
        let gpus = cluster.gpus.next_multiple_of(model_parallel);
        let micro_batches = 2 * stages;
        let patch = Patch(vec![
            Cluster::gpus.count(gpus),
            Training::pipeline.count(stages),
            Training::global_batch.count(gpus / model_parallel * plan.micro_batch * micro_batches),
        ]);
        let changed = Asked::new(patch.applied(asked.scenario())).ok()?;
        changed.resolved().training_job()?;
        Some(SplitInStages { scenario: changed.into_scenario(), stages, gpus, micro_batches })
    })
}

#[cfg(test)]
mod tests {
    use crate::estimate::Estimate;
    use crate::scenario::Scenario;
    use serde_json::{Value, json};

    use super::*;

    /// Llama-3.1-8B in four stages with eight micro-batches each, and what makes its largest stage the largest.
    fn largest(training: &Value) -> (usize, Vec<Cause>) {
        let mut question = json!({
            "model": "llama-3.1-8b", "cluster": {"gpus": 4}, "training": {"pipeline": 4, "global_batch": 8},
        });
        for (field, value) in training.as_object().expect("fields") {
            question["training"][field] = value.clone();
        }
        let scenario = Scenario::from_value(&question).expect("a question of the schema");
        let estimate = Estimate::of(scenario).expect("an answer");
        let training = estimate.memory().training.as_ref().expect("a training half");
        (training.peak.stage, causes(&training.stages, training.peak.stage))
    }

    fn reason(training: &Value) -> (usize, Option<Reason>) {
        let (stage, causes) = largest(training);
        (stage, causes.first().map(|cause| cause.reason))
    }

    #[test]
    fn the_first_stage_of_1f1b_has_most_micro_batches_in_flight() {
        let (stage, causes) = largest(&json!({"sequence": 4096}));
        let cause = causes[0];
        assert_eq!((stage, cause.reason), (0, Reason::MicroBatches { count: 4.0, layers: 8.0 }));
        // Two micro-batches on average on the three others.
        assert_eq!(cause.group, AccountGroup::Activations);
        assert!((cause.here.get() / cause.elsewhere.get() - 2.0).abs() < 1e-9);
        // The embedding makes its state larger as well.
        assert_eq!((causes[1].reason, causes[1].group), (Reason::Embedding, AccountGroup::State));
    }

    #[test]
    fn a_ragged_interleaving_counts_layers() {
        let training =
            json!({"sequence": 8192, "schedule": "interleaved", "virtual_stages": 2, "layers_per_stage": [9, 9, 7, 7]});
        assert_eq!(reason(&training), (0, Some(Reason::LayersInFlight(7.0 * 5.0 + 4.0 * 4.0))));
    }

    #[test]
    fn the_last_stage_may_have_the_loss() {
        assert_eq!(reason(&json!({"recompute": "full", "loss": "eager"})), (3, Some(Reason::HeadAndLoss)));
    }

    #[test]
    fn uneven_layers_are_named() {
        let training = json!({"recompute": "full", "layers_per_stage": [4, 20, 4, 4], "sequence": 512});
        assert_eq!(reason(&training), (1, Some(Reason::Layers(20.0))));
    }

    #[test]
    fn without_more_in_flight_the_ends_of_the_model_decide() {
        // Everything is kept on every stage alike, and the embedding is as large as the head.
        let (stage, reason) = reason(&json!({"schedule": "zb1p", "sequence": 512, "loss": "fused_linear"}));
        assert!(
            matches!((stage, reason), (0, Some(Reason::Embedding)) | (3, Some(Reason::Head))),
            "{stage} {reason:?}"
        );
    }

    #[test]
    fn one_stage_has_no_other_to_be_larger_than() {
        assert_eq!(reason(&json!({"pipeline": 1})), (0, None));
    }
}

//! How far a question could go: what is found by trying other plans.

use crate::answer::{Padding, Traffic};
use crate::inference;
use crate::plan::{Deployment, TrainingJob, TrainingPlan};
use crate::scenario::{Inference, Training};
use crate::time;
use crate::training::{self, Stage};
use crate::units::{Bytes, Seconds};

use super::{Asked, InferenceMemory, Memory, Times, TrainingMemory, TrainingTimes};

/// What takes a search, of each half that has an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Searched {
    /// The training half.
    pub training: Option<TrainingSearched>,
    /// The serving half.
    pub inference: Option<InferenceSearched>,
}

/// How far training could go.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingSearched {
    /// The fewest GPUs of this layout that fit, if any number does.
    pub minimum_gpus: Option<u64>,
    /// What padding costs; absent where no token is padding.
    pub padding: Option<Padding>,
}

/// How far serving could go.
#[derive(Clone, Debug, PartialEq)]
pub struct InferenceSearched {
    /// The fewest GPUs that serve this, if any number of one node does.
    pub minimum_gpus: Option<u64>,
    /// Longest context that fits at this concurrency.
    pub maximum_context: f64,
    /// Most requests that fit at this context, over all replicas.
    pub maximum_concurrency: f64,
    /// Lines the engine would log.
    pub log: Vec<String>,
}

impl Searched {
    /// `memory` and `times` are those of the same question.
    pub(super) fn of(asked: &Asked, memory: &Memory, times: &Times) -> Searched {
        let resolved = asked.resolved();
        let trained = resolved.training_job().zip(memory.training.as_ref()).zip(times.training.as_ref());
        let served = resolved.deployment().zip(memory.inference.as_ref());
        Searched {
            training: trained.map(|((job, memory), times)| TrainingSearched {
                minimum_gpus: minimum_gpus(job, asked),
                padding: padding(job, memory, times),
            }),
            inference: served.map(|(deployment, memory)| inference_searched(deployment, asked, memory)),
        }
    }
}

fn inference_searched(deployment: Deployment, asked: &Asked, memory: &InferenceMemory) -> InferenceSearched {
    let Deployment { model, plan, cluster } = deployment;
    let footprint = inference::footprint(model, plan);
    let scenario = asked.scenario();
    let given = (Inference::tensor.given(scenario).is_some(), Inference::pipeline.given(scenario).is_some());
    InferenceSearched {
        minimum_gpus: inference::minimum_gpus(deployment, given),
        maximum_context: inference::maximum_context(&footprint, plan, cluster) as f64,
        maximum_concurrency: inference::maximum_concurrency(&footprint, plan, cluster),
        log: inference::log::log(&footprint, plan, cluster, &memory.accounts),
    }
}

/// What padding costs a run: the same run is counted again without it. Sequences come in whole tokens, so the mean of
/// their lengths is rounded to one.
fn padding(job: TrainingJob, memory: &TrainingMemory, times: &TrainingTimes) -> Option<Padding> {
    let plan = job.plan;
    if plan.packing == 1.0 {
        return None;
    }
    let sequence = (plan.sequence as f64 * plan.packing).round().max(1.0) as u64;
    let packed = plan.with(|settings| (settings.sequence, settings.packing) = (sequence, 1.0));
    let packed = job.by(&packed);
    let (step, traffic) = time::step(packed);
    let sent = |traffic: &[Traffic]| traffic.iter().map(|line| line.bytes).sum::<Bytes>();
    Some(Padding {
        share: 1.0 - plan.packing,
        bytes: memory.peak.active_bytes - training::footprint(packed).active(),
        seconds: Seconds(times.step.seconds.0 - step.seconds.0),
        traffic_bytes: sent(&times.traffic) - sent(&traffic),
    })
}

/// The fewest GPUs on which the training half of a question fits, if any number is enough.
#[must_use]
pub fn minimum_training_gpus(asked: &Asked) -> Option<u64> {
    minimum_gpus(asked.resolved().training_job()?, asked)
}

fn minimum_gpus(job: TrainingJob, asked: &Asked) -> Option<u64> {
    let batch_given = Training::global_batch.given(asked.scenario()).is_some();
    let stage = |plan: &TrainingPlan| Stage::new(plan, &job.model.architecture, 0);
    let parts = training::parts_of(job, &stage(job.plan));
    training::minimum_gpus(job.plan, batch_given, job.cluster.usable(), |plan| {
        let footprint = if plan.pipeline == 1 {
            training::footprint_of(job.by(plan), stage(plan), parts)
        } else {
            training::footprint(job.by(plan))
        };
        footprint.peak().device_bytes
    })
}

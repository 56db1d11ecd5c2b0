//! What is sent, and how long it all takes.

use crate::answer::{Checkpoint, Run, Step, Traffic};
use crate::communication;
use crate::inference;
use crate::plan::{Deployment, TrainingJob};
use crate::time;
use crate::units::{Bytes, Seconds};

use super::{Asked, Memory};

/// Traffic and times, of each half that has an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// The training half.
    pub training: Option<TrainingTimes>,
    /// The serving half.
    pub inference: Option<InferenceTimes>,
}

/// How long training takes.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingTimes {
    /// What one GPU sends in an optimiser step.
    pub traffic: Vec<Traffic>,
    /// Where the time of a step goes.
    pub step: Step,
    /// The whole run; absent while no token budget is given.
    pub run: Option<Run>,
    /// A checkpoint of the whole model.
    pub checkpoint: Checkpoint,
}

/// How long serving takes.
#[derive(Clone, Debug, PartialEq)]
pub struct InferenceTimes {
    /// What one GPU sends in a pass.
    pub traffic: Vec<Traffic>,
    /// Time of the pass over one request's prompt.
    pub prefill_seconds: Seconds,
    /// Time of one decode step.
    pub decode_seconds: Seconds,
    /// Prompt tokens a second of one GPU.
    pub prefill_tokens_per_second_per_gpu: f64,
    /// Generated tokens a second of one GPU.
    pub decode_tokens_per_second_per_gpu: f64,
    /// Generated tokens a second of the whole deployment.
    pub tokens_per_second: f64,
}

impl Times {
    /// `memory` is that of the same question.
    pub(super) fn of(asked: &Asked, memory: &Memory) -> Times {
        let resolved = asked.resolved();
        let training = resolved.training_job().zip(memory.training.as_ref());
        Times {
            training: training.map(|(job, memory)| training_times(job, memory.checkpoint_bytes)),
            inference: resolved.deployment().map(inference_times),
        }
    }
}

fn training_times(job: TrainingJob, checkpoint: Bytes) -> TrainingTimes {
    let (step, traffic) = time::step(job);
    let run = job.plan.tokens.map(|tokens| time::run(tokens, &step, job.cluster));
    TrainingTimes { traffic, step, run, checkpoint: time::checkpoint(checkpoint, job.cluster) }
}

fn inference_times(deployment: Deployment) -> InferenceTimes {
    let plan = deployment.plan;
    let footprint = inference::footprint(deployment.model, plan);
    let traffic = communication::serving(deployment);
    let times = time::serving(deployment, &footprint, &traffic);
    let (context, concurrency) = (plan.context as f64, plan.concurrency as f64);
    let gpus = (plan.replicas * plan.tensor * plan.pipeline) as f64;
    // A pipeline's stages work on as many prompts at a time; where layers are only placed, one GPU does.
    let on_a_prompt = plan.tensor * if plan.places_layers { plan.pipeline } else { 1 };
    InferenceTimes {
        traffic,
        prefill_seconds: times.prefill,
        decode_seconds: times.decode,
        prefill_tokens_per_second_per_gpu: context / times.prefill.0 / on_a_prompt as f64,
        decode_tokens_per_second_per_gpu: concurrency / times.decode.0 / gpus,
        tokens_per_second: concurrency / times.decode.0,
    }
}

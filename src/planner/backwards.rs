//! The same questions backwards: how few GPUs, how long a sequence, how large a micro-batch, how fast a network.

use serde::Serialize;

use crate::divisors::divisors;
use crate::names::Offload;
use crate::plan::{TrainingJob, TrainingPlan};
use crate::refusal::FieldError;
use crate::resolve::resolve;
use crate::root_finding::{Axis, edge};
use crate::scenario::{MOST_GPUS, MOST_TOKENS, Scenario};
use crate::time;
use crate::training;
use crate::units::Seconds;

use super::Plan;
use super::layout::on_one_gpu;
use super::search::Question;
use super::space::Schedules;

/// The most numbers of GPUs that are tried: whole nodes from the fewest that could hold the state.
const MOST_TRIED: u64 = 256;

/// The fewest GPUs on which any layout fits, with the fastest plan there: every number up to a node, then whole nodes.
/// `None` where none of 256 numbers from the fewest that could hold the model's state is enough.
///
/// # Errors
/// Those of [`resolve`].
pub fn fewest_gpus(scenario: &Scenario, schedules: Schedules) -> Result<Option<Plan>, FieldError> {
    let question = Question::new(scenario, schedules)?;
    let on = |gpus: u64| {
        let mut question = question.clone();
        question.cluster.settings.gpus = gpus;
        question
    };
    let least = least_gpus(scenario)?;
    let node = question.cluster.gpus_per_node;
    let within = (least..=node.min(MOST_GPUS)).take(MOST_TRIED as usize);
    let nodes = least.max(node + 1).div_ceil(node);
    let beyond = (nodes..nodes + MOST_TRIED).map(|nodes| nodes * node).take_while(|gpus| *gpus <= MOST_GPUS);
    let fewest = within.chain(beyond).find(|gpus| on(*gpus).planner(1).any_fits());
    Ok(fewest.and_then(|gpus| on(gpus).planner(1).fastest()))
}

/// GPUs below which the state of the model alone does not fit, were all of it shared out.
fn least_gpus(scenario: &Scenario) -> Result<u64, FieldError> {
    let alone = resolve(&on_one_gpu(scenario))?;
    let Some(job) = alone.training_job() else { return Ok(1) };
    let plan = job.plan;
    // What is kept elsewhere or never whole is no bound.
    if plan.offload != Offload::None || plan.paged_optimizer || plan.optimizer_in_backward {
        return Ok(1);
    }
    let state = training::whole_state(job).total.get();
    let usable = job.cluster.usable().get();
    Ok(if usable > 0.0 { ((state * 0.999 / usable).ceil() as u64).clamp(1, MOST_GPUS) } else { MOST_GPUS })
}

/// The longest sequence with which any layout fits on the scenario's GPUs, to an eighth of its power of two, with the
/// fastest plan for it. `None` where not even one of 128 tokens does.
///
/// # Errors
/// Those of [`resolve`].
pub fn longest_sequence(scenario: &Scenario, schedules: Schedules) -> Result<Option<Plan>, FieldError> {
    let question = Question::new(scenario, schedules)?;
    let with = |sequence: u64| Question { sequence, ..question.clone() };
    let fits = |sequence: &u64| with(*sequence).planner(1).any_fits();
    // Powers of two divide best, so their edge is found first; no more tokens need less.
    let powers: Vec<u64> = (7..=MOST_TOKENS.ilog2()).map(|power| 1 << power).collect();
    let fitting = powers.partition_point(fits);
    let Some(longest) = fitting.checked_sub(1).map(|index| powers[index]) else { return Ok(None) };
    let longest = (1..8)
        .rev()
        .map(|eighth| longest + longest / 8 * eighth)
        .find(|sequence| *sequence <= MOST_TOKENS && fits(sequence))
        .unwrap_or(longest);
    Ok(with(longest).planner(1).fastest())
}

/// How far the scenario's own layout goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// The longest sequence that fits, in tokens.
    pub sequence: u64,
    /// The largest micro-batch that fits and divides the global batch.
    pub micro_batch: u64,
}

/// The longest sequence and the largest micro-batch with which the scenario's own layout fits, each with all else kept.
/// `None` where it is impossible, or fits with none.
///
/// # Errors
/// Those of [`resolve`].
pub fn limits(scenario: &Scenario) -> Result<Option<Limits>, FieldError> {
    let resolved = resolve(scenario)?;
    let Some(job) = resolved.training_job() else { return Ok(None) };
    let plan = job.plan;
    let needed = |plan: &TrainingPlan| training::footprint(job.by(plan)).peak().device_bytes;
    let limit = job.cluster.usable();
    // Ranks that split a sequence have as many tokens each.
    let step = plan.context * plan.hidden_divisor();
    let most = MOST_TOKENS / step;
    let needed_with = |steps: u64| needed(&plan.with(|settings| settings.sequence = steps * step));
    let ends = [needed_with(1), needed_with(most)];
    let steps = match ends {
        [least, _] if least > limit => None,
        [_, all] if all <= limit => Some(most),
        [least, all] => Some(edge((1, least), (most, all), limit, Axis::Number, needed_with)),
    };
    let sizes = divisors(plan.global_batch / plan.data_parallel);
    let micro_batch = sizes.into_iter().rev().find(|size| {
        let accumulation = plan.global_batch / (plan.data_parallel * size);
        plan.runs(accumulation)
            && needed(&TrainingPlan { accumulation, ..plan.with(|settings| settings.micro_batch = *size) }) <= limit
    });
    Ok(steps.zip(micro_batch).map(|(steps, micro_batch)| Limits { sequence: steps * step, micro_batch }))
}

/// The network that would hide what of the present layout's communication a faster one can hide.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Hiding {
    /// Bytes a second and GPU, one way; the present network's where it is fast enough.
    pub bandwidth: f64,
    /// Whether it is.
    pub already: bool,
    /// Exposed communication now.
    pub exposed_now: Seconds,
    /// Exposed communication with that network: what no bandwidth hides.
    pub exposed_then: Seconds,
    /// Time of a step with it.
    pub seconds_then: Seconds,
}

/// A step may stay so much longer than with a network of any bandwidth.
const NEARLY: f64 = 0.01;

/// The least bandwidth of the network between nodes with which a step of the scenario's own layout takes at most a hundredth
/// longer than with any. `None` where it has no training half.
///
/// # Errors
/// Those of [`resolve`].
pub fn hiding_bandwidth(scenario: &Scenario) -> Result<Option<Hiding>, FieldError> {
    let resolved = resolve(scenario)?;
    let Some(job) = resolved.training_job() else { return Ok(None) };
    let now = job.cluster.network.bandwidth;
    let mut cluster = job.cluster.clone();
    let mut step_at = |bandwidth: f64| {
        cluster.network.bandwidth = bandwidth;
        time::step(TrainingJob { cluster: &cluster, ..job }).0
    };
    let present = step_at(now);
    let enough = step_at(now * 1e9).seconds.0 * (1.0 + NEARLY);
    let already = present.seconds.0 <= enough;
    // Of two bandwidths the smaller is too small and the larger is enough.
    let (mut small, mut large) = (now, now * 1e9);
    while !already && large / small > 1.001 {
        let middle = (small * large).sqrt();
        *(if step_at(middle).seconds.0 <= enough { &mut large } else { &mut small }) = middle;
    }
    let bandwidth = if already { now } else { large };
    let then = step_at(bandwidth);
    Ok(Some(Hiding {
        bandwidth,
        already,
        exposed_now: present.exposed_communication_seconds,
        exposed_then: then.exposed_communication_seconds,
        seconds_then: then.seconds,
    }))
}

//! Finding changes that make a scenario fit: each candidate is estimated before it is proposed.

use crate::answer::{AdviceId, Half, Severity};
use crate::estimate::{Asked, Estimate, InferenceMemory, TrainingMemory, Trial, minimum_training_gpus};
use crate::names::{Recompute, Sharding, WeightFormat};
use crate::plan::{InferencePlan, TrainingPlan};
use crate::scenario::{Change, Cluster, Inference, MOST_GPUS, Patch, Training};
use crate::units::{Bytes, Seconds};

use super::Advice;
use super::trials::tried;

/// What would make each half fit that does not; empty where both do.
#[must_use]
pub fn advise(estimate: &Estimate) -> Vec<Advice> {
    let (resolved, memory) = (estimate.asked().resolved(), estimate.memory());
    let mut advice = Vec::new();
    if let (Ok(plan), Some(now)) = (&resolved.training, memory.training.as_ref().filter(|now| !now.fits)) {
        advice.extend(for_training(estimate, plan, now));
    }
    if let (Ok(plan), Some(now)) = (&resolved.inference, memory.inference.as_ref().filter(|now| !now.fits)) {
        advice.extend(for_inference(estimate, plan, now));
    }
    advice
}

/// A half as it is.
struct Now<'a> {
    asked: &'a Asked,
    half: Half,
    /// What has to fit.
    needed: Bytes,
    /// What one GPU holds.
    peak: Bytes,
    /// Time of an optimiser step, or of a decode step.
    seconds: Seconds,
}

/// Stages of sharding, each sharing out more.
const STAGES: [Sharding; 4] = [Sharding::None, Sharding::Zero1, Sharding::Zero2, Sharding::Zero3];

fn for_training(estimate: &Estimate, plan: &TrainingPlan, now: &TrainingMemory) -> Vec<Advice> {
    let (asked, peak) = (estimate.asked(), now.peak.device_bytes);
    let seconds = estimate.times().training.as_ref().map_or(Seconds::default(), |times| times.step.seconds);
    let now = Now { asked, half: Half::Training, needed: peak, peak, seconds };
    let more_recompute: &[Recompute] = match plan.recompute {
        Recompute::None => &[Recompute::Selective, Recompute::Full],
        Recompute::Selective => &[Recompute::Full],
        Recompute::Full | Recompute::SelectiveOps => &[],
    };
    let stages = if plan.data_parallel > 1 { stages_above(plan.sharding) } else { &[] };
    let strongest = more_recompute.last().copied();
    let mut found: Vec<(Advice, u64)> = [
        (AdviceId::Recompute, more_recompute.iter().map(|mode| Training::recompute.to(*mode).into()).collect()),
        (AdviceId::RaiseSharding, stages.iter().map(|stage| Training::sharding.to(*stage).into()).collect()),
        (AdviceId::SmallerMicroBatch, smaller_micro_batches(plan)),
        (AdviceId::MoreShards, more_shards(asked, None)),
        (AdviceId::RecomputeAndShard, strongest.map_or(Vec::new(), |mode| more_shards(asked, Some(mode)))),
    ]
    .into_iter()
    .filter_map(|(id, candidates)| now.first_that_fits(id, candidates))
    .collect();
    // Fewer GPUs are cheaper than fewer seconds: nobody rents hardware to save a recomputation.
    found.sort_unstable_by(|(a, a_gpus), (b, b_gpus)| {
        a_gpus.cmp(b_gpus).then(a.seconds_cost.0.total_cmp(&b.seconds_cost.0))
    });
    // Recomputing as well is worth saying only where it saves GPUs.
    let sharding_alone = found.iter().find(|(advice, _)| advice.id == AdviceId::MoreShards).map(|(_, gpus)| *gpus);
    found
        .into_iter()
        .filter(|(advice, gpus)| {
            advice.id != AdviceId::RecomputeAndShard || sharding_alone.is_none_or(|alone| *gpus < alone)
        })
        .map(|(advice, _)| advice)
        .collect()
}

fn for_inference(estimate: &Estimate, plan: &InferencePlan, now: &InferenceMemory) -> Vec<Advice> {
    let fewest = estimate.searched().inference.as_ref().and_then(|half| half.minimum_gpus);
    let seconds = estimate.times().inference.as_ref().map_or(Seconds::default(), |times| times.decode_seconds);
    let now = Now {
        asked: estimate.asked(),
        half: Half::Inference,
        needed: now.needed_bytes,
        peak: now.peak.device_bytes,
        seconds,
    };
    // The largest of the smaller formats that fits loses least.
    let smaller = smaller_formats(plan).into_iter().map(|format| Inference::weights.to(format).into());
    let more_ranks = fewest.into_iter().flat_map(counts_from).map(|gpus| Cluster::gpus.count(gpus).into());
    let found = [
        now.first_that_fits(AdviceId::SmallerWeights, smaller),
        now.first_that_fits(AdviceId::MoreTensorRanks, more_ranks),
    ];
    found.into_iter().flatten().map(|(advice, _)| advice).collect()
}

impl Now<'_> {
    /// The first change that makes the half fit, with its effect; and the GPUs it takes.
    fn first_that_fits(&self, id: AdviceId, candidates: impl IntoIterator<Item = Patch>) -> Option<(Advice, u64)> {
        let measure = match self.half {
            Half::Training => Trial::training,
            Half::Inference => Trial::inference,
        };
        let tried = tried(self.asked, candidates, measure).find(|tried| tried.then.fits)?;
        let advice = Advice {
            id,
            half: self.half,
            severity: Severity::Error,
            // By how much one GPU is short, the reserve counted.
            short: self.needed - self.asked.resolved().cluster.usable(),
            peak_after: tried.then.peak,
            bytes_saved: self.peak - tried.then.peak,
            seconds_cost: Seconds(tried.then.seconds.0 - self.seconds.0),
            patch: tried.patch,
        };
        Some((advice, tried.then.gpus))
    }
}

/// The fewest GPUs on which ZeRO-3 fits, with the recomputation given, and the counts after them.
fn more_shards(asked: &Asked, recompute: Option<Recompute>) -> Vec<Patch> {
    let mut changes = vec![Training::sharding.to(Sharding::Zero3)];
    changes.extend(recompute.map(|mode| Training::recompute.to(mode)));
    let sharded = Asked::new(Patch(changes.clone()).applied(asked.scenario())).ok();
    let fewest = sharded.as_ref().and_then(minimum_training_gpus);
    let fewest = fewest.filter(|gpus| *gpus > asked.resolved().cluster.gpus);
    let with = |gpus| {
        let more = Cluster::gpus.count(gpus);
        Patch(std::iter::once(more).chain(changes.iter().cloned()).collect::<Vec<Change>>())
    };
    fewest.map_or(Vec::new(), |fewest| counts_from(fewest).map(with).collect())
}

/// How many counts of GPUs are tried: enough to come upon every multiple of the ranks that a node has.
const COUNTS: u64 = 64;

/// Counts of GPUs from the fewest that are enough for one half: the other half may need a multiple of its own.
fn counts_from(fewest: u64) -> impl Iterator<Item = u64> {
    (fewest..(fewest + COUNTS).min(8 * fewest + 1)).filter(|gpus| *gpus <= MOST_GPUS)
}

/// The stages above the present one. With `hsdp` a node shares out what all GPUs could.
fn stages_above(now: Sharding) -> &'static [Sharding] {
    if now == Sharding::Hsdp {
        return &STAGES[3..];
    }
    let position = STAGES.iter().position(|stage| *stage == now);
    position.map_or(&[], |position| &STAGES[position + 1..])
}

/// The micro-batch halved, and halved again; the global batch stays what it is.
fn smaller_micro_batches(plan: &TrainingPlan) -> Vec<Patch> {
    std::iter::successors(Some(plan.micro_batch), |size| size.is_multiple_of(2).then_some(size / 2))
        .skip(1)
        .map(|size| Patch(vec![Training::micro_batch.count(size), Training::global_batch.count(plan.global_batch)]))
        .collect()
}

/// Formats of the engine with fewer bits than the present one, the largest first.
fn smaller_formats(plan: &InferencePlan) -> Vec<WeightFormat> {
    let levers = &plan.engine.offers().levers;
    let order = || levers.wide.iter().chain(levers.rounded).copied();
    // Any other format is taken for as wide as the last of the wide ones.
    let rank = order().position(|format| format == plan.weights).unwrap_or(levers.wide.len() - 1);
    order().skip(rank + 1).collect()
}

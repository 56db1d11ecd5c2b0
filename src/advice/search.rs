//! Finding changes that make a scenario fit: each candidate is estimated before it is proposed.

use crate::answer::{AdviceId, Half, InferenceReport, Severity, TrainingReport};
use crate::estimate::{minimum_training_gpus, try_inference, try_training};
use crate::names::{Engine, Recompute, Sharding, WeightFormat};
use crate::plan::{InferencePlan, TrainingPlan};
use crate::report::Report;
use crate::resolve::Resolved;
use crate::scenario::{MOST_GPUS, Scenario};
use crate::units::{Bytes, Seconds};

use super::{Advice, Change, Patch};

/// What would make each half fit that does not; empty where both do. `resolved` and `report` are those of `scenario`.
#[must_use]
pub fn advise(scenario: &Scenario, resolved: &Resolved, report: &Report) -> Vec<Advice> {
    let search = Search { scenario, resolved };
    let mut advice = Vec::new();
    if let (Ok(plan), Some(now)) = (&resolved.training, report.training.as_ref().filter(|now| !now.fits)) {
        advice.extend(search.for_training(plan, now));
    }
    if let (Ok(plan), Some(now)) = (&resolved.inference, report.inference.as_ref().filter(|now| !now.fits)) {
        advice.extend(search.for_inference(plan, now));
    }
    advice
}

/// The question whose changes are tried.
#[derive(Clone, Copy)]
struct Search<'a> {
    scenario: &'a Scenario,
    resolved: &'a Resolved,
}

/// A half as it is.
struct Now {
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

impl Search<'_> {
    fn for_training(self, plan: &TrainingPlan, now: &TrainingReport) -> Vec<Advice> {
        let peak = now.peak.device_bytes;
        let now = Now { half: Half::Training, needed: peak, peak, seconds: now.step.seconds };
        let more_recompute: &[Recompute] = match plan.recompute {
            Recompute::None => &[Recompute::Selective, Recompute::Full],
            Recompute::Selective => &[Recompute::Full],
            Recompute::Full | Recompute::SelectiveOps => &[],
        };
        let first_that_fits = |id, candidates: Vec<Vec<Change>>| {
            candidates.into_iter().find_map(|changes| self.proposed(&now, id, changes))
        };
        let stages = if plan.data_parallel > 1 { stages_above(plan.sharding) } else { &[] };
        let strongest = more_recompute.last().copied();
        let mut found: Vec<(Advice, u64)> = [
            (AdviceId::Recompute, more_recompute.iter().map(|mode| vec![Change::Recompute(*mode)]).collect()),
            (AdviceId::RaiseSharding, stages.iter().map(|stage| vec![Change::Sharding(*stage)]).collect()),
            (AdviceId::SmallerMicroBatch, smaller_micro_batches(plan)),
            (AdviceId::MoreShards, self.more_shards(None)),
            (AdviceId::RecomputeAndShard, strongest.map_or(Vec::new(), |mode| self.more_shards(Some(mode)))),
        ]
        .into_iter()
        .filter_map(|(id, candidates)| first_that_fits(id, candidates))
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

    /// The fewest GPUs on which ZeRO-3 fits, with the recomputation given, and the counts after them.
    fn more_shards(self, recompute: Option<Recompute>) -> Vec<Vec<Change>> {
        let mut changes = vec![Change::Sharding(Sharding::Zero3)];
        changes.extend(recompute.map(Change::Recompute));
        let sharded = Patch(changes.clone()).applied(self.scenario);
        let fewest = minimum_training_gpus(&sharded).filter(|gpus| *gpus > self.resolved.cluster.gpus);
        let with = |gpus| [&[Change::Gpus(gpus)], changes.as_slice()].concat();
        fewest.map_or(Vec::new(), |fewest| counts_from(fewest).map(with).collect())
    }

    fn for_inference(self, plan: &InferencePlan, now: &InferenceReport) -> Vec<Advice> {
        let counts = now.minimum_gpus.into_iter().flat_map(counts_from);
        let more_ranks = counts.map(|gpus| (AdviceId::MoreTensorRanks, vec![Change::Gpus(gpus)]));
        let smaller = smaller_formats(plan).into_iter().map(|format| vec![Change::Weights(format)]);
        let smaller = smaller.map(|changes| (AdviceId::SmallerWeights, changes));
        let now = Now {
            half: Half::Inference,
            needed: now.needed_bytes,
            peak: now.peak.device_bytes,
            seconds: now.decode_seconds,
        };
        let mut found: Vec<Advice> = Vec::new();
        for (id, changes) in smaller.chain(more_ranks) {
            // One smaller format is enough: the largest that fits loses least. So is one count of GPUs.
            if found.iter().any(|advice| advice.id == id) {
                continue;
            }
            found.extend(self.proposed(&now, id, changes).map(|(advice, _)| advice));
        }
        found
    }

    /// The change with its effect, where it makes a half fit; and the GPUs it takes.
    fn proposed(self, now: &Now, id: AdviceId, changes: Vec<Change>) -> Option<(Advice, u64)> {
        let patch = Patch(changes);
        let changed = patch.answerable(self.scenario, self.resolved)?;
        let then = match now.half {
            Half::Training => try_training(&changed),
            Half::Inference => try_inference(&changed),
        };
        let then = then.filter(|then| then.fits)?;
        let advice = Advice {
            id,
            half: now.half,
            severity: Severity::Error,
            // By how much one GPU is short, the reserve counted.
            short: now.needed - self.resolved.cluster.usable(),
            peak_after: then.peak,
            bytes_saved: now.peak - then.peak,
            seconds_cost: Seconds(then.seconds.0 - now.seconds.0),
            patch,
        };
        Some((advice, then.gpus))
    }
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
fn smaller_micro_batches(plan: &TrainingPlan) -> Vec<Vec<Change>> {
    std::iter::successors(Some(plan.micro_batch), |size| size.is_multiple_of(2).then_some(size / 2))
        .skip(1)
        .map(|size| vec![Change::MicroBatch(size), Change::GlobalBatch(plan.global_batch)])
        .collect()
}

/// Formats of the engine with fewer bits than the present one, the largest first.
fn smaller_formats(plan: &InferencePlan) -> Vec<WeightFormat> {
    let order = if plan.engine == Engine::LlamaCpp {
        [WeightFormat::Fp32, WeightFormat::GgufF16, WeightFormat::GgufQ8_0, WeightFormat::GgufQ4KM]
    } else {
        [WeightFormat::Fp32, WeightFormat::Bf16, WeightFormat::Fp8, WeightFormat::Int4G128]
    };
    let rank = order.iter().position(|format| *format == plan.weights).unwrap_or(1);
    order.into_iter().skip(rank + 1).collect()
}

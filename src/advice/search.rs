//! Finding changes that make a scenario fit: each candidate is estimated before it is proposed.

use crate::defaults::MICRO_BATCH;
use crate::estimate::{minimum_training_gpus, try_inference, try_training};
use crate::report::{InferenceReport, Report, TrainingReport};
use crate::resolve::{WEIGHT_FORMATS, resolve};
use crate::scenario::{Recompute, Scenario, Sharding, WeightFormat};
use crate::units::{Bytes, Seconds};

use super::{Advice, AdviceId, Change, Half, Patch, Severity};

/// What would make each half fit that does not; empty where both do.
#[must_use]
pub fn advise(scenario: &Scenario, report: &Report) -> Vec<Advice> {
    let mut advice = Vec::new();
    if let Some(training) = report.training.as_ref().filter(|training| !training.fits) {
        advice.extend(for_training(scenario, training));
    }
    if let Some(inference) = report.inference.as_ref().filter(|inference| !inference.fits) {
        advice.extend(for_inference(scenario, inference));
    }
    advice
}

/// Stages of sharding, each sharing out more.
const STAGES: [Sharding; 4] = [Sharding::None, Sharding::Zero1, Sharding::Zero2, Sharding::Zero3];

fn for_training(scenario: &Scenario, now: &TrainingReport) -> Vec<Advice> {
    let recompute = scenario.training.as_ref().and_then(|training| training.recompute).unwrap_or(Recompute::None);
    let more_recompute: &[Recompute] = match recompute {
        Recompute::None => &[Recompute::Selective, Recompute::Full],
        Recompute::Selective => &[Recompute::Full],
        Recompute::Full | Recompute::SelectiveOps => &[],
    };
    let first_that_fits = |id, candidates: Vec<Vec<Change>>| {
        candidates.into_iter().find_map(|changes| training_advice(scenario, now, id, changes))
    };
    let stages = if now.data_parallel > 1 { stages_above(scenario) } else { &[] };
    let strongest = more_recompute.last().copied();
    let mut found: Vec<(Advice, u64)> = [
        (AdviceId::Recompute, more_recompute.iter().map(|mode| vec![Change::Recompute(*mode)]).collect()),
        (AdviceId::RaiseSharding, stages.iter().map(|stage| vec![Change::Sharding(*stage)]).collect()),
        (AdviceId::SmallerMicroBatch, smaller_micro_batches(scenario, now)),
        (AdviceId::MoreShards, more_shards(scenario, now, None).into_iter().collect()),
        (
            AdviceId::RecomputeAndShard,
            strongest.and_then(|mode| more_shards(scenario, now, Some(mode))).into_iter().collect(),
        ),
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

/// The stages above the one the scenario has, by its own choice or its framework's.
fn stages_above(scenario: &Scenario) -> &'static [Sharding] {
    let now = resolve(scenario).ok().and_then(|resolved| Some(resolved.training.ok()?.sharding));
    let position = STAGES.iter().position(|stage| Some(*stage) == now);
    position.map_or(&[], |position| &STAGES[position + 1..])
}

/// By how much one GPU is short, the reserve counted.
fn short(scenario: &Scenario, needed: Bytes) -> Bytes {
    resolve(scenario).map_or(Bytes::ZERO, |resolved| needed - resolved.cluster.usable())
}

/// The fewest GPUs on which ZeRO-3 fits, with the recomputation given.
fn more_shards(scenario: &Scenario, now: &TrainingReport, recompute: Option<Recompute>) -> Option<Vec<Change>> {
    let mut changes = vec![Change::Sharding(Sharding::Zero3)];
    changes.extend(recompute.map(Change::Recompute));
    let sharded = Patch(changes.clone()).applied(scenario);
    let gpus = minimum_training_gpus(&sharded)?;
    let have = now.data_parallel * tensor_of(scenario);
    if gpus <= have {
        return None;
    }
    changes.insert(0, Change::Gpus(gpus));
    Some(changes)
}

/// The micro-batch halved, and halved again; the global batch stays what it is.
fn smaller_micro_batches(scenario: &Scenario, now: &TrainingReport) -> Vec<Vec<Change>> {
    // Within its range, since a report was made of it.
    let given = scenario.training.as_ref().and_then(|training| training.micro_batch);
    let micro_batch = given.map_or(MICRO_BATCH, |number| number.0 as u64);
    let global_batch = micro_batch * now.data_parallel * now.gradient_accumulation;
    std::iter::successors(Some(micro_batch), |size| size.is_multiple_of(2).then_some(size / 2))
        .skip(1)
        .map(|size| vec![Change::MicroBatch(size), Change::GlobalBatch(global_batch)])
        .collect()
}

fn tensor_of(scenario: &Scenario) -> u64 {
    // Within its range, since a report was made of it.
    scenario.training.as_ref().and_then(|training| training.tensor).map_or(1, |tensor| tensor.0 as u64)
}

/// The change with its effect, where it makes training fit; and the GPUs it takes.
fn training_advice(
    scenario: &Scenario,
    now: &TrainingReport,
    id: AdviceId,
    changes: Vec<Change>,
) -> Option<(Advice, u64)> {
    let patch = Patch(changes);
    let then = try_training(&patch.applied(scenario)).filter(|then| then.fits)?;
    let advice = Advice {
        id,
        half: Half::Training,
        severity: Severity::Error,
        short: short(scenario, now.peak.device_bytes),
        peak_after: then.peak,
        bytes_saved: now.peak.device_bytes - then.peak,
        seconds_cost: Seconds(then.seconds.0 - now.step.seconds.0),
        patch,
    };
    Some((advice, then.gpus))
}

fn for_inference(scenario: &Scenario, now: &InferenceReport) -> Vec<Advice> {
    let more_ranks = now.minimum_gpus.map(|gpus| (AdviceId::MoreTensorRanks, vec![Change::Gpus(gpus)]));
    let smaller = smaller_formats(scenario).into_iter().map(|format| vec![Change::Weights(format)]);
    let smaller = smaller.map(|changes| (AdviceId::SmallerWeights, changes));
    let mut found: Vec<Advice> = Vec::new();
    for (id, changes) in smaller.chain(more_ranks) {
        // One smaller format is enough: the largest that fits loses least.
        if found.iter().any(|advice| advice.id == id) {
            continue;
        }
        found.extend(inference_advice(scenario, now, id, changes));
    }
    found
}

/// Formats with fewer bits than the present one, the largest first.
fn smaller_formats(scenario: &Scenario) -> Vec<WeightFormat> {
    let now = scenario.inference.as_ref().and_then(|inference| inference.weights).unwrap_or(WeightFormat::Bf16);
    let order = [WeightFormat::Fp32, WeightFormat::Bf16, WeightFormat::Fp8, WeightFormat::Int4G128];
    let rank = order.iter().position(|format| *format == now).unwrap_or(1);
    order.into_iter().skip(rank + 1).filter(|format| WEIGHT_FORMATS.contains(format)).collect()
}

fn inference_advice(scenario: &Scenario, now: &InferenceReport, id: AdviceId, changes: Vec<Change>) -> Option<Advice> {
    let patch = Patch(changes);
    let then = try_inference(&patch.applied(scenario)).filter(|then| then.fits)?;
    Some(Advice {
        id,
        half: Half::Inference,
        severity: Severity::Error,
        short: short(scenario, now.peak.device_bytes),
        peak_after: then.peak,
        bytes_saved: now.peak.device_bytes - then.peak,
        seconds_cost: Seconds(then.seconds.0 - now.decode_seconds.0),
        patch,
    })
}

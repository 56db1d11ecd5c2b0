//! From the question to the answer: the one room where the parts of the ledger meet.

use crate::advice;
use crate::communication::{self, Traffic};
use crate::inference;
use crate::ledger::{Account, Entry};
use crate::report::{Checkpoint, Gap, InferenceReport, ModelReport, Peak, Report, StateBytes, Step, TrainingReport};
use crate::resolve::{InferencePlan, Model, Resolved, TrainingPlan, resolve};
use crate::scenario::{FieldError, Scenario};
use crate::time;
use crate::training::{self, Footprint, Stage};
use crate::units::{Bytes, Seconds};

/// Answers a scenario.
///
/// # Errors
/// Where a field is out of its range, unknown, or not supported yet; the error names the field, what was given and
/// what is allowed. A layout that is impossible in one half alone is an answer: that half says why.
pub fn estimate(scenario: &Scenario) -> Result<Report, FieldError> {
    let (resolved, mut report) = unsearched(scenario)?;
    search(scenario, &resolved, &mut report);
    Ok(report)
}

/// Answers a scenario but for what takes a search, and says what its absent fields stood for. [`search`] makes the
/// report whole: it tries many scenarios, and whoever draws the one at hand need not wait for that. Until then the
/// report has no advice, no fewest GPUs, no longest context, no most requests and no log.
///
/// # Errors
/// Those of [`estimate`].
pub fn unsearched(scenario: &Scenario) -> Result<(Resolved, Report), FieldError> {
    let resolved = resolve(scenario)?;
    let report = halves(&resolved);
    Ok((resolved, report))
}

/// Finds what [`unsearched`] leaves out. `resolved` and `report` are those of `scenario`.
pub fn search(scenario: &Scenario, resolved: &Resolved, report: &mut Report) {
    let Resolved { model, cluster, .. } = resolved;
    if let (Ok(plan), Some(half)) = (&resolved.training, &mut report.training) {
        half.minimum_gpus = minimum_gpus(scenario, resolved, plan);
    }
    if let (Ok(plan), Some(half)) = (&resolved.inference, &mut report.inference) {
        let footprint = inference::footprint(model, plan);
        let tensor_given = scenario.inference.as_ref().is_some_and(|inference| inference.tensor.is_some());
        half.minimum_gpus = inference::minimum_gpus(model, plan, cluster, tensor_given);
        half.maximum_context = inference::maximum_context(&footprint, plan, cluster) as f64;
        half.maximum_concurrency = inference::maximum_concurrency(&footprint, plan, cluster);
        half.log = inference::log::log(&footprint, plan, cluster, &half.accounts);
    }
    report.advice = advice::advise(scenario, resolved, report);
}

fn halves(resolved: &Resolved) -> Report {
    let plan = resolved.training.as_ref().ok();
    let whole = plan.map(|plan| training::whole_state(&resolved.model, plan, resolved.profile));
    let training = plan.zip(whole).map(|(plan, whole)| training_report(resolved, plan, &whole));
    let inference = resolved.inference.as_ref().ok().map(|plan| inference_report(resolved, plan));
    Report {
        model: model_report(&resolved.model),
        gap: gap(&resolved.model, plan.zip(whole), inference.as_ref()),
        training,
        training_error: resolved.training.as_ref().err().cloned(),
        inference,
        inference_error: resolved.inference.as_ref().err().cloned(),
        advice: Vec::new(),
    }
}

fn model_report(model: &Model) -> ModelReport {
    let shape = &model.architecture;
    ModelReport {
        name: model.name(),
        parameters: model.parameters,
        active_parameters: model.active_parameters,
        embedding_parameters: shape.embedding_parameters() as f64,
        layers: shape.layers,
        hidden: shape.hidden,
        heads: shape.heads,
        kv_heads: shape.kv_heads,
        vocabulary: shape.vocabulary,
        maximum_positions: shape.maximum_positions,
        assumed_shape: model.assumed_shape,
    }
}

/// `whole` is the state before any sharding.
fn training_report(resolved: &Resolved, plan: &TrainingPlan, whole: &StateBytes) -> TrainingReport {
    let Resolved { model, profile, cluster, .. } = resolved;
    let footprint = training::footprint(model, plan, profile, cluster);
    let peak = footprint.peak();
    let (step, traffic) = step_of(resolved, plan, &footprint);
    let stages = if plan.pipeline == 1 {
        vec![footprint.stage()]
    } else {
        training::footprints(model, plan, profile, cluster).map(|stage| stage.stage()).collect()
    };
    // Of the stage with the largest peak.
    let host_entries: Vec<Entry> = footprint.on_host().copied().collect();
    let on_node = cluster.gpus.min(cluster.gpus_per_node);
    TrainingReport {
        data_parallel: plan.data_parallel,
        gradient_accumulation: plan.accumulation,
        peak,
        capacity_bytes: cluster.gpu.capacity,
        fits: cluster.fits(peak.device_bytes),
        minimum_gpus: None,
        host_bytes: Bytes::whole(host_entries.iter().map(|entry| entry.bytes.get()).sum::<f64>() * on_node as f64),
        host_entries,
        traffic,
        step,
        run: None,
        checkpoint: Checkpoint {
            bytes: whole.total - whole.gradients,
            seconds: None,
            interval_seconds: None,
            overhead: None,
        },
        stages,
    }
}

/// `footprint` is that of the plan, whose parts serve again where there is one stage.
fn step_of(resolved: &Resolved, plan: &TrainingPlan, footprint: &Footprint) -> (Step, Vec<Traffic>) {
    let Resolved { model, cluster, .. } = resolved;
    let (stage, parts) = if plan.pipeline == 1 {
        let (stage, parts) = footprint.stage_and_parts();
        (*stage, *parts)
    } else {
        let stage = time::slowest_stage(model, plan);
        (stage, training::parts_of(model, plan, &stage))
    };
    let planned = communication::training(&model.architecture, &stage, &parts, plan, cluster);
    time::step(model, plan, &stage, &parts, cluster, planned)
}

fn minimum_gpus(scenario: &Scenario, resolved: &Resolved, plan: &TrainingPlan) -> Option<u64> {
    let Resolved { model, profile, cluster, .. } = resolved;
    let shape = &model.architecture;
    let batch_given = scenario.training.as_ref().is_some_and(|training| training.global_batch.is_some());
    let parts = training::parts_of(model, plan, &Stage::new(plan, shape, 0));
    training::minimum_gpus(plan, batch_given, cluster.usable(), |plan| {
        let footprint = if plan.pipeline == 1 {
            training::footprint_of(Stage::new(plan, shape, 0), parts, model, plan, profile, cluster)
        } else {
            training::footprint(model, plan, profile, cluster)
        };
        footprint.peak().device_bytes
    })
}

/// What a changed scenario comes to: as much of its report as it takes to judge the change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// What one GPU needs.
    pub peak: Bytes,
    /// Whether that fits.
    pub fits: bool,
    /// Time of an optimiser step, or of a decode step.
    pub seconds: Seconds,
    /// GPUs in all.
    pub gpus: u64,
}

/// The training half of a scenario in short; `None` where it has none.
#[must_use]
pub fn try_training(scenario: &Scenario) -> Option<Trial> {
    let resolved = resolve(scenario).ok()?;
    let plan = resolved.training.as_ref().ok()?;
    let footprint = training::footprint(&resolved.model, plan, resolved.profile, &resolved.cluster);
    let peak = footprint.peak().device_bytes;
    let (step, _) = step_of(&resolved, plan, &footprint);
    Some(Trial { peak, fits: resolved.cluster.fits(peak), seconds: step.seconds, gpus: resolved.cluster.gpus })
}

/// The fewest GPUs on which the training half of a scenario fits, if any number is enough.
#[must_use]
pub fn minimum_training_gpus(scenario: &Scenario) -> Option<u64> {
    let resolved = resolve(scenario).ok()?;
    let plan = resolved.training.as_ref().ok()?;
    minimum_gpus(scenario, &resolved, plan)
}

/// The serving half of a scenario in short; `None` where it has none.
#[must_use]
pub fn try_inference(scenario: &Scenario) -> Option<Trial> {
    let Resolved { model, cluster, inference, .. } = resolve(scenario).ok()?;
    let plan = inference.ok()?;
    let footprint = inference::footprint(&model, &plan);
    let (context, requests) = (plan.context as f64, plan.requests() as f64);
    let peak = footprint.bytes(context, requests);
    let fits = cluster.fits(footprint.needed(&cluster, context, requests));
    let traffic = communication::serving(&model.architecture, &plan, &cluster);
    let seconds = time::serving(&model, &plan, &cluster, &footprint, &traffic).decode;
    Some(Trial { peak, fits, seconds, gpus: cluster.gpus })
}

fn inference_report(resolved: &Resolved, plan: &InferencePlan) -> InferenceReport {
    let Resolved { model, cluster, .. } = resolved;
    let footprint = inference::footprint(model, plan);
    let (context, requests) = (plan.context as f64, plan.requests() as f64);
    let entries = footprint.entries(context, requests);
    let accounts = footprint.accounts(&entries);
    let held = accounts.total();
    let tensors = held - accounts[Account::Runtime];
    let whole = plan.unsplit();
    let replica = inference::footprint(model, &whole);
    let traffic = communication::serving(&model.architecture, plan, cluster);
    let times = time::serving(model, plan, cluster, &footprint, &traffic);
    let ranks = plan.tensor as f64;
    let gpus = (plan.replicas * plan.tensor * plan.pipeline) as f64;
    let pool = footprint.pool(cluster, context, requests);
    let needed_bytes = footprint.needed(cluster, context, requests);
    let concurrency = plan.concurrency as f64;
    InferenceReport {
        tensor: plan.tensor,
        replicas: plan.replicas,
        peak: Peak {
            stage: 0,
            active_bytes: tensors,
            reserved_bytes: tensors,
            device_bytes: held,
            low_bytes: held,
            high_bytes: held,
        },
        capacity_bytes: cluster.gpu.capacity,
        needed_bytes,
        fits: cluster.fits(needed_bytes),
        minimum_gpus: None,
        weight_bytes: replica.weight_bytes(),
        kv_bytes_per_token: Bytes::whole(replica.cache.per_token()),
        kv_capacity_tokens: footprint.cache.capacity(pool, requests),
        maximum_context: 0.0,
        maximum_concurrency: 0.0,
        prefill_seconds: times.prefill,
        decode_seconds: times.decode,
        prefill_tokens_per_second_per_gpu: context / times.prefill.0 / ranks,
        decode_tokens_per_second_per_gpu: concurrency / times.decode.0 / gpus,
        tokens_per_second: concurrency / times.decode.0,
        log: Vec::new(),
        accounts,
        entries,
        traffic,
    }
}

/// State before any sharding against the weights served.
fn gap(model: &Model, state: Option<(&TrainingPlan, StateBytes)>, inference: Option<&InferenceReport>) -> Gap {
    let state = state.map(|(plan, whole)| whole.total.get() / plan.parameters(model));
    let served = inference.map(|inference| inference.weight_bytes.get() / model.parameters);
    Gap {
        state_bytes_per_parameter: state,
        training_over_inference: state.zip(served).map(|(state, served)| state / served),
    }
}

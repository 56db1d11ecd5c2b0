//! From the question to the answer: the one room where the parts of the ledger meet.

use crate::advice;
use crate::answer::{
    Checkpoint, Gap, InferenceReport, ModelReport, Padding, Peak, Phase, StateBytes, Step, Traffic, TrainingReport,
};
use crate::communication;
use crate::inference;
use crate::ledger::{Account, Entry};
use crate::plan::{InferencePlan, Model, TrainingPlan};
use crate::refusal::FieldError;
use crate::report::Report;
use crate::resolve::{Resolved, resolve};
use crate::scenario::Scenario;
use crate::time;
use crate::training::{self, Stage};
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
    let (resolved, mut report) = held(scenario)?;
    add_time(&resolved, &mut report);
    Ok((resolved, report))
}

/// Answers a scenario as far as memory goes: what [`unsearched`] answers, with no traffic and all times zero.
/// [`add_time`] fills them in. Whoever has to answer at once has no need of the code that does.
///
/// # Errors
/// Those of [`estimate`].
pub fn held(scenario: &Scenario) -> Result<(Resolved, Report), FieldError> {
    let resolved = resolve(scenario)?;
    let report = halves(&resolved);
    Ok((resolved, report))
}

/// Adds traffic and times to what [`held`] answered. `resolved` and `report` are those of one scenario.
pub fn add_time(resolved: &Resolved, report: &mut Report) {
    let Resolved { model, cluster, .. } = resolved;
    if let (Ok(plan), Some(half)) = (&resolved.training, &mut report.training) {
        (half.step, half.traffic) = step_of(resolved, plan);
        half.run = plan.tokens.map(|tokens| time::run(tokens, &half.step, cluster));
        half.checkpoint = time::checkpoint(half.checkpoint.bytes, cluster);
    }
    if let (Ok(plan), Some(half)) = (&resolved.inference, &mut report.inference) {
        let footprint = inference::footprint(model, plan);
        let traffic = communication::serving(&model.architecture, plan, cluster);
        let times = time::serving(model, plan, cluster, &footprint, &traffic);
        let (context, concurrency) = (plan.context as f64, plan.concurrency as f64);
        let gpus = (plan.replicas * plan.tensor * plan.pipeline) as f64;
        half.prefill_seconds = times.prefill;
        half.decode_seconds = times.decode;
        // A pipeline's stages work on as many prompts at a time; where layers are only placed, one GPU does.
        let placed = plan.places_layers;
        let on_a_prompt = plan.tensor * if placed { plan.pipeline } else { 1 };
        half.prefill_tokens_per_second_per_gpu = context / times.prefill.0 / on_a_prompt as f64;
        half.decode_tokens_per_second_per_gpu = concurrency / times.decode.0 / gpus;
        half.tokens_per_second = concurrency / times.decode.0;
        half.traffic = traffic;
    }
}

/// Finds what [`unsearched`] leaves out. `resolved` and `report` are those of `scenario`.
pub fn search(scenario: &Scenario, resolved: &Resolved, report: &mut Report) {
    let Resolved { model, cluster, .. } = resolved;
    if let (Ok(plan), Some(half)) = (&resolved.training, &mut report.training) {
        half.minimum_gpus = minimum_gpus(scenario, resolved, plan);
        half.padding = padding(resolved, plan, half);
    }
    if let (Ok(plan), Some(half)) = (&resolved.inference, &mut report.inference) {
        let footprint = inference::footprint(model, plan);
        let given = scenario.inference.as_ref();
        let given = given.map_or((false, false), |given| (given.tensor.is_some(), given.pipeline.is_some()));
        half.minimum_gpus = inference::minimum_gpus(model, plan, cluster, given);
        half.maximum_context = inference::maximum_context(&footprint, plan, cluster) as f64;
        half.maximum_concurrency = inference::maximum_concurrency(&footprint, plan, cluster);
        half.log = inference::log::log(&footprint, plan, cluster, &half.accounts);
    }
    report.advice = advice::advise(scenario, resolved, report);
    report.hints = advice::hints(scenario, resolved, report);
}

/// What one GPU of a pipeline stage holds in a phase of a step, without slack and runtime; nothing where there is no such
/// stage. The report has the entries of the largest phase.
#[must_use]
pub fn entries_in(resolved: &Resolved, stage: usize, phase: Phase) -> Vec<Entry> {
    let Resolved { model, profile, cluster, training, .. } = resolved;
    let Ok(plan) = training else { return Vec::new() };
    let footprint = training::footprints(model, plan, profile, cluster).nth(stage);
    footprint.map_or(Vec::new(), |footprint| footprint.in_phase(phase).copied().collect())
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
        hints: Vec::new(),
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
        understood: model.understood.clone(),
    }
}

/// `whole` is the state before any sharding.
fn training_report(resolved: &Resolved, plan: &TrainingPlan, whole: &StateBytes) -> TrainingReport {
    let Resolved { model, profile, cluster, .. } = resolved;
    let footprint = training::footprint(model, plan, profile, cluster);
    let peak = footprint.peak();
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
        traffic: Vec::new(),
        step: Step::default(),
        run: None,
        checkpoint: Checkpoint { bytes: whole.total - whole.gradients, ..Checkpoint::default() },
        padding: None,
        stages,
    }
}

/// The time of a step, and what is sent in it.
fn step_of(resolved: &Resolved, plan: &TrainingPlan) -> (Step, Vec<Traffic>) {
    let Resolved { model, profile, cluster, .. } = resolved;
    let stage = time::slowest_stage(model, plan);
    let parts = training::parts_of(model, plan, &stage);
    let planned = communication::training(&model.architecture, &stage, &parts, plan, cluster);
    time::step(model, plan, profile, &stage, &parts, cluster, planned)
}

/// What padding costs a run whose half of the report is `half`: the same run is counted again without it. Sequences come
/// in whole tokens, so the mean of their lengths is rounded to one.
fn padding(resolved: &Resolved, plan: &TrainingPlan, half: &TrainingReport) -> Option<Padding> {
    if plan.packing == 1.0 {
        return None;
    }
    let Resolved { model, profile, cluster, .. } = resolved;
    let sequence = (plan.sequence as f64 * plan.packing).round().max(1.0) as u64;
    let packed = TrainingPlan { sequence, packing: 1.0, ..plan.clone() };
    let footprint = training::footprint(model, &packed, profile, cluster);
    let (step, traffic) = step_of(resolved, &packed);
    let sent = |traffic: &[Traffic]| traffic.iter().map(|line| line.bytes).sum::<Bytes>();
    Some(Padding {
        share: 1.0 - plan.packing,
        bytes: half.peak.active_bytes - footprint.active(),
        seconds: Seconds(half.step.seconds.0 - step.seconds.0),
        traffic_bytes: sent(&half.traffic) - sent(&traffic),
    })
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
    /// Sequences of an optimiser step, or requests of a decode step.
    pub batch: u64,
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
    let (step, _) = step_of(&resolved, plan);
    let (fits, gpus) = (resolved.cluster.fits(peak), resolved.cluster.gpus);
    Some(Trial { peak, fits, seconds: step.seconds, batch: plan.global_batch, gpus })
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
    Some(Trial { peak, fits, seconds, batch: plan.concurrency, gpus: cluster.gpus })
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
    let pool = footprint.pool(cluster, context, requests);
    let needed_bytes = footprint.needed(cluster, context, requests);
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
        indexer_bytes_per_token: Bytes::whole(replica.cache.index_per_token()),
        state_bytes_per_sequence: Bytes::whole(replica.cache.per_sequence()),
        kv_capacity_tokens: footprint.cache.capacity(pool, requests),
        maximum_context: 0.0,
        maximum_concurrency: 0.0,
        prefill_seconds: Seconds::default(),
        decode_seconds: Seconds::default(),
        prefill_tokens_per_second_per_gpu: 0.0,
        decode_tokens_per_second_per_gpu: 0.0,
        tokens_per_second: 0.0,
        log: Vec::new(),
        accounts,
        entries,
        traffic: Vec::new(),
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

//! What one GPU holds.

use crate::answer::{Gap, ModelReport, Peak, Phase, StageReport, StateBytes};
use crate::engines::Budget;
use crate::inference;
use crate::ledger::{Account, Accounts, Entry};
use crate::plan::{Deployment, Model, TrainingJob};
use crate::training;
use crate::units::Bytes;

use super::Asked;

/// What one GPU holds, of each half that has an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// The model as it was understood.
    pub model: ModelReport,
    /// The training half.
    pub training: Option<TrainingMemory>,
    /// The serving half.
    pub inference: Option<InferenceMemory>,
    /// What lies between the two.
    pub gap: Gap,
}

/// What one GPU holds while training.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingMemory {
    /// Data-parallel ranks.
    pub data_parallel: u64,
    /// Micro-batches a rank adds up in one optimiser step.
    pub gradient_accumulation: u64,
    /// One entry a pipeline stage.
    pub stages: Vec<StageReport>,
    /// The peak over the stages.
    pub peak: Peak,
    /// Bytes one GPU offers.
    pub capacity_bytes: Bytes,
    /// Whether the peak and the reserve fit.
    pub fits: bool,
    /// Bytes in host memory, of one node.
    pub host_bytes: Bytes,
    /// What one GPU has there.
    pub host_entries: Vec<Entry>,
    /// Size of a checkpoint of the whole model.
    pub checkpoint_bytes: Bytes,
}

/// What one GPU holds while serving.
#[derive(Clone, Debug, PartialEq)]
pub struct InferenceMemory {
    /// Tensor-parallel ranks of one replica.
    pub tensor: u64,
    /// Copies of the model.
    pub replicas: u64,
    /// Bytes by account on one GPU.
    pub accounts: Accounts,
    /// What the accounts are made of.
    pub entries: Vec<Entry>,
    /// Three sizes of one GPU.
    pub peak: Peak,
    /// Bytes one GPU offers.
    pub capacity_bytes: Bytes,
    /// Of what the engine's memory budget is a fraction.
    pub budget: Budget,
    /// That fraction.
    pub budget_fraction: f64,
    /// What a GPU would have to offer: what is held, and what the engine's budget keeps from the cache.
    pub needed_bytes: Bytes,
    /// Whether that and the reserve fit.
    pub fits: bool,
    /// Weights of one replica.
    pub weight_bytes: Bytes,
    /// Cache of one more token in one replica, before replication.
    pub kv_bytes_per_token: Bytes,
    /// Bytes that an indexer adds to that.
    pub indexer_bytes_per_token: Bytes,
    /// Bytes that a request's linear attention or state space takes however long the request is.
    pub state_bytes_per_sequence: Bytes,
    /// Tokens the cache could hold on one replica.
    pub kv_capacity_tokens: f64,
}

impl Memory {
    /// Counts both halves.
    pub(super) fn of(asked: &Asked) -> Memory {
        let resolved = asked.resolved();
        let job = resolved.training_job();
        let whole = job.map(training::whole_state);
        let training = job.zip(whole).map(|(job, whole)| training_memory(job, &whole));
        let inference = resolved.deployment().map(inference_memory);
        Memory {
            model: model_report(&resolved.model),
            gap: gap(&resolved.model, job.zip(whole), inference.as_ref()),
            training,
            inference,
        }
    }
}

impl TrainingMemory {
    /// The pipeline stage with the largest peak.
    #[must_use]
    pub fn peak_stage(&self) -> Option<&StageReport> {
        self.stages.get(self.peak.stage)
    }
}

impl Asked {
    /// What one GPU of a pipeline stage holds in a phase of a step, without slack and runtime; nothing where there is no
    /// such stage. [`Memory`] has the entries of the largest phase.
    #[must_use]
    pub fn entries_in(&self, stage: usize, phase: Phase) -> Vec<Entry> {
        let Some(job) = self.resolved().training_job() else { return Vec::new() };
        let footprint = training::footprints(job).nth(stage);
        footprint.map_or(Vec::new(), |footprint| footprint.in_phase(phase).copied().collect())
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
fn training_memory(job: TrainingJob, whole: &StateBytes) -> TrainingMemory {
    let TrainingJob { plan, cluster, .. } = job;
    let footprint = training::footprint(job);
    let peak = footprint.peak();
    let stages = if plan.pipeline == 1 {
        vec![footprint.stage()]
    } else {
        training::footprints(job).map(|stage| stage.stage()).collect()
    };
    // Of the stage with the largest peak.
    let host_entries: Vec<Entry> = footprint.on_host().copied().collect();
    let on_node = cluster.gpus.min(cluster.gpus_per_node);
    TrainingMemory {
        data_parallel: plan.data_parallel,
        gradient_accumulation: plan.accumulation,
        peak,
        capacity_bytes: cluster.gpu.capacity,
        fits: cluster.fits(peak.device_bytes),
        host_bytes: Bytes::whole(host_entries.iter().map(|entry| entry.bytes.get()).sum::<f64>() * on_node as f64),
        host_entries,
        // Weights, master weights and moments.
        checkpoint_bytes: whole.total - whole.gradients,
        stages,
    }
}

fn inference_memory(deployment: Deployment) -> InferenceMemory {
    let Deployment { model, plan, cluster } = deployment;
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
    let (budget, budget_fraction) = footprint.budget(cluster);
    InferenceMemory {
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
        budget,
        budget_fraction,
        needed_bytes,
        fits: cluster.fits(needed_bytes),
        weight_bytes: replica.weight_bytes(),
        kv_bytes_per_token: Bytes::whole(replica.cache.per_token()),
        indexer_bytes_per_token: Bytes::whole(replica.cache.index_per_token()),
        state_bytes_per_sequence: Bytes::whole(replica.cache.per_sequence()),
        kv_capacity_tokens: footprint.cache.capacity(pool, requests),
        accounts,
        entries,
    }
}

/// State before any sharding against the weights served.
fn gap(model: &Model, state: Option<(TrainingJob, StateBytes)>, inference: Option<&InferenceMemory>) -> Gap {
    let state = state.map(|(job, whole)| whole.total.get() / job.plan.parameters(model));
    let served = inference.map(|inference| inference.weight_bytes.get() / model.parameters);
    Gap {
        state_bytes_per_parameter: state,
        training_over_inference: state.zip(served).map(|(state, served)| state / served),
    }
}

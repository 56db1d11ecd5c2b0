//! The answer: what one GPU holds and waits for, with the entries it is made of.

use serde::ser::{SerializeSeq, SerializeStruct};
use serde::{Serialize, Serializer};

use crate::advice::{Advice, Hint};
use crate::communication::Traffic;
use crate::ledger::{Accounts, Entry};
use crate::scenario::FieldError;
use crate::units::{Bytes, Seconds, serialize_number};

/// The answer to a scenario. A half that is impossible on its own is absent, with the reason beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The model as it was understood.
    pub model: ModelReport,
    /// The training half.
    pub training: Option<TrainingReport>,
    /// Why there is no training half.
    pub training_error: Option<FieldError>,
    /// The serving half.
    pub inference: Option<InferenceReport>,
    /// Why there is no serving half.
    pub inference_error: Option<FieldError>,
    /// What lies between the two.
    pub gap: Gap,
    /// What would make it fit, cheapest first.
    pub advice: Vec<Advice>,
    /// Rules of the field that it goes against, what helps most first.
    pub hints: Vec<Hint>,
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// What makes it fit, and behind that what makes it better: one list.
        struct All<'a>(&'a Report);
        impl Serialize for All<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let Report { advice, hints, .. } = self.0;
                let mut list = serializer.serialize_seq(Some(advice.len() + hints.len()))?;
                for advice in advice {
                    list.serialize_element(advice)?;
                }
                for hint in hints {
                    list.serialize_element(hint)?;
                }
                list.end()
            }
        }
        let mut report = serializer.serialize_struct("Report", 7)?;
        report.serialize_field("model", &self.model)?;
        report.serialize_field("training", &self.training)?;
        if let Some(error) = &self.training_error {
            report.serialize_field("training_error", error)?;
        }
        report.serialize_field("inference", &self.inference)?;
        if let Some(error) = &self.inference_error {
            report.serialize_field("inference_error", error)?;
        }
        report.serialize_field("gap", &self.gap)?;
        report.serialize_field("advice", &All(self))?;
        report.end()
    }
}

/// The model as it was understood.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelReport {
    /// Name for people.
    pub name: String,
    /// All parameters, a tied matrix once.
    #[serde(serialize_with = "serialize_number")]
    pub parameters: f64,
    /// Parameters one token meets.
    #[serde(serialize_with = "serialize_number")]
    pub active_parameters: f64,
    /// Token embedding, learned positions and an untied head.
    #[serde(serialize_with = "serialize_number")]
    pub embedding_parameters: f64,
    /// Decoder layers.
    pub layers: u64,
    /// Hidden size.
    pub hidden: u64,
    /// Attention heads.
    pub heads: u64,
    /// Key-value heads.
    pub kv_heads: u64,
    /// Vocabulary, before padding.
    pub vocabulary: u64,
    /// Longest sequence the model states for itself.
    pub maximum_positions: Option<u64>,
    /// Whether layers, hidden size and heads were assumed from the parameter count.
    pub assumed_shape: bool,
    /// What was made of a `config.json` of no known family, for whoever pasted it to check, or of one whose weights are in a
    /// format of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub understood: Option<String>,
}

/// Three sizes, always named: what tensors hold, what the allocator reserves, what the device shows as used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Peak {
    /// The stage with the largest peak.
    pub stage: usize,
    /// Bytes that tensors hold.
    pub active_bytes: Bytes,
    /// Bytes with the allocator's slack.
    pub reserved_bytes: Bytes,
    /// Bytes with device context and communicators.
    pub device_bytes: Bytes,
    /// Low end of what was measured with this profile.
    pub low_bytes: Bytes,
    /// High end of what was measured with this profile.
    pub high_bytes: Bytes,
}

/// The training half.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrainingReport {
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
    /// The fewest GPUs of this layout that fit, if any number does.
    pub minimum_gpus: Option<u64>,
    /// Bytes in host memory, of one node.
    pub host_bytes: Bytes,
    /// What one GPU has there.
    pub host_entries: Vec<Entry>,
    /// What one GPU sends in an optimiser step.
    pub traffic: Vec<Traffic>,
    /// Where the time of a step goes.
    pub step: Step,
    /// The whole run; absent while no token budget is given.
    pub run: Option<Run>,
    /// A checkpoint of the whole model.
    pub checkpoint: Checkpoint,
    /// What padding costs; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub padding: Option<Padding>,
}

/// One GPU of a pipeline stage.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StageReport {
    /// Index of the stage.
    pub stage: usize,
    /// Parameters of the stage over all its ranks.
    #[serde(serialize_with = "serialize_number")]
    pub parameters: f64,
    /// Decoder layers whose weights are here.
    #[serde(serialize_with = "serialize_number")]
    pub layers: f64,
    /// Layers whose tensors are kept for backward, each as often as it has micro-batches in flight.
    #[serde(serialize_with = "serialize_number")]
    pub layers_in_flight: f64,
    /// Whether the embedding is here.
    pub embedding: bool,
    /// Whether final norm, head and loss are here.
    pub head: bool,
    /// What is kept for the whole step.
    pub state: StateBytes,
    /// What stays allocated between two steps.
    pub steady_bytes: Bytes,
    /// Bytes by account at the peak.
    pub accounts: Accounts,
    /// What the accounts are made of.
    pub entries: Vec<Entry>,
    /// What tensors hold in each phase of a step.
    pub phases: Vec<PhaseBytes>,
    /// The largest phase.
    pub peak_bytes: Bytes,
    /// Its name.
    pub peak_phase: Phase,
}

/// The model state one GPU keeps for the whole step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StateBytes {
    /// Weights.
    pub weights: Bytes,
    /// Gradients.
    pub gradients: Bytes,
    /// Master weights.
    pub master_weights: Bytes,
    /// First moment.
    pub momentum: Bytes,
    /// Second moment.
    pub variance: Bytes,
    /// All of them, adapters included.
    pub total: Bytes,
}

/// The phases of an optimiser step in which memory can peak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The last layer's forward is done and the loss is computed.
    Loss,
    /// Backward of the last layer: everything is still kept, one layer is recomputed.
    Backward,
    /// Backward of the first layer: nothing else is kept any more, and all gradients are there.
    BackwardEnd,
    /// The weights are updated.
    Optimizer,
}

impl Phase {
    /// Every phase, in the order of a step.
    pub const ALL: [Phase; 4] = [Phase::Loss, Phase::Backward, Phase::BackwardEnd, Phase::Optimizer];
}

/// What tensors hold in one phase.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PhaseBytes {
    /// The phase.
    pub phase: Phase,
    /// Bytes on one GPU.
    pub bytes: Bytes,
    /// The same by account.
    pub accounts: Accounts,
}

/// Where the time of an optimiser step goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Step {
    /// The whole step.
    pub seconds: Seconds,
    /// Matrix products.
    pub compute_seconds: Seconds,
    /// Communication that nothing hides.
    pub exposed_communication_seconds: Seconds,
    /// Waiting for other pipeline stages.
    pub bubble_seconds: Seconds,
    /// Updating the weights.
    pub optimizer_seconds: Seconds,
    /// Exposed communication over the whole step.
    pub waiting_share: f64,
    /// Throughput of one GPU.
    pub tokens_per_second_per_gpu: f64,
    /// FLOPs of the model, by the convention asked for.
    pub model_flops_per_token: f64,
    /// FLOPs really done, recomputation included.
    pub hardware_flops_per_token: f64,
    /// Model FLOPs over the dense peak.
    pub mfu: f64,
    /// Hardware FLOPs over the dense peak.
    pub hfu: f64,
    /// What the step may take at the most.
    pub high_seconds: Seconds,
}

/// What it costs that some tokens of a batch are padding: how much less the same sequences take without it, each cut to
/// the mean of their lengths.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Padding {
    /// Share of the tokens that are padding.
    pub share: f64,
    /// Bytes of the peak of one GPU, by what tensors hold.
    pub bytes: Bytes,
    /// Time of a step.
    pub seconds: Seconds,
    /// Bytes that one GPU sends in a step.
    pub traffic_bytes: Bytes,
}

/// The bill of a whole run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Run {
    /// Duration.
    pub seconds: Seconds,
    /// GPU-hours.
    pub gpu_hours: f64,
    /// Price, where one was given.
    pub cost: Option<f64>,
    /// Duration at the most.
    pub high_seconds: Seconds,
    /// GPU-hours at the most.
    pub high_gpu_hours: f64,
    /// Price at the most, where one was given.
    pub high_cost: Option<f64>,
}

/// A checkpoint of the whole model: weights, master weights and moments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Checkpoint {
    /// Size.
    pub bytes: Bytes,
    /// Time to write it, where a storage bandwidth was given.
    pub seconds: Option<Seconds>,
    /// Best interval, where a failure rate was given.
    pub interval_seconds: Option<Seconds>,
    /// Share of time lost at that interval.
    pub overhead: Option<f64>,
}

/// The serving half.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InferenceReport {
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
    /// What a GPU would have to offer: what is held, and what the engine's budget keeps from the cache.
    pub needed_bytes: Bytes,
    /// Whether that and the reserve fit.
    pub fits: bool,
    /// The fewest GPUs that serve this, if any number of one node does.
    pub minimum_gpus: Option<u64>,
    /// Weights of one replica.
    pub weight_bytes: Bytes,
    /// Cache of one more token in one replica, before replication.
    pub kv_bytes_per_token: Bytes,
    /// Bytes that an indexer adds to that.
    pub indexer_bytes_per_token: Bytes,
    /// Bytes that a request's linear attention or state space takes however long the request is.
    pub state_bytes_per_sequence: Bytes,
    /// Tokens the cache could hold on one replica.
    #[serde(serialize_with = "serialize_number")]
    pub kv_capacity_tokens: f64,
    /// Longest context that fits at this concurrency.
    #[serde(serialize_with = "serialize_number")]
    pub maximum_context: f64,
    /// Most requests that fit at this context, over all replicas.
    pub maximum_concurrency: f64,
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
    /// Lines the engine would log.
    pub log: Vec<String>,
    /// What one GPU sends in a pass.
    pub traffic: Vec<Traffic>,
}

/// What lies between serving a model and training it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Gap {
    /// Bytes of model state a parameter costs while training, before any sharding.
    pub state_bytes_per_parameter: Option<f64>,
    /// That state over the weights served.
    pub training_over_inference: Option<f64>,
}

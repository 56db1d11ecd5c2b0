//! The answer as one document: memory, times and what was searched for, with advice, put together as JSON has them.

use serde::ser::{SerializeSeq, SerializeStruct};
use serde::{Serialize, Serializer};

use crate::advice::{Advice, Hint, advise, hints};
use crate::answer::{Checkpoint, Gap, ModelReport, Padding, Peak, Run, StageReport, Step, Traffic};
use crate::estimate::{
    Estimate, InferenceMemory, InferenceSearched, InferenceTimes, Memory, TrainingMemory, TrainingSearched,
    TrainingTimes,
};
use crate::ledger::{Accounts, Entry};
use crate::refusal::FieldError;
use crate::resolve::Resolved;
use crate::scenario::Scenario;
use crate::units::{Bytes, Seconds, serialize_number};
use crate::words::en::pasted_model;

/// Answers a scenario.
///
/// # Errors
/// Where a field is out of its range, unknown, or not supported yet; the error names the field, what was given and what
/// is allowed. A layout that is impossible in one half alone is an answer: that half says why.
pub fn estimate(scenario: &Scenario) -> Result<Report, FieldError> {
    let estimate = Estimate::of(scenario.clone())?;
    let (advice, hints) = (advise(&estimate), hints(&estimate));
    Ok(Report::new(estimate, advice, hints))
}

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

impl Report {
    /// Puts the answer to a question together; `advice` and `hints` are those for it.
    #[must_use]
    pub fn new(estimate: Estimate, advice: Vec<Advice>, hints: Vec<Hint>) -> Report {
        let (asked, memory, times, searched) = estimate.into_parts();
        let Memory { model, training, inference, gap } = memory;
        let trained = training.zip(times.training).zip(searched.training);
        let served = inference.zip(times.inference).zip(searched.inference);
        let Resolved { training: training_plan, inference: inference_plan, .. } = asked.into_resolved();
        Report {
            model,
            training: trained.map(|((memory, times), searched)| TrainingReport::new(memory, times, searched)),
            training_error: training_plan.err(),
            inference: served.map(|((memory, times), searched)| InferenceReport::new(memory, times, searched)),
            inference_error: inference_plan.err(),
            gap,
            advice,
            hints,
        }
    }
}

impl TrainingReport {
    fn new(memory: TrainingMemory, times: TrainingTimes, searched: TrainingSearched) -> TrainingReport {
        let TrainingMemory {
            data_parallel,
            gradient_accumulation,
            stages,
            peak,
            capacity_bytes,
            fits,
            host_bytes,
            host_entries,
            checkpoint_bytes: _,
        } = memory;
        let TrainingTimes { traffic, step, run, checkpoint } = times;
        let TrainingSearched { minimum_gpus, padding } = searched;
        TrainingReport {
            data_parallel,
            gradient_accumulation,
            stages,
            peak,
            capacity_bytes,
            fits,
            minimum_gpus,
            host_bytes,
            host_entries,
            traffic,
            step,
            run,
            checkpoint,
            padding,
        }
    }
}

impl InferenceReport {
    fn new(memory: InferenceMemory, times: InferenceTimes, searched: InferenceSearched) -> InferenceReport {
        let InferenceMemory {
            tensor,
            replicas,
            accounts,
            entries,
            peak,
            capacity_bytes,
            budget: _,
            budget_fraction: _,
            needed_bytes,
            fits,
            weight_bytes,
            kv_bytes_per_token,
            indexer_bytes_per_token,
            state_bytes_per_sequence,
            kv_capacity_tokens,
        } = memory;
        let InferenceTimes {
            traffic,
            prefill_seconds,
            decode_seconds,
            prefill_tokens_per_second_per_gpu,
            decode_tokens_per_second_per_gpu,
            tokens_per_second,
        } = times;
        let InferenceSearched { minimum_gpus, maximum_context, maximum_concurrency, log } = searched;
        InferenceReport {
            tensor,
            replicas,
            accounts,
            entries,
            peak,
            capacity_bytes,
            needed_bytes,
            fits,
            minimum_gpus,
            weight_bytes,
            kv_bytes_per_token,
            indexer_bytes_per_token,
            state_bytes_per_sequence,
            kv_capacity_tokens,
            maximum_context,
            maximum_concurrency,
            prefill_seconds,
            decode_seconds,
            prefill_tokens_per_second_per_gpu,
            decode_tokens_per_second_per_gpu,
            tokens_per_second,
            log,
            traffic,
        }
    }
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
        /// The model, and in words what was made of it.
        #[derive(Serialize)]
        struct Model<'a> {
            #[serde(flatten)]
            model: &'a ModelReport,
            #[serde(skip_serializing_if = "Option::is_none")]
            understood: Option<String>,
        }
        let understood = self.model.understood.as_ref().map(pasted_model::understood);
        let mut report = serializer.serialize_struct("Report", 7)?;
        report.serialize_field("model", &Model { model: &self.model, understood })?;
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

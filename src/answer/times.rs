//! How long a step and a whole run take, and what padding costs.

use serde::Serialize;

use crate::units::{Bytes, Seconds};

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

/// A part of the time of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Term {
    /// Products, and what runs beside them.
    Compute,
    /// Communication that nothing hides.
    Exposed,
    /// Waiting for other stages.
    Bubble,
    /// The update.
    Optimizer,
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

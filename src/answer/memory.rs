//! What one GPU holds: three sizes, the stages of a pipeline, the phases of a step.

use serde::Serialize;

use crate::ledger::{Accounts, Entry};
use crate::units::{Bytes, serialize_number};

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

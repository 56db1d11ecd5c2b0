//! Pipeline stages: which layers a GPU holds, which end of the model, and how much of it is in flight.

use crate::resolve::TrainingPlan;
use crate::scenario::Schedule;

/// What one GPU of a pipeline stage holds of the model; without a pipeline, all of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stage {
    /// Index of the stage.
    pub index: u64,
    /// Layers whose weights are here.
    pub layers: f64,
    /// Layers whose tensors are kept for backward, each as often as it has micro-batches in flight.
    pub kept_layers: f64,
    /// Stages of the model that share this GPU: two with DualPipe, whose micro-batches run in both directions.
    pub copies: f64,
    /// Whether the embedding is here.
    pub first: bool,
    /// Whether final norm, head and loss are here.
    pub last: bool,
    /// Micro-batches in flight at the embedding.
    pub embedded: f64,
    /// Micro-batches whose loss is done and whose backward is not.
    pub losses: f64,
}

impl Stage {
    /// Stage `index` of a model of `layers` layers.
    #[must_use]
    pub fn new(plan: &TrainingPlan, layers: u64, index: u64) -> Stage {
        let opposite = plan.pipeline - 1 - index;
        let held = plan.stage_layers(layers, index);
        let both_ways = plan.schedule == Schedule::DualPipe;
        let ends = [index == 0, opposite == 0];
        // In a V the last chunk comes back to where the first one is.
        let [first, last] = match plan.schedule {
            Schedule::DualPipe => [ends[0] || ends[1]; 2],
            Schedule::Zbv => [ends[0]; 2],
            _ => ends,
        };
        let (also_held, also_kept) = if both_ways {
            let layers = plan.stage_layers(layers, opposite);
            (layers, kept(plan, layers, opposite))
        } else {
            (0, 0)
        };
        Stage {
            index,
            layers: (held + also_held) as f64,
            kept_layers: (kept(plan, held, index) + also_kept) as f64,
            copies: if both_ways { 2.0 } else { 1.0 },
            first,
            last,
            embedded: in_flight(plan, 0, 0) as f64,
            // Everywhere else backward follows the loss at once.
            losses: if plan.schedule == Schedule::GPipe { plan.accumulation as f64 } else { 1.0 },
        }
    }

    /// Every stage of a plan.
    pub fn all(plan: &TrainingPlan, layers: u64) -> impl Iterator<Item = Stage> {
        (0..plan.pipeline).map(move |index| Stage::new(plan, layers, index))
    }
}

/// Layers of `held` on stage `index`, each as often as its chunk has micro-batches in flight.
fn kept(plan: &TrainingPlan, held: u64, index: u64) -> u64 {
    let chunks = if plan.schedule == Schedule::Interleaved { plan.virtual_stages } else { 1 };
    // What does not divide goes to the first chunks.
    let (each, more) = (held / chunks, held % chunks);
    (0..chunks).map(|chunk| (each + u64::from(chunk < more)) * in_flight(plan, index, chunk)).sum()
}

/// Micro-batches in flight in one chunk of stage `index` when the first backward begins.
///
/// GPipe (Huang et al. 2018, arXiv 1811.06965): all of them. 1F1B and interleaving (Narayanan et al. 2021, arXiv
/// 2104.04473, section 2.2): as many as stages lie ahead; interleaved forward goes round the chunks in groups of as many
/// micro-batches as there are stages, `2·(p-i-1) + (v-1)·p + 1` chunks deep. ZB1P and ZB2P (Qi et al. 2023, arXiv
/// 2401.10241, section 2): on every stage, one and two times what the first stage of 1F1B holds, since weight gradients
/// wait; ZBV (arXiv 2405.15362) the same as ZB1P. DualPipe: 1F1B from either end, half of the micro-batches each, which
/// makes p + 1 of them together.
fn in_flight(plan: &TrainingPlan, index: u64, chunk: u64) -> u64 {
    let (stages, micro_batches) = (plan.pipeline, plan.accumulation);
    let ahead = stages - index;
    match plan.schedule {
        Schedule::GPipe => micro_batches,
        Schedule::OneForwardOneBackward => micro_batches.min(ahead),
        Schedule::Zb1p | Schedule::Zbv => micro_batches.min(stages),
        Schedule::Zb2p => micro_batches.min(2 * stages),
        Schedule::DualPipe => (micro_batches / 2).min(ahead),
        Schedule::Interleaved => {
            let chunks = plan.virtual_stages;
            let passes = (micro_batches * chunks).min(2 * (ahead - 1) + (chunks - 1) * stages + 1);
            let round = stages * chunks;
            let last_round = (passes % round).saturating_sub(chunk * stages).min(stages);
            passes / round * stages + last_round
        }
    }
}

//! Pipeline stages: which layers a GPU holds, which end of the model, and how much of it is in flight.

use crate::model::{Architecture, Place, Role, TensorGroup};
use crate::names::Schedule;
use crate::plan::TrainingPlan;

/// The number of layers of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Layers {
    /// With a dense MLP.
    pub dense: f64,
    /// With experts.
    pub expert: f64,
}

impl Layers {
    /// Of both kinds.
    #[must_use]
    pub fn all(self) -> f64 {
        self.dense + self.expert
    }

    /// Those that are not among `others`.
    #[must_use]
    pub fn without(self, others: Layers) -> Layers {
        Layers { dense: self.dense - others.dense, expert: self.expert - others.expert }
    }

    /// The first `number` of them; those with a dense MLP come first.
    #[must_use]
    pub fn first(self, number: f64) -> Layers {
        let dense = self.dense.min(number);
        Layers { dense, expert: self.expert.min(number - dense) }
    }

    /// These and `others`, each of the others so often.
    fn and(self, others: Layers, times: u64) -> Layers {
        let times = times as f64;
        Layers { dense: self.dense + times * others.dense, expert: self.expert + times * others.expert }
    }
}

/// What one GPU of a pipeline stage holds of the model; without a pipeline, all of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stage {
    /// Index of the stage.
    pub index: u64,
    /// Layers whose weights are here.
    pub layers: Layers,
    /// Layers whose tensors are kept for backward, each as often as it has micro-batches in flight; those that predict
    /// further tokens among them.
    pub kept: Layers,
    /// Those of them that are recomputed.
    pub recomputed: Layers,
    /// Layers among them that predict further tokens.
    pub predicting: f64,
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
    /// Stage `index` of a model of this shape.
    #[must_use]
    pub fn new(plan: &TrainingPlan, shape: &Architecture, index: u64) -> Stage {
        let opposite = plan.pipeline - 1 - index;
        let both_ways = plan.schedule == Schedule::DualPipe;
        let ends = [index == 0, opposite == 0];
        // In a V the last chunk comes back to where the first one is.
        let [first, last] = match plan.schedule {
            Schedule::DualPipe => [ends[0] || ends[1]; 2],
            Schedule::Zbv => [ends[0]; 2],
            _ => ends,
        };
        let mut stage = Stage {
            index,
            layers: Layers::default(),
            kept: Layers::default(),
            recomputed: Layers::default(),
            predicting: 0.0,
            copies: if both_ways { 2.0 } else { 1.0 },
            first,
            last,
            embedded: in_flight(plan, 0, 0) as f64,
            // Everywhere else backward follows the loss at once.
            losses: if plan.schedule == Schedule::GPipe { plan.accumulation as f64 } else { 1.0 },
        };
        stage.add(plan, shape, index);
        if both_ways {
            stage.add(plan, shape, opposite);
        }
        if last {
            // What predicts further tokens is a layer of the last kind.
            stage.predicting = plan.prediction_layers as f64 * stage.losses;
            let predicting = if shape.expert_layers() > 0 {
                Layers { dense: 0.0, expert: stage.predicting }
            } else {
                Layers { dense: stage.predicting, expert: 0.0 }
            };
            stage.kept = stage.kept.and(predicting, 1);
            // It is recomputed where every other is.
            let every_one = plan.recompute_layers >= plan.stage_layers(shape.layers, plan.pipeline - 1);
            stage.recomputed = stage.recomputed.and(predicting, u64::from(every_one));
        }
        stage
    }

    /// Every stage of a plan.
    pub fn all(plan: &TrainingPlan, shape: &Architecture) -> impl Iterator<Item = Stage> {
        (0..plan.pipeline).map(move |index| Stage::new(plan, shape, index))
    }

    /// How many tensors of a group are here. A tied head is a copy of the embedding where the two ends of the model lie
    /// on different GPUs; so is the embedding that layers which predict further tokens read, if they are there.
    #[must_use]
    pub fn tensors(&self, shape: &Architecture, group: &TensorGroup, predicts: bool) -> f64 {
        if group.per_layer {
            let layers = match group.role.place() {
                Place::EveryLayer => self.layers.all(),
                Place::DenseLayers => self.layers.dense,
                Place::ExpertLayers => self.layers.expert,
            };
            return group.count as f64 / shape.layers_with(group.role) as f64 * layers;
        }
        let read_again = shape.tied_embeddings || predicts && shape.prediction_layers > 0;
        let here = match group.role {
            Role::Embedding => self.first || read_again && self.last,
            Role::Positions | Role::EmbeddingNorm => self.first,
            _ => self.last,
        };
        if here { group.count as f64 } else { 0.0 }
    }

    /// Adds the layers of one stage of the model, chunk by chunk.
    fn add(&mut self, plan: &TrainingPlan, shape: &Architecture, index: u64) {
        let mut recomputed = plan.recompute_layers;
        for chunk in 0..plan.virtual_stages {
            let layers = chunk_layers(plan, shape.layers, index, chunk);
            let kinds = |from, number: u64| {
                let dense = shape.dense_among(from + number) - shape.dense_among(from);
                Layers { dense: dense as f64, expert: (number - dense) as f64 }
            };
            let from = if shape.expert_layers() == 0 { 0 } else { first_layer(plan, shape.layers, index, chunk) };
            let again = layers.min(recomputed);
            recomputed -= again;
            let times = in_flight(plan, index, chunk);
            self.layers = self.layers.and(kinds(from, layers), 1);
            self.kept = self.kept.and(kinds(from, layers), times);
            self.recomputed = self.recomputed.and(kinds(from, again), times);
        }
    }
}

/// Layers of one chunk of a stage. What does not divide goes to the first chunks.
fn chunk_layers(plan: &TrainingPlan, layers: u64, index: u64, chunk: u64) -> u64 {
    layers_before(plan, layers, index, chunk + 1) - layers_before(plan, layers, index, chunk)
}

/// Layers of the chunks of a stage before this one.
fn layers_before(plan: &TrainingPlan, layers: u64, index: u64, chunk: u64) -> u64 {
    let held = plan.stage_layers(layers, index);
    held / plan.virtual_stages * chunk + chunk.min(held % plan.virtual_stages)
}

/// The layer of the model with which a chunk begins: chunks follow each other round and round the stages, in a V there
/// and back.
fn first_layer(plan: &TrainingPlan, layers: u64, index: u64, chunk: u64) -> u64 {
    let back = plan.schedule == Schedule::Zbv && chunk == 1;
    let before: u64 = (0..plan.pipeline).map(|stage| layers_before(plan, layers, stage, chunk)).sum();
    let stages = if back { index + 1..plan.pipeline } else { 0..index };
    before + stages.map(|stage| chunk_layers(plan, layers, stage, chunk)).sum::<u64>()
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

//! What is tried: which numbers of ranks, which schedules, which micro-batches.

use serde::{Deserialize, Serialize};

use crate::divisors::divisors;
use crate::frameworks::Profile;
use crate::names::{Name, Recompute, Schedule, Sharding};
use crate::plan::{Cluster, Model};
use crate::refusal::FieldError;
use crate::resolve::training_plan;
use crate::scenario::{Scenario, Training};

use super::layout::{Layout, uneven_layers};

/// Which schedules of a pipeline are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Schedules {
    /// 1F1B and interleaving, which every framework with a pipeline has.
    #[default]
    Common,
    /// ZB1P, ZBV and DualPipe as well, which few have.
    All,
}

/// One division of the GPUs and one order of the pipeline; within it every micro-batch, sharding and recomputation is tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Tensor-parallel ranks.
    pub tensor: u64,
    /// Pipeline stages.
    pub pipeline: u64,
    /// Context-parallel ranks.
    pub context: u64,
    /// Ranks over which experts are spread.
    pub expert: u64,
    /// Order of micro-batches.
    pub schedule: Schedule,
    /// Chunks of layers.
    pub virtual_stages: u64,
}

/// Everything that is tried for one number of GPUs, one sequence and one global batch.
///
/// Ranks are whole divisions of the GPUs. A pipeline has at most as many stages as there are layers; where the layers do
/// not divide, the stages at the ends hold fewer. Chunks of an interleaved pipeline divide the layers of its largest
/// stage. A micro-batch divides what a data-parallel rank has of the global batch.
#[derive(Clone, Debug)]
pub struct Space {
    /// GPUs in all.
    pub gpus: u64,
    /// Tokens in a sequence.
    pub sequence: u64,
    /// Sequences in an optimiser step.
    pub global_batch: u64,
    layers: u64,
    cells: Vec<Cell>,
    /// Why something was left out, the first of it.
    refusal: Option<FieldError>,
}

/// Combinations of sharding and recomputation that each micro-batch is tried with.
pub const VARIANTS: u64 = (Sharding::ALL.len() * Recompute::ALL.len()) as u64;

impl Space {
    /// The space of the question `base`, of which a layout settles the fields it has.
    #[must_use]
    pub fn new(
        base: &Scenario,
        model: &Model,
        profile: &'static Profile,
        cluster: &Cluster,
        [sequence, global_batch]: [u64; 2],
        schedules: Schedules,
    ) -> Space {
        let gpus = cluster.gpus;
        let layers = model.architecture.layers;
        let mut space = Space { gpus, sequence, global_batch, layers, cells: Vec::new(), refusal: None };
        let mut possible = Possible { base: base.clone(), model, profile, cluster: cluster.clone(), refusal: None };
        let ranks = divisors(gpus);
        // Tensor ranks inside experts are the scenario's own; data-parallel ranks make room for them.
        let inside = Training::expert_tensor.given(base).map_or(1, |number| number.0 as u64);
        let mut is_possible = |cell: Cell, batch: u64| {
            let gpus = cell.tensor * cell.pipeline * inside;
            possible.is_possible(&Layout { gpus, global_batch: batch * inside, ..space.layout(&cell) })
        };
        let tensors: Vec<u64> =
            ranks.iter().copied().filter(|tensor| is_possible(tensor_and_pipeline(*tensor, 1), 1)).collect();
        let pipelines: Vec<Cell> = ranks
            .iter()
            .filter(|stages| **stages <= layers)
            .flat_map(|stages| orders(*stages, layers, schedules))
            // A schedule may need several micro-batches, or may not add any up.
            .filter(|cell| [1, 2 * cell.pipeline].iter().any(|batch| is_possible(*cell, *batch)))
            .collect();
        let experts = model.architecture.experts.map_or(vec![1], |experts| divisors(experts.count));
        for pipeline in &pipelines {
            for tensor in &tensors {
                for context in ranks.iter().filter(|ranks| sequence.is_multiple_of(**ranks)) {
                    let copy = tensor * pipeline.pipeline * context;
                    if !gpus.is_multiple_of(copy) || !global_batch.is_multiple_of(gpus / copy) {
                        continue;
                    }
                    let folds = |expert: &&u64| (gpus / pipeline.pipeline).is_multiple_of(**expert * inside);
                    for expert in experts.iter().filter(folds) {
                        let (tensor, context, expert) = (*tensor, *context, *expert);
                        space.cells.push(Cell { tensor, context, expert, ..*pipeline });
                    }
                }
            }
        }
        space.refusal = possible.refusal;
        space
    }

    /// The divisions, in the order in which they are judged.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Why something was left out, the first of it.
    #[must_use]
    pub fn refusal(&self) -> Option<&FieldError> {
        self.refusal.as_ref()
    }

    /// The first layout of a cell.
    #[must_use]
    pub fn layout(&self, cell: &Cell) -> Layout {
        Layout {
            gpus: self.gpus,
            sequence: self.sequence,
            global_batch: self.global_batch,
            tensor: cell.tensor,
            pipeline: cell.pipeline,
            context: cell.context,
            expert: cell.expert,
            schedule: cell.schedule,
            virtual_stages: cell.virtual_stages,
            layers_per_stage: uneven_layers(self.layers, cell.pipeline),
            sharding: Sharding::None,
            recompute: Recompute::None,
            micro_batch: 1,
        }
    }

    /// The micro-batches of a cell.
    #[must_use]
    pub fn micro_batches(&self, cell: &Cell) -> Vec<u64> {
        let data = self.gpus / (cell.tensor * cell.pipeline * cell.context);
        divisors(self.global_batch / data)
    }

    /// Layouts of a cell.
    #[must_use]
    pub fn count(&self, cell: &Cell) -> u64 {
        self.micro_batches(cell).len() as u64 * VARIANTS
    }
}

/// Tensor ranks and pipeline stages, and nothing else split.
fn tensor_and_pipeline(tensor: u64, pipeline: u64) -> Cell {
    Cell { tensor, pipeline, context: 1, expert: 1, schedule: Schedule::OneForwardOneBackward, virtual_stages: 1 }
}

/// The orders in which `stages` stages of a model with `layers` layers can take their micro-batches.
fn orders(stages: u64, layers: u64, schedules: Schedules) -> Vec<Cell> {
    let plain = tensor_and_pipeline(1, stages);
    if stages == 1 {
        return vec![plain];
    }
    let chunks = divisors(layers.div_ceil(stages)).into_iter().filter(|chunks| *chunks > 1);
    let interleaved = chunks.map(|virtual_stages| Cell { schedule: Schedule::Interleaved, virtual_stages, ..plain });
    let few: &[Schedule] = match schedules {
        Schedules::Common => &[],
        Schedules::All => &[Schedule::Zb1p, Schedule::Zbv, Schedule::DualPipe],
    };
    let few = few.iter().map(|schedule| Cell { schedule: *schedule, ..plain });
    [plain].into_iter().chain(interleaved).chain(few).collect()
}

/// Asks [`crate::resolve`] whether one kind of division is possible by itself.
struct Possible<'a> {
    base: Scenario,
    model: &'a Model,
    profile: &'static Profile,
    cluster: Cluster,
    refusal: Option<FieldError>,
}

impl Possible<'_> {
    /// Whether `layout` is possible with any sharding.
    fn is_possible(&mut self, layout: &Layout) -> bool {
        self.cluster.settings.gpus = layout.gpus;
        let mut last = None;
        for sharding in Sharding::ALL {
            for change in (Layout { sharding: *sharding, ..layout.clone() }).changes() {
                change.apply(&mut self.base);
            }
            match training_plan(self.base.training_mut(), self.model, self.profile, &self.cluster) {
                Ok(_) => return true,
                Err(refused) => last = Some(refused),
            }
        }
        if self.refusal.is_none() {
            self.refusal = last;
        }
        false
    }
}

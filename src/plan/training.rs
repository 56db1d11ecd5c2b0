//! A training run: the recipe, the layout, and what each layer keeps.

use std::ops::Deref;

use crate::names::{ComputeFormat, ContextMethod, Offload, Schedule, Sharding};
use crate::refusal::DivisionRule;
use crate::scenario::SettledTraining;

use super::{AdapterPlan, Division, Model, Recipe};

/// A training run with everything settled. It dereferences to its settings, so that `plan.tensor` is the setting's
/// value, given or not.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingPlan {
    /// Every setting that is a number, a name or a switch.
    pub settings: SettledTraining,
    /// Bytes a parameter, moments of the optimiser included.
    pub recipe: Recipe,
    /// Data-parallel ranks.
    pub data_parallel: u64,
    /// Micro-batches a rank adds up in one step.
    pub accumulation: u64,
    /// The most ranks of a shard group, where they are as many of a node as divide the ranks; none where they are given.
    pub group_at_most: Option<u64>,
    /// Parts of ZeRO++ that are used.
    pub zeropp: ZeroPlus,
    /// Data-parallel ranks that share a node.
    pub in_node: f64,
    /// Layers of each stage; empty where all hold equally many.
    pub layers_per_stage: Vec<u64>,
    /// Vocabulary, padding included.
    pub vocabulary: u64,
    /// Copies of tokens that the most loaded rank's experts compute with, over the number they would meet if all ranks
    /// had as many.
    pub expert_load: f64,
    /// Layers that predict further tokens.
    pub prediction_layers: u64,
    /// Adapters that are trained instead of the model.
    pub adapter: Option<AdapterPlan>,
}

impl Deref for TrainingPlan {
    type Target = SettledTraining;

    fn deref(&self) -> &SettledTraining {
        &self.settings
    }
}

/// Parts of ZeRO++ (Wang et al. 2023, arXiv 2306.10209).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ZeroPlus {
    /// Weights are gathered in 8 bits.
    pub quantized_weights: bool,
    /// Gradients are scattered in 4 bits, by an all-to-all.
    pub quantized_gradients: bool,
    /// Every node has a copy of all weights, and backward gathers from that.
    pub secondary_partition: bool,
}

impl TrainingPlan {
    /// All parameters, the padding of the vocabulary included.
    #[must_use]
    pub fn parameters(&self, model: &Model) -> f64 {
        let shape = &model.architecture;
        let matrices = if shape.tied_embeddings { 1.0 } else { 2.0 };
        let padding = (self.vocabulary - shape.vocabulary) as f64;
        let predicting = if self.prediction_layers > 0 { shape.prediction_parameters() as f64 } else { 0.0 };
        let biases = if shape.head_bias { padding } else { 0.0 };
        model.parameters + predicting + padding * shape.hidden as f64 * matrices + biases
    }

    /// Tokens of a micro-batch on one rank.
    #[must_use]
    pub fn micro_batch_tokens(&self) -> f64 {
        (self.micro_batch * self.sequence) as f64 / self.context as f64
    }

    /// Whether ranks exchange tokens for heads around attention.
    #[must_use]
    pub fn exchanges_heads(&self) -> bool {
        self.context > 1 && self.context_method == ContextMethod::Ulysses
    }

    /// Bytes of one element of an activation: fp32 products read and write fp32, all others 16 bits.
    #[must_use]
    pub fn element_bytes(&self) -> f64 {
        if self.recipe.compute == ComputeFormat::Fp32 { 4.0 } else { 2.0 }
    }

    /// Tokens of an optimiser step, over all ranks.
    #[must_use]
    pub fn step_tokens(&self) -> f64 {
        self.global_batch as f64 * self.sequence as f64
    }

    /// Ranks over which the hidden states are split: the tensor ranks with sequence parallelism, else none.
    #[must_use]
    pub fn hidden_divisor(&self) -> u64 {
        if self.sequence_parallel { self.tensor } else { 1 }
    }

    /// GPUs that hold one copy of the model together: all but the data-parallel ones.
    #[must_use]
    pub fn model_parallel(&self) -> u64 {
        self.tensor * self.pipeline * self.context
    }

    /// Ranks that hold the same weights and see different tokens: data-parallel and context-parallel ones.
    #[must_use]
    pub fn data_ranks(&self) -> u64 {
        self.data_parallel * self.context
    }

    /// The same run with `ranks` data-parallel ranks; the batch grows with them unless it was given.
    #[must_use]
    pub fn with_ranks(&self, ranks: u64, batch_given: bool) -> TrainingPlan {
        let global_batch = if batch_given { self.global_batch } else { ranks * self.micro_batch };
        let by_node =
            self.group_at_most.map(|most| shard_group(most, ranks * self.context, [self.tensor, self.experts_over()]));
        let shard_group = by_node.unwrap_or(self.shard_group);
        TrainingPlan {
            settings: SettledTraining { global_batch, shard_group, ..self.settings },
            data_parallel: ranks,
            accumulation: global_batch / (ranks * self.micro_batch),
            ..self.clone()
        }
    }

    /// Whether the groups of `hsdp` hold equal shares.
    #[must_use]
    pub fn groups_evenly(&self) -> bool {
        let over = [self.tensor, self.experts_over()];
        self.sharding != Sharding::Hsdp || shares_out(self.shard_group, self.data_ranks(), over)
    }

    /// Ranks that hold all experts of a layer together.
    #[must_use]
    pub fn experts_over(&self) -> u64 {
        self.expert * self.expert_tensor
    }

    /// Copies of the model that `hsdp` keeps; one where everything is shared out among all ranks or among none.
    #[must_use]
    pub fn copies(&self) -> u64 {
        if self.sharding == Sharding::Hsdp { (self.data_ranks() / self.shard_group).max(1) } else { 1 }
    }

    /// The same run on a single GPU that nothing is split for.
    #[must_use]
    pub fn alone(&self) -> TrainingPlan {
        let settings = SettledTraining {
            tensor: 1,
            pipeline: 1,
            context: 1,
            schedule: Schedule::OneForwardOneBackward,
            expert: 1,
            expert_tensor: 1,
            sharding: Sharding::None,
            offload: Offload::None,
            paged_optimizer: false,
            optimizer_in_backward: false,
            ..self.settings
        };
        TrainingPlan { settings, data_parallel: 1, layers_per_stage: Vec::new(), ..*self }
    }

    /// The same run with other settings of what it computes; how it is spread stays.
    #[must_use]
    pub fn with(&self, change: impl FnOnce(&mut SettledTraining)) -> TrainingPlan {
        let mut plan = self.clone();
        change(&mut plan.settings);
        plan
    }

    /// Whether dropout masks are kept.
    #[must_use]
    pub fn keeps_masks(&self) -> bool {
        self.dropout > 0.0
    }

    /// Layers of one stage of a model that has `layers`.
    #[must_use]
    pub fn stage_layers(&self, layers: u64, stage: u64) -> u64 {
        self.layers_per_stage.get(stage as usize).copied().unwrap_or(layers / self.pipeline)
    }

    /// Share of `layers` that are recomputed, over all stages.
    #[must_use]
    pub fn recomputed_share(&self, layers: u64) -> f64 {
        let recomputed = |stage| self.stage_layers(layers, stage).min(self.recompute_layers);
        (0..self.pipeline).map(recomputed).sum::<u64>() as f64 / layers as f64
    }

    /// Whether the schedule and the optimiser run with this number of micro-batches.
    #[must_use]
    pub fn runs(&self, micro_batches: u64) -> bool {
        let [least, step] = micro_batch_rule(self.schedule, self.pipeline).map_or([1, 1], |(_, rule)| rule);
        let adds_up = micro_batches > 1;
        micro_batches >= least && micro_batches.is_multiple_of(step) && !(adds_up && self.optimizer_in_backward)
    }

    /// Over how many ranks the layout cuts tensors.
    #[must_use]
    pub fn division(&self) -> Division {
        Division { tensor: self.tensor, expert: self.expert, expert_tensor: self.expert_tensor }
    }

    /// Ranks that hold the same experts.
    #[must_use]
    pub fn expert_data_parallel(&self) -> u64 {
        (self.data_ranks() * self.tensor / self.experts_over()).max(1)
    }

    /// Ranks that share weights, gradients and optimiser state, in this order; of each those that share what is not of
    /// experts, and those that share experts.
    #[must_use]
    pub fn shards(&self) -> [[f64; 2]; 3] {
        let ranks = [self.data_ranks() as f64, self.expert_data_parallel() as f64];
        let one = [1.0, 1.0];
        match self.sharding {
            Sharding::None => [one, one, one],
            Sharding::Zero1 => [one, one, ranks],
            Sharding::Zero2 => [one, ranks, ranks],
            Sharding::Zero3 => [ranks; 3],
            // The experts of a group lie on all ranks of it.
            Sharding::Hsdp => {
                let same_experts = self.shard_group * self.tensor / self.experts_over();
                [[self.shard_group as f64, same_experts.max(1) as f64]; 3]
            }
        }
    }

    /// Whether a stage keeps its weights whole for all micro-batches, and its gradients until the last of them.
    #[must_use]
    pub fn gradients_wait(&self) -> bool {
        self.pipeline > 1 && self.gathers_weights() && !self.reshard_after_forward
    }

    /// Whether weights are gathered from shards before they are used.
    #[must_use]
    pub fn gathers_weights(&self) -> bool {
        matches!(self.sharding, Sharding::Zero3 | Sharding::Hsdp) && self.gathers(self.shards()[0][0])
    }

    /// Whether weights that `ranks` ranks share are made whole, or fetched, or cast, before they are used.
    #[must_use]
    pub fn gathers(&self, ranks: f64) -> bool {
        ranks > 1.0
            || self.recipe.compute_weights != self.recipe.weights
            || self.offload == Offload::OptimizerAndParameters
    }
}

/// How many micro-batches a schedule needs at least, and of what it needs a multiple.
///
/// Interleaving: Narayanan et al. 2021, arXiv 2104.04473, section 2.2. DualPipe: the assertions of its published code.
#[must_use]
pub fn micro_batch_rule(schedule: Schedule, pipeline: u64) -> Option<(DivisionRule, [u64; 2])> {
    match schedule {
        Schedule::Interleaved => Some((DivisionRule::MicroBatchesByStages, [pipeline; 2])),
        Schedule::DualPipe => Some((DivisionRule::MicroBatchesBothWays, [2 * pipeline, 2])),
        _ => None,
    }
}

/// Ranks of one copy where none are given: those of a node, or as many of them as share the model out.
#[must_use]
pub fn shard_group(most: u64, ranks: u64, over: [u64; 2]) -> u64 {
    (1..=most.min(ranks)).rev().find(|group| shares_out(*group, ranks, over)).unwrap_or(1)
}

/// Whether groups of `group` of the `ranks` hold equal shares: of the experts, which lie over `experts_over` of the ranks
/// and their tensor ranks, each group has every one equally often, or each of its ranks has its own.
#[must_use]
pub fn shares_out(group: u64, ranks: u64, [tensor, experts_over]: [u64; 2]) -> bool {
    let held = group * tensor;
    ranks.is_multiple_of(group) && (held.is_multiple_of(experts_over) || experts_over.is_multiple_of(held))
}

//! The training half of a scenario: the recipe, the layout, and what each layer keeps.

use crate::defaults;
use crate::profile::Profile;
use crate::scenario::{
    self, Attention, ComputeFormat, ContextMethod, DivisionRule, FieldError, FlopsConvention, Kernels, Loss, Number,
    Offload, Optimizer, Problem, RecipeChoice, Recompute, ReduceFormat, Schedule, Sharding,
};
use crate::time::efficiency;
use crate::training::Recipe;

use super::range::{self, MOST_GPUS, MOST_SEQUENCES, MOST_TOKENS, real, whole};
use super::{Cluster, Model};

/// A training run with everything settled.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingPlan {
    /// Bytes a parameter, moments of the optimiser included.
    pub recipe: Recipe,
    /// The optimiser.
    pub optimizer: Optimizer,
    /// Tokens in a sequence.
    pub sequence: u64,
    /// Sequences in a micro-batch.
    pub micro_batch: u64,
    /// Sequences in an optimiser step.
    pub global_batch: u64,
    /// Data-parallel ranks.
    pub data_parallel: u64,
    /// Micro-batches a rank adds up in one step.
    pub accumulation: u64,
    /// What the data-parallel ranks share out.
    pub sharding: Sharding,
    /// Ranks that share one copy with `hsdp`.
    pub shard_group: u64,
    /// Whether gathered weights are dropped after forward.
    pub reshard: bool,
    /// Share of data-parallel traffic that may hide behind compute.
    pub data_overlap: f64,
    /// Tensor-parallel ranks.
    pub tensor: u64,
    /// Whether what tensor parallelism leaves whole is split by tokens.
    pub sequence_parallel: bool,
    /// Pipeline stages.
    pub pipeline: u64,
    /// Order of micro-batches in the pipeline.
    pub schedule: Schedule,
    /// Chunks of layers a stage holds.
    pub virtual_stages: u64,
    /// Layers of each stage; empty where all hold equally many.
    pub layers_per_stage: Vec<u64>,
    /// Context-parallel ranks.
    pub context: u64,
    /// How they share attention.
    pub context_method: ContextMethod,
    /// What is computed a second time in backward.
    pub recompute: Recompute,
    /// Whether attention scores are materialised.
    pub attention: Attention,
    /// Which kernels run a layer.
    pub kernels: Kernels,
    /// How the loss is computed.
    pub loss: Loss,
    /// Chunks of a chunked loss.
    pub loss_chunks: u64,
    /// Whether dropout masks are kept.
    pub dropout: bool,
    /// Share of the tokens that are not padding.
    pub packing: f64,
    /// Vocabulary, padding included.
    pub vocabulary: u64,
    /// Share of the dense peak that the model's matrix work reaches.
    pub mfu_ceiling: f64,
}

impl TrainingPlan {
    /// All parameters, the padding of the vocabulary included.
    #[must_use]
    pub fn parameters(&self, model: &Model) -> f64 {
        let matrices = if model.architecture.tied_embeddings { 1.0 } else { 2.0 };
        let padding = (self.vocabulary - model.architecture.vocabulary) as f64;
        model.parameters + padding * model.architecture.hidden as f64 * matrices
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

    /// Copies of the model that `hsdp` keeps; one where everything is shared out among all ranks or among none.
    #[must_use]
    pub fn copies(&self) -> u64 {
        if self.sharding == Sharding::Hsdp { (self.data_ranks() / self.shard_group).max(1) } else { 1 }
    }

    /// The same run on a single GPU that nothing is split for.
    #[must_use]
    pub fn alone(&self) -> TrainingPlan {
        let layers_per_stage = Vec::new();
        TrainingPlan {
            tensor: 1,
            pipeline: 1,
            context: 1,
            data_parallel: 1,
            schedule: Schedule::OneForwardOneBackward,
            layers_per_stage,
            ..*self
        }
    }

    /// Layers of one stage of a model that has `layers`.
    #[must_use]
    pub fn stage_layers(&self, layers: u64, stage: u64) -> u64 {
        self.layers_per_stage.get(stage as usize).copied().unwrap_or(layers / self.pipeline)
    }

    /// Whether the schedule runs with so many micro-batches.
    #[must_use]
    pub fn runs(&self, micro_batches: u64) -> bool {
        let [least, step] = micro_batch_rule(self.schedule, self.pipeline).map_or([1, 1], |(_, rule)| rule);
        micro_batches >= least && micro_batches.is_multiple_of(step)
    }

    /// Ranks that share weights, gradients and optimiser state, in this order.
    #[must_use]
    pub fn shards(&self) -> [u64; 3] {
        let ranks = self.data_ranks();
        match self.sharding {
            Sharding::None => [1, 1, 1],
            Sharding::Zero1 => [1, 1, ranks],
            Sharding::Zero2 => [1, ranks, ranks],
            Sharding::Zero3 => [ranks; 3],
            Sharding::Hsdp => [self.shard_group; 3],
        }
    }

    /// Whether a stage keeps its weights whole for all micro-batches, and its gradients until the last of them.
    #[must_use]
    pub fn gradients_wait(&self) -> bool {
        self.pipeline > 1 && self.gathers_weights() && !self.reshard
    }

    /// Whether weights are gathered from shards before they are used.
    #[must_use]
    pub fn gathers_weights(&self) -> bool {
        matches!(self.sharding, Sharding::Zero3 | Sharding::Hsdp)
            && (self.shards()[0] > 1 || self.recipe.compute_weights != self.recipe.weights)
    }
}

/// How many micro-batches a schedule needs at least, and of what it needs a multiple.
///
/// Interleaving: Narayanan et al. 2021, arXiv 2104.04473, section 2.2. DualPipe: the assertions of its published code.
fn micro_batch_rule(schedule: Schedule, pipeline: u64) -> Option<(DivisionRule, [u64; 2])> {
    match schedule {
        Schedule::Interleaved => Some((DivisionRule::MicroBatchesByStages, [pipeline; 2])),
        Schedule::DualPipe => Some((DivisionRule::MicroBatchesBothWays, [2 * pipeline, 2])),
        _ => None,
    }
}

/// The numbers of the training half, each within its own range.
#[derive(Clone, Debug)]
pub struct Ranges {
    sequence: u64,
    micro_batch: u64,
    global_batch: Option<u64>,
    tensor: u64,
    pipeline: u64,
    context: u64,
    virtual_stages: Option<u64>,
    layers_per_stage: Vec<u64>,
    loss_chunks: u64,
    dropout: f64,
    packing: f64,
    vocab_multiple: u64,
    shard_group: Option<u64>,
    data_overlap: f64,
    mfu_ceiling: Option<f64>,
    recipe: Option<[f64; 5]>,
}

impl Ranges {
    pub fn check(given: Option<&scenario::Training>) -> Result<Ranges, FieldError> {
        let empty = scenario::Training::default();
        let given = given.unwrap_or(&empty);
        refuse_what_is_not_accounted_for(given)?;
        Ok(Ranges {
            sequence: whole("training.sequence", given.sequence, defaults::SEQUENCE, 1, MOST_TOKENS)?,
            micro_batch: whole("training.micro_batch", given.micro_batch, defaults::MICRO_BATCH, 1, 1 << 16)?,
            global_batch: given
                .global_batch
                .map(|number| whole("training.global_batch", Some(number), 0, 1, MOST_SEQUENCES))
                .transpose()?,
            tensor: whole("training.tensor", given.tensor, 1, 1, MOST_GPUS)?,
            pipeline: whole("training.pipeline", given.pipeline, 1, 1, MOST_GPUS)?,
            context: whole("training.context", given.context, 1, 1, MOST_GPUS)?,
            virtual_stages: given
                .virtual_stages
                .map(|number| whole("training.virtual_stages", Some(number), 1, 1, MOST_LAYERS))
                .transpose()?,
            layers_per_stage: given
                .layers_per_stage
                .iter()
                .flatten()
                .map(|number| whole("training.layers_per_stage", Some(*number), 1, 1, MOST_LAYERS))
                .collect::<Result<_, _>>()?,
            loss_chunks: whole("training.loss_chunks", given.loss_chunks, defaults::LOSS_CHUNKS, 1, 1 << 16)?,
            dropout: real("training.dropout", given.dropout, 0.0, 0.0, 1.0)?,
            packing: real("training.packing", given.packing, 1.0, 0.001, 1.0)?,
            vocab_multiple: whole("training.vocab_multiple", given.vocab_multiple, 1, 1, 1 << 20)?,
            shard_group: given
                .shard_group
                .map(|number| whole("training.shard_group", Some(number), 1, 1, MOST_GPUS))
                .transpose()?,
            data_overlap: real("training.data_overlap", given.data_overlap, 1.0, 0.0, 1.0)?,
            mfu_ceiling: given
                .mfu_ceiling
                .map(|number| real("training.mfu_ceiling", Some(number), 0.0, 0.001, 1.0))
                .transpose()?,
            recipe: custom_recipe(given.recipe.as_ref())?,
        })
    }
}

/// The most layers of a stage, or chunks of them.
const MOST_LAYERS: u64 = 1 << 16;

fn custom_recipe(choice: Option<&RecipeChoice>) -> Result<Option<[f64; 5]>, FieldError> {
    let Some(RecipeChoice::Custom(custom)) = choice else { return Ok(None) };
    let bytes = |field, given: Option<Number>| range::required(field, given, 0.0, 64.0);
    Ok(Some([
        bytes("training.recipe.weights", custom.weights)?,
        bytes("training.recipe.gradients", custom.gradients)?,
        bytes("training.recipe.master", custom.master)?,
        bytes("training.recipe.momentum", custom.momentum)?,
        bytes("training.recipe.variance", custom.variance)?,
    ]))
}

/// Fields of the schema whose effect is not accounted for yet, refused unless they ask for nothing.
fn refuse_what_is_not_accounted_for(given: &scenario::Training) -> Result<(), FieldError> {
    use range::{not_yet_at_all, not_yet_name, not_yet_number, not_yet_switch};
    if let Some(part) = given.zeropp.iter().flatten().next() {
        return Err(range::not_yet("training.zeropp", format!("\"{}\"", scenario::Name::name(*part))));
    }
    not_yet_number("training.expert", given.expert, 1.0)?;
    not_yet_number("training.tensor_overlap", given.tensor_overlap, 0.0)?;
    not_yet_name("training.expert_dispatch", given.expert_dispatch, &[scenario::DispatchFormat::Bf16])?;
    not_yet_at_all("training.expert_capacity", given.expert_capacity.as_ref(), "a capacity factor")?;
    not_yet_name("training.recompute", given.recompute, &[Recompute::None, Recompute::Selective, Recompute::Full])?;
    not_yet_at_all("training.recompute_layers", given.recompute_layers.as_ref(), "a number of layers")?;
    let fusion = given.gradient_accumulation_fusion.as_ref();
    not_yet_at_all("training.gradient_accumulation_fusion", fusion, "a choice of its own")?;
    not_yet_switch("training.optimizer_in_backward", given.optimizer_in_backward, false)?;
    not_yet_switch("training.paged_optimizer", given.paged_optimizer, false)?;
    not_yet_switch("training.activation_offload", given.activation_offload, false)?;
    not_yet_number("training.expert_tensor", given.expert_tensor, 1.0)?;
    not_yet_name("training.flops_convention", given.flops_convention, &[FlopsConvention::Palm])?;
    not_yet_at_all("training.tokens", given.tokens.as_ref(), "a token budget")?;
    not_yet_number("training.expert_imbalance", given.expert_imbalance, 1.0)?;
    not_yet_name("training.offload", given.offload, &[Offload::None])?;
    not_yet_at_all("training.adapter", given.adapter.as_ref(), "an adapter")
}

pub fn plan(
    ranges: &Ranges,
    given: Option<&scenario::Training>,
    model: &Model,
    profile: &'static Profile,
    cluster: &Cluster,
) -> Result<TrainingPlan, FieldError> {
    let empty = scenario::Training::default();
    let given = given.unwrap_or(&empty);
    let tensor = ranges.tensor;
    let sequence_parallel = given.sequence_parallel.unwrap_or(true) && tensor > 1;
    let schedule = given.schedule.unwrap_or(Schedule::OneForwardOneBackward);
    let pipeline = ranges.pipeline;
    let context_method = given.context_method.unwrap_or(ContextMethod::Ring);
    check_division(ranges, model, cluster, sequence_parallel, context_method)?;
    let virtual_stages = check_stages(ranges, schedule, model.architecture.layers)?;

    let data_parallel = cluster.gpus / (tensor * pipeline * ranges.context);
    let rank_batch = data_parallel * ranges.micro_batch;
    let global_batch = ranges.global_batch.unwrap_or(rank_batch);
    let (rule, micro_batches) =
        micro_batch_rule(schedule, pipeline).unwrap_or((DivisionRule::GlobalBatchByMicroBatch, [1, 1]));
    range::multiple("training.global_batch", global_batch, rule, micro_batches.map(|count| count * rank_batch))?;

    let ranks = data_parallel * ranges.context;
    let in_pipeline = profile.sharding_in_pipeline.filter(|_| pipeline > 1);
    let by_profile = if ranks > 1 { in_pipeline.unwrap_or(profile.sharding) } else { profile.sharding_alone };
    let sharding = given.sharding.unwrap_or(by_profile);
    let shard_group = match ranges.shard_group {
        Some(group) => group,
        // A node, or as much of one as divides the ranks.
        None => (1..=cluster.gpus_per_node.min(ranks)).rev().find(|group| ranks.is_multiple_of(*group)).unwrap_or(1),
    };
    if sharding == Sharding::Hsdp {
        let divides = |group| ranks.is_multiple_of(group);
        range::divides("training.shard_group", shard_group, DivisionRule::ShardGroup, ranks, divides)?;
    }

    let mut recipe = match (ranges.recipe, &given.recipe) {
        (Some(bytes), _) => Recipe::new(bytes, 0.0, scenario::ComputeFormat::Bf16),
        (None, Some(RecipeChoice::Named(name))) => Recipe::named(*name, profile),
        (None, _) => Recipe::named(profile.recipe, profile),
    };
    if let Some(compute) = given.compute {
        recipe.compute = compute;
    }
    if let Some(format) = given.reduce_dtype {
        recipe.reduce = match format {
            ReduceFormat::Bf16 | ReduceFormat::Fp16 => 2.0,
            ReduceFormat::Fp32 => 4.0,
        };
    }
    let optimizer = given.optimizer.unwrap_or(Optimizer::AdamW);
    recipe = recipe.with_optimizer(optimizer);

    let padding = ranges.vocab_multiple * tensor;
    Ok(TrainingPlan {
        recipe,
        optimizer,
        sequence: ranges.sequence,
        micro_batch: ranges.micro_batch,
        global_batch,
        data_parallel,
        accumulation: global_batch / rank_batch,
        sharding,
        shard_group,
        reshard: given.reshard_after_forward.unwrap_or(profile.reshards_in_pipeline || pipeline == 1),
        data_overlap: ranges.data_overlap,
        tensor,
        sequence_parallel,
        pipeline,
        schedule,
        virtual_stages,
        layers_per_stage: ranges.layers_per_stage.clone(),
        context: ranges.context,
        context_method,
        recompute: given.recompute.unwrap_or(Recompute::None),
        attention: given.attention.unwrap_or(Attention::Flash),
        kernels: given.kernels.unwrap_or(profile.kernels),
        loss: given.loss.unwrap_or(profile.loss),
        loss_chunks: ranges.loss_chunks,
        dropout: ranges.dropout > 0.0,
        packing: ranges.packing,
        vocabulary: model.architecture.vocabulary.div_ceil(padding) * padding,
        mfu_ceiling: ranges.mfu_ceiling.unwrap_or_else(|| efficiency::mfu_ceiling(&cluster.gpu)),
    })
}

fn check_division(
    ranges: &Ranges,
    model: &Model,
    cluster: &Cluster,
    sequence_parallel: bool,
    context_method: ContextMethod,
) -> Result<(), FieldError> {
    let tensor = ranges.tensor;
    let shape = &model.architecture;
    if shape.experts.is_some() && tensor > 1 {
        let text = format!("{tensor} with a mixture of experts");
        return Err(FieldError::new("training.tensor", Problem::NotYet { given: text }));
    }
    let splits_heads = |ranks: u64| shape.heads.is_multiple_of(ranks);
    let splits_groups = |ranks: u64| shape.kv_heads.is_multiple_of(ranks) || ranks.is_multiple_of(shape.kv_heads);
    let splits_mlp = |ranks: u64| shape.mlp_width.is_multiple_of(ranks);
    // Each rule names the values that satisfy all three, so that following it does not run into the next.
    let works = |ranks: u64| splits_heads(ranks) && splits_groups(ranks) && (model.assumed_shape || splits_mlp(ranks));
    if !splits_heads(tensor) {
        range::divides("training.tensor", tensor, DivisionRule::HeadsByTensor, shape.heads, works)?;
    }
    if !splits_groups(tensor) {
        range::divides("training.tensor", tensor, DivisionRule::KeyValueHeadsByTensor, shape.kv_heads, works)?;
    }
    // The MLP width of an assumed shape was made up to match a count; refusing a layout for it would refuse our guess.
    if !model.assumed_shape && !splits_mlp(tensor) {
        range::divides("training.tensor", tensor, DivisionRule::MlpWidthByTensor, shape.mlp_width, works)?;
    }
    let context = ranges.context;
    let ranks = tensor * ranges.pipeline * context;
    range::multiple("cluster.gpus", cluster.gpus, DivisionRule::GpusByModelParallel, [ranks; 2])?;
    if context > 1 && context_method == ContextMethod::Ulysses {
        range::divides("training.context", context, DivisionRule::HeadsByContext, shape.heads, |context| {
            splits_heads(tensor * context)
        })?;
    }
    let parts = context * if sequence_parallel { tensor } else { 1 };
    let rule = if context > 1 { DivisionRule::SequenceByContext } else { DivisionRule::SequenceByTensor };
    range::multiple("training.sequence", ranges.sequence, rule, [parts; 2])
}

/// Whether the stages share the layers out, and how many chunks each of them holds.
fn check_stages(ranges: &Ranges, schedule: Schedule, layers: u64) -> Result<u64, FieldError> {
    let pipeline = ranges.pipeline;
    let (least, most) = match schedule {
        Schedule::Interleaved => (2, MOST_LAYERS),
        // A V is two chunks.
        Schedule::Zbv => (2, 2),
        _ => (1, 1),
    };
    let chunks = ranges.virtual_stages.unwrap_or(if schedule == Schedule::Zbv { 2 } else { 1 });
    if !(least..=most).contains(&chunks) {
        let problem = Problem::Range { given: chunks as f64, least: least as f64, most: most as f64, whole: true };
        return Err(FieldError::new("training.virtual_stages", problem));
    }
    if schedule == Schedule::DualPipe {
        range::multiple("training.pipeline", pipeline, DivisionRule::EvenStages, [2; 2])?;
    }
    let given = &ranges.layers_per_stage;
    if given.is_empty() {
        let divides = |stages: u64| layers.is_multiple_of(stages);
        range::divides("training.pipeline", pipeline, DivisionRule::LayersByStages, layers, divides)?;
        let field = if schedule == Schedule::Zbv { "training.pipeline" } else { "training.virtual_stages" };
        let [value, other] = if schedule == Schedule::Zbv { [pipeline, chunks] } else { [chunks, pipeline] };
        range::divides(field, value, DivisionRule::LayersByChunks, layers, |value| divides(value * other))?;
        return Ok(chunks);
    }
    let exactly = |given, rule, other| {
        let problem = Problem::Divides { given, rule, other, nearest: vec![other] };
        if given == other { Ok(()) } else { Err(FieldError::new("training.layers_per_stage", problem)) }
    };
    exactly(given.len() as u64, DivisionRule::EntriesByStages, pipeline)?;
    exactly(given.iter().sum(), DivisionRule::LayersInAll, layers)?;
    Ok(chunks)
}

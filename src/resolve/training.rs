//! The training half of a scenario: the recipe, the layout, and what each layer keeps.

use crate::decimal::trimmed;
use crate::defaults;
use crate::frameworks::Profile;
use crate::model::Architecture;
use crate::names::{
    AdapterKind, Attention, ComputeFormat, ContextMethod, DispatchFormat, FlopsConvention, Kernels, Name, Offload,
    OptimizerStep, Recompute, ReduceFormat, Schedule, Sharding, ZeroPlusPlus,
};
use crate::optimizers::Optimizer;
use crate::plan::{
    AdapterPlan, Base, Cluster, MODULES, Model, Recipe, Targets, TrainingPlan, ZeroPlus, micro_batch_rule, shard_group,
    shares_out,
};
use crate::refusal::{Contradiction, DivisionRule, FieldError, Problem};
use crate::scenario::{self, AdapterTargets, MOST_GPUS, MOST_SEQUENCES, MOST_TOKENS, Number, RecipeChoice};
use crate::time::efficiency;

use super::range::{self, optional_real, optional_whole, real, whole};

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
    tensor_overlap: Option<f64>,
    tokens: Option<f64>,
    mfu_ceiling: Option<f64>,
    recipe: Option<[f64; 5]>,
    expert: u64,
    expert_tensor: u64,
    expert_load: f64,
    recompute_layers: Option<u64>,
    adapter_rank: u64,
    adapter_dropout: f64,
}

impl Ranges {
    pub fn check(given: Option<&scenario::Training>) -> Result<Ranges, FieldError> {
        let empty = scenario::Training::default();
        let given = given.unwrap_or(&empty);
        if given.layers_per_stage.as_ref().is_some_and(Vec::is_empty) {
            let with = Contradiction::EmptyList;
            return Err(FieldError::contradiction("training.layers_per_stage", "an empty list", with));
        }
        let expert = whole("training.expert", given.expert, 1, 1, MOST_GPUS)?;
        Ok(Ranges {
            sequence: whole("training.sequence", given.sequence, defaults::SEQUENCE, 1, MOST_TOKENS)?,
            micro_batch: whole("training.micro_batch", given.micro_batch, defaults::MICRO_BATCH, 1, 1 << 16)?,
            global_batch: optional_whole("training.global_batch", given.global_batch, 1, MOST_SEQUENCES)?,
            tensor: whole("training.tensor", given.tensor, 1, 1, MOST_GPUS)?,
            pipeline: whole("training.pipeline", given.pipeline, 1, 1, MOST_GPUS)?,
            context: whole("training.context", given.context, 1, 1, MOST_GPUS)?,
            virtual_stages: optional_whole("training.virtual_stages", given.virtual_stages, 1, MOST_LAYERS)?,
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
            shard_group: optional_whole("training.shard_group", given.shard_group, 1, MOST_GPUS)?,
            data_overlap: real("training.data_overlap", given.data_overlap, 1.0, 0.0, 1.0)?,
            tensor_overlap: optional_real("training.tensor_overlap", given.tensor_overlap, 0.0, 1.0)?,
            tokens: optional_real("training.tokens", given.tokens, 1.0, 1e18)?,
            mfu_ceiling: optional_real("training.mfu_ceiling", given.mfu_ceiling, 0.001, 1.0)?,
            recipe: custom_recipe(given.recipe.as_ref())?,
            expert,
            expert_tensor: whole("training.expert_tensor", given.expert_tensor, 1, 1, MOST_GPUS)?,
            expert_load: expert_load(given, expert)?,
            recompute_layers: optional_whole("training.recompute_layers", given.recompute_layers, 0, 1 << 14)?,
            adapter_rank: whole(
                "training.adapter.rank",
                given.adapter.as_ref().and_then(|adapter| adapter.rank),
                defaults::ADAPTER_RANK,
                1,
                1 << 16,
            )?,
            adapter_dropout: real(
                "training.adapter.dropout",
                given.adapter.as_ref().and_then(|adapter| adapter.dropout),
                0.0,
                0.0,
                1.0,
            )?,
        })
    }
}

/// The most layers of a stage, or chunks of them.
const MOST_LAYERS: u64 = 1 << 16;

/// Tokens of the most loaded rank's experts over the mean. Padding to a capacity makes all ranks equal, so there is
/// nothing left to be uneven; and a rank that has all experts computes with all its tokens, however they are routed.
fn expert_load(given: &scenario::Training, expert: u64) -> Result<f64, FieldError> {
    let imbalance = real("training.expert_imbalance", given.expert_imbalance, 1.0, 1.0, 1e5)?;
    let Some(capacity) = given.expert_capacity else { return Ok(if expert > 1 { imbalance } else { 1.0 }) };
    if imbalance > 1.0 {
        let given = trimmed(imbalance, 6);
        return Err(FieldError::contradiction("training.expert_imbalance", given, Contradiction::EvenByCapacity));
    }
    real("training.expert_capacity", Some(capacity), 1.0, 0.01, 1e5)
}

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

/// What is not counted for layers of a special kind: adapters in them, results of theirs that recomputation by operator
/// keeps, and a state that passes from one part of a sequence to the next.
fn refuse_for_special_layers(
    given: &scenario::Training,
    ranges: &Ranges,
    shape: &Architecture,
) -> Result<(), FieldError> {
    let refuse = |field, what: &str| Err(range::not_yet(field, [what, " with layers of several kinds"].concat()));
    if given.adapter.is_some() {
        return refuse("training.adapter", "adapters");
    }
    if given.recompute == Some(Recompute::SelectiveOps) {
        return refuse("training.recompute", "\"selective_ops\"");
    }
    if ranges.context > 1 && shape.linear.is_some() {
        return refuse("training.context", "context parallelism");
    }
    Ok(())
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
    let shape = &model.architecture;
    if !shape.further.kept.is_empty() {
        refuse_for_special_layers(given, ranges, shape)?;
    }
    let tensor = ranges.tensor;
    let sequence_parallel = given.sequence_parallel.unwrap_or(true) && tensor > 1;
    let schedule = given.schedule.unwrap_or(Schedule::OneForwardOneBackward);
    let pipeline = ranges.pipeline;
    let context_method = given.context_method.unwrap_or(ContextMethod::Ring);
    check_division(ranges, model, cluster, sequence_parallel, context_method)?;
    let virtual_stages = check_stages(ranges, schedule, model.architecture.layers, cluster)?;

    let data_parallel = cluster.gpus / (tensor * pipeline * ranges.context);
    let rank_batch = data_parallel * ranges.micro_batch;
    let global_batch = ranges.global_batch.unwrap_or(rank_batch);
    let (rule, micro_batches) =
        micro_batch_rule(schedule, pipeline).unwrap_or((DivisionRule::GlobalBatchByMicroBatch, [1, 1]));
    let steps = micro_batches.map(|count| count * rank_batch);
    range::multiple("training.global_batch", global_batch, rule, steps).map_err(|refused| {
        match ranges.global_batch {
            Some(_) => refused,
            None => FieldError::new("training.global_batch", Problem::Needed { rule, other: steps[0] }),
        }
    })?;

    let ranks = data_parallel * ranges.context;
    let in_pipeline = profile.sharding_in_pipeline.filter(|_| pipeline > 1);
    let by_profile = if ranks > 1 { in_pipeline.unwrap_or(profile.sharding) } else { profile.sharding_alone };
    let sharding = given.sharding.unwrap_or(by_profile);
    let over = [tensor, ranges.expert * ranges.expert_tensor];
    let group_at_most = ranges.shard_group.is_none().then_some(cluster.gpus_per_node);
    let shard_group = ranges.shard_group.unwrap_or_else(|| shard_group(cluster.gpus_per_node, ranks, over));
    if sharding == Sharding::Hsdp {
        let divides = |group| shares_out(group, ranks, over);
        range::divides("training.shard_group", shard_group, DivisionRule::ShardGroup, ranks, divides)?;
    }

    let mut recipe = match (ranges.recipe, &given.recipe) {
        (Some(bytes), _) => Recipe::new(bytes, 0.0, ComputeFormat::Bf16),
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
    let adapter = adapter(ranges, given.adapter.as_ref(), &model.architecture)?;
    let recompute = given.recompute.unwrap_or(Recompute::None);
    let kernels = given.kernels.unwrap_or(profile.kernels);
    recipe = recipe.with_optimizer(optimizer);

    let padding = ranges.vocab_multiple * tensor;
    Ok(TrainingPlan {
        recipe,
        optimizer,
        optimizer_step: optimizer_step(given.optimizer_step, optimizer)?,
        sequence: ranges.sequence,
        micro_batch: ranges.micro_batch,
        global_batch,
        data_parallel,
        accumulation: global_batch / rank_batch,
        sharding,
        shard_group,
        group_at_most,
        reshard: given.reshard_after_forward.unwrap_or(profile.reshards_in_pipeline || pipeline == 1),
        data_overlap: ranges.data_overlap,
        tensor_overlap: ranges.tensor_overlap.unwrap_or_else(|| efficiency::tensor_hidden(&cluster.gpu)),
        tensor,
        sequence_parallel,
        pipeline,
        flops_convention: given.flops_convention.unwrap_or(FlopsConvention::Palm),
        in_node: (cluster.gpus_per_node / tensor).max(1) as f64,
        zeropp: zeropp(given.zeropp.as_deref(), sharding)?,
        tokens: ranges.tokens,
        schedule,
        virtual_stages,
        layers_per_stage: ranges.layers_per_stage.clone(),
        context: ranges.context,
        context_method,
        recompute,
        attention: given.attention.unwrap_or(Attention::Flash),
        kernels,
        loss: given.loss.unwrap_or(profile.loss),
        loss_chunks: ranges.loss_chunks,
        dropout: ranges.dropout > 0.0,
        packing: ranges.packing,
        vocabulary: model.architecture.vocabulary.div_ceil(padding) * padding,
        mfu_ceiling: ranges.mfu_ceiling,
        expert: ranges.expert,
        expert_tensor: ranges.expert_tensor,
        expert_load: ranges.expert_load,
        dispatch_in_fp8: given.expert_dispatch == Some(DispatchFormat::Fp8),
        recompute_layers: recompute_layers(ranges, recompute, model.architecture.layers, pipeline)?,
        // Only the model itself is adapted.
        prediction_layers: if adapter.is_some() { 0 } else { model.architecture.prediction_layers },
        adapter,
        offload: offload(given.offload, sharding)?,
        paged_optimizer: given.paged_optimizer.unwrap_or(false),
        optimizer_in_backward: optimizer_in_backward(given, global_batch / rank_batch)?,
        activation_offload: given.activation_offload.unwrap_or(false),
        fused_accumulation: given.gradient_accumulation_fusion.unwrap_or(kernels == Kernels::TransformerEngine),
    })
}

/// How many layers of each stage are recomputed: no more than the largest has.
fn recompute_layers(ranges: &Ranges, recompute: Recompute, layers: u64, pipeline: u64) -> Result<u64, FieldError> {
    let layers = ranges.layers_per_stage.iter().copied().max().unwrap_or(layers / pipeline);
    const FIELD: &str = "training.recompute_layers";
    match ranges.recompute_layers {
        None if recompute == Recompute::None => Ok(0),
        None => Ok(layers),
        Some(given @ 1..) if recompute == Recompute::None => {
            Err(FieldError::contradiction(FIELD, given.to_string(), Contradiction::NothingRecomputed))
        }
        Some(given) if given > layers => {
            let problem = Problem::Range { given: given as f64, least: 0.0, most: layers as f64, whole: true };
            Err(FieldError::new(FIELD, problem))
        }
        Some(given) => Ok(given),
    }
}

/// Parameters can lie in host memory only where each layer's are gathered when it needs them.
fn offload(given: Option<Offload>, sharding: Sharding) -> Result<Offload, FieldError> {
    let offload = given.unwrap_or(Offload::None);
    if offload == Offload::OptimizerAndParameters && sharding != Sharding::Zero3 {
        return Err(FieldError::contradiction(
            "training.offload",
            range::quoted(offload.name()),
            Contradiction::NotGathered,
        ));
    }
    Ok(offload)
}

/// The parts of ZeRO++ take from, and add to, what ZeRO-3 gathers and scatters.
fn zeropp(given: Option<&[ZeroPlusPlus]>, sharding: Sharding) -> Result<ZeroPlus, FieldError> {
    let parts = given.unwrap_or_default();
    if let Some(part) = parts.first().filter(|_| sharding != Sharding::Zero3) {
        let with = Contradiction::ZeroPlusWithout;
        return Err(FieldError::contradiction("training.zeropp", range::quoted(part.name()), with));
    }
    Ok(ZeroPlus {
        quantized_weights: parts.contains(&ZeroPlusPlus::QuantizedWeights),
        quantized_gradients: parts.contains(&ZeroPlusPlus::QuantizedGradients),
        secondary_partition: parts.contains(&ZeroPlusPlus::SecondaryPartition),
    })
}

/// What a step holds beside the state is known of those optimisers whose code is public and plain; the others have one
/// kernel of their own, or work matrix by matrix.
fn optimizer_step(given: Option<OptimizerStep>, optimizer: Optimizer) -> Result<OptimizerStep, FieldError> {
    let step = given.unwrap_or(OptimizerStep::Fused);
    if step != OptimizerStep::Fused && optimizer.row().update.is_none() {
        let with = Contradiction::FusedAlone(optimizer.name());
        return Err(FieldError::contradiction("training.optimizer_step", range::quoted(step.name()), with));
    }
    Ok(step)
}

/// A tensor that is updated at once has no gradient left to add the next micro-batch's to.
fn optimizer_in_backward(given: &scenario::Training, accumulation: u64) -> Result<bool, FieldError> {
    let asked = given.optimizer_in_backward.unwrap_or(false);
    if asked && accumulation > 1 {
        let with = Contradiction::AddsUp(accumulation);
        return Err(FieldError::contradiction("training.optimizer_in_backward", "true", with));
    }
    Ok(asked)
}

/// The adapters, their targets looked up among the modules of this model.
fn adapter(
    ranges: &Ranges,
    given: Option<&scenario::Adapter>,
    shape: &Architecture,
) -> Result<Option<AdapterPlan>, FieldError> {
    let Some(given) = given else { return Ok(None) };
    let present = Targets::of(shape);
    let targets = match &given.targets {
        None => Targets::ATTENTION,
        Some(AdapterTargets::Group(group)) if group == "attention" => Targets::ATTENTION,
        Some(AdapterTargets::Group(group)) if group == "all_linear" => Targets::ALL_LINEAR,
        Some(AdapterTargets::Group(group)) => return Err(unknown_target(group, "attention, all_linear".to_owned())),
        Some(AdapterTargets::Modules(names)) => {
            let mut targets = Targets::default();
            for name in names {
                let found = MODULES.iter().position(|module| module == name).map(Targets::module);
                let found = found.filter(|module| !module.within(present).is_empty());
                targets = targets.and(found.ok_or_else(|| unknown_target(name, modules_of(present)))?);
            }
            if names.is_empty() {
                return Err(unknown_target("", modules_of(present)));
            }
            targets
        }
    };
    let base = match (given.kind.unwrap_or(AdapterKind::Lora), given.double_quantization) {
        (AdapterKind::Qlora, None | Some(true)) => Base::Nf4DoubleQuantised,
        (AdapterKind::Qlora, Some(false)) => Base::Nf4,
        (AdapterKind::Lora, None) => Base::Plain,
        (AdapterKind::Lora, Some(_)) => {
            let with = Contradiction::BaseNotQuantised;
            return Err(FieldError::contradiction("training.adapter.double_quantization", "a choice", with));
        }
    };
    let targets = targets.within(present);
    Ok(Some(AdapterPlan { base, rank: ranges.adapter_rank, targets, dropout: ranges.adapter_dropout > 0.0 }))
}

fn modules_of(present: Targets) -> String {
    let names: Vec<&str> = (0..MODULES.len())
        .filter(|index| !Targets::module(*index).within(present).is_empty())
        .map(|index| MODULES[index])
        .collect();
    names.join(", ")
}

fn unknown_target(given: &str, allowed: String) -> FieldError {
    FieldError::new("training.adapter.targets", Problem::unknown(given, allowed))
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
    let linear = |ranks: u64| shape.linear.is_none_or(|linear| linear.splits(ranks));
    let splits_heads = |ranks: u64| shape.heads.is_multiple_of(ranks) && linear(ranks);
    let splits_groups = |ranks: u64| shape.kv_heads.is_multiple_of(ranks) || ranks.is_multiple_of(shape.kv_heads);
    let dense_width = if shape.dense_layers() > 0 { shape.mlp_width } else { 0 };
    let shared_width = shape.experts.map_or(0, |experts| experts.shared_width);
    let splits_mlp = |ranks: u64| dense_width.is_multiple_of(ranks) && shared_width.is_multiple_of(ranks);
    // Each rule names the values that satisfy all, so that following it does not run into the next.
    let placed = |ranks: u64| cluster.gpus.is_multiple_of(ranks * ranges.pipeline * ranges.context);
    let works = |ranks: u64| {
        placed(ranks) && splits_heads(ranks) && splits_groups(ranks) && (model.assumed_shape || splits_mlp(ranks))
    };
    if !splits_heads(tensor) {
        let of_linear = shape.linear.filter(|_| shape.heads.is_multiple_of(tensor));
        let heads = of_linear.map_or(shape.heads, |linear| linear.key_heads);
        range::divides("training.tensor", tensor, DivisionRule::HeadsByTensor, heads, works)?;
    }
    if !splits_groups(tensor) {
        range::divides("training.tensor", tensor, DivisionRule::KeyValueHeadsByTensor, shape.kv_heads, works)?;
    }
    // The MLP width of an assumed shape was made up to match a count; refusing a layout for it would refuse our guess.
    if !model.assumed_shape && !splits_mlp(tensor) {
        let width = if dense_width.is_multiple_of(tensor) { shared_width } else { dense_width };
        range::divides("training.tensor", tensor, DivisionRule::MlpWidthByTensor, width, works)?;
    }
    let context = ranges.context;
    let ranks = tensor * ranges.pipeline * context;
    range::multiple("cluster.gpus", cluster.gpus, DivisionRule::GpusByModelParallel, [ranks; 2])?;
    if context > 1 && context_method == ContextMethod::Ulysses {
        range::divides("training.context", context, DivisionRule::HeadsByContext, shape.heads, |context| {
            splits_heads(tensor * context) && cluster.gpus.is_multiple_of(tensor * ranges.pipeline * context)
        })?;
    }
    let parts = context * if sequence_parallel { tensor } else { 1 };
    let rule = if context > 1 { DivisionRule::SequenceByContext } else { DivisionRule::SequenceByTensor };
    range::multiple("training.sequence", ranges.sequence, rule, [parts; 2])?;
    check_experts(ranges, shape, cluster.gpus / ranges.pipeline)
}

/// Experts are spread over ranks that are otherwise data- or tensor-parallel (Megatron-LM's parallel folding, arXiv
/// 2504.14960), each rank with as many.
fn check_experts(ranges: &Ranges, shape: &Architecture, gpus: u64) -> Result<(), FieldError> {
    let (expert, expert_tensor) = (ranges.expert, ranges.expert_tensor);
    let Some(experts) = shape.experts else {
        for (field, given) in [("training.expert", expert), ("training.expert_tensor", expert_tensor)] {
            if given > 1 {
                let problem =
                    Problem::Divides { given, rule: DivisionRule::ExpertsByExpert, other: 0, nearest: vec![1] };
                return Err(FieldError::new(field, problem));
            }
        }
        return Ok(());
    };
    let spreads = |ranks: u64| experts.count.is_multiple_of(ranks);
    let folds = |ranks: u64| gpus.is_multiple_of(ranks * expert_tensor);
    let works = |ranks: u64| spreads(ranks) && folds(ranks);
    let cuts = |ranks: u64| experts.width.is_multiple_of(ranks) && gpus.is_multiple_of(ranks);
    if experts.width.is_multiple_of(expert_tensor) && !gpus.is_multiple_of(expert_tensor) {
        let nearest = (1..expert_tensor).rev().find(|ranks| cuts(*ranks)).unwrap_or(1);
        let problem = Problem::Divides {
            given: expert_tensor,
            rule: DivisionRule::GpusByExpertTensor,
            other: gpus,
            nearest: vec![nearest],
        };
        return Err(FieldError::new("training.expert_tensor", problem));
    }
    range::divides(
        "training.expert_tensor",
        expert_tensor,
        DivisionRule::ExpertWidthByExpertTensor,
        experts.width,
        cuts,
    )?;
    if !spreads(expert) {
        range::divides("training.expert", expert, DivisionRule::ExpertsByExpert, experts.count, works)?;
    }
    range::divides("training.expert", expert, DivisionRule::RanksByExpert, gpus / expert_tensor, works)
}

/// Whether the stages share the layers out, and how many chunks each of them holds.
fn check_stages(ranges: &Ranges, schedule: Schedule, layers: u64, cluster: &Cluster) -> Result<u64, FieldError> {
    let pipeline = ranges.pipeline;
    let given = &ranges.layers_per_stage;
    let (least, most) = match schedule {
        // A stage may lack a layer for a chunk, as the first and the last often do, but not all of them may.
        Schedule::Interleaved => (2, given.iter().copied().max().unwrap_or(layers).max(2)),
        // A V is two chunks.
        Schedule::Zbv => (2, 2),
        _ => (1, 1),
    };
    let chunks = ranges.virtual_stages.unwrap_or(if schedule == Schedule::Zbv { 2 } else { 1 });
    if !(least..=most).contains(&chunks) {
        let problem = if ranges.virtual_stages.is_none() {
            Problem::Missing { least: least as f64, most: most as f64 }
        } else if schedule == Schedule::Interleaved {
            Problem::Range { given: chunks as f64, least: least as f64, most: most as f64, whole: true }
        } else {
            Problem::Contradiction {
                given: chunks.to_string().into(),
                with: Contradiction::Chunks(schedule.name(), least),
            }
        };
        return Err(FieldError::new("training.virtual_stages", problem));
    }
    let given_for_each = !given.is_empty();
    let divides = |parts: u64| given_for_each || layers.is_multiple_of(parts);
    // Each rule names what the next allows as well.
    let cut = |stages: u64| match schedule {
        Schedule::DualPipe => stages.is_multiple_of(2) && divides(stages),
        Schedule::Zbv => divides(2 * stages),
        _ => divides(stages),
    };
    let works = |stages: u64| cut(stages) && cluster.gpus.is_multiple_of(ranges.tensor * ranges.context * stages);
    if schedule == Schedule::DualPipe && !pipeline.is_multiple_of(2) {
        range::divides("training.pipeline", pipeline, DivisionRule::EvenStages, 2, works)?;
    }
    if !given_for_each {
        if !divides(pipeline) {
            range::divides("training.pipeline", pipeline, DivisionRule::LayersByStages, layers, works)?;
        }
        if schedule == Schedule::Zbv {
            range::divides("training.pipeline", pipeline, DivisionRule::LayersByChunks, layers, works)?;
        } else {
            let works = |chunks: u64| chunks >= least && divides(chunks * pipeline);
            range::divides("training.virtual_stages", chunks, DivisionRule::LayersByChunks, layers, works)?;
        }
        return Ok(chunks);
    }
    let exactly = |given, rule, other| {
        let problem = Problem::Divides { given, rule, other, nearest: Vec::new() };
        if given == other { Ok(()) } else { Err(FieldError::new("training.layers_per_stage", problem)) }
    };
    exactly(given.len() as u64, DivisionRule::EntriesByStages, pipeline)?;
    exactly(given.iter().sum(), DivisionRule::LayersInAll, layers)?;
    Ok(chunks)
}

//! The training half of a scenario: the recipe, the layout, and what each layer keeps.

use crate::frameworks::Profile;
use crate::model::Architecture;
use crate::names::{
    AdapterKind, ComputeFormat, ContextMethod, Kernels, Name, Offload, OptimizerStep, RecipeName, Recompute,
    ReduceFormat, Schedule, Sharding, ZeroPlusPlus,
};
use crate::optimizers::Optimizer;
use crate::plan::{
    AdapterPlan, Base, Cluster, MODULES, Model, Recipe, Targets, TrainingPlan, ZeroPlus, micro_batch_rule, shard_group,
    shares_out,
};
use crate::refusal::{Contradiction, DivisionRule, FieldError, Problem};
use crate::scenario::{
    self, AdapterTargets, CheckedAdapter, CheckedTraining, DerivedAdapter, DerivedTraining, MOST_LAYERS, Number,
    RecipeChoice, range,
};
use crate::time::efficiency;
use crate::units::trimmed;

use super::division;

/// The training half, each value within its own range.
#[derive(Clone, Debug)]
pub struct Checked<'a> {
    settings: CheckedTraining,
    recipe: Option<RecipeBytes>,
    layers_per_stage: Vec<u64>,
    zeropp: &'a [ZeroPlusPlus],
    expert_load: f64,
    adapter: Option<(&'a scenario::Adapter, CheckedAdapter)>,
}

/// A recipe by its name or by its bytes a parameter: weights, gradients, master weights, first and second moment.
#[derive(Clone, Copy, Debug)]
enum RecipeBytes {
    Named(RecipeName),
    Custom([f64; 5]),
}

impl<'a> Checked<'a> {
    /// # Errors
    /// The first value out of its range.
    pub fn new(given: &'a scenario::Training) -> Result<Checked<'a>, FieldError> {
        if given.layers_per_stage.as_ref().is_some_and(Vec::is_empty) {
            let with = Contradiction::EmptyList;
            return Err(FieldError::contradiction("training.layers_per_stage", "an empty list", with));
        }
        let settings = given.check()?;
        let layers = |number: &Number| range::whole("training.layers_per_stage", Some(*number), 1, 1, MOST_LAYERS);
        let adapter = |given: &'a scenario::Adapter| Ok((given, given.check()?));
        Ok(Checked {
            settings,
            recipe: given.recipe.as_ref().map(recipe_bytes).transpose()?,
            layers_per_stage: given.layers_per_stage.iter().flatten().map(layers).collect::<Result<_, _>>()?,
            zeropp: given.zeropp.as_deref().unwrap_or_default(),
            expert_load: expert_load(&settings)?,
            adapter: given.adapter.as_ref().map(adapter).transpose()?,
        })
    }

    /// The plan.
    ///
    /// # Errors
    /// A layout that is impossible for the model and the machines, and values that leave no room for each other.
    pub fn plan(self, model: &Model, profile: &'static Profile, cluster: &Cluster) -> Result<TrainingPlan, FieldError> {
        let Checked { settings, .. } = self;
        let shape = &model.architecture;
        if !shape.further.kept.is_empty() {
            self.refuse_for_special_layers(shape)?;
        }
        let (tensor, pipeline) = (settings.tensor, settings.pipeline);
        let sequence_parallel = settings.sequence_parallel.unwrap_or(true) && tensor > 1;
        check_division(&settings, model, cluster, sequence_parallel)?;
        let virtual_stages = self.chunks(shape.layers, cluster)?;

        let data_parallel = cluster.gpus / (tensor * pipeline * settings.context);
        let rank_batch = data_parallel * settings.micro_batch;
        let global_batch = settings.global_batch.unwrap_or(rank_batch);
        let (rule, micro_batches) =
            micro_batch_rule(settings.schedule, pipeline).unwrap_or((DivisionRule::GlobalBatchByMicroBatch, [1, 1]));
        let steps = micro_batches.map(|count| count * rank_batch);
        division::multiple("training.global_batch", global_batch, rule, steps).map_err(|refused| {
            match settings.global_batch {
                Some(_) => refused,
                None => FieldError::new("training.global_batch", Problem::Needed { rule, other: steps[0] }),
            }
        })?;
        let accumulation = global_batch / rank_batch;

        let ranks = data_parallel * settings.context;
        let in_pipeline = profile.sharding_in_pipeline.filter(|_| pipeline > 1);
        let by_profile = if ranks > 1 { in_pipeline.unwrap_or(profile.sharding) } else { profile.sharding_alone };
        let sharding = settings.sharding.unwrap_or(by_profile);
        let over = [tensor, settings.expert * settings.expert_tensor];
        let group_at_most = settings.shard_group.is_none().then_some(cluster.gpus_per_node);
        let shard_group = settings.shard_group.unwrap_or_else(|| shard_group(cluster.gpus_per_node, ranks, over));
        if sharding == Sharding::Hsdp {
            let divides = |group| shares_out(group, ranks, over);
            division::divides("training.shard_group", shard_group, DivisionRule::ShardGroup, ranks, divides)?;
        }

        let recipe = self.recipe(profile);
        let adapter = self.adapter.map(|(given, settings)| adapter(given, settings, shape)).transpose()?;
        let kernels = settings.kernels.unwrap_or(profile.kernels);
        check_optimizer_step(settings.optimizer_step, settings.optimizer)?;
        let zeropp = zero_plus(self.zeropp, sharding)?;
        let recompute_layers = self.recompute_layers(shape.layers)?;
        check_offload(settings.offload, sharding)?;
        check_update_in_backward(settings.optimizer_in_backward, accumulation)?;
        let fused = settings.gradient_accumulation_fusion;
        let derived = DerivedTraining {
            sharding,
            global_batch,
            recompute_layers,
            kernels,
            loss: settings.loss.unwrap_or(profile.loss),
            gradient_accumulation_fusion: fused.unwrap_or(kernels == Kernels::TransformerEngine),
            compute: recipe.compute,
            sequence_parallel,
            virtual_stages,
            shard_group,
            reshard_after_forward: settings
                .reshard_after_forward
                .unwrap_or(profile.reshards_in_pipeline || pipeline == 1),
            tensor_overlap: settings.tensor_overlap.unwrap_or_else(|| efficiency::tensor_hidden(&cluster.gpu)),
        };
        let padding = settings.vocab_multiple * tensor;
        Ok(TrainingPlan {
            settings: settings.settle(derived),
            recipe,
            data_parallel,
            accumulation,
            group_at_most,
            zeropp,
            in_node: (cluster.gpus_per_node / tensor).max(1) as f64,
            layers_per_stage: self.layers_per_stage,
            vocabulary: shape.vocabulary.div_ceil(padding) * padding,
            expert_load: self.expert_load,
            // Only the model itself is adapted.
            prediction_layers: if adapter.is_some() { 0 } else { shape.prediction_layers },
            adapter,
        })
    }

    /// Refuses what is not counted for layers of a special kind: adapters in them, results of theirs that recomputation
    /// by operator keeps, and a state that passes from one part of a sequence to the next.
    fn refuse_for_special_layers(&self, shape: &Architecture) -> Result<(), FieldError> {
        let refuse =
            |field, what: &str| Err(division::not_yet(field, [what, " with layers of several kinds"].concat()));
        if self.adapter.is_some() {
            return refuse("training.adapter", "adapters");
        }
        if self.settings.recompute == Recompute::SelectiveOps {
            return refuse("training.recompute", "\"selective_ops\"");
        }
        if self.settings.context > 1 && shape.linear.is_some() {
            return refuse("training.context", "context parallelism");
        }
        Ok(())
    }

    /// Bytes a parameter: the recipe that was given or the framework's, with the formats and the optimiser that were.
    fn recipe(&self, profile: &'static Profile) -> Recipe {
        let mut recipe = match self.recipe {
            Some(RecipeBytes::Custom(bytes)) => Recipe::new(bytes, 0.0, ComputeFormat::Bf16),
            Some(RecipeBytes::Named(name)) => Recipe::named(name, profile),
            None => Recipe::named(profile.recipe, profile),
        };
        if let Some(compute) = self.settings.compute {
            recipe.compute = compute;
        }
        if let Some(format) = self.settings.reduce_dtype {
            recipe.reduce = match format {
                ReduceFormat::Bf16 | ReduceFormat::Fp16 => 2.0,
                ReduceFormat::Fp32 => 4.0,
            };
        }
        recipe.with_optimizer(self.settings.optimizer)
    }

    /// How many layers of each stage are recomputed: no more than the largest has.
    fn recompute_layers(&self, layers: u64) -> Result<u64, FieldError> {
        let recompute = self.settings.recompute;
        let layers = self.layers_per_stage.iter().copied().max().unwrap_or(layers / self.settings.pipeline);
        const FIELD: &str = "training.recompute_layers";
        match self.settings.recompute_layers {
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

    /// How many chunks of layers each stage holds, if the stages share the layers out.
    fn chunks(&self, layers: u64, cluster: &Cluster) -> Result<u64, FieldError> {
        let CheckedTraining { schedule, pipeline, tensor, context, virtual_stages, .. } = self.settings;
        let given = &self.layers_per_stage;
        let (least, most) = match schedule {
            // A stage may lack a layer for a chunk, as the first and the last often do, but not all of them may.
            Schedule::Interleaved => (2, given.iter().copied().max().unwrap_or(layers).max(2)),
            // A V is two chunks.
            Schedule::Zbv => (2, 2),
            _ => (1, 1),
        };
        let chunks = virtual_stages.unwrap_or(if schedule == Schedule::Zbv { 2 } else { 1 });
        if !(least..=most).contains(&chunks) {
            let problem = if virtual_stages.is_none() {
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
        let works = |stages: u64| cut(stages) && cluster.gpus.is_multiple_of(tensor * context * stages);
        if schedule == Schedule::DualPipe && !pipeline.is_multiple_of(2) {
            division::divides("training.pipeline", pipeline, DivisionRule::EvenStages, 2, works)?;
        }
        if !given_for_each {
            if !divides(pipeline) {
                division::divides("training.pipeline", pipeline, DivisionRule::LayersByStages, layers, works)?;
            }
            if schedule == Schedule::Zbv {
                division::divides("training.pipeline", pipeline, DivisionRule::LayersByChunks, layers, works)?;
            } else {
                let works = |chunks: u64| chunks >= least && divides(chunks * pipeline);
                division::divides("training.virtual_stages", chunks, DivisionRule::LayersByChunks, layers, works)?;
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
}

/// Tokens of the most loaded rank's experts over the mean. Padding to a capacity makes all ranks equal, so there is
/// nothing left to be uneven; and a rank that has all experts computes with all its tokens, however they are routed.
fn expert_load(settings: &CheckedTraining) -> Result<f64, FieldError> {
    let imbalance = settings.expert_imbalance;
    let Some(capacity) = settings.expert_capacity else {
        return Ok(if settings.expert > 1 { imbalance } else { 1.0 });
    };
    if imbalance > 1.0 {
        let given = trimmed(imbalance, 6);
        return Err(FieldError::contradiction("training.expert_imbalance", given, Contradiction::EvenByCapacity));
    }
    Ok(capacity)
}

fn recipe_bytes(choice: &RecipeChoice) -> Result<RecipeBytes, FieldError> {
    let custom = match choice {
        RecipeChoice::Named(name) => return Ok(RecipeBytes::Named(*name)),
        RecipeChoice::Custom(custom) => custom,
    };
    let bytes = |field, given: Option<Number>| range::required(field, given, 0.0, 64.0);
    Ok(RecipeBytes::Custom([
        bytes("training.recipe.weights", custom.weights)?,
        bytes("training.recipe.gradients", custom.gradients)?,
        bytes("training.recipe.master", custom.master)?,
        bytes("training.recipe.momentum", custom.momentum)?,
        bytes("training.recipe.variance", custom.variance)?,
    ]))
}

/// Parameters can lie in host memory only where each layer's are gathered when it needs them.
fn check_offload(offload: Offload, sharding: Sharding) -> Result<(), FieldError> {
    if offload == Offload::OptimizerAndParameters && sharding != Sharding::Zero3 {
        return Err(FieldError::contradiction(
            "training.offload",
            division::quoted(offload.name()),
            Contradiction::NotGathered,
        ));
    }
    Ok(())
}

/// The parts of ZeRO++ take from, and add to, what ZeRO-3 gathers and scatters.
fn zero_plus(parts: &[ZeroPlusPlus], sharding: Sharding) -> Result<ZeroPlus, FieldError> {
    if let Some(part) = parts.first().filter(|_| sharding != Sharding::Zero3) {
        let with = Contradiction::ZeroPlusWithout;
        return Err(FieldError::contradiction("training.zeropp", division::quoted(part.name()), with));
    }
    Ok(ZeroPlus {
        quantized_weights: parts.contains(&ZeroPlusPlus::QuantizedWeights),
        quantized_gradients: parts.contains(&ZeroPlusPlus::QuantizedGradients),
        secondary_partition: parts.contains(&ZeroPlusPlus::SecondaryPartition),
    })
}

/// What a step holds beside the state is known of those optimisers whose code is public and plain; the others have one
/// kernel of their own, or work matrix by matrix.
fn check_optimizer_step(step: OptimizerStep, optimizer: Optimizer) -> Result<(), FieldError> {
    if step != OptimizerStep::Fused && optimizer.row().update.is_none() {
        let with = Contradiction::FusedAlone(optimizer.name());
        return Err(FieldError::contradiction("training.optimizer_step", division::quoted(step.name()), with));
    }
    Ok(())
}

/// A tensor that is updated at once has no gradient left to add the next micro-batch's to.
fn check_update_in_backward(asked: bool, accumulation: u64) -> Result<(), FieldError> {
    if asked && accumulation > 1 {
        let with = Contradiction::AddsUp(accumulation);
        return Err(FieldError::contradiction("training.optimizer_in_backward", "true", with));
    }
    Ok(())
}

/// The adapters, their targets looked up among the modules of this model.
fn adapter(
    given: &scenario::Adapter,
    settings: CheckedAdapter,
    shape: &Architecture,
) -> Result<AdapterPlan, FieldError> {
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
    let base = match (settings.kind, settings.double_quantization) {
        (AdapterKind::Qlora, None | Some(true)) => Base::Nf4DoubleQuantised,
        (AdapterKind::Qlora, Some(false)) => Base::Nf4,
        (AdapterKind::Lora, None) => Base::Plain,
        (AdapterKind::Lora, Some(_)) => {
            let with = Contradiction::BaseNotQuantised;
            return Err(FieldError::contradiction("training.adapter.double_quantization", "a choice", with));
        }
    };
    let targets = targets.within(present);
    let derived = DerivedAdapter { double_quantization: base == Base::Nf4DoubleQuantised };
    Ok(AdapterPlan { settings: settings.settle(derived), base, targets })
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
    settings: &CheckedTraining,
    model: &Model,
    cluster: &Cluster,
    sequence_parallel: bool,
) -> Result<(), FieldError> {
    let tensor = settings.tensor;
    let shape = &model.architecture;
    let linear = |ranks: u64| shape.linear.is_none_or(|linear| linear.splits(ranks));
    let splits_heads = |ranks: u64| shape.heads.is_multiple_of(ranks) && linear(ranks);
    let splits_groups = |ranks: u64| shape.kv_heads.is_multiple_of(ranks) || ranks.is_multiple_of(shape.kv_heads);
    let dense_width = if shape.dense_layers() > 0 { shape.mlp_width } else { 0 };
    let shared_width = shape.experts.map_or(0, |experts| experts.shared_width);
    let splits_mlp = |ranks: u64| dense_width.is_multiple_of(ranks) && shared_width.is_multiple_of(ranks);
    // Each rule names the values that satisfy all, so that following it does not run into the next.
    let placed = |ranks: u64| cluster.gpus.is_multiple_of(ranks * settings.pipeline * settings.context);
    let works = |ranks: u64| {
        placed(ranks) && splits_heads(ranks) && splits_groups(ranks) && (model.assumed_shape || splits_mlp(ranks))
    };
    if !splits_heads(tensor) {
        let of_linear = shape.linear.filter(|_| shape.heads.is_multiple_of(tensor));
        let heads = of_linear.map_or(shape.heads, |linear| linear.key_heads);
        division::divides("training.tensor", tensor, DivisionRule::HeadsByTensor, heads, works)?;
    }
    if !splits_groups(tensor) {
        division::divides("training.tensor", tensor, DivisionRule::KeyValueHeadsByTensor, shape.kv_heads, works)?;
    }
    // The MLP width of an assumed shape was made up to match a count; refusing a layout for it would refuse our guess.
    if !model.assumed_shape && !splits_mlp(tensor) {
        let width = if dense_width.is_multiple_of(tensor) { shared_width } else { dense_width };
        division::divides("training.tensor", tensor, DivisionRule::MlpWidthByTensor, width, works)?;
    }
    let context = settings.context;
    let ranks = tensor * settings.pipeline * context;
    division::multiple("cluster.gpus", cluster.gpus, DivisionRule::GpusByModelParallel, [ranks; 2])?;
    if context > 1 && settings.context_method == ContextMethod::Ulysses {
        division::divides("training.context", context, DivisionRule::HeadsByContext, shape.heads, |context| {
            splits_heads(tensor * context) && cluster.gpus.is_multiple_of(tensor * settings.pipeline * context)
        })?;
    }
    let parts = context * if sequence_parallel { tensor } else { 1 };
    let rule = if context > 1 { DivisionRule::SequenceByContext } else { DivisionRule::SequenceByTensor };
    division::multiple("training.sequence", settings.sequence, rule, [parts; 2])?;
    check_experts(settings, shape, cluster.gpus / settings.pipeline)
}

/// Experts are spread over ranks that are otherwise data- or tensor-parallel (Megatron-LM's parallel folding, arXiv
/// 2504.14960), each rank with as many.
fn check_experts(settings: &CheckedTraining, shape: &Architecture, gpus: u64) -> Result<(), FieldError> {
    let (expert, expert_tensor) = (settings.expert, settings.expert_tensor);
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
    division::divides(
        "training.expert_tensor",
        expert_tensor,
        DivisionRule::ExpertWidthByExpertTensor,
        experts.width,
        cuts,
    )?;
    if !spreads(expert) {
        division::divides("training.expert", expert, DivisionRule::ExpertsByExpert, experts.count, works)?;
    }
    division::divides("training.expert", expert, DivisionRule::RanksByExpert, gpus / expert_tensor, works)
}

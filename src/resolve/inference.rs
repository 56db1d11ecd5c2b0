//! The serving half of a scenario: formats, requests, and how the model is split.

use crate::engines::{Storage, engines_with, engines_with_cache, engines_with_weights, settings_of_some};
use crate::frameworks::overhead;
use crate::inference::cached;
use crate::model::Architecture;
use crate::names::{Engine, LatentCache, Name};
use crate::plan::{Cluster, InferencePlan, Model, Split, splits};
use crate::refusal::{Contradiction, DivisionRule, FieldError, Problem};
use crate::scenario::{CheckedInference, DerivedInference, Inference, Scenario, SettingId};
use crate::units::trimmed;

use super::division;

/// The serving half, each value within its own range.
#[derive(Clone, Copy, Debug)]
pub struct Checked(CheckedInference);

impl Checked {
    /// # Errors
    /// What the engine has no such thing for, and the first value out of its range.
    pub fn new(scenario: &Scenario) -> Result<Checked, FieldError> {
        let empty = Inference::default();
        let given = scenario.inference.as_ref().unwrap_or(&empty);
        check_engine(scenario, given)?;
        given.check().map(Checked)
    }

    /// The plan.
    ///
    /// # Errors
    /// A split that is impossible for the model and the machines, and values that leave no room for each other.
    pub fn plan(self, model: &Model, cluster: &Cluster) -> Result<InferencePlan, FieldError> {
        let Checked(settings) = self;
        let shape = &model.architecture;
        let traits = settings.engine.traits();
        let places_layers = traits.places_layers;
        let gpus = cluster.gpus;
        if let Some(stages) = settings.pipeline.filter(|stages| *stages > shape.layers) {
            // A layer is on one stage.
            let problem = Problem::Range { given: stages as f64, least: 1.0, most: shape.layers as f64, whole: true };
            return Err(FieldError::new("inference.pipeline", problem));
        }
        let Split { tensor, pipeline } =
            Split::of(places_layers, (settings.tensor, settings.pipeline), gpus, cluster.gpus_per_node, shape);
        let each = gpus / pipeline;
        let heads = DivisionRule::HeadsByTensor;
        division::divides("inference.tensor", tensor, heads, shape.heads, |ranks| splits(shape, ranks))
            .map_err(|error| if shape.heads.is_multiple_of(tensor) { by_groups(tensor, shape) } else { error })?;
        division::multiple("cluster.gpus", gpus, DivisionRule::GpusByModelParallel, [tensor * pipeline; 2])?;
        check_experts(settings.expert, tensor, each, shape)?;
        check_cache(&settings, shape)?;
        if settings.shared_prefix > settings.context {
            let (least, most) = (0.0, settings.context as f64);
            let problem = Problem::Range { given: settings.shared_prefix as f64, least, most, whole: true };
            return Err(FieldError::new("inference.shared_prefix", problem));
        }
        let most_sequences = || traits.sequences.map_or(settings.concurrency, |of| of(cluster.gpu.capacity.get()));
        let derived = DerivedInference {
            tensor,
            pipeline,
            prefill_chunk: settings.prefill_chunk.unwrap_or(traits.prefill_chunk),
            block: settings.block.unwrap_or(traits.block_with(settings.attention)),
            max_sequences: settings.max_sequences.unwrap_or_else(most_sequences),
        };
        Ok(InferencePlan {
            settings: settings.settle(derived),
            places_layers,
            replicas: gpus / (tensor * pipeline),
            library_bytes: if cluster.gpu.generation.has_workspaces_of_hopper() {
                overhead::LIBRARIES_HOPPER
            } else {
                overhead::LIBRARIES_AMPERE
            },
        })
    }
}

/// Refuses settings and formats that the engine does not have, unless they ask for nothing.
fn check_engine(scenario: &Scenario, given: &Inference) -> Result<(), FieldError> {
    let engine = given.engine.unwrap_or_default();
    let refused = |setting: SettingId, given: String, engines: Vec<Engine>| {
        let engines: Vec<&str> = engines.into_iter().map(Name::name).collect();
        FieldError::only(setting.path(), given, SettingId::Engine.path(), &engines)
    };
    for setting in settings_of_some().filter(|setting| !engine.has(*setting)) {
        let value = setting.given(scenario).filter(|value| !setting.asks_for_nothing(*value));
        if let Some(value) = value {
            return Err(refused(setting, value.to_string(), engines_with(setting)));
        }
    }
    if let Some(format) = given.weights.filter(|format| !engine.loads(*format)) {
        return Err(refused(SettingId::Weights, division::quoted(format.name()), engines_with_weights(format)));
    }
    if let Some(format) = given.kv.filter(|format| !engine.caches_in(*format)) {
        return Err(refused(SettingId::Cache, division::quoted(format.name()), engines_with_cache(format)));
    }
    // A prefix can be shared among blocks, or in a cache that all slots share.
    let own_slots = engine.traits().storage == Storage::Slots && given.kv_unified != Some(true);
    if let Some(shared) = given.shared_prefix.filter(|shared| shared.0 != 0.0 && own_slots) {
        let (given, with) = (trimmed(shared.0, 6), Contradiction::OwnSlots);
        return Err(FieldError::contradiction("inference.shared_prefix", given, with));
    }
    Ok(())
}

/// Experts lie whole on ranks: on some of the tensor ranks each, or on the ranks of several replicas.
fn check_experts(expert: u64, tensor: u64, ranks: u64, shape: &Architecture) -> Result<(), FieldError> {
    let experts = shape.experts.map_or(0, |experts| experts.count);
    division::divides("inference.expert", expert, DivisionRule::ExpertsByExpert, experts, |ranks| {
        if experts == 0 { ranks == 1 } else { experts.is_multiple_of(ranks) }
    })?;
    division::divides("inference.expert", expert, DivisionRule::ServingRanksByExpert, ranks, |expert| {
        let fits_tensor = tensor.is_multiple_of(expert) || expert.is_multiple_of(tensor);
        ranks.is_multiple_of(expert) && fits_tensor && (experts == 0 || experts.is_multiple_of(expert))
    })
}

/// A cache format's blocks must fill a head, and only latent attention has something to expand.
fn check_cache(settings: &CheckedInference, shape: &Architecture) -> Result<(), FieldError> {
    if settings.mla == LatentCache::Expanded && shape.latent.is_none() {
        return Err(FieldError::contradiction("inference.mla", "\"expanded\"", Contradiction::NoLatents));
    }
    let format = settings.kv;
    let block = cached(format).block;
    let widths =
        [Some(shape.head_dim), shape.full_heads.map(|full| full.head_dim), shape.latent.map(|l| l.rank + l.rope)];
    let latent = shape.latent.is_some() && settings.mla != LatentCache::Expanded;
    let mut widths = widths.into_iter().skip(if latent { 2 } else { 0 }).flatten();
    match widths.find(|width| !width.is_multiple_of(block)) {
        Some(width) => Err(FieldError::contradiction(
            "inference.kv",
            division::quoted(format.name()),
            Contradiction::BlocksOfHead(block, width),
        )),
        None => Ok(()),
    }
}

/// The same refusal, told by the key-value heads where it is they that do not divide.
fn by_groups(tensor: u64, shape: &Architecture) -> FieldError {
    let rule = DivisionRule::KeyValueHeadsByTensor;
    division::divides("inference.tensor", tensor, rule, shape.kv_heads, |ranks| splits(shape, ranks))
        .expect_err("the caller saw that it does not divide")
}

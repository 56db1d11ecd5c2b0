//! The serving half of a scenario: formats, requests, and how the model is split.

use crate::decimal::trimmed;
use crate::defaults;
use crate::frameworks::overhead;
use crate::inference::{
    EngineTraits, OF_ENGINES, cached, default_block, engines_with_cache, engines_with_weights, vllm_sequences,
};
use crate::model::Architecture;
use crate::names::{Attention, CacheFormat, Engine, LatentCache, Name, WeightFormat};
use crate::plan::{Cluster, InferencePlan, Model, Split, splits};
use crate::refusal::{Contradiction, DivisionRule, FieldError, Problem};
use crate::scenario::{self, MOST_GPUS, MOST_TOKENS, Number};

use super::range::{self, optional_real, optional_whole, whole};

/// The numbers of the serving half, each within its own range.
#[derive(Clone, Copy, Debug)]
pub struct Ranges {
    context: u64,
    concurrency: u64,
    shared_prefix: u64,
    block: Option<u64>,
    prefill_chunk: u64,
    tensor: Option<u64>,
    pipeline: Option<u64>,
    expert: u64,
    memory_fraction: Option<f64>,
    kv_cache_bytes: Option<f64>,
    max_sequences: Option<u64>,
    logits_rows: Option<u64>,
    draft_tokens: u64,
    mfu_ceiling: Option<f64>,
}

impl Ranges {
    pub fn check(given: Option<&scenario::Inference>) -> Result<Ranges, FieldError> {
        let empty = scenario::Inference::default();
        let given = given.unwrap_or(&empty);
        check_engine(given)?;
        let chunk = given.prefill_chunk;
        Ok(Ranges {
            context: whole("inference.context", given.context, defaults::CONTEXT, 1, MOST_TOKENS)?,
            concurrency: whole("inference.concurrency", given.concurrency, defaults::CONCURRENCY, 1, 1 << 20)?,
            shared_prefix: whole("inference.shared_prefix", given.shared_prefix, 0, 0, MOST_TOKENS)?,
            block: optional_whole("inference.block", given.block, 1, 1 << 12)?,
            prefill_chunk: whole("inference.prefill_chunk", chunk, defaults::PREFILL_CHUNK, 1, MOST_TOKENS)?,
            tensor: optional_whole("inference.tensor", given.tensor, 1, MOST_GPUS)?,
            pipeline: optional_whole("inference.pipeline", given.pipeline, 1, MOST_GPUS)?,
            expert: whole("inference.expert", given.expert, 1, 1, MOST_GPUS)?,
            memory_fraction: optional_real("inference.memory_fraction", given.memory_fraction, 0.001, 1.0)?,
            kv_cache_bytes: optional_real("inference.kv_cache_bytes", given.kv_cache_bytes, 1.0, 1e18)?,
            max_sequences: optional_whole("inference.max_sequences", given.max_sequences, 1, 1 << 20)?,
            logits_rows: optional_whole("inference.logits_rows", given.logits_rows, 1, MOST_TOKENS)?,
            draft_tokens: whole("inference.draft_tokens", given.draft_tokens, 0, 0, 1 << 10)?,
            mfu_ceiling: optional_real("inference.mfu_ceiling", given.mfu_ceiling, 0.001, 1.0)?,
        })
    }
}

/// Refuses what the engine has no such thing for, unless it asks for nothing.
fn check_engine(given: &scenario::Inference) -> Result<(), FieldError> {
    let engine = given.engine.unwrap_or(Engine::Textbook);
    let number = |number: Option<Number>, nothing: f64| {
        number.filter(|number| number.0 != nothing).map(|number| trimmed(number.0, 6))
    };
    let switch = |switch: Option<bool>| switch.filter(|on| *on).map(|on| on.to_string());
    let any = f64::NAN;
    // In the order of the table.
    let values = [
        number(given.memory_fraction, any),
        switch(given.cuda_graphs),
        number(given.max_sequences, any),
        number(given.kv_cache_bytes, any),
        number(given.block, any),
        switch(given.data_parallel_attention),
        number(given.expert, 1.0),
        number(given.prefill_chunk, any),
        number(given.shared_prefix, 0.0),
        switch(given.kv_unified),
        switch(given.swa_full),
        number(given.logits_rows, any),
    ];
    let quoted = |name: &str| format!("\"{name}\"");
    let formats = [
        given.weights.map(|format| ("inference.weights", engines_with_weights(format), quoted(format.name()))),
        given.kv.map(|format| ("inference.kv", engines_with_cache(format), quoted(format.name()))),
    ];
    let fields = OF_ENGINES.iter().zip(values);
    let fields = fields.filter_map(|((field, engines), value)| Some((*field, *engines, value?)));
    for (field, engines, given) in fields.chain(formats.into_iter().flatten()) {
        if !engines.contains(&engine) {
            let engines: Vec<&str> = engines.iter().map(|engine| engine.name()).collect();
            return Err(FieldError::new(field, Problem::Engine { given, engines: engines.join(", ") }));
        }
    }
    let shared = number(given.shared_prefix, 0.0).filter(|_| engine == Engine::LlamaCpp);
    if let Some(given) = shared.filter(|_| given.kv_unified != Some(true)) {
        return Err(FieldError::contradiction("inference.shared_prefix", given, Contradiction::OwnSlots));
    }
    Ok(())
}

pub fn plan(
    ranges: &Ranges,
    given: Option<&scenario::Inference>,
    model: &Model,
    cluster: &Cluster,
) -> Result<InferencePlan, FieldError> {
    let empty = scenario::Inference::default();
    let given = given.unwrap_or(&empty);
    let shape = &model.architecture;
    let engine = given.engine.unwrap_or(Engine::Textbook);
    let places_layers = EngineTraits::of(engine).places_layers;
    let gpus = cluster.gpus;
    // A layer is on one stage.
    whole("inference.pipeline", given.pipeline, 1, 1, shape.layers)?;
    let Split { tensor, pipeline } =
        Split::of(places_layers, (ranges.tensor, ranges.pipeline), gpus, cluster.gpus_per_node, shape);
    let each = gpus / pipeline;
    range::divides("inference.tensor", tensor, DivisionRule::HeadsByTensor, shape.heads, |ranks| splits(shape, ranks))
        .map_err(|error| if shape.heads.is_multiple_of(tensor) { by_groups(tensor, shape) } else { error })?;
    range::multiple("cluster.gpus", gpus, DivisionRule::GpusByModelParallel, [tensor * pipeline; 2])?;
    check_experts(ranges.expert, tensor, each, shape)?;
    check_cache(given, shape)?;
    if ranges.shared_prefix > ranges.context {
        let (least, most) = (0.0, ranges.context as f64);
        let problem = Problem::Range { given: ranges.shared_prefix as f64, least, most, whole: true };
        return Err(FieldError::new("inference.shared_prefix", problem));
    }
    let attention = given.attention.unwrap_or(Attention::Flash);
    let capacity = cluster.gpu.capacity.get();
    Ok(InferencePlan {
        engine,
        weights: given.weights.unwrap_or(WeightFormat::Bf16),
        cache: given.kv.unwrap_or(CacheFormat::Bf16),
        context: ranges.context,
        concurrency: ranges.concurrency,
        shared_prefix: ranges.shared_prefix,
        block: ranges.block.unwrap_or(default_block(engine, attention)),
        prefill_chunk: ranges.prefill_chunk,
        tensor,
        pipeline,
        expert: ranges.expert,
        places_layers,
        data_parallel_attention: given.data_parallel_attention.unwrap_or(false),
        replicas: gpus / (tensor * pipeline),
        memory_fraction: ranges.memory_fraction,
        cuda_graphs: given.cuda_graphs.unwrap_or(true),
        kv_cache_bytes: ranges.kv_cache_bytes,
        max_sequences: ranges.max_sequences.unwrap_or_else(|| vllm_sequences(capacity)),
        kv_unified: given.kv_unified.unwrap_or(false),
        swa_full: given.swa_full.unwrap_or(false),
        logits_rows: ranges.logits_rows,
        draft_tokens: ranges.draft_tokens,
        mla: given.mla.unwrap_or(LatentCache::Latent),
        attention,
        library_bytes: if cluster.gpu.generation.is_hopper_or_newer() {
            overhead::LIBRARIES_HOPPER
        } else {
            overhead::LIBRARIES_AMPERE
        },
        mfu_ceiling: ranges.mfu_ceiling,
    })
}

/// Experts lie whole on ranks: on some of the tensor ranks each, or on the ranks of several replicas.
fn check_experts(expert: u64, tensor: u64, ranks: u64, shape: &Architecture) -> Result<(), FieldError> {
    let experts = shape.experts.map_or(0, |experts| experts.count);
    range::divides("inference.expert", expert, DivisionRule::ExpertsByExpert, experts, |ranks| {
        if experts == 0 { ranks == 1 } else { experts.is_multiple_of(ranks) }
    })?;
    range::divides("inference.expert", expert, DivisionRule::ServingRanksByExpert, ranks, |expert| {
        let fits_tensor = tensor.is_multiple_of(expert) || expert.is_multiple_of(tensor);
        ranks.is_multiple_of(expert) && fits_tensor && (experts == 0 || experts.is_multiple_of(expert))
    })
}

/// A cache format's blocks must fill a head, and only latent attention has something to expand.
fn check_cache(given: &scenario::Inference, shape: &Architecture) -> Result<(), FieldError> {
    if given.mla == Some(LatentCache::Expanded) && shape.latent.is_none() {
        return Err(FieldError::contradiction("inference.mla", "\"expanded\"", Contradiction::NoLatents));
    }
    let Some(format) = given.kv else { return Ok(()) };
    let block = cached(format).block;
    let widths =
        [Some(shape.head_dim), shape.full_heads.map(|full| full.head_dim), shape.latent.map(|l| l.rank + l.rope)];
    let latent = shape.latent.is_some() && given.mla != Some(LatentCache::Expanded);
    let mut widths = widths.into_iter().skip(if latent { 2 } else { 0 }).flatten();
    match widths.find(|width| !width.is_multiple_of(block)) {
        Some(width) => Err(FieldError::contradiction(
            "inference.kv",
            range::quoted(format.name()),
            Contradiction::BlocksOfHead(block, width),
        )),
        None => Ok(()),
    }
}

/// The same refusal, told by the key-value heads where it is they that do not divide.
fn by_groups(tensor: u64, shape: &Architecture) -> FieldError {
    let rule = DivisionRule::KeyValueHeadsByTensor;
    range::divides("inference.tensor", tensor, rule, shape.kv_heads, |ranks| splits(shape, ranks))
        .expect_err("the caller saw that it does not divide")
}

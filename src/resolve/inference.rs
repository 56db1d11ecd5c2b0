//! The serving half of a scenario: formats, requests, and how the model is split.

use crate::decimal::trimmed;
use crate::defaults;
use crate::inference::{EngineTraits, cached, default_block, vllm_sequences};
use crate::model::Architecture;
use crate::profile;
use crate::scenario::{
    self, Attention, CacheFormat, Contradiction, DivisionRule, Engine, FieldError, LatentCache, Name, Number, Problem,
    WeightFormat,
};

use super::range::{self, MOST_GPUS, MOST_TOKENS, optional_real, optional_whole, whole};
use super::{Cluster, Model};

/// A deployment with everything settled.
#[derive(Clone, Debug, PartialEq)]
pub struct InferencePlan {
    /// The engine.
    pub engine: Engine,
    /// Format of the weights.
    pub weights: WeightFormat,
    /// Format of the key-value cache.
    pub cache: CacheFormat,
    /// Tokens a request holds.
    pub context: u64,
    /// Requests at once, over all replicas.
    pub concurrency: u64,
    /// Tokens shared by all requests.
    pub shared_prefix: u64,
    /// Tokens in a block of the cache.
    pub block: u64,
    /// Tokens in one forward pass at most.
    pub prefill_chunk: u64,
    /// Tensor-parallel ranks of one replica.
    pub tensor: u64,
    /// Pipeline stages of one replica.
    pub pipeline: u64,
    /// Ranks over which routed experts are spread.
    pub expert: u64,
    /// Whether attention and its cache are split by request over the tensor ranks.
    pub data_parallel_attention: bool,
    /// Copies of the model.
    pub replicas: u64,
    /// The engine's budget, of what the engine takes it of; none: its own default, which may depend on the split.
    pub memory_fraction: Option<f64>,
    /// Whether graphs are captured.
    pub cuda_graphs: bool,
    /// Bytes a GPU gives the cache, instead of the engine's budget.
    pub kv_cache_bytes: Option<f64>,
    /// Most sequences in a batch.
    pub max_sequences: u64,
    /// Whether all slots of llama.cpp share one cache.
    pub kv_unified: bool,
    /// Whether its windowed layers are kept at full length.
    pub swa_full: bool,
    /// Rows of logits that it reserves; none: one a request.
    pub logits_rows: Option<u64>,
    /// Tokens drafted in a step.
    pub draft_tokens: u64,
    /// What latent attention caches.
    pub mla: LatentCache,
    /// Whether attention scores are materialised.
    pub attention: Attention,
    /// Bytes that matrix libraries take in PyTorch's allocator.
    pub library_bytes: f64,
    /// Share of the dense peak that the model's matrix work reaches.
    pub mfu_ceiling: Option<f64>,
}

impl InferencePlan {
    /// Bytes of one element of a live tensor: fp32 weights are computed with in fp32, all others in 16 bits.
    #[must_use]
    pub fn element_bytes(&self) -> f64 {
        if self.weights == WeightFormat::Fp32 { 4.0 } else { 2.0 }
    }

    /// Requests on the fullest replica.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.concurrency.div_ceil(self.replicas)
    }

    /// Requests in one pass: a pipeline's stages work on as many parts of the batch at a time, each on one request at the
    /// least; where layers are only placed, all requests pass them together.
    #[must_use]
    pub fn batch(&self) -> f64 {
        let requests = self.requests() as f64;
        if EngineTraits::of(self.engine).places_layers { requests } else { (requests / self.pipeline as f64).max(1.0) }
    }

    /// Share of the layers that the fullest stage has.
    #[must_use]
    pub fn layer_share(&self, shape: &Architecture) -> f64 {
        shape.layers.div_ceil(self.pipeline) as f64 / shape.layers as f64
    }

    /// The same deployment on a single GPU.
    #[must_use]
    pub fn unsplit(&self) -> InferencePlan {
        let one = InferencePlan { tensor: 1, pipeline: 1, expert: 1, replicas: 1, ..self.clone() };
        InferencePlan { data_parallel_attention: false, ..one }
    }
}

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

/// Fields that only some engines have, in the order in which they are looked at; formats of the cache stand apart.
const OF_ENGINES: [(&str, &[Engine]); 12] = {
    use Engine::{LlamaCpp, Sglang, TensorRtLlm, Textbook, Vllm};
    const PAGED: &[Engine] = &[Textbook, Vllm, Sglang, TensorRtLlm];
    const CHUNKED: &[Engine] = &[Textbook, Vllm, Sglang, TensorRtLlm, LlamaCpp];
    const BUDGETED: &[Engine] = &[Vllm, Sglang, TensorRtLlm];
    [
        ("inference.memory_fraction", BUDGETED),
        ("inference.cuda_graphs", &[Vllm, Sglang]),
        ("inference.max_sequences", &[Vllm]),
        ("inference.kv_cache_bytes", PAGED),
        ("inference.block", PAGED),
        ("inference.data_parallel_attention", PAGED),
        ("inference.expert", PAGED),
        ("inference.prefill_chunk", CHUNKED),
        ("inference.shared_prefix", CHUNKED),
        ("inference.kv_unified", &[LlamaCpp]),
        ("inference.swa_full", &[LlamaCpp]),
        ("inference.logits_rows", &[LlamaCpp]),
    ]
};

/// The engines that have a field, by its path; all of them where nothing is said of it.
#[must_use]
pub fn engines_with(field: &str) -> &'static [Engine] {
    OF_ENGINES.iter().find(|(name, _)| *name == field).map_or(Engine::ALL, |(_, engines)| engines)
}

/// The engines that have a format of the cache: blocks are ggml's, one scale a tensor or a head is everybody else's.
#[must_use]
pub fn engines_with_cache(format: CacheFormat) -> &'static [Engine] {
    use Engine::{LlamaCpp, Sglang, TensorRtLlm, Textbook, Transformers, Vllm};
    match format {
        CacheFormat::Bf16 | CacheFormat::Fp16 => Engine::ALL,
        CacheFormat::Fp8 | CacheFormat::Int8 | CacheFormat::Int4 => {
            &[Textbook, Vllm, Sglang, TensorRtLlm, Transformers]
        }
        _ => &[Textbook, LlamaCpp],
    }
}

/// The engines that load a format of the weights and keep it: llama.cpp reads GGUF files, which have the plain formats and
/// the micro-scaled ones beside ggml's own; vLLM and SGLang read those too; Transformers turns them into plain numbers when
/// it loads them, and only TensorRT-LLM has no NF4 (the engines' pages on quantisation).
#[must_use]
pub fn engines_with_weights(format: WeightFormat) -> &'static [Engine] {
    use Engine::{LlamaCpp, Sglang, TensorRtLlm, Textbook, Transformers, Vllm};
    use WeightFormat::{Bf16, Fp8, Fp8Block, Fp16, Fp32, GptqG32, GptqG128, Int4G128, Int8, Mxfp4, Nf4, Nf4Dq, Nvfp4};
    match format {
        Fp32 | Bf16 | Fp16 | Mxfp4 | Nvfp4 => Engine::ALL,
        Fp8 | Fp8Block | Int8 | Int4G128 | GptqG128 | GptqG32 => &[Textbook, Vllm, Sglang, TensorRtLlm, Transformers],
        Nf4 | Nf4Dq => &[Textbook, Vllm, Sglang, Transformers],
        _ => &[Textbook, Vllm, Sglang, LlamaCpp],
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
    let gpus = cluster.gpus;
    // A layer is on one stage.
    whole("inference.pipeline", given.pipeline, 1, 1, shape.layers)?;
    let Split { tensor, pipeline } =
        Split::of(engine, (ranges.tensor, ranges.pipeline), gpus, cluster.gpus_per_node, shape);
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
            profile::LIBRARIES_HOPPER
        } else {
            profile::LIBRARIES_AMPERE
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

/// Whether `ranks` tensor ranks can hold the heads: query heads divided, key-value heads divided or copied.
pub fn splits(shape: &Architecture, ranks: u64) -> bool {
    let groups = |heads: u64, kv_heads: u64| {
        heads.is_multiple_of(ranks) && (kv_heads.is_multiple_of(ranks) || ranks.is_multiple_of(kv_heads))
    };
    groups(shape.heads, shape.kv_heads)
        && shape.full_heads.is_none_or(|full| groups(full.heads, full.kv_heads))
        && shape.linear.is_none_or(|linear| linear.splits(ranks))
}

/// The same refusal, told by the key-value heads where it is they that do not divide.
fn by_groups(tensor: u64, shape: &Architecture) -> FieldError {
    let rule = DivisionRule::KeyValueHeadsByTensor;
    range::divides("inference.tensor", tensor, rule, shape.kv_heads, |ranks| splits(shape, ranks))
        .expect_err("the caller saw that it does not divide")
}

/// How the GPUs of one replica share the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// Tensor-parallel ranks.
    pub tensor: u64,
    /// Pipeline stages.
    pub pipeline: u64,
}

impl Split {
    /// What was given of it (tensor ranks, stages), and what an engine does by itself where it was not: tensor ranks, or
    /// layers placed on as many GPUs of a node as there are.
    #[must_use]
    pub fn of(
        engine: Engine,
        (tensor, pipeline): (Option<u64>, Option<u64>),
        gpus: u64,
        gpus_per_node: u64,
        shape: &Architecture,
    ) -> Split {
        if EngineTraits::of(engine).places_layers {
            let stages = || largest_divisor(gpus, gpus_per_node.min(shape.layers), |_| true);
            let pipeline = pipeline.unwrap_or_else(|| if tensor.is_some() { 1 } else { stages() });
            return Split { tensor: tensor.unwrap_or(1), pipeline };
        }
        let pipeline = pipeline.unwrap_or(1);
        let ranks = || largest_divisor(gpus / pipeline, gpus_per_node, |ranks| splits(shape, ranks));
        Split { tensor: tensor.unwrap_or_else(ranks), pipeline }
    }

    /// GPUs of one replica.
    #[must_use]
    pub fn gpus(self) -> u64 {
        self.tensor * self.pipeline
    }
}

/// The largest divisor of `number` up to `most` that will do; 1 where none does.
fn largest_divisor(number: u64, most: u64, does: impl Fn(u64) -> bool) -> u64 {
    (1..=number.min(most)).rev().find(|ranks| number.is_multiple_of(*ranks) && does(*ranks)).unwrap_or(1)
}

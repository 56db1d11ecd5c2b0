//! The serving half of a scenario: formats, requests, and how the model is split.

use crate::defaults;
use crate::model::Architecture;
use crate::scenario::{self, Attention, CacheFormat, DivisionRule, Engine, FieldError, LatentCache, WeightFormat};
use crate::time::efficiency;

use super::range::{self, MOST_GPUS, MOST_TOKENS, real, whole};
use super::{Cluster, Model};

/// A deployment with everything settled.
#[derive(Clone, Debug, PartialEq)]
pub struct InferencePlan {
    /// Format of the weights.
    pub weights: WeightFormat,
    /// Format of the key-value cache.
    pub cache: CacheFormat,
    /// Tokens a request holds.
    pub context: u64,
    /// Requests at once, over all replicas.
    pub concurrency: u64,
    /// Tokens in a block of the cache.
    pub block: u64,
    /// Tokens in one forward pass at most.
    pub prefill_chunk: u64,
    /// Tensor-parallel ranks of one replica.
    pub tensor: u64,
    /// Copies of the model.
    pub replicas: u64,
    /// Whether attention scores are materialised.
    pub attention: Attention,
    /// Share of the dense peak that the model's matrix work reaches.
    pub mfu_ceiling: f64,
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
}

/// The numbers of the serving half, each within its own range.
#[derive(Clone, Copy, Debug)]
pub struct Ranges {
    context: u64,
    concurrency: u64,
    block: u64,
    prefill_chunk: u64,
    tensor: Option<u64>,
    mfu_ceiling: Option<f64>,
}

impl Ranges {
    pub fn check(given: Option<&scenario::Inference>) -> Result<Ranges, FieldError> {
        let empty = scenario::Inference::default();
        let given = given.unwrap_or(&empty);
        refuse_what_is_not_accounted_for(given)?;
        Ok(Ranges {
            context: whole("inference.context", given.context, defaults::CONTEXT, 1, MOST_TOKENS)?,
            concurrency: whole("inference.concurrency", given.concurrency, defaults::CONCURRENCY, 1, 1 << 20)?,
            block: whole("inference.block", given.block, defaults::BLOCK, 1, 1 << 12)?,
            prefill_chunk: whole(
                "inference.prefill_chunk",
                given.prefill_chunk,
                defaults::PREFILL_CHUNK,
                1,
                MOST_TOKENS,
            )?,
            tensor: given.tensor.map(|number| whole("inference.tensor", Some(number), 1, 1, MOST_GPUS)).transpose()?,
            mfu_ceiling: given
                .mfu_ceiling
                .map(|number| real("inference.mfu_ceiling", Some(number), 0.0, 0.001, 1.0))
                .transpose()?,
        })
    }
}

/// Weight formats whose bytes are accounted for.
pub const WEIGHT_FORMATS: [WeightFormat; 9] = [
    WeightFormat::Fp32,
    WeightFormat::Bf16,
    WeightFormat::Fp16,
    WeightFormat::Fp8,
    WeightFormat::Fp8Block,
    WeightFormat::Int8,
    WeightFormat::Int4G128,
    WeightFormat::Nf4,
    WeightFormat::Nf4Dq,
];

/// Cache formats whose bytes are accounted for.
pub const CACHE_FORMATS: [CacheFormat; 4] = [CacheFormat::Bf16, CacheFormat::Fp16, CacheFormat::Fp8, CacheFormat::Int8];

/// Fields of the schema whose effect is not accounted for yet, refused unless they ask for nothing.
fn refuse_what_is_not_accounted_for(given: &scenario::Inference) -> Result<(), FieldError> {
    use range::{not_yet_at_all, not_yet_name, not_yet_number, not_yet_switch};
    not_yet_name("inference.weights", given.weights, &WEIGHT_FORMATS)?;
    not_yet_name("inference.kv", given.kv, &CACHE_FORMATS)?;
    not_yet_number("inference.shared_prefix", given.shared_prefix, 0.0)?;
    not_yet_number("inference.pipeline", given.pipeline, 1.0)?;
    not_yet_number("inference.expert", given.expert, 1.0)?;
    not_yet_switch("inference.data_parallel_attention", given.data_parallel_attention, false)?;
    not_yet_name("inference.engine", given.engine, &[Engine::Textbook])?;
    not_yet_at_all("inference.memory_fraction", given.memory_fraction.as_ref(), "an engine's budget")?;
    not_yet_at_all("inference.cuda_graphs", given.cuda_graphs.as_ref(), "CUDA graphs")?;
    not_yet_at_all("inference.kv_cache_bytes", given.kv_cache_bytes.as_ref(), "an engine's budget")?;
    not_yet_at_all("inference.max_sequences", given.max_sequences.as_ref(), "an engine's limit")?;
    not_yet_switch("inference.kv_unified", given.kv_unified, false)?;
    not_yet_switch("inference.swa_full", given.swa_full, false)?;
    not_yet_at_all("inference.logits_rows", given.logits_rows.as_ref(), "rows of logits")?;
    not_yet_number("inference.draft_tokens", given.draft_tokens, 0.0)?;
    not_yet_name("inference.mla", given.mla, &[LatentCache::Latent])
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
    let tensor = ranges.tensor.unwrap_or_else(|| default_tensor(cluster.gpus, cluster.gpus_per_node, shape));
    range::divides("inference.tensor", tensor, DivisionRule::HeadsByTensor, shape.heads, |ranks| splits(shape, ranks))
        .map_err(|error| if shape.heads.is_multiple_of(tensor) { by_groups(tensor, shape) } else { error })?;
    range::divides("cluster.gpus", cluster.gpus, DivisionRule::GpusByModelParallel, tensor, |gpus| {
        gpus.is_multiple_of(tensor)
    })?;
    Ok(InferencePlan {
        weights: given.weights.unwrap_or(WeightFormat::Bf16),
        cache: given.kv.unwrap_or(CacheFormat::Bf16),
        context: ranges.context,
        concurrency: ranges.concurrency,
        block: ranges.block,
        prefill_chunk: ranges.prefill_chunk,
        tensor,
        replicas: cluster.gpus / tensor,
        attention: given.attention.unwrap_or(Attention::Flash),
        mfu_ceiling: ranges.mfu_ceiling.unwrap_or_else(|| efficiency::mfu_ceiling(&cluster.gpu)),
    })
}

/// Whether `ranks` tensor ranks can hold the heads: query heads divided, key-value heads divided or copied.
pub fn splits(shape: &Architecture, ranks: u64) -> bool {
    shape.heads.is_multiple_of(ranks) && (shape.kv_heads.is_multiple_of(ranks) || ranks.is_multiple_of(shape.kv_heads))
}

/// The same refusal, told by the key-value heads where it is they that do not divide.
fn by_groups(tensor: u64, shape: &Architecture) -> FieldError {
    let rule = DivisionRule::KeyValueHeadsByTensor;
    range::divides("inference.tensor", tensor, rule, shape.kv_heads, |ranks| splits(shape, ranks))
        .expect_err("the caller saw that it does not divide")
}

/// The largest divisor of `gpus` that stays inside a node and divides the heads.
pub fn default_tensor(gpus: u64, gpus_per_node: u64, shape: &Architecture) -> u64 {
    (1..=gpus.min(gpus_per_node)).rev().find(|ranks| gpus.is_multiple_of(*ranks) && splits(shape, *ranks)).unwrap_or(1)
}

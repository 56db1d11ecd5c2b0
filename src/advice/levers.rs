//! Single changes to how something is served, each tried: which one buys most.

use crate::inference::{footprint, maximum_concurrency};
use crate::names::{CacheFormat, Engine, LatentCache, WeightFormat};
use crate::resolve::resolve;
use crate::scenario::{Number, Scenario};
use crate::units::Bytes;

/// One change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lever {
    /// The weights in a smaller format.
    Weights(WeightFormat),
    /// The cache in a smaller format.
    Cache(CacheFormat),
    /// Another split of the same GPUs: so many tensor ranks a replica.
    Tensor(u64),
    /// At most so many sequences in a batch.
    Sequences(u64),
    /// A larger share of the memory for the engine.
    Fraction(f64),
    /// Attention and its cache split by request.
    ByRequest,
    /// The narrow rows of latent attention cached, and not what is made of them.
    Latent,
    /// Windowed layers cached no further than their window.
    Windows,
}

impl Lever {
    /// `scenario` with the change made.
    #[must_use]
    pub fn applied(self, scenario: &Scenario) -> Scenario {
        let mut changed = scenario.clone();
        let half = changed.inference_mut();
        match self {
            Lever::Weights(format) => half.weights = Some(format),
            Lever::Cache(format) => half.kv = Some(format),
            Lever::Tensor(ranks) => half.tensor = Some(Number(ranks as f64)),
            Lever::Sequences(count) => half.max_sequences = Some(Number(count as f64)),
            Lever::Fraction(fraction) => half.memory_fraction = Some(Number(fraction)),
            Lever::ByRequest => half.data_parallel_attention = Some(true),
            Lever::Latent => half.mla = Some(LatentCache::Latent),
            Lever::Windows => half.swa_full = None,
        }
        changed
    }
}

/// A change and what it buys.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// The change.
    pub lever: Lever,
    /// The scenario with it.
    pub scenario: Scenario,
    /// Most requests before and after, over all replicas.
    pub requests: [f64; 2],
    /// Bytes that a GPU would have to offer less.
    pub saved: Bytes,
}

/// Every change that lets more requests in, or brings the question nearer to fitting; what buys most comes first.
#[must_use]
pub fn levers(scenario: &Scenario) -> Vec<Tried> {
    let Some((most, needed)) = tried(scenario) else { return Vec::new() };
    let better = |lever: Lever| {
        let changed = lever.applied(scenario);
        if changed == *scenario {
            return None;
        }
        let (more, less) = tried(&changed)?;
        let saved = needed - less;
        let buys = more > most || (most == 0.0 && saved > Bytes::ZERO);
        buys.then_some(Tried { lever, scenario: changed, requests: [most, more], saved })
    };
    let mut found: Vec<Tried> = candidates(scenario).into_iter().filter_map(better).collect();
    // By requests, and by bytes where not one fits yet; stable, so that of equals the gentler one stays in front.
    found.sort_by(|a, b| b.requests[1].total_cmp(&a.requests[1]).then(b.saved.get().total_cmp(&a.saved.get())));
    found
}

/// What can be tried, the gentler of two first: those that leave every number as it is, then those that round.
fn candidates(scenario: &Scenario) -> Vec<Lever> {
    let half = scenario.inference.as_ref();
    let engine = half.and_then(|half| half.engine).unwrap_or(Engine::Textbook);
    let gpus = scenario.cluster.as_ref().and_then(|cluster| cluster.gpus).map_or(1.0, |gpus| gpus.0);
    let mut levers = vec![Lever::Latent, Lever::Windows, Lever::ByRequest];
    levers.extend((0..=3).map(|power| 1 << power).filter(|ranks| *ranks as f64 <= gpus).map(Lever::Tensor));
    match engine {
        Engine::Vllm => levers.extend([Lever::Fraction(0.95), Lever::Sequences(256)]),
        Engine::TensorRtLlm => levers.push(Lever::Fraction(0.95)),
        _ => {}
    }
    let (weights, cache) = if engine == Engine::LlamaCpp {
        ([WeightFormat::GgufQ8_0, WeightFormat::GgufQ4KM], CacheFormat::Q8_0)
    } else {
        ([WeightFormat::Fp8, WeightFormat::Int4G128], CacheFormat::Fp8)
    };
    levers.push(Lever::Cache(cache));
    levers.extend(weights.map(Lever::Weights));
    levers
}

/// Most requests, and what a GPU would have to offer; nothing where the scenario is refused.
fn tried(scenario: &Scenario) -> Option<(f64, Bytes)> {
    let resolved = resolve(scenario).ok()?;
    let plan = resolved.inference.as_ref().ok()?;
    let footprint = footprint(&resolved.model, plan);
    let needed = footprint.needed(&resolved.cluster, plan.context as f64, plan.requests() as f64);
    Some((maximum_concurrency(&footprint, plan, &resolved.cluster), needed))
}

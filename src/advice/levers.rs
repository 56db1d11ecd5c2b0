//! Single changes to how something is served, each tried: which one buys most.

use crate::estimate::Asked;
use crate::inference::{footprint, maximum_concurrency};
use crate::names::LatentCache;
use crate::plan::Deployment;
use crate::scenario::{Change, Cluster, Inference, Number, Scenario};
use crate::units::Bytes;

use super::trials::{Tried, tried};

/// A change and what it buys.
#[derive(Clone, Debug, PartialEq)]
pub struct Lever {
    /// The change.
    pub change: Change,
    /// The scenario with it.
    pub scenario: Scenario,
    /// Most requests before and after, over all replicas.
    pub requests: [f64; 2],
    /// Bytes that a GPU would have to offer less.
    pub saved: Bytes,
}

/// Every change that lets more requests in, or brings the question nearer to fitting; what buys most comes first.
#[must_use]
pub fn levers(asked: &Asked) -> Vec<Lever> {
    let Some((most, needed)) = room(asked) else { return Vec::new() };
    let candidates = candidates(asked.scenario());
    let mut found: Vec<Lever> = candidates
        .into_iter()
        .filter_map(|change| {
            let Tried { scenario, then: (more, less), .. } = tried(asked, [change.clone().into()], room).next()?;
            let saved = needed - less;
            let buys = more > most || (most == 0.0 && saved > Bytes::ZERO);
            buys.then_some(Lever { change, scenario, requests: [most, more], saved })
        })
        .collect();
    // By requests, and by bytes where not one fits yet; stable, so that of equals the gentler one stays in front.
    found.sort_by(|a, b| b.requests[1].total_cmp(&a.requests[1]).then(b.saved.get().total_cmp(&a.saved.get())));
    found
}

/// What can be tried, the gentler of two first: those that leave every number as it is, then those that round.
fn candidates(scenario: &Scenario) -> Vec<Change> {
    let engine = Inference::engine.given(scenario).copied().unwrap_or_default();
    let gpus = Cluster::gpus.given(scenario).map_or(1.0, |gpus| gpus.0);
    let mut levers = vec![
        // The narrow rows of latent attention cached, and not what is made of them.
        Inference::mla.to(LatentCache::Latent),
        // Windowed layers cached no further than their window.
        Inference::swa_full.unset(),
        // Attention and its cache split by request.
        Inference::data_parallel_attention.to(true),
    ];
    levers.extend(
        (0..=3)
            .map(|power| 1 << power)
            .filter(|ranks| *ranks as f64 <= gpus)
            .map(|ranks| Inference::tensor.count(ranks)),
    );
    let of_engine = &engine.offers().levers;
    levers.extend(of_engine.fraction.map(|share| Inference::memory_fraction.to(Number(share))));
    levers.extend(of_engine.sequences.map(|count| Inference::max_sequences.count(count)));
    levers.push(Inference::kv.to(of_engine.cache));
    levers.extend(of_engine.rounded.iter().map(|format| Inference::weights.to(*format)));
    levers
}

/// Most requests, and what a GPU would have to offer; nothing where nothing can be served.
fn room(asked: &Asked) -> Option<(f64, Bytes)> {
    let Deployment { model, plan, cluster } = asked.resolved().deployment()?;
    let footprint = footprint(model, plan);
    let needed = footprint.needed(cluster, plan.context as f64, plan.requests() as f64);
    Some((maximum_concurrency(&footprint, plan, cluster), needed))
}

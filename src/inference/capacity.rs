//! How much more would fit: the longest context, the most requests, the fewest GPUs.
//!
//! Each answer is found by trying, so that what is stated fits and one step more does not.

use crate::plan::{Cluster, Deployment, InferencePlan, Split, splits};
use crate::root_finding::{Axis, edge};
use crate::scenario::{MOST_GPUS, MOST_TOKENS, SettledInference};
use crate::units::Bytes;

use super::memory::{Footprint, footprint};

/// The largest of `1..=most` that needs no more than `limit`, where more never need less; 0 where even one needs more.
fn largest(most: u64, limit: Bytes, needed: impl Fn(u64) -> Bytes) -> u64 {
    let (with_one, with_most) = (needed(1), needed(most));
    if with_one > limit {
        return 0;
    }
    if with_most <= limit {
        return most;
    }
    edge((1, with_one), (most, with_most), limit, Axis::Number, needed)
}

/// The longest context, in whole blocks of tokens, at the plan's number of requests. Slots that share one cache fill up
/// blocks together, so there each token counts.
#[must_use]
pub fn maximum_context(footprint: &Footprint, plan: &InferencePlan, cluster: &Cluster) -> u64 {
    let requests = plan.requests() as f64;
    let step = if plan.kv_unified { 1 } else { plan.block };
    let steps = largest(MOST_TOKENS / step, cluster.usable(), |steps| {
        footprint.needed(cluster, (steps * step) as f64, requests)
    });
    steps * step
}

/// The most requests of the plan's context, over all replicas. Some engines state it as a fraction: the pool over one
/// request, and of a pool that was given whether or not the GPU has room for it.
#[must_use]
pub fn maximum_concurrency(footprint: &Footprint, plan: &InferencePlan, cluster: &Cluster) -> f64 {
    let by_pool = plan.engine.traits().fractional_requests && plan.shared_prefix == 0 && !plan.data_parallel_attention;
    let whole = || requests_of_a_replica(footprint, plan, cluster);
    if !by_pool || plan.kv_cache_bytes.is_none() && whole() == 0 {
        return (whole() * plan.replicas) as f64;
    }
    let context = plan.context as f64;
    let one = footprint.cache.bytes(context, 1.0).get();
    let pool = footprint.pool(cluster, context, 1.0);
    // Only whole blocks are handed out.
    let page = footprint.cache.page();
    (pool / page).floor() * page / one * plan.replicas as f64
}

/// More requests than this on one replica are not looked for.
const MOST_REQUESTS: u64 = 1 << 24;

fn requests_of_a_replica(footprint: &Footprint, plan: &InferencePlan, cluster: &Cluster) -> u64 {
    let context = plan.context as f64;
    largest(MOST_REQUESTS, cluster.usable(), |requests| footprint.needed(cluster, context, requests as f64))
}

/// The fewest GPUs that serve the plan's requests with replicas inside a node; `None` where no number does. `given` says
/// which of tensor ranks and stages stay as they are.
#[must_use]
pub fn minimum_gpus(deployment: Deployment, given: (bool, bool)) -> Option<u64> {
    let Deployment { model, plan, cluster } = deployment;
    let shape = &model.architecture;
    let node = cluster.gpus_per_node;
    let with = |split: Split, replicas: u64| InferencePlan {
        settings: SettledInference { tensor: split.tensor, pipeline: split.pipeline, ..plan.settings },
        replicas,
        ..plan.clone()
    };
    // As many replicas as hold all experts together.
    let set = |tensor: u64| (plan.expert / tensor).max(1);
    let works = |tensor: u64| {
        splits(shape, tensor) && (tensor.is_multiple_of(plan.expert) || plan.expert.is_multiple_of(tensor))
    };
    // For each way to split a replica, as many replicas as the requests need.
    let gpus_for = |split: Split| {
        let plan = with(split, 1);
        let each = requests_of_a_replica(&footprint(model, &plan), &plan, cluster);
        let replicas = (each > 0).then(|| plan.concurrency.div_ceil(each).next_multiple_of(set(split.tensor)))?;
        Some(replicas * split.gpus()).filter(|gpus| *gpus <= MOST_GPUS)
    };
    let now = Split { tensor: plan.tensor, pipeline: plan.pipeline };
    let (tensor_given, pipeline_given) = given;
    let places_layers = plan.places_layers;
    if tensor_given || places_layers && pipeline_given {
        return gpus_for(now);
    }
    let settled = (None, pipeline_given.then_some(plan.pipeline));
    // The split that a number of GPUs gets by default may be another than the one it was found with.
    let fits_by_default = |gpus: &u64| {
        let split = Split::of(places_layers, settled, *gpus, node, shape);
        let replicas = gpus / split.gpus();
        let plan = with(split, replicas);
        works(split.tensor)
            && replicas.is_multiple_of(set(split.tensor))
            && footprint(model, &plan).needed(cluster, plan.context as f64, plan.requests() as f64) <= cluster.usable()
    };
    let ways: Vec<Split> = if places_layers {
        (1..=node.min(shape.layers)).map(|pipeline| Split { tensor: 1, pipeline }).collect()
    } else {
        (1..=node).filter(|ranks| works(*ranks)).map(|tensor| Split { tensor, ..now }).collect()
    };
    let mut fewest: Option<u64> = None;
    for split in ways {
        // A replica takes at least that many GPUs.
        if fewest.is_some_and(|gpus| gpus <= split.gpus()) {
            break;
        }
        let found = gpus_for(split).filter(fits_by_default);
        fewest = fewest.into_iter().chain(found).min();
    }
    fewest
}

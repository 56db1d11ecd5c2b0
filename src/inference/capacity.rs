//! How much more would fit: the longest context, the most requests, the fewest GPUs.
//!
//! Each answer is found by trying, so that what is stated fits and one step more does not.

use crate::resolve::{Cluster, InferencePlan, MOST_GPUS, MOST_TOKENS, Model, default_tensor, splits};
use crate::search::{Axis, edge};
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

/// The longest context, in whole blocks of tokens, at the plan's number of requests.
#[must_use]
pub fn maximum_context(footprint: &Footprint, plan: &InferencePlan, cluster: &Cluster) -> u64 {
    let requests = plan.requests() as f64;
    let blocks = largest(MOST_TOKENS / plan.block, cluster.usable(), |blocks| {
        footprint.bytes((blocks * plan.block) as f64, requests)
    });
    blocks * plan.block
}

/// The most requests of the plan's context, over all replicas.
#[must_use]
pub fn maximum_concurrency(footprint: &Footprint, plan: &InferencePlan, cluster: &Cluster) -> u64 {
    requests_of_a_replica(footprint, plan.context, cluster) * plan.replicas
}

/// More requests than this on one replica are not looked for.
const MOST_REQUESTS: u64 = 1 << 24;

fn requests_of_a_replica(footprint: &Footprint, context: u64, cluster: &Cluster) -> u64 {
    largest(MOST_REQUESTS, cluster.usable(), |requests| footprint.bytes(context as f64, requests as f64))
}

/// The fewest GPUs that serve the plan's requests with replicas inside a node; `None` where no number does.
#[must_use]
pub fn minimum_gpus(model: &Model, plan: &InferencePlan, cluster: &Cluster, tensor_given: bool) -> Option<u64> {
    let shape = &model.architecture;
    let with = |tensor: u64, replicas: u64| InferencePlan { tensor, replicas, ..plan.clone() };
    // For each way to split a replica, as many replicas as the requests need.
    let gpus_for = |tensor: u64| {
        let plan = with(tensor, 1);
        let each = requests_of_a_replica(&footprint(model, &plan), plan.context, cluster);
        (each > 0).then(|| plan.concurrency.div_ceil(each) * tensor).filter(|gpus| *gpus <= MOST_GPUS)
    };
    if tensor_given {
        return gpus_for(plan.tensor);
    }
    // The split that a number of GPUs gets by default may be another than the one it was found with.
    let fits_by_default = |gpus: &u64| {
        let tensor = default_tensor(*gpus, cluster.gpus_per_node, shape);
        let plan = with(tensor, gpus / tensor);
        cluster.fits(footprint(model, &plan).bytes(plan.context as f64, plan.requests() as f64))
    };
    let mut fewest: Option<u64> = None;
    for tensor in (1..=cluster.gpus_per_node).filter(|ranks| splits(shape, *ranks)) {
        // A replica of `tensor` ranks takes at least that many GPUs.
        if fewest.is_some_and(|gpus| gpus <= tensor) {
            break;
        }
        let found = gpus_for(tensor).filter(fits_by_default);
        fewest = fewest.into_iter().chain(found).min();
    }
    fewest
}

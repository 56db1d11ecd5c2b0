//! Which collectives a served model performs in one pass.

use crate::model::Architecture;
use crate::resolve::{Cluster, InferencePlan};
use crate::units::{Bytes, Seconds};

use super::collective::{self, Ranks};
use super::{Collective, Group, Pass, Payload, Traffic};

/// What one GPU sends for the prompt of one request, chunk by chunk, and in a decode step of one token a request: two
/// all-reduces a layer and one behind the embedding (Shoeybi et al. 2019, arXiv 1909.08053, section 3).
#[must_use]
pub fn serving(shape: &Architecture, plan: &InferencePlan, cluster: &Cluster) -> Vec<Traffic> {
    let ranks = Ranks { size: plan.tensor, stride: 1 };
    if ranks.size == 1 {
        return Vec::new();
    }
    let chunks = plan.context.div_ceil(plan.prefill_chunk) as f64;
    let a_pass = 2.0 * shape.layers as f64 + 1.0;
    [(Pass::Prefill, chunks, plan.context as f64 / chunks), (Pass::Decode, 1.0, plan.requests() as f64)]
        .map(|(pass, passes, tokens)| {
            let calls = passes * a_pass;
            let buffer = plan.element_bytes() * tokens * shape.hidden as f64;
            let wire = buffer * collective::wire_factor(Collective::AllReduce, ranks.size);
            let (once, link) = collective::time(cluster, ranks, wire);
            let seconds = Seconds(once.0 * calls);
            Traffic {
                pass: Some(pass),
                collective: Collective::AllReduce,
                payload: Payload::Activations,
                group: Group::Tensor,
                size: ranks.size,
                link,
                calls,
                bytes: Bytes::whole(wire * calls),
                seconds,
                exposed_seconds: seconds,
            }
        })
        .to_vec()
}

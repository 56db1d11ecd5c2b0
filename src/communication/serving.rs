//! Which collectives a served model performs in one pass.

use crate::answer::{Collective, Group, Pass, Payload, Traffic};
use crate::names::Engine;
use crate::plan::Deployment;
use crate::units::{Bytes, Seconds};

use super::collective::{self, Call, Library, Ranks};

/// What one GPU sends for the prompt of one request, chunk by chunk, and in a decode step of one token a request.
///
/// Two all-reduces a layer and one behind the embedding (Shoeybi et al. 2019, arXiv 1909.08053, section 3); with
/// attention split by requests each becomes a gather and a scatter of the same size; experts on several ranks take their
/// tokens to them and back (DeepSeek-V3, arXiv 2412.19437, section 3.2); each stage of a pipeline hands on its result.
#[must_use]
pub fn serving(deployment: Deployment) -> Vec<Traffic> {
    let Deployment { model, plan, cluster } = deployment;
    let shape = &model.architecture;
    let mut lines = Vec::new();
    let chunks = plan.context.div_ceil(plan.prefill_chunk) as f64;
    let share = plan.layer_share(shape);
    let stages = plan.pipeline as f64;
    let chosen = shape.experts.map_or(1.0, |experts| experts.per_token as f64);
    let passes = [(Pass::Prefill, chunks, plan.context as f64 / chunks), (Pass::Decode, 1.0, plan.batch())];
    for (pass, passes, tokens) in passes {
        let buffer = plan.element_bytes() * tokens * shape.hidden as f64;
        let mut add = |collective, payload, group, ranks: Ranks, calls: f64, size: f64| {
            let call =
                Call { collective, ranks, buffer: size, library: library(plan.engine, collective, pass, chosen) };
            let (once, link) = collective::time(cluster, &call);
            let wire = call.wire();
            // The next product waits for every one of them, on every stage that a token passes.
            let waited = if group == Group::Pipeline { 1.0 } else { stages };
            lines.push(Traffic {
                pass: Some(pass),
                collective,
                payload,
                group,
                size: ranks.size,
                link,
                calls: calls * passes,
                bytes: Bytes::whole(wire * calls * passes),
                seconds: Seconds(once.0 * calls * passes),
                exposed_seconds: Seconds(once.0 * calls * passes * waited),
            });
        };
        let [layers, without_attention, without_mlp] =
            [shape.layers, shape.without_attention, shape.without_mlp].map(|layers| layers as f64 * share);
        let tensor = Ranks { size: plan.tensor, stride: 1 };
        let experts = shape.expert_layers() as f64 * share;
        let spread = if plan.expert > 1 { experts } else { 0.0 };
        if tensor.size > 1 {
            if plan.data_parallel_attention {
                for collective in [Collective::AllGather, Collective::ReduceScatter] {
                    let calls = layers - without_mlp - spread + 1.0;
                    add(collective, Payload::Activations, Group::Tensor, tensor, calls, buffer);
                }
            } else {
                let calls = 2.0 * layers - without_attention - without_mlp - spread + 1.0;
                add(Collective::AllReduce, Payload::Activations, Group::Tensor, tensor, calls, buffer);
            }
        }
        if let (true, Some(routed)) = (spread > 0.0, shape.experts) {
            // There and back; the ranks of a replica share its tokens.
            let ranks = Ranks { size: plan.expert, stride: 1 };
            let size = buffer * routed.per_token as f64 / plan.tensor as f64;
            add(Collective::AllToAll, Payload::Tokens, Group::Expert, ranks, 2.0 * spread, size);
        }
        if plan.pipeline > 1 {
            let ranks = Ranks { size: plan.pipeline, stride: plan.tensor };
            add(Collective::SendRecv, Payload::Activations, Group::Pipeline, ranks, stages - 1.0, buffer);
        }
    }
    lines
}

/// What an engine runs a collective with, where a token is sent to `experts` experts.
fn library(engine: Engine, collective: Collective, pass: Pass, chosen: f64) -> Library {
    let times = engine.times();
    match (collective, pass) {
        (Collective::AllReduce, _) => times.small_all_reduces.map_or(Library::Nccl, Library::Small),
        (Collective::AllToAll, Pass::Decode) if times.low_latency_experts => Library::LowLatency,
        (Collective::AllToAll, _) => Library::Experts(chosen),
        _ => Library::Nccl,
    }
}

//! The time of a pass of serving: its products at the achievable rate, or its bytes at the achievable bandwidth,
//! whichever takes longer.

use crate::answer::{Pass, Traffic};
use crate::inference::{self, Footprint};
use crate::names::{Attention, ComputeFormat, WeightFormat};
use crate::plan::{Deployment, Model};
use crate::units::Seconds;

use super::flops::{self, Seen};
use crate::frameworks::reached;

/// The two passes of serving, on one replica.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServingTime {
    /// Over the prompt of one request.
    pub prefill: Seconds,
    /// One token for every request.
    pub decode: Seconds,
}

/// Williams et al. 2009, Roofline; FLOPs a token: 2 a multiplied parameter and 4·q·s of attention a layer. Decode reads
/// the weights its tokens meet and the whole cache; with s requests, uniform routing meets E·(1 − (1 − k/E)^s) experts.
#[must_use]
pub fn serving(deployment: Deployment, footprint: &Footprint, traffic: &[Traffic]) -> ServingTime {
    let Deployment { model, plan, cluster } = deployment;
    let shape = &model.architecture;
    let ranks = plan.tensor as f64;
    let context = plan.context as f64;
    let format = compute_format(plan.weights);
    let peak = cluster.gpu.peak.rate(format) * ranks;
    // Serving kernels are tuned like those of Megatron.
    let reached = reached::MEGATRON.on(cluster.gpu.generation);
    let width = shape.hidden as f64 / ranks;
    let products = peak * plan.mfu_ceiling.unwrap_or_else(|| reached.of_products(format, width));
    let attention = plan
        .mfu_ceiling
        .map_or(cluster.gpu.peak.rate(ComputeFormat::Bf16) * ranks * reached.attention, |ceiling| peak * ceiling);
    let bandwidth = cluster.gpu.bandwidth * cluster.memory_efficiency;
    let head = shape.vocabulary as f64 * shape.hidden as f64;
    let multiplied = flops::multiplied_parameters(model, shape.vocabulary);
    let seen = if plan.attention == Attention::Flash { Seen::Causal } else { Seen::All };

    // Of what a layer takes beside its work in training, forward has a third. Decode replays captured graphs, where
    // the engine says nothing else.
    let chunks = plan.context.div_ceil(plan.prefill_chunk) as f64;
    let of_layers = if plan.mfu_ceiling.is_some() { 0.0 } else { reached.layer_seconds(false) * shape.layers as f64 };
    let launches = chunks * of_layers / 3.0;
    // Only the last token of a prompt needs logits.
    let prefill_seconds = (context * 2.0 * (multiplied - head) + 2.0 * head) / products
        + context * flops::attention_forward(shape, context, seen) / attention
        + launches;
    // A token passes all stages, which between them read what one GPU would that had all of them, and the cache of the
    // requests that pass with it.
    let joined = plan.with(|settings| settings.pipeline = 1);
    let joined = (plan.pipeline > 1).then(|| inference::footprint(model, &joined));
    let passed = joined.as_ref().unwrap_or(footprint);
    let all_weights = passed.weight_bytes().get();
    let prefill = prefill_seconds.max(all_weights / bandwidth);
    let batch = plan.batch();
    let cache = passed.cache.read(context, batch);
    let met_by = |batch: f64| {
        shape.experts.map_or(1.0, |experts| {
            let (count, chosen) = (experts.count as f64, experts.per_token as f64);
            let expert_share = expert_parameters(model) / model.parameters;
            1.0 - expert_share * (1.0 - chosen / count).powf(batch)
        })
    };
    let met = met_by(batch);
    let times = plan.engine.times();
    // Weights are unpacked once a step, however many tokens are multiplied with them.
    let unpacked = multiplied * met / met_by(1.0) * (times.unpacking)(plan.weights);
    let unpacking_seconds = unpacked / (cluster.gpu.peak.rate(ComputeFormat::Fp32) * ranks);
    let launches = times.layer_seconds * shape.layers as f64;
    let decode_seconds =
        batch * 2.0 * multiplied / products + batch * flops::attention_forward(shape, context, Seen::Last) / attention;
    let decode = decode_seconds.max((all_weights * met + cache) / bandwidth) + unpacking_seconds + launches;
    // The next product waits for every all-reduce, so none of it is hidden.
    let waiting = |pass: Pass| -> f64 {
        traffic.iter().filter(|line| line.pass == Some(pass)).map(|line| line.exposed_seconds.0).sum()
    };
    ServingTime { prefill: Seconds(prefill + waiting(Pass::Prefill)), decode: Seconds(decode + waiting(Pass::Decode)) }
}

fn expert_parameters(model: &Model) -> f64 {
    let shape = &model.architecture;
    shape.tensors(shape.vocabulary).filter(|group| group.role.is_expert()).map(|group| group.parameters() as f64).sum()
}

/// Formats with products of their own; the others are turned into 16 bits on the way to the product.
fn compute_format(weights: WeightFormat) -> ComputeFormat {
    match weights {
        WeightFormat::Fp32 => ComputeFormat::Fp32,
        WeightFormat::Fp16 => ComputeFormat::Fp16,
        WeightFormat::Fp8 | WeightFormat::Fp8Block => ComputeFormat::Fp8,
        WeightFormat::Nvfp4 => ComputeFormat::Nvfp4,
        _ => ComputeFormat::Bf16,
    }
}

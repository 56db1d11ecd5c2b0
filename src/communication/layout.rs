//! Which collectives a training layout performs in one optimiser step.

use crate::model::Architecture;
use crate::resolve::{Cluster, TrainingPlan};
use crate::scenario::{ContextMethod, Recompute, Schedule, Sharding};
use crate::training::{Parts, Stage};
use crate::units::{Bytes, Seconds};

use super::collective::{self, Ranks};
use super::{Collective, Group, Payload, Traffic};

/// Where in a step a collective can hide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Window {
    /// Nowhere: the next product needs its result.
    None,
    /// Behind forward of so many micro-batches.
    Forward(f64),
    /// Behind backward of so many micro-batches.
    Backward(f64),
    /// Behind the products of other micro-batches, but for so many calls while the pipeline fills and drains.
    Steady(f64),
}

/// A line of traffic and where it can hide.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// The line; its exposed seconds are settled once the computation is known.
    pub traffic: Traffic,
    /// Where it can hide.
    pub window: Window,
}

/// What one GPU of `stage` sends in an optimiser step; `parts` are those of the stage.
#[must_use]
pub fn training(
    shape: &Architecture,
    stage: &Stage,
    parts: &Parts,
    plan: &TrainingPlan,
    cluster: &Cluster,
) -> Vec<Planned> {
    let mut lines = Vec::with_capacity(8);
    data_parallel(&mut lines, stage, parts, plan, cluster);
    tensor_parallel(&mut lines, shape, stage, plan, cluster);
    context_parallel(&mut lines, shape, stage, plan, cluster);
    pipeline_parallel(&mut lines, shape, stage, plan, cluster);
    lines
}

/// Weights and gradients over the data-parallel ranks.
///
/// ZeRO, arXiv 1910.02054, section 7: an all-reduce of gradients, or the reduce-scatter and all-gather it consists of;
/// stage 2 scatters gradients after every micro-batch; stage 3 gathers weights for forward and again for backward.
fn data_parallel(lines: &mut Vec<Planned>, stage: &Stage, parts: &Parts, plan: &TrainingPlan, cluster: &Cluster) {
    let copies = plan.copies();
    let size = plan.data_ranks() / copies;
    let ranks = Ranks { size, stride: plan.tensor };
    let local = parts.local(plan.tensor as f64);
    let gradients = plan.recipe.reduce * local;
    // Stage 3 gathers what the products read; below it every rank holds, and gathers, what is stored.
    let whole = if plan.gathers_weights() { plan.recipe.compute_weights } else { plan.recipe.weights };
    let weights = whole * local;
    // Weights that stay whole are gathered once, and gradients that wait are scattered once.
    let micro_batches = if plan.gradients_wait() { 1.0 } else { plan.accumulation as f64 };
    let layers = stage.layers;
    let mut line = |collective, payload, group, ranks: Ranks, buffer: f64, times: f64, window| {
        if ranks.size == 1 {
            return;
        }
        // One call a layer: frameworks move weights and gradients layer by layer, or in buckets of about that size.
        let call = Call { collective, payload, group, ranks, buffer: buffer / layers };
        lines.push(call.planned(cluster, times * layers, window));
    };
    let reduce = (Collective::AllReduce, Payload::Gradients);
    let scatter = (Collective::ReduceScatter, Payload::Gradients);
    let gather = (Collective::AllGather, Payload::Weights);
    let data = Group::Data;
    match plan.sharding {
        Sharding::None => {
            line(reduce.0, reduce.1, data, ranks, gradients, 1.0, Window::Backward(1.0));
        }
        Sharding::Zero1 | Sharding::Zero2 => {
            let scatters = if plan.sharding == Sharding::Zero1 { 1.0 } else { micro_batches };
            line(scatter.0, scatter.1, data, ranks, gradients, scatters, Window::Backward(scatters));
            // The updated weights are gathered while the next step's first forward begins.
            line(gather.0, gather.1, data, ranks, weights, 1.0, Window::Forward(1.0));
        }
        Sharding::Zero3 | Sharding::Hsdp => {
            line(gather.0, gather.1, data, ranks, weights, micro_batches, Window::Forward(micro_batches));
            if plan.reshard {
                line(gather.0, gather.1, data, ranks, weights, micro_batches, Window::Backward(micro_batches));
            }
            line(scatter.0, scatter.1, data, ranks, gradients, micro_batches, Window::Backward(micro_batches));
        }
    }
    // Each shard of the gradients is summed over the copies, once a step (arXiv 2304.11277, section 3.2.2).
    let copies = Ranks { size: copies, stride: plan.tensor * size };
    line(reduce.0, reduce.1, Group::Replica, copies, gradients / size as f64, 1.0, Window::Backward(1.0));
}

/// Activations over the tensor-parallel ranks.
///
/// Two all-reduces a layer in forward and two in backward (Shoeybi et al. 2019, arXiv 1909.08053, section 3); with
/// sequence parallelism each becomes a reduce-scatter and an all-gather, and backward gathers the inputs that were
/// kept split once more (Korthikanti et al. 2022, arXiv 2205.05198, section 4.2.2). Full recomputation repeats the
/// forward ones. The embedding and the head add one each.
fn tensor_parallel(
    lines: &mut Vec<Planned>,
    shape: &Architecture,
    stage: &Stage,
    plan: &TrainingPlan,
    cluster: &Cluster,
) {
    let ranks = Ranks { size: plan.tensor, stride: 1 };
    if ranks.size == 1 {
        return;
    }
    let tokens = plan.micro_batch_tokens();
    let hidden = plan.element_bytes() * tokens * shape.hidden as f64;
    // Where two stages of the model share a GPU, half of the micro-batches meet each.
    let micro_batches = plan.accumulation as f64 / stage.copies;
    let forward_passes = if plan.recompute == Recompute::Full { 2.0 } else { 1.0 };
    let layer_pairs = 2.0 * (forward_passes + 1.0) * stage.layers;
    let [first, last] = [stage.first, stage.last].map(|here| if here { 1.0 } else { 0.0 });
    let mut line = |collective, payload, buffer, times| {
        let call = Call { collective, payload, group: Group::Tensor, ranks, buffer };
        lines.push(call.planned(cluster, times * micro_batches, Window::None));
    };
    if plan.sequence_parallel {
        let regathered = 2.0 * stage.layers;
        // Embedding: scattered in forward, gathered in backward. Head: gathered in forward and once more in backward
        // for its weight gradient, scattered in backward.
        line(Collective::AllGather, Payload::Activations, hidden, layer_pairs + regathered + first + 2.0 * last);
        line(Collective::ReduceScatter, Payload::Activations, hidden, layer_pairs + first + last);
    } else {
        line(Collective::AllReduce, Payload::Activations, hidden, layer_pairs + first + last);
    }
    if stage.last {
        // A vocabulary-parallel loss exchanges its maximum, its sum and the predicted logit: three fp32 numbers a token.
        line(Collective::AllReduce, Payload::Logits, 4.0 * tokens, 3.0);
    }
}

/// Keys and values, or heads, over the context ranks.
///
/// In a ring each rank passes its keys and values on once for every other rank, and in backward their gradients as well
/// (Liu et al. 2023, arXiv 2310.01889, section 3), behind the attention of the block before. Gathering them all takes
/// as many bytes and nothing hides them (Llama 3, arXiv 2407.21783, section 3.3.2). Ulysses exchanges queries, keys and
/// values for heads and the output back, in forward and in backward (arXiv 2309.14509, section 3).
fn context_parallel(
    lines: &mut Vec<Planned>,
    shape: &Architecture,
    stage: &Stage,
    plan: &TrainingPlan,
    cluster: &Cluster,
) {
    let ranks = Ranks { size: plan.context, stride: plan.tensor };
    if ranks.size == 1 {
        return;
    }
    let all = ranks.size as f64;
    let (query, key_value) = (shape.query_width() as f64, shape.kv_width() as f64);
    // Bytes of so many elements a token on one rank.
    let local = |width: f64| plan.element_bytes() * plan.micro_batch_tokens() * width / plan.tensor as f64;
    let keys_values = local(2.0 * key_value * shape.key_value_copies(plan.tensor));
    let micro_batches = plan.accumulation as f64 / stage.copies;
    let layers = stage.layers * micro_batches;
    let forward = layers * if plan.recompute == Recompute::Full { 2.0 } else { 1.0 };
    let mut line = |collective, payload, buffer, times, window| {
        let call = Call { collective, payload, group: Group::Context, ranks, buffer };
        lines.push(call.planned(cluster, times, window));
    };
    let scatter = Collective::ReduceScatter;
    match plan.context_method {
        ContextMethod::Ring => {
            let passed = (Collective::SendRecv, Payload::KeyValue, all - 1.0);
            line(passed.0, passed.1, keys_values, layers * passed.2, Window::Forward(micro_batches));
            let again = forward + layers;
            line(passed.0, passed.1, keys_values, again * passed.2, Window::Backward(micro_batches));
        }
        ContextMethod::AllGather => {
            line(Collective::AllGather, Payload::KeyValue, keys_values * all, forward + layers, Window::None);
            line(scatter, Payload::KeyValue, keys_values * all, layers, Window::None);
        }
        ContextMethod::Ulysses => {
            // Queries and output, keys and values: four exchanges.
            let copies = shape.key_value_copies(plan.tensor * plan.context);
            let mean = local(2.0 * query + 2.0 * key_value * copies) / 4.0;
            line(Collective::AllToAll, Payload::Activations, mean, 4.0 * (forward + layers), Window::None);
        }
    }
}

/// Activations and their gradients between neighbouring stages, and the gradient of a matrix that both ends hold.
///
/// Each chunk sends its output forward and its input's gradient backward, once a micro-batch (Narayanan et al. 2021,
/// arXiv 2104.04473, section 4.1); the first chunk of the model has nothing behind it and the last nothing ahead, and
/// where a V turns both chunks are on one GPU. While the pipeline fills and drains nothing hides a hop.
fn pipeline_parallel(
    lines: &mut Vec<Planned>,
    shape: &Architecture,
    stage: &Stage,
    plan: &TrainingPlan,
    cluster: &Cluster,
) {
    let stages = plan.pipeline;
    if stages == 1 {
        return;
    }
    // Neighbouring stages lie as far apart as all ranks of one stage are many.
    let ranks = Ranks { size: stages, stride: cluster.gpus / stages };
    let ends = stage.index == 0 || stage.index + 1 == stages;
    let sends = match plan.schedule {
        Schedule::Zbv => {
            if ends {
                2
            } else {
                4
            }
        }
        Schedule::Interleaved => 2 * plan.virtual_stages - u64::from(ends),
        _ => 2 - u64::from(ends),
    };
    let hidden = plan.element_bytes() * plan.micro_batch_tokens() * shape.hidden as f64;
    let buffer = hidden / plan.hidden_divisor() as f64;
    let group = Group::Pipeline;
    let call = Call { collective: Collective::SendRecv, payload: Payload::Activations, group, ranks, buffer };
    let window = Window::Steady(2.0 * (stages - 1) as f64);
    lines.push(call.planned(cluster, (sends * plan.accumulation) as f64, window));
    if shape.tied_embeddings && stage.first != stage.last {
        let buffer = plan.recipe.reduce * (plan.vocabulary * shape.hidden) as f64 / plan.tensor as f64;
        let ranks = Ranks { size: 2, stride: ranks.stride * (stages - 1) };
        let call = Call { collective: Collective::AllReduce, payload: Payload::Gradients, group, ranks, buffer };
        lines.push(call.planned(cluster, 1.0, Window::None));
    }
}

/// One call of a collective.
struct Call {
    collective: Collective,
    payload: Payload,
    group: Group,
    ranks: Ranks,
    /// Bytes of the whole buffer.
    buffer: f64,
}

impl Call {
    fn planned(&self, cluster: &Cluster, calls: f64, window: Window) -> Planned {
        let wire = self.buffer * collective::wire_factor(self.collective, self.ranks.size);
        // A message has two ends; the slowest crosses nodes where the group does.
        let crosses = self.ranks.nodes(cluster.gpus_per_node) > 1;
        let stride = if crosses { cluster.gpus_per_node } else { self.ranks.stride };
        let alone = self.collective == Collective::SendRecv;
        let ranks = if alone { Ranks { size: 2, stride } } else { self.ranks };
        let (once, link) = collective::time(cluster, ranks, wire);
        let traffic = Traffic {
            pass: None,
            collective: self.collective,
            payload: self.payload,
            group: self.group,
            size: self.ranks.size,
            link,
            calls,
            bytes: Bytes::whole(wire * calls),
            seconds: Seconds(once.0 * calls),
            exposed_seconds: Seconds::default(),
        };
        Planned { traffic, window }
    }
}

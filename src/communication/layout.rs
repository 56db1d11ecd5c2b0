//! Which collectives a training layout performs in one optimiser step.

use crate::answer::{Collective, Group, Payload, Traffic};
use crate::model::Architecture;
use crate::names::{ContextMethod, DispatchFormat, Recompute, Schedule, Sharding};
use crate::plan::{Cluster, TrainingJob, TrainingPlan};
use crate::training::{Parts, Stage};
use crate::units::{Bytes, Seconds};

use super::collective::{self, Call, Library, Ranks};

/// Share of the exchange of tokens with experts that other work hides where no schedule is made for it; fitted with the
/// table of [`crate::time::efficiency`].
const EXPERTS_HIDDEN: f64 = 0.6;

/// Where in a step a collective can hide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Window {
    /// Nowhere: the next product needs its result.
    None,
    /// Behind forward of this many micro-batches.
    Forward(f64),
    /// Behind backward of this many micro-batches.
    Backward(f64),
    /// Behind the products of other micro-batches, except for this many calls while the pipeline fills and drains.
    Steady(f64),
    /// So much of it behind the products of the same micro-batch.
    Share(f64),
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
pub fn training(job: TrainingJob, stage: &Stage, parts: &Parts) -> Vec<Planned> {
    let mut lines = between_data_ranks(job, stage, parts);
    lines.extend(within_a_copy(job, stage));
    lines
}

/// The lines of [`training`] that depend on how the data-parallel ranks share out.
#[must_use]
pub fn between_data_ranks(job: TrainingJob, stage: &Stage, parts: &Parts) -> Vec<Planned> {
    let mut lines = Vec::with_capacity(12);
    data_parallel(&mut lines, job, stage, parts);
    lines
}

/// The lines of [`training`] that do not.
#[must_use]
pub fn within_a_copy(job: TrainingJob, stage: &Stage) -> Vec<Planned> {
    let mut lines = Vec::with_capacity(8);
    tensor_parallel(&mut lines, job, stage);
    context_parallel(&mut lines, job, stage);
    expert_parallel(&mut lines, job, stage);
    pipeline_parallel(&mut lines, job, stage);
    lines
}

/// Weights and gradients over the data-parallel ranks.
///
/// ZeRO, arXiv 1910.02054, section 7: an all-reduce of gradients, or the reduce-scatter and all-gather it consists of;
/// stage 2 scatters gradients after every micro-batch; stage 3 gathers weights for forward and again for backward.
fn data_parallel(lines: &mut Vec<Planned>, job: TrainingJob, stage: &Stage, parts: &Parts) {
    let plan = job.plan;
    let (held, trained) = (&parts.weights, &parts.trained);
    let [[common_shards, expert_shards], ..] = plan.shards();
    let common = Ranks { size: plan.data_ranks(), stride: plan.tensor };
    one_group(lines, job, stage, common, common_shards, [held.common_local, trained.common_local]);
    // Ranks that hold the same experts are a group of their own; they lie that far apart.
    let stride = plan.expert * plan.expert_tensor;
    let same_experts = Ranks { size: plan.expert_data_parallel(), stride };
    if held.experts > 0.0 {
        let local = [held.experts_local, trained.experts_local];
        one_group(lines, job, stage, same_experts, expert_shards, local);
    }
}

/// The same over one group, of the weights that it holds and that it trains. With `hsdp` each shard group of its ranks
/// shares one copy. ZeRO++ (arXiv 2306.10209, section 3) gathers weights in 8 bits, in backward within a node, and scatters
/// gradients in 4 bits by an all-to-all; the scales of its blocks are small beside that and left out.
fn one_group(
    lines: &mut Vec<Planned>,
    job: TrainingJob,
    stage: &Stage,
    all: Ranks,
    shards: f64,
    [held, trained]: [f64; 2],
) {
    let TrainingJob { plan, cluster, .. } = job;
    let size = if plan.sharding == Sharding::Hsdp { (shards as u64).min(all.size) } else { all.size };
    let ranks = Ranks { size, stride: all.stride };
    let gradients = plan.recipe.reduce * trained;
    // Stage 3 gathers what the products read, frozen or not; below it every rank holds what is stored, and gathers what
    // was updated.
    let weights =
        if plan.gathers_weights() { plan.recipe.compute_weights * held } else { plan.recipe.weights * trained };
    // Weights that stay whole are gathered once, and gradients that wait are scattered once.
    let micro_batches = if plan.gradients_wait() { 1.0 } else { plan.accumulation as f64 };
    let layers = stage.layers.all();
    let mut line = |collective, payload, group, ranks: Ranks, buffer: f64, times: f64, window| {
        if ranks.size == 1 {
            return;
        }
        // One call a layer: frameworks move weights and gradients layer by layer, or in buckets of about that size.
        let call = Kind { collective, payload, group, ranks, buffer: buffer / layers };
        let library = if collective == Collective::AllToAll { Library::TwoHops } else { Library::Nccl };
        lines.push(call.planned_by(library, cluster, times * layers, window));
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
            let zeropp = plan.zeropp;
            let forward = if zeropp.quantized_weights { held } else { weights };
            line(gather.0, gather.1, data, ranks, forward, micro_batches, Window::Forward(micro_batches));
            // From the node's own copy, where there is one.
            let near = Ranks { size: ranks.in_node(cluster.gpus_per_node), ..ranks };
            let from = if zeropp.secondary_partition { near } else { ranks };
            if plan.reshard_after_forward {
                line(gather.0, gather.1, data, from, forward, micro_batches, Window::Backward(micro_batches));
            }
            let window = Window::Backward(micro_batches);
            if zeropp.quantized_gradients {
                let exchange = Collective::AllToAll;
                line(exchange, Payload::Gradients, data, ranks, 0.5 * trained, micro_batches, window);
            } else {
                line(scatter.0, scatter.1, data, ranks, gradients, micro_batches, window);
            }
        }
    }
    // Each shard of the gradients is summed over the copies, once a step (arXiv 2304.11277, section 3.2.2).
    let copies = Ranks { size: all.size / size, stride: all.stride * size };
    line(reduce.0, reduce.1, Group::Replica, copies, gradients / size as f64, 1.0, Window::Backward(1.0));
}

/// Activations over the tensor-parallel ranks.
///
/// Two all-reduces a layer in forward and two in backward (Shoeybi et al. 2019, arXiv 1909.08053, section 3); with
/// sequence parallelism each becomes a reduce-scatter and an all-gather, and backward gathers the inputs that were
/// kept split once more (Korthikanti et al. 2022, arXiv 2205.05198, section 4.2.2). Full recomputation repeats the
/// forward ones. The embedding and the head add one each.
fn tensor_parallel(lines: &mut Vec<Planned>, job: TrainingJob, stage: &Stage) {
    let TrainingJob { model, plan, cluster, .. } = job;
    let shape = &model.architecture;
    let ranks = Ranks { size: plan.tensor, stride: 1 };
    if ranks.size == 1 {
        return;
    }
    let tokens = plan.micro_batch_tokens();
    let hidden = plan.element_bytes() * tokens * shape.hidden as f64;
    // Where two stages of the model share a GPU, half of the micro-batches meet each.
    let micro_batches = plan.accumulation as f64 / stage.copies;
    let forward_passes = 1.0 + forward_again(stage, plan);
    // Attention and the MLP of every layer, but routed experts: those compute with the tokens a rank has.
    let beside_experts = shape.experts.is_none_or(|experts| experts.shared_width > 0);
    let predicting = predicting(stage, plan);
    let expert_layers = if beside_experts { 0.0 } else { expert_layers(shape, stage, plan) };
    // Layers that are attention or an MLP alone have one block.
    let missing = stage.layers.all() * (shape.without_attention + shape.without_mlp) as f64 / shape.layers as f64;
    let blocks = 2.0 * (stage.layers.all() + predicting) - missing - expert_layers;
    let first = if stage.first { 1.0 } else { 0.0 };
    let heads = if stage.last { 1.0 + predicting } else { 0.0 };
    let layer_pairs = (forward_passes + 1.0) * blocks;
    let mut line = |collective, payload, buffer, times| {
        let call = Kind { collective, payload, group: Group::Tensor, ranks, buffer };
        lines.push(call.planned(cluster, times * micro_batches, Window::Share(plan.tensor_overlap)));
    };
    if plan.sequence_parallel {
        // Embedding: scattered in forward, gathered in backward. Head: gathered in forward and once more in backward
        // for its weight gradient, scattered in backward.
        line(Collective::AllGather, Payload::Activations, hidden, layer_pairs + blocks + first + 2.0 * heads);
        line(Collective::ReduceScatter, Payload::Activations, hidden, layer_pairs + first + heads);
    } else {
        line(Collective::AllReduce, Payload::Activations, hidden, layer_pairs + first + heads);
    }
    if stage.last {
        // A vocabulary-parallel loss exchanges its maximum, its sum and the predicted logit: three fp32 numbers a token.
        line(Collective::AllReduce, Payload::Logits, 4.0 * tokens, 3.0 * heads);
    }
}

/// Layers of a stage that predict further tokens.
fn predicting(stage: &Stage, plan: &TrainingPlan) -> f64 {
    if stage.last { plan.prediction_layers as f64 } else { 0.0 }
}

/// Layers of a stage with experts, those that predict further tokens among them.
fn expert_layers(shape: &Architecture, stage: &Stage, plan: &TrainingPlan) -> f64 {
    stage.layers.expert + if shape.expert_layers() > 0 { predicting(stage, plan) } else { 0.0 }
}

/// Share of the layers whose forward is done a second time.
fn forward_again(stage: &Stage, plan: &TrainingPlan) -> f64 {
    if plan.recompute == Recompute::Full { stage.recomputed.all() / stage.kept.all() } else { 0.0 }
}

/// Tokens on their way to experts and back, in forward and in backward: four all-to-alls a layer of experts, each of a
/// copy of every token for each expert it meets (Lepikhin et al. 2020, GShard, arXiv 2006.16668, section 3.2). Full
/// recomputation repeats those of forward. What goes to experts may travel in FP8 with an fp32 scale for 128 numbers,
/// values and gradients alike; what comes back is added up in 16 bits (DeepSeek-V3, arXiv 2412.19437, section 3.3.3).
fn expert_parallel(lines: &mut Vec<Planned>, job: TrainingJob, stage: &Stage) {
    let TrainingJob { model, plan, cluster, .. } = job;
    let shape = &model.architecture;
    let Some(experts) = shape.experts else { return };
    let copies = plan.micro_batch_tokens() / plan.hidden_divisor() as f64 * experts.per_token as f64 * plan.expert_load;
    let layers = expert_layers(shape, stage, plan) / stage.copies;
    let calls = (2.0 + forward_again(stage, plan)) * layers * plan.accumulation as f64;
    let mut line = |collective, payload, group, ranks: Ranks, buffer| {
        if ranks.size > 1 {
            let call = Kind { collective, payload, group, ranks, buffer: buffer * copies * shape.hidden as f64 };
            let chosen = experts.per_token as f64;
            let library = if group == Group::Expert { Library::Experts(chosen) } else { Library::Nccl };
            let window = match (group, plan.schedule) {
                // Made for it: forward of one micro-batch computes while tokens of another's backward travel.
                (Group::Expert, Schedule::DualPipe) => Window::Steady(2.0 * (plan.pipeline - 1) as f64),
                (Group::Expert, _) => Window::Share(EXPERTS_HIDDEN),
                _ => Window::None,
            };
            lines.push(call.planned_by(library, cluster, calls, window));
        }
    };
    let spread = Ranks { size: plan.expert, stride: plan.expert_tensor };
    let there = if plan.expert_dispatch == DispatchFormat::Fp8 { 1.0 + 4.0 / 128.0 } else { plan.element_bytes() };
    line(Collective::AllToAll, Payload::Tokens, Group::Expert, spread, there);
    line(Collective::AllToAll, Payload::Tokens, Group::Expert, spread, plan.element_bytes());
    // Ranks that share an expert gather each other's tokens, which without sequence parallelism they have already, and
    // add up their parts of the result.
    let inside = Ranks { size: plan.expert_tensor, stride: 1 };
    if plan.hidden_divisor() > 1 || plan.tensor == 1 {
        let gathered = plan.element_bytes() * inside.size as f64;
        line(Collective::AllGather, Payload::Tokens, Group::Tensor, inside, gathered);
        line(Collective::ReduceScatter, Payload::Tokens, Group::Tensor, inside, gathered);
    } else {
        line(Collective::AllReduce, Payload::Tokens, Group::Tensor, inside, plan.element_bytes());
    }
}

/// Keys and values, or heads, over the context ranks.
///
/// In a ring each rank passes its keys and values on once for every other rank, and in backward their gradients as well
/// (Liu et al. 2023, arXiv 2310.01889, section 3), behind the attention of the block before. Gathering them all takes
/// as many bytes and nothing hides them (Llama 3, arXiv 2407.21783, section 3.3.2). Ulysses exchanges queries, keys and
/// values for heads and the output back, in forward and in backward (arXiv 2309.14509, section 3).
fn context_parallel(lines: &mut Vec<Planned>, job: TrainingJob, stage: &Stage) {
    let TrainingJob { model, plan, cluster, .. } = job;
    let shape = &model.architecture;
    let ranks = Ranks { size: plan.context, stride: plan.tensor };
    if ranks.size == 1 {
        return;
    }
    let all = ranks.size as f64;
    let widths = (shape.query_width() + shape.value_width()) as f64;
    let copies = |ranks| if shape.latent.is_some() { 1.0 } else { shape.key_value_copies(ranks) };
    let key_value = shape.keys_and_values() as f64;
    // Bytes of a number of elements per token on one rank.
    let local = |width: f64| plan.element_bytes() * plan.micro_batch_tokens() * width / plan.tensor as f64;
    let keys_values = local(key_value * copies(plan.tensor));
    let micro_batches = plan.accumulation as f64 / stage.copies;
    let layers = stage.layers.all() * micro_batches;
    let forward = layers * (1.0 + forward_again(stage, plan));
    let mut line = |collective, payload, buffer, times, window| {
        let call = Kind { collective, payload, group: Group::Context, ranks, buffer };
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
            let mean = local(widths + key_value * copies(plan.tensor * plan.context)) / 4.0;
            line(Collective::AllToAll, Payload::Activations, mean, 4.0 * (forward + layers), Window::None);
        }
    }
}

/// Activations and their gradients between neighbouring stages, and the gradient of a matrix that both ends hold.
///
/// Each chunk sends its output forward and its input's gradient backward, once a micro-batch (Narayanan et al. 2021,
/// arXiv 2104.04473, section 4.1); the first chunk of the model has nothing behind it and the last nothing ahead, and
/// where a V turns both chunks are on one GPU. While the pipeline fills and drains nothing hides a hop.
fn pipeline_parallel(lines: &mut Vec<Planned>, job: TrainingJob, stage: &Stage) {
    let TrainingJob { model, plan, cluster, .. } = job;
    let shape = &model.architecture;
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
    let call = Kind { collective: Collective::SendRecv, payload: Payload::Activations, group, ranks, buffer };
    let window = Window::Steady(2.0 * (stages - 1) as f64);
    lines.push(call.planned(cluster, (sends * plan.accumulation) as f64, window));
    if shape.tied_embeddings && stage.first != stage.last {
        let buffer = plan.recipe.reduce * (plan.vocabulary * shape.hidden) as f64 / plan.tensor as f64;
        let ranks = Ranks { size: 2, stride: ranks.stride * (stages - 1) };
        let call = Kind { collective: Collective::AllReduce, payload: Payload::Gradients, group, ranks, buffer };
        lines.push(call.planned(cluster, 1.0, Window::None));
    }
}

/// One kind of call.
struct Kind {
    collective: Collective,
    payload: Payload,
    group: Group,
    ranks: Ranks,
    /// Bytes of the whole buffer.
    buffer: f64,
}

impl Kind {
    fn planned(&self, cluster: &Cluster, calls: f64, window: Window) -> Planned {
        self.planned_by(Library::Nccl, cluster, calls, window)
    }

    fn planned_by(&self, library: Library, cluster: &Cluster, calls: f64, window: Window) -> Planned {
        // A message has two ends; the slowest crosses nodes where the group does.
        let crosses = self.ranks.nodes(cluster.gpus_per_node) > 1;
        let stride = if crosses { cluster.gpus_per_node } else { self.ranks.stride };
        let alone = self.collective == Collective::SendRecv;
        let ranks = if alone { Ranks { size: 2, stride } } else { self.ranks };
        let call = Call { collective: self.collective, ranks, buffer: self.buffer, library };
        let (once, link) = collective::time(cluster, &call);
        let traffic = Traffic {
            pass: None,
            collective: self.collective,
            payload: self.payload,
            group: self.group,
            size: self.ranks.size,
            link,
            calls,
            bytes: Bytes::whole(call.wire() * calls),
            seconds: Seconds(once.0 * calls),
            exposed_seconds: Seconds::default(),
        };
        Planned { traffic, window }
    }
}

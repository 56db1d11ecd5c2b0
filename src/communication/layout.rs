//! Which collectives a training layout performs in one optimiser step.

use crate::model::Architecture;
use crate::resolve::{Cluster, TrainingPlan};
use crate::scenario::{Recompute, Sharding};
use crate::training::Parts;
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
}

/// A line of traffic and where it can hide.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// The line; its exposed seconds are settled once the computation is known.
    pub traffic: Traffic,
    /// Where it can hide.
    pub window: Window,
}

/// What one GPU sends in an optimiser step.
#[must_use]
pub fn training(shape: &Architecture, parts: &Parts, plan: &TrainingPlan, cluster: &Cluster) -> Vec<Planned> {
    let mut lines = Vec::with_capacity(8);
    data_parallel(&mut lines, shape, parts, plan, cluster);
    tensor_parallel(&mut lines, shape, plan, cluster);
    expert_parallel(&mut lines, shape, plan, cluster);
    lines
}

/// Weights and gradients over the data-parallel ranks.
///
/// ZeRO, arXiv 1910.02054, section 7: an all-reduce of gradients, or the reduce-scatter and all-gather it consists of;
/// stage 2 scatters gradients after every micro-batch; stage 3 gathers weights for forward and again for backward.
fn data_parallel(
    lines: &mut Vec<Planned>,
    shape: &Architecture,
    parts: &Parts,
    plan: &TrainingPlan,
    cluster: &Cluster,
) {
    let common = Ranks { size: plan.data_parallel, stride: plan.tensor };
    let (held, trained) = (&parts.weights, &parts.trained);
    one_group(lines, shape, plan, cluster, common, [held.common_local, trained.common_local]);
    // Ranks that hold the same experts are a group of their own; they lie that far apart.
    let stride = plan.expert * plan.expert_tensor;
    let same_experts = Ranks { size: plan.expert_data_parallel(), stride };
    if held.experts > 0.0 {
        one_group(lines, shape, plan, cluster, same_experts, [held.experts_local, trained.experts_local]);
    }
}

/// The same over one group, of so many weights that it holds and that it trains.
fn one_group(
    lines: &mut Vec<Planned>,
    shape: &Architecture,
    plan: &TrainingPlan,
    cluster: &Cluster,
    ranks: Ranks,
    [held, trained]: [f64; 2],
) {
    if ranks.size == 1 {
        return;
    }
    let gradients = plan.recipe.reduce * trained;
    // Stage 3 gathers what the products read, frozen or not; below it every rank holds what is stored, and gathers what
    // was updated.
    let weights =
        if plan.gathers_weights() { plan.recipe.compute_weights * held } else { plan.recipe.weights * trained };
    let micro_batches = plan.accumulation as f64;
    let layers = shape.layers as f64;
    let mut line = |collective, payload, buffer: f64, times: f64, window| {
        // One call a layer: frameworks move weights and gradients layer by layer, or in buckets of about that size.
        let call = Call { collective, payload, group: Group::Data, ranks, buffer: buffer / layers };
        lines.push(call.planned(cluster, times * layers, window));
    };
    let scatter = (Collective::ReduceScatter, Payload::Gradients);
    let gather = (Collective::AllGather, Payload::Weights);
    match plan.sharding {
        Sharding::None => {
            line(Collective::AllReduce, Payload::Gradients, gradients, 1.0, Window::Backward(1.0));
        }
        Sharding::Zero1 | Sharding::Zero2 => {
            let scatters = if plan.sharding == Sharding::Zero1 { 1.0 } else { micro_batches };
            line(scatter.0, scatter.1, gradients, scatters, Window::Backward(scatters));
            // The updated weights are gathered while the next step's first forward begins.
            line(gather.0, gather.1, weights, 1.0, Window::Forward(1.0));
        }
        Sharding::Zero3 | Sharding::Hsdp => {
            line(gather.0, gather.1, weights, micro_batches, Window::Forward(micro_batches));
            if plan.reshard {
                line(gather.0, gather.1, weights, micro_batches, Window::Backward(micro_batches));
            }
            line(scatter.0, scatter.1, gradients, micro_batches, Window::Backward(micro_batches));
        }
    }
}

/// Activations over the tensor-parallel ranks.
///
/// Two all-reduces a layer in forward and two in backward (Shoeybi et al. 2019, arXiv 1909.08053, section 3); with
/// sequence parallelism each becomes a reduce-scatter and an all-gather, and backward gathers the inputs that were
/// kept split once more (Korthikanti et al. 2022, arXiv 2205.05198, section 4.2.2). Full recomputation repeats the
/// forward ones. The embedding and the head add one each.
fn tensor_parallel(lines: &mut Vec<Planned>, shape: &Architecture, plan: &TrainingPlan, cluster: &Cluster) {
    let ranks = Ranks { size: plan.tensor, stride: 1 };
    if ranks.size == 1 {
        return;
    }
    let tokens = plan.micro_batch_tokens();
    let hidden = plan.element_bytes() * tokens * shape.hidden as f64;
    let micro_batches = plan.accumulation as f64;
    let forward_passes = 1.0 + forward_again(shape, plan);
    // Attention and the MLP of every layer, but routed experts: those compute with the tokens a rank has.
    let beside_experts = shape.experts.is_none_or(|experts| experts.shared_width > 0);
    let expert_layers = if beside_experts { 0 } else { expert_layers(shape, plan) };
    let layers = shape.layers + plan.prediction_layers;
    let blocks = (2 * layers - expert_layers) as f64;
    let heads = (1 + plan.prediction_layers) as f64;
    let layer_pairs = (forward_passes + 1.0) * blocks;
    let mut line = |collective, payload, buffer, times| {
        let call = Call { collective, payload, group: Group::Tensor, ranks, buffer };
        lines.push(call.planned(cluster, times * micro_batches, Window::None));
    };
    if plan.sequence_parallel {
        // Embedding: scattered in forward, gathered in backward. Head: gathered in forward and once more in backward
        // for its weight gradient, scattered in backward.
        line(Collective::AllGather, Payload::Activations, hidden, layer_pairs + blocks + 1.0 + 2.0 * heads);
        line(Collective::ReduceScatter, Payload::Activations, hidden, layer_pairs + 1.0 + heads);
    } else {
        line(Collective::AllReduce, Payload::Activations, hidden, layer_pairs + 1.0 + heads);
    }
    // A vocabulary-parallel loss exchanges its maximum, its sum and the predicted logit: three fp32 numbers a token.
    line(Collective::AllReduce, Payload::Logits, 4.0 * tokens, 3.0 * heads);
}

/// Layers with experts, those that predict further tokens among them.
fn expert_layers(shape: &Architecture, plan: &TrainingPlan) -> u64 {
    if shape.expert_layers() > 0 { shape.expert_layers() + plan.prediction_layers } else { 0 }
}

/// Share of the layers whose forward is done a second time.
fn forward_again(shape: &Architecture, plan: &TrainingPlan) -> f64 {
    if plan.recompute == Recompute::Full { plan.recompute_layers as f64 / shape.layers as f64 } else { 0.0 }
}

/// Tokens on their way to experts and back, in forward and in backward: four all-to-alls a layer of experts, each of a
/// copy of every token for each expert it meets (Lepikhin et al. 2020, GShard, arXiv 2006.16668, section 3.2). Full
/// recomputation repeats those of forward. What goes to experts may travel in FP8 with an fp32 scale for 128 numbers,
/// values and gradients alike; what comes back is added up in 16 bits (DeepSeek-V3, arXiv 2412.19437, section 3.3.3).
fn expert_parallel(lines: &mut Vec<Planned>, shape: &Architecture, plan: &TrainingPlan, cluster: &Cluster) {
    let Some(experts) = shape.experts else { return };
    let copies = plan.micro_batch_tokens() / plan.hidden_divisor() as f64 * experts.per_token as f64 * plan.expert_load;
    let layers = expert_layers(shape, plan) as f64;
    let calls = (2.0 + forward_again(shape, plan)) * layers * plan.accumulation as f64;
    let mut line = |collective, payload, group, ranks: Ranks, buffer| {
        if ranks.size > 1 {
            let call = Call { collective, payload, group, ranks, buffer: buffer * copies * shape.hidden as f64 };
            lines.push(call.planned(cluster, calls, Window::None));
        }
    };
    let spread = Ranks { size: plan.expert, stride: plan.expert_tensor };
    let there = if plan.dispatch_in_fp8 { 1.0 + 4.0 / 128.0 } else { plan.element_bytes() };
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
        let (once, link) = collective::time(cluster, self.ranks, wire);
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

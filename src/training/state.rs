//! The model state of one GPU: weights, gradients, master weights and moments, and what sharding gathers of them.

use crate::frameworks::Profile;
use crate::ledger::{Account, Entry, Rule};
use crate::names::{Offload, OptimizerStep, Sharding, WeightFormat};
use crate::optimizers::{Copied, Moment, Update};
use crate::plan::{Base, TrainingPlan};
use crate::weight_formats::weight_bits;

use super::phases::{PhasedEntries, Presence};
use super::{Parts, Tensors};

/// Parameters that share one scale in 8-bit Adam (bitsandbytes, block-wise).
const BLOCK_OF_8BIT: f64 = 256.0;

/// Enters the model state.
pub fn enter(ledger: &mut PhasedEntries, parts: &Parts, plan: &TrainingPlan, profile: &Profile) {
    let [weight_shards, gradient_shards, optimizer_shards] = plan.shards();
    let recipe = &plan.recipe;
    let trained = &parts.trained;

    let weights_present =
        if plan.offload == Offload::OptimizerAndParameters { Presence::HOST } else { Presence::ALWAYS };
    match plan.adapter.map(|adapter| adapter.base) {
        Some(base @ (Base::Nf4 | Base::Nf4DoubleQuantised)) => {
            for entry in frozen_in_nf4(&parts.weights, plan, base) {
                ledger.push(weights_present, entry);
            }
        }
        _ => {
            let weights =
                state(Account::Weights, Rule::StateWeights, recipe.weights, &parts.weights, plan, weight_shards);
            ledger.push_all(weights_present, weights);
        }
    }
    if plan.adapter.is_some() {
        let adapters = state(Account::Adapters, Rule::AdapterWeights, recipe.weights, trained, plan, weight_shards);
        ledger.push_all(Presence::ALWAYS, adapters);
    }

    // A gradient of an earlier micro-batch waits through the whole of the next one, whatever the framework.
    let from_earlier = plan.accumulation > 1 && !plan.gradients_wait();
    let gradients_present =
        if profile.gradients_stay || from_earlier { Presence::ALWAYS } else { Presence::FROM_BACKWARD_END };
    let states_offloaded = states_offloaded(plan);
    let gradients_offloaded = gradients_offloaded(plan, profile);
    if plan.optimizer_in_backward {
        let terms = [recipe.gradients, trained.largest()];
        ledger.push(Presence::BACKWARD, Entry::new(Account::Gradients, Rule::LargestGradient, terms));
    } else {
        let gradients = |bytes, tensors: &Tensors, shards| {
            state(Account::Gradients, Rule::StateGradients, bytes, tensors, plan, shards)
        };
        for (presence, tensors) in placed(trained, gradients_offloaded, gradients_present) {
            ledger.push_all(presence, gradients(recipe.gradients, &tensors, gradient_shards));
        }
        for (presence, tensors) in placed(trained, states_offloaded, Presence::ALWAYS) {
            ledger.push_all(presence, gradients(recipe.gradient_copy, &tensors, optimizer_shards));
        }
    }
    // Where gradients are added up in a buffer of their own, or over micro-batches, each new one is first a tensor beside
    // it, unless the product's kernel adds it up itself. Shards make the whole layer anew: `enter_gathered`.
    let adds_up = plan.accumulation > 1 || profile.gradients_stay && recipe.gradients != plan.element_bytes();
    let whole = gradient_shards[0] == 1.0 && gradients_offloaded == 0.0;
    if adds_up && whole && !plan.gradient_accumulation_fusion && !plan.optimizer_in_backward {
        let terms = [plan.element_bytes(), trained.largest()];
        ledger.push(Presence::BACKWARD, Entry::new(Account::BackwardTemporaries, Rule::NewGradient, terms));
    }
    for (presence, tensors) in placed(trained, states_offloaded, Presence::ALWAYS) {
        let master =
            state(Account::MasterWeights, Rule::StateMasterWeights, recipe.master, &tensors, plan, optimizer_shards);
        ledger.push_all(presence, master);
        let moments_present = if plan.paged_optimizer { Presence::HOST } else { presence };
        ledger.push_all(moments_present, moments_of(&tensors, plan));
        if presence != Presence::HOST {
            enter_step(ledger, &tensors, plan);
        }
    }
}

/// Share of the optimiser's states that is in host memory.
fn states_offloaded(plan: &TrainingPlan) -> f64 {
    if plan.offload == Offload::None { 0.0 } else { plan.offload_fraction }
}

/// Share of the gradients that is in host memory: that of the states they update (DeepSpeed keeps the gradients of a
/// group where its states are), unless the framework keeps gradients on the GPU beside states on the host.
fn gradients_offloaded(plan: &TrainingPlan, profile: &Profile) -> f64 {
    let states = states_offloaded(plan);
    if profile.gradients_follow_states || states == 1.0 { states } else { 0.0 }
}

/// The tensors whose states are in host memory and those whose states are on the GPU, each with its presence; what is
/// empty is left out.
fn placed(tensors: &Tensors, offloaded: f64, on_gpu: Presence) -> impl Iterator<Item = (Presence, Tensors)> {
    let shares = [(Presence::HOST, offloaded), (on_gpu, 1.0 - offloaded)];
    shares.into_iter().filter(|(_, share)| *share > 0.0).map(|(presence, share)| (presence, share_of(tensors, share)))
}

/// A share of the parameters of every kind. The largest of them are as large as before: a tensor is in one place.
fn share_of(tensors: &Tensors, share: f64) -> Tensors {
    let both = |kinds: [f64; 2]| kinds.map(|parameters| share * parameters);
    Tensors {
        split: share * tensors.split,
        repeated: share * tensors.repeated,
        experts: share * tensors.experts,
        common_local: share * tensors.common_local,
        experts_local: share * tensors.experts_local,
        rest_split: share * tensors.rest_split,
        rest_repeated: share * tensors.rest_repeated,
        rest_experts: share * tensors.rest_experts,
        large_local: both(tensors.large_local),
        small_local: both(tensors.small_local),
        rows_and_columns: both(tensors.rows_and_columns),
        vectors_local: both(tensors.vectors_local),
        longer_sides: both(tensors.longer_sides),
        hidden_matrices: both(tensors.hidden_matrices),
        rest_local: both(tensors.rest_local),
        ..*tensors
    }
}

/// Enters what the optimiser allocates beside the state while it updates the weights without a kernel of its own.
fn enter_step(ledger: &mut PhasedEntries, trained: &Tensors, plan: &TrainingPlan) {
    let Some(Update { copied, copies }) = plan.optimizer.row().update else { return };
    let recipe = &plan.recipe;
    let bytes = match copied {
        Copied::Weights if recipe.master > 0.0 => recipe.master,
        Copied::Weights => recipe.weights,
        Copied::Momentum => recipe.momentum,
        Copied::Variance => recipe.variance,
    };
    let shards = plan.shards()[2];
    let entry = |copies, elements, shards| {
        Entry::new(Account::BackwardTemporaries, Rule::StepTemporaries, [copies, bytes, elements, shards])
    };
    // Where a tensor is updated as soon as it has its gradient, all tensors are that one.
    let presence = if plan.optimizer_in_backward { Presence::BACKWARD } else { Presence::OPTIMIZER };
    // Experts are shared out over ranks of their own, so that the largest tensor need not have the largest share.
    let [common, expert] = trained.largest_local;
    let (tensor, over) =
        if common / shards[0] >= expert / shards[1] { (common, shards[0]) } else { (expert, shards[1]) };
    let largest = |copies| entry(copies, tensor, over);
    match plan.optimizer_step {
        OptimizerStep::Fused => {}
        OptimizerStep::Foreach if plan.optimizer_in_backward => ledger.push(presence, largest(1.0)),
        OptimizerStep::Foreach => {
            let [common, experts] = [trained.common_local, trained.experts_local];
            ledger.push_all(presence, [entry(1.0, common, shards[0]), entry(1.0, experts, shards[1])]);
        }
        OptimizerStep::ForLoop => ledger.push(presence, largest(copies)),
    }
}

/// One account of `tensors`: what is not of experts, and the experts, each over its own ranks.
fn state(
    account: Account,
    rule: Rule,
    bytes: f64,
    tensors: &Tensors,
    plan: &TrainingPlan,
    shards: [f64; 2],
) -> [Entry; 2] {
    let common = [bytes, tensors.split, tensors.repeated, plan.tensor as f64, shards[0]];
    let experts = [bytes, tensors.experts, plan.expert as f64, plan.expert_tensor as f64, shards[1]];
    [Entry::new(account, rule, common), Entry::new(account, Rule::StateExperts, experts)]
}

/// Frozen weights of which those that are multiplied with are in NF4.
fn frozen_in_nf4(weights: &Tensors, plan: &TrainingPlan, base: Base) -> [Entry; 3] {
    let [shards, expert_shards] = plan.shards()[0];
    let quantised =
        |weights, shards| Entry::new(Account::Weights, Rule::FrozenQuantised, [nf4_bits(base), weights, shards]);
    let rest = [plan.recipe.compute_weights, weights.common_local - weights.linear_local, shards];
    [
        quantised(weights.linear_local, shards),
        quantised(weights.experts_local, expert_shards),
        Entry::new(Account::Weights, Rule::FrozenRest, rest),
    ]
}

fn nf4_bits(base: Base) -> f64 {
    weight_bits(if base == Base::Nf4 { WeightFormat::Nf4 } else { WeightFormat::Nf4Dq })
}

/// The two moments of one rank, each of what is not of experts and of the experts.
#[must_use]
pub fn moments(parts: &Parts, plan: &TrainingPlan) -> [Entry; 4] {
    moments_of(&parts.trained, plan)
}

fn moments_of(trained: &Tensors, plan: &TrainingPlan) -> [Entry; 4] {
    let row = plan.optimizer.row();
    let [momentum, variance] = [
        moment(Account::Momentum, row.momentum, plan.recipe.momentum, trained, plan),
        moment(Account::Variance, row.variance, plan.recipe.variance, trained, plan),
    ];
    [momentum[0], momentum[1], variance[0], variance[1]]
}

/// One moment of one rank, in `bytes` a parameter where it is stored plainly.
fn moment(account: Account, stored: Moment, bytes: f64, trained: &Tensors, plan: &TrainingPlan) -> [Entry; 2] {
    let shards = plan.shards()[2];
    match stored {
        Moment::None | Moment::Recipe | Moment::Bytes(_) => {
            let rule = if account == Account::Momentum { Rule::StateMomentum } else { Rule::StateVariance };
            state(account, rule, bytes, trained, plan, shards)
        }
        Moment::Blockwise8bit => [0, 1].map(|part| {
            let terms = [BLOCK_OF_8BIT, trained.large_local[part], trained.small_local[part], shards[part]];
            Entry::new(account, Rule::MomentsBlockwise8bit, terms)
        }),
        Moment::Factored => [0, 1].map(|part| {
            let terms = [trained.rows_and_columns[part], trained.vectors_local[part], shards[part]];
            Entry::new(account, Rule::VarianceFactored, terms)
        }),
        Moment::OneDimension => [0, 1].map(|part| {
            let [sides, matrices] = [trained.longer_sides[part], trained.hidden_matrices[part]];
            let terms = [bytes, sides, matrices, trained.rest_local[part], shards[part]];
            Entry::new(account, Rule::MomentsOneDimension, terms)
        }),
        Moment::OutsideMatrices => {
            let rest = Tensors {
                split: trained.rest_split,
                repeated: trained.rest_repeated,
                experts: trained.rest_experts,
                ..Tensors::default()
            };
            state(account, Rule::VarianceOutsideMuon, bytes, &rest, plan, shards)
        }
    }
}

/// Enters what sharding makes whole for a while: gathered weights, gradients not yet scattered, buckets.
///
/// Phases after Zhao et al. 2023, arXiv 2304.11277, section 3: at the loss the last layer is still whole beside
/// embedding and head; in backward one layer is at work while the next is fetched.
pub fn enter_gathered(ledger: &mut PhasedEntries, parts: &Parts, plan: &TrainingPlan, profile: &Profile, layers: f64) {
    let (weights, trained) = (&parts.weights, &parts.trained);
    let [weight_shards, gradient_shards, _] = plan.shards();
    let recipe = &plan.recipe;
    if plan.zeropp.secondary_partition {
        // Every node has all weights once more, shared out among its ranks.
        let [common, experts] = [weight_shards[0].min(plan.in_node), weight_shards[1].min(plan.in_node)];
        for (elements, ranks) in [(weights.common_local, common), (weights.experts_local, experts)] {
            let terms = [recipe.compute_weights, elements, ranks];
            ledger.push(Presence::ALWAYS, Entry::new(Account::GatheredWeights, Rule::SecondaryPartition, terms));
        }
    }
    let quantised = plan.adapter.map(|adapter| adapter.base).filter(|base| *base != Base::Plain);
    if plan.gathers_weights() {
        // Experts that no other rank holds are not gathered.
        let experts = plan.gathers(weight_shards[1]);
        let block = weights.block_local[0] + if experts { weights.block_local[1] } else { 0.0 };
        // NF4 travels as it is stored.
        let bytes = quantised.map_or(recipe.compute_weights, |base| nf4_bits(base) / 8.0);
        let mut gathered = |presence, blocks| {
            let entry = |bytes: f64, blocks: f64, root: f64| {
                Entry::new(Account::GatheredWeights, Rule::GatheredWeights, [bytes, blocks, block, root])
            };
            if quantised.is_some() {
                ledger.push(presence, entry(bytes, blocks, 0.0));
                ledger.push(presence, entry(recipe.compute_weights, 0.0, weights.root_local));
            } else {
                ledger.push(presence, entry(bytes, blocks, weights.root_local));
            }
        };
        if let Some(buckets) = profile.buckets {
            // Layers stay whole until a limit on all of them together is reached.
            let local = weights.common_local + if experts { weights.experts_local } else { 0.0 };
            let live = local.min(buckets.live.max(block));
            let terms = [bytes, live, buckets.prefetched.min(local - live)];
            ledger.push(Presence::PASSES, Entry::new(Account::GatheredWeights, Rule::LiveParameters, terms));
        } else if plan.reshard_after_forward {
            gathered(Presence::LOSS, 1.0);
            gathered(Presence::BACKWARD, 2.0_f64.min(layers));
        } else {
            gathered(Presence::PASSES, layers);
        }
    }
    if quantised.is_some() {
        let terms = [plan.element_bytes(), weights.largest_linear];
        ledger.push(Presence::BACKWARD, Entry::new(Account::BackwardTemporaries, Rule::Dequantised, terms));
    }
    let offloaded = gradients_offloaded(plan, profile) > 0.0;
    let in_flight =
        |part: usize| if gradient_shards[part] > 1.0 || offloaded { trained.block_local[part] } else { 0.0 };
    let block = in_flight(0) + in_flight(1);
    if plan.gradients_wait() {
        let terms = [recipe.reduce, layers, block, trained.root_local];
        let all = Entry::new(Account::BackwardTemporaries, Rule::WaitingGradients, terms);
        let from_earlier = plan.accumulation > 1;
        ledger.push(if from_earlier { Presence::PASSES } else { Presence::BACKWARD_END }, all);
    } else if !plan.optimizer_in_backward {
        // While one layer's gradients are reduced the next layer's are being computed.
        let terms = [recipe.reduce, 2.0_f64.min(layers), block];
        ledger.push(Presence::BACKWARD, Entry::new(Account::BackwardTemporaries, Rule::UnshardedGradients, terms));
    }
    if let Some(buckets) = profile.buckets
        && plan.sharding != Sharding::None
        && plan.data_ranks() > 1
    {
        let bucket =
            |bytes, number| Entry::new(Account::CommunicationBuffers, Rule::Buckets, [bytes, buckets.elements, number]);
        if plan.gathers_weights() {
            // One is filled while the other travels. Buckets have the type of the parameters, in whatever type sums of
            // several micro-batches are kept (DeepSpeed, runtime/zero/stage3.py and stage_1_and_2.py).
            ledger.push(Presence::ALWAYS, bucket(recipe.weights, 2.0));
        } else {
            ledger.push(Presence::PASSES, bucket(recipe.weights, 1.0));
            ledger.push(Presence::OPTIMIZER, bucket(recipe.weights, 1.0));
        }
    }
}

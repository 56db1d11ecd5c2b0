//! The model state of one GPU: weights, gradients, master weights and moments, and what sharding gathers of them.

use crate::ledger::{Account, Entry, Rule};
use crate::profile::Profile;
use crate::resolve::TrainingPlan;
use crate::scenario::{Optimizer, Sharding};

use super::Parts;
use super::phases::{PhasedEntries, Presence};

/// Parameters that share one scale in 8-bit Adam (bitsandbytes, block-wise).
const BLOCK_OF_8BIT: f64 = 256.0;

/// Enters the model state.
pub fn enter(ledger: &mut PhasedEntries, parts: &Parts, plan: &TrainingPlan, profile: &Profile) {
    let [weight_shards, gradient_shards, optimizer_shards] = plan.shards().map(|ranks| ranks as f64);
    let recipe = &plan.recipe;
    let tensor = plan.tensor as f64;
    let state =
        |account, rule, bytes, shards| Entry::new(account, rule, [bytes, parts.split, parts.repeated, tensor, shards]);

    ledger.push(Presence::ALWAYS, state(Account::Weights, Rule::StateWeights, recipe.weights, weight_shards));
    let gradients = state(Account::Gradients, Rule::StateGradients, recipe.gradients, gradient_shards);
    // A gradient of an earlier micro-batch waits through the whole of the next one, whatever the framework.
    let from_earlier = plan.accumulation > 1 && !plan.gradients_wait();
    let gradients_present =
        if profile.gradients_stay || from_earlier { Presence::ALWAYS } else { Presence::FROM_BACKWARD_END };
    ledger.push(gradients_present, gradients);
    let copy = state(Account::Gradients, Rule::StateGradients, recipe.gradient_copy, optimizer_shards);
    ledger.push(Presence::ALWAYS, copy);
    let master = state(Account::MasterWeights, Rule::StateMasterWeights, recipe.master, optimizer_shards);
    ledger.push(Presence::ALWAYS, master);
    for entry in moments(parts, plan, optimizer_shards) {
        ledger.push(Presence::ALWAYS, entry);
    }
}

/// The two moments of one rank, over `shards` ranks.
#[must_use]
pub fn moments(parts: &Parts, plan: &TrainingPlan, shards: f64) -> [Entry; 2] {
    let recipe = &plan.recipe;
    let tensor = plan.tensor as f64;
    let plain = |account, rule, bytes| Entry::new(account, rule, [bytes, parts.split, parts.repeated, tensor, shards]);
    let momentum = plain(Account::Momentum, Rule::StateMomentum, recipe.momentum);
    match plan.optimizer {
        Optimizer::AdamW8bit => [Account::Momentum, Account::Variance].map(|account| {
            let terms = [BLOCK_OF_8BIT, parts.large_local, parts.small_local, shards];
            Entry::new(account, Rule::MomentsBlockwise8bit, terms)
        }),
        Optimizer::Adafactor => {
            let terms = [parts.rows_and_columns, parts.vectors_local, shards];
            [momentum, Entry::new(Account::Variance, Rule::VarianceFactored, terms)]
        }
        Optimizer::Muon => {
            let terms = [recipe.variance, parts.rest_split, parts.rest_repeated, tensor, shards];
            [momentum, Entry::new(Account::Variance, Rule::VarianceOutsideMuon, terms)]
        }
        _ => [momentum, plain(Account::Variance, Rule::StateVariance, recipe.variance)],
    }
}

/// Enters what sharding makes whole for a while: gathered weights, gradients not yet scattered, buckets.
///
/// Phases after Zhao et al. 2023, arXiv 2304.11277, section 3: at the loss the last layer is still whole beside
/// embedding and head; in backward one layer is at work while the next is fetched.
pub fn enter_gathered(ledger: &mut PhasedEntries, parts: &Parts, plan: &TrainingPlan, profile: &Profile, layers: f64) {
    let recipe = &plan.recipe;
    let whole =
        |account, rule, bytes, blocks| Entry::new(account, rule, [bytes, blocks, parts.block_local, parts.root_local]);
    if plan.gathers_weights() {
        let gathered = |blocks| whole(Account::GatheredWeights, Rule::GatheredWeights, recipe.compute_weights, blocks);
        if let Some(buckets) = profile.buckets {
            // Layers stay whole until a limit on all of them together is reached.
            let local = parts.local(plan.tensor as f64);
            let live = local.min(buckets.live.max(parts.block_local));
            let terms = [recipe.compute_weights, live, buckets.prefetched.min(local - live)];
            ledger.push(Presence::PASSES, Entry::new(Account::GatheredWeights, Rule::LiveParameters, terms));
        } else if plan.reshard {
            ledger.push(Presence::LOSS, gathered(1.0));
            ledger.push(Presence::BACKWARD, gathered(2.0_f64.min(layers)));
        } else {
            ledger.push(Presence::PASSES, gathered(layers));
        }
    }
    let reduce = recipe.reduce;
    if plan.gradients_wait() {
        let all = whole(Account::BackwardTemporaries, Rule::WaitingGradients, reduce, layers);
        let from_earlier = plan.accumulation > 1;
        ledger.push(if from_earlier { Presence::PASSES } else { Presence::BACKWARD_END }, all);
    } else if plan.shards()[1] > 1 {
        // While one layer's gradients are reduced the next layer's are being computed.
        let terms = [reduce, 2.0_f64.min(layers), parts.block_local];
        ledger.push(Presence::BACKWARD, Entry::new(Account::BackwardTemporaries, Rule::UnshardedGradients, terms));
    }
    if let Some(buckets) = profile.buckets
        && plan.sharding != Sharding::None
        && plan.data_ranks() > 1
    {
        let bucket =
            |bytes, number| Entry::new(Account::CommunicationBuffers, Rule::Buckets, [bytes, buckets.elements, number]);
        if plan.gathers_weights() {
            // One is filled while the other travels.
            ledger.push(Presence::ALWAYS, bucket(reduce, 2.0));
        } else {
            ledger.push(Presence::PASSES, bucket(reduce, 1.0));
            ledger.push(Presence::OPTIMIZER, bucket(recipe.weights, 1.0));
        }
    }
}

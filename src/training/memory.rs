//! The whole of what one GPU holds while training, and the fewest GPUs on which it fits.

use crate::ledger::{Account, Entry, Rule};
use crate::profile::{
    DEVICE_CONTEXT, LARGE_COMMUNICATOR, LIBRARIES_AMPERE, LIBRARIES_HOPPER, PAIR_COMMUNICATOR, Profile,
};
use crate::report::{Peak, StageReport, StateBytes};
use crate::resolve::{Cluster, Model, TrainingPlan};
use crate::scenario::Kernels;
use crate::units::Bytes;

use super::phases::{PhasedEntries, Presence, by_account};
use super::{Parts, activations, ends, state};

/// What one GPU holds over the phases of a step, without runtime and slack.
#[derive(Clone, Debug)]
pub struct Footprint {
    entries: PhasedEntries,
    parts: Parts,
    profile: &'static Profile,
    kernels: Kernels,
    overhead: Overhead,
}

/// What lies outside the allocator.
#[derive(Clone, Copy, Debug, Default)]
struct Overhead {
    /// Device context, in bytes.
    context: f64,
    /// Communicators of two ranks and of more.
    groups: [f64; 2],
}

/// What one GPU holds while training `model` by `plan`.
#[must_use]
pub fn footprint(model: &Model, plan: &TrainingPlan, profile: &'static Profile, cluster: &Cluster) -> Footprint {
    let shape = &model.architecture;
    let parts = Parts::new(shape, plan.vocabulary, plan.tensor, model.extra());
    let mut entries = PhasedEntries::new();
    state::enter(&mut entries, &parts, plan, profile);
    state::enter_gathered(&mut entries, &parts, plan, profile, shape.layers as f64);
    activations::enter(&mut entries, shape, plan, profile);
    ends::enter(&mut entries, shape, plan, profile);
    if profile.counts_overhead {
        enter_libraries(&mut entries, &parts, plan, cluster);
    }
    let overhead = if profile.counts_overhead { overhead(plan) } else { Overhead::default() };
    Footprint { entries, parts, profile, kernels: plan.kernels, overhead }
}

fn enter_libraries(entries: &mut PhasedEntries, parts: &Parts, plan: &TrainingPlan, cluster: &Cluster) {
    let libraries = if cluster.gpu.hopper_or_newer { LIBRARIES_HOPPER } else { LIBRARIES_AMPERE };
    entries.push(Presence::ALWAYS, Entry::new(Account::Workspace, Rule::LibraryWorkspace, [libraries]));
    if plan.kernels == Kernels::TransformerEngine {
        let terms = [2.0, parts.distinct_shapes];
        entries.push(Presence::ALWAYS, Entry::new(Account::Workspace, Rule::WeightGradientWorkspace, terms));
    }
}

/// One communicator for each group with several ranks.
fn overhead(plan: &TrainingPlan) -> Overhead {
    let sizes = [plan.tensor, plan.data_parallel];
    let groups = [sizes.iter().filter(|size| **size == 2).count(), sizes.iter().filter(|size| **size > 2).count()];
    Overhead { context: DEVICE_CONTEXT, groups: groups.map(|count| count as f64) }
}

impl Footprint {
    /// The parameters as this layout divides them.
    #[must_use]
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// What tensors hold at the peak.
    #[must_use]
    pub fn active(&self) -> Bytes {
        self.entries.peak().bytes
    }

    /// The three sizes, and the range in which this framework's allocator was seen.
    #[must_use]
    pub fn peak(&self) -> Peak {
        let active = self.active();
        let runtime: Bytes = self.runtime().iter().map(|entry| entry.bytes).sum();
        let slack = self.profile.slack_with(self.kernels);
        let reserved = |factor: f64| active + self.slack(factor).bytes;
        Peak {
            stage: 0,
            active_bytes: active,
            reserved_bytes: reserved(slack.usual),
            device_bytes: reserved(slack.usual) + runtime,
            low_bytes: reserved(slack.low) + runtime,
            high_bytes: reserved(slack.high) + runtime,
        }
    }

    fn slack(&self, factor: f64) -> Entry {
        Entry::new(Account::Slack, Rule::AllocatorSlack, [factor, self.active().get()])
    }

    fn runtime(&self) -> [Entry; 2] {
        let [pairs, larger] = self.overhead.groups;
        [
            Entry::new(Account::Runtime, Rule::DeviceContext, [self.overhead.context]),
            Entry::new(Account::Runtime, Rule::Communicators, [pairs, PAIR_COMMUNICATOR, larger, LARGE_COMMUNICATOR]),
        ]
    }

    /// The report of the one stage there is.
    #[must_use]
    pub fn stage(&self) -> StageReport {
        let peak = self.entries.peak();
        let slack = self.slack(self.profile.slack_with(self.kernels).usual);
        let entries: Vec<Entry> = self
            .entries
            .in_phase(peak.phase)
            .copied()
            .chain(self.runtime())
            .chain([slack])
            .filter(|entry| entry.bytes > Bytes::ZERO)
            .collect();
        let state = self.state();
        StageReport {
            stage: 0,
            parameters: self.parts.total,
            state,
            steady_bytes: self.steady(&state),
            accounts: by_account(entries.iter()),
            entries,
            phases: self.entries.phases(),
            peak_bytes: peak.bytes,
            peak_phase: peak.phase,
        }
    }

    fn state(&self) -> StateBytes {
        let [weights, gradients, master_weights, momentum, variance] =
            [Account::Weights, Account::Gradients, Account::MasterWeights, Account::Momentum, Account::Variance]
                .map(|account| self.entries.ever_in(account));
        let total = weights + gradients + master_weights + momentum + variance;
        StateBytes { weights, gradients, master_weights, momentum, variance, total }
    }

    /// State and workspace, without gradients where the framework lets them go between steps.
    fn steady(&self, state: &StateBytes) -> Bytes {
        let gradients = if self.profile.gradients_stay { Bytes::ZERO } else { state.gradients };
        state.total - gradients + self.entries.ever_in(Account::Workspace)
    }
}

/// The fewest GPUs of this layout on which `fits` holds, growing the data-parallel group alone; `None` where no number
/// does. The global batch grows with the group unless it was given, in which case the group must divide it.
pub fn minimum_gpus(
    plan: &TrainingPlan,
    batch_given: bool,
    most: u64,
    fits: impl Fn(&TrainingPlan) -> bool,
) -> Option<u64> {
    let with_ranks = |ranks: u64| {
        let global_batch = if batch_given { plan.global_batch } else { ranks * plan.micro_batch };
        TrainingPlan {
            data_parallel: ranks,
            global_batch,
            accumulation: global_batch / (ranks * plan.micro_batch),
            ..plan.clone()
        }
    };
    let fits_with = |ranks: u64| fits(&with_ranks(ranks));
    let possible = |ranks: u64| !batch_given || plan.global_batch.is_multiple_of(ranks * plan.micro_batch);
    let most_ranks =
        if batch_given { plan.global_batch / plan.micro_batch } else { most / plan.tensor }.min(most / plan.tensor);
    if most_ranks == 0 {
        return None;
    }
    if fits_with(1) {
        return Some(plan.tensor);
    }
    // One rank is a case of its own: with two or more, weights are gathered and gradients scattered through buffers.
    // From two on, more ranks never hold more each, so the smallest number that fits is found by halving.
    let largest = (1..=most_ranks).rev().take(1 << 16).find(|ranks| possible(*ranks)).filter(|ranks| *ranks > 1)?;
    if !fits_with(largest) {
        return None;
    }
    let (mut too_few, mut enough) = (1, largest);
    while enough - too_few > 1 {
        let middle = too_few + (enough - too_few) / 2;
        if fits_with(middle) { enough = middle } else { too_few = middle }
    }
    (enough..=largest).find(|ranks| possible(*ranks)).map(|ranks| ranks * plan.tensor)
}

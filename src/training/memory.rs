//! The whole of what one GPU holds while training, and the fewest GPUs on which it fits.

use crate::answer::{Peak, Phase, StageReport, StateBytes};
use crate::divisors::{divisors, greatest_common};
use crate::frameworks::Profile;
use crate::frameworks::overhead::{
    ALL_TO_ALL, DEVICE_CONTEXT, LARGE_COMMUNICATOR, LIBRARIES_AMPERE, LIBRARIES_HOPPER, PAIR_COMMUNICATOR,
};
use crate::ledger::{Account, Accounts, Entry, Rule};
use crate::model::Architecture;
use crate::names::{ContextMethod, Kernels, Sharding};
use crate::plan::{Cluster, TrainingJob, TrainingPlan};
use crate::root_finding::{Axis, edge};
use crate::scenario::MOST_GPUS;
use crate::units::Bytes;

use super::phases::{PhasedEntries, Presence};
use super::{Parts, Stage, activations, ends, state};

/// What one GPU of a stage holds over the phases of a step, without runtime and slack.
#[derive(Clone, Debug)]
pub struct Footprint {
    stage: Stage,
    entries: PhasedEntries,
    parts: Parts,
    profile: &'static Profile,
    kernels: Kernels,
    /// Whether gradients stay allocated between steps.
    gradients_stay: bool,
    overhead: Overhead,
}

/// The accounts of model state.
const STATE: [Account; 5] =
    [Account::Weights, Account::Gradients, Account::MasterWeights, Account::Momentum, Account::Variance];

/// The state of the whole model before any sharding: what one GPU would have to hold if there were no other.
#[must_use]
pub fn whole_state(job: TrainingJob) -> StateBytes {
    let alone = job.plan.alone();
    let parts = parts_of(job.by(&alone), &Stage::new(&alone, &job.model.architecture, 0));
    let mut entries = PhasedEntries::new();
    state::enter(&mut entries, &parts, &alone, job.profile);
    state_of(&entries)
}

/// What lies outside the allocator.
#[derive(Clone, Copy, Debug, Default)]
struct Overhead {
    /// Device context, in bytes.
    context: f64,
    /// Communicators of two ranks and of more.
    groups: [f64; 2],
    /// What the first all-to-all makes, in bytes.
    all_to_all: f64,
}

/// What one GPU of the stage with the largest peak holds.
#[must_use]
pub fn footprint(job: TrainingJob) -> Footprint {
    let mut stages = footprints(job);
    // There is always a first stage.
    let first = stages.next().unwrap_or_else(|| unreachable!());
    stages.fold(first, |most, stage| if stage.active() > most.active() { stage } else { most })
}

/// What one GPU of each stage holds.
pub fn footprints(job: TrainingJob) -> impl Iterator<Item = Footprint> {
    Stage::all(job.plan, &job.model.architecture).map(move |stage| footprint_of(job, stage, parts_of(job, &stage)))
}

/// The parameters of a stage as the plan divides them.
#[must_use]
pub fn parts_of(job: TrainingJob, stage: &Stage) -> Parts {
    let TrainingJob { model, plan, .. } = job;
    let division = plan.division();
    Parts::new(&model.architecture, plan.vocabulary, division, model.extra(), plan.adapter.as_ref(), stage)
}

/// The same where stage and parts are known already: the parts do not depend on the data-parallel ranks.
#[must_use]
pub fn footprint_of(job: TrainingJob, stage: Stage, parts: Parts) -> Footprint {
    let TrainingJob { plan, profile, .. } = job;
    let mut entries = PhasedEntries::new();
    enter_sharded(&mut entries, job, &stage, &parts);
    enter_unsharded(&mut entries, job, &stage, &parts);
    let gradients_stay = profile.gradients_stay && !plan.optimizer_in_backward;
    let overhead = Overhead::of(plan, profile);
    Footprint { stage, entries, parts, profile, kernels: plan.kernels, gradients_stay, overhead }
}

/// Enters what depends on sharding, and on nothing that is recomputed.
fn enter_sharded(entries: &mut PhasedEntries, job: TrainingJob, stage: &Stage, parts: &Parts) {
    let TrainingJob { plan, profile, .. } = job;
    state::enter(entries, parts, plan, profile);
    state::enter_gathered(entries, parts, plan, profile, stage.layers.all());
}

/// Enters the remainder, which is the same whatever the sharding.
fn enter_unsharded(entries: &mut PhasedEntries, job: TrainingJob, stage: &Stage, parts: &Parts) {
    let TrainingJob { model, plan, profile, cluster } = job;
    let shape = &model.architecture;
    activations::enter(entries, shape, plan, profile, stage);
    ends::enter(entries, shape, plan, profile, stage);
    enter_buffers(entries, shape, plan);
    if profile.counts_overhead {
        enter_libraries(entries, parts, plan, cluster);
    }
}

/// Bytes of a part of the ledger in each phase of a step, for whoever tries many layouts and needs no entries.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BytesByPhase([Bytes; Phase::ALL.len()]);

impl BytesByPhase {
    /// What depends on sharding: state, gathered weights, gradients not yet scattered. `scratch` is a buffer to reuse.
    #[must_use]
    pub fn sharded(scratch: &mut PhasedEntries, job: TrainingJob, stage: &Stage, parts: &Parts) -> BytesByPhase {
        BytesByPhase::entered(scratch, |entries| enter_sharded(entries, job, stage, parts))
    }

    /// The remainder: activations, loss, buffers of pipeline and context, workspaces.
    #[must_use]
    pub fn unsharded(scratch: &mut PhasedEntries, job: TrainingJob, stage: &Stage, parts: &Parts) -> BytesByPhase {
        BytesByPhase::entered(scratch, |entries| enter_unsharded(entries, job, stage, parts))
    }

    fn entered(scratch: &mut PhasedEntries, enter: impl FnOnce(&mut PhasedEntries)) -> BytesByPhase {
        scratch.clear();
        enter(scratch);
        BytesByPhase(Phase::ALL.map(|phase| scratch.bytes_in(phase)))
    }

    /// The largest phase of both parts together. Bytes are whole, so this is exactly what [`Footprint::active`] is.
    #[must_use]
    pub fn active_with(&self, other: &BytesByPhase) -> Bytes {
        let sums = self.0.iter().zip(other.0).map(|(bytes, others)| *bytes + others);
        sums.fold(Bytes::ZERO, |most, bytes| if bytes > most { bytes } else { most })
    }
}

/// What one GPU needs whose tensors hold `active` bytes at the peak: with the allocator's usual slack and the runtime.
#[must_use]
pub fn device_bytes(active: Bytes, job: TrainingJob) -> Bytes {
    let TrainingJob { plan, profile, .. } = job;
    active + slack(profile.slack_with(plan.kernels).usual, active).bytes + Overhead::of(plan, profile).bytes()
}

fn slack(factor: f64, active: Bytes) -> Entry {
    Entry::new(Account::Slack, Rule::AllocatorSlack, [factor, active.get()])
}

/// What comes in from other stages and from other context ranks.
fn enter_buffers(entries: &mut PhasedEntries, shape: &Architecture, plan: &TrainingPlan) {
    let (element, tokens) = (plan.element_bytes(), plan.micro_batch_tokens());
    if plan.pipeline > 1 {
        let terms = [element, tokens, shape.hidden as f64, plan.hidden_divisor() as f64];
        let buffers = Entry::new(Account::CommunicationBuffers, Rule::PipelineBuffers, terms);
        entries.push(Presence::PASSES, buffers);
    }
    if plan.context > 1 {
        let keys_values = shape.keys_and_values() as f64
            * if shape.latent.is_some() { 1.0 } else { shape.key_value_copies(plan.tensor) };
        let (width, blocks) = match plan.context_method {
            ContextMethod::Ring => (keys_values, 2.0),
            ContextMethod::AllGather => (keys_values, plan.context as f64),
            ContextMethod::Ulysses => (shape.query_width() as f64 + keys_values, 1.0),
        };
        let terms = [element, tokens, width, blocks, plan.tensor as f64];
        let buffers = Entry::new(Account::CommunicationBuffers, Rule::ContextBuffers, terms);
        entries.push(Presence::BACKWARD, buffers);
    }
}

fn enter_libraries(entries: &mut PhasedEntries, parts: &Parts, plan: &TrainingPlan, cluster: &Cluster) {
    let libraries = if cluster.gpu.generation.has_workspaces_of_hopper() { LIBRARIES_HOPPER } else { LIBRARIES_AMPERE };
    entries.push(Presence::ALWAYS, Entry::new(Account::Workspace, Rule::LibraryWorkspace, [libraries]));
    if plan.kernels == Kernels::TransformerEngine && plan.gradient_accumulation_fusion {
        // Those of the layers are kept for good; the head, which is not Transformer Engine's, has one for as long as its
        // own backward takes: between steps it was not there where it would have been a gigabyte.
        for (presence, elements) in [(Presence::ALWAYS, parts.distinct_shapes), (Presence::LOSS, parts.head_local)] {
            entries.push(presence, Entry::new(Account::Workspace, Rule::WeightGradientWorkspace, [2.0, elements]));
        }
    }
}

impl Overhead {
    /// Of a framework's process; none where the profile counts none.
    fn of(plan: &TrainingPlan, profile: &Profile) -> Overhead {
        if profile.counts_overhead { overhead(plan) } else { Overhead::default() }
    }

    fn bytes(&self) -> Bytes {
        self.entries().iter().map(|entry| entry.bytes).sum()
    }

    fn entries(&self) -> [Entry; 3] {
        let [pairs, larger] = self.groups;
        [
            Entry::new(Account::Runtime, Rule::DeviceContext, [self.context]),
            Entry::new(Account::Runtime, Rule::Communicators, [pairs, PAIR_COMMUNICATOR, larger, LARGE_COMMUNICATOR]),
            Entry::new(Account::Runtime, Rule::AllToAll, [self.all_to_all]),
        ]
    }
}

/// One communicator for each group with several ranks; the first all-to-all, between experts or around attention, makes
/// buffers besides.
fn overhead(plan: &TrainingPlan) -> Overhead {
    let copies = plan.copies();
    let same_experts = if plan.expert > 1 { plan.expert_data_parallel() } else { 1 };
    let sizes = [plan.tensor, plan.pipeline, plan.context, plan.data_ranks() / copies, copies, same_experts];
    let all_to_all = if plan.expert > 1 || plan.exchanges_heads() { ALL_TO_ALL } else { 0.0 };
    let groups = [sizes.iter().filter(|size| **size == 2).count(), sizes.iter().filter(|size| **size > 2).count()];
    Overhead { context: DEVICE_CONTEXT, groups: groups.map(|count| count as f64), all_to_all }
}

impl Footprint {
    /// What one GPU has in host memory.
    pub fn on_host(&self) -> impl Iterator<Item = &Entry> {
        self.entries.on_host()
    }

    /// What tensors hold in a phase of the step.
    pub fn in_phase(&self, phase: Phase) -> impl Iterator<Item = &Entry> {
        self.entries.in_phase(phase)
    }

    /// What tensors hold at the peak.
    #[must_use]
    pub fn active(&self) -> Bytes {
        self.entries.peak().1
    }

    /// The three sizes, and the range in which this framework's allocator was seen.
    #[must_use]
    pub fn peak(&self) -> Peak {
        let active = self.active();
        let runtime = self.overhead.bytes();
        let slack = self.profile.slack_with(self.kernels);
        let reserved = |factor: f64| active + self.slack(factor).bytes;
        Peak {
            stage: self.stage.index as usize,
            active_bytes: active,
            reserved_bytes: reserved(slack.usual),
            device_bytes: reserved(slack.usual) + runtime,
            low_bytes: reserved(slack.low) + runtime,
            high_bytes: reserved(slack.high) + runtime,
        }
    }

    fn slack(&self, factor: f64) -> Entry {
        slack(factor, self.active())
    }

    /// The report of the stage.
    #[must_use]
    pub fn stage(&self) -> StageReport {
        let (peak_phase, peak_bytes) = self.entries.peak();
        let slack = self.slack(self.profile.slack_with(self.kernels).usual);
        let entries: Vec<Entry> = self
            .entries
            .in_phase(peak_phase)
            .copied()
            .chain(self.overhead.entries())
            .chain([slack])
            .filter(|entry| entry.bytes > Bytes::ZERO)
            .collect();
        let state = state_of(&self.entries);
        StageReport {
            stage: self.stage.index as usize,
            parameters: self.parts.total,
            layers: self.stage.layers.all(),
            layers_in_flight: self.stage.kept.all(),
            embedding: self.stage.first,
            head: self.stage.last,
            state,
            steady_bytes: self.steady(&state),
            accounts: Accounts::of(entries.iter()),
            entries,
            phases: self.entries.phases(),
            peak_bytes,
            peak_phase,
        }
    }

    /// State and workspace, without gradients where the framework lets them go between steps.
    fn steady(&self, state: &StateBytes) -> Bytes {
        let gradients = if self.gradients_stay { Bytes::ZERO } else { state.gradients };
        let stays = |entry: &&Entry| entry.account == Account::Workspace;
        let workspace: Bytes = self.entries.in_phase(Phase::Optimizer).filter(stays).map(|entry| entry.bytes).sum();
        state.total - gradients + workspace
    }
}

/// The state among `entries`, by account and in all.
fn state_of(entries: &PhasedEntries) -> StateBytes {
    let [weights, gradients, master_weights, momentum, variance] = STATE.map(|account| entries.ever_in(account));
    // From the formulas rather than from the rounded parts, so that shards of an odd size add up to the whole.
    let total = Bytes::whole(
        entries
            .all()
            .filter(|entry| STATE.contains(&entry.account) || entry.account == Account::Adapters)
            .map(|entry| entry.rule.evaluate(entry.terms()))
            .sum(),
    );
    StateBytes { weights, gradients, master_weights, momentum, variance, total }
}

/// The fewest GPUs of this layout on which a rank needs no more than `limit` bytes, growing the data-parallel group
/// alone; `None` where no number is enough. The global batch grows with the group unless it was given, in which case the
/// group must divide it. `needed` says what one GPU needs by a plan.
#[must_use]
pub fn minimum_gpus(
    plan: &TrainingPlan,
    batch_given: bool,
    limit: Bytes,
    needed: impl Fn(&TrainingPlan) -> Bytes,
) -> Option<u64> {
    // Ranks that hold all experts together are among those of all data ranks and their tensor ranks. One step gathers
    // and scatters nothing, and two share a smaller communicator than more do, be it of all data ranks or of those with
    // the same experts. From three steps on, more ranks never hold more each, but for groups of a node's size.
    let step = plan.experts_over() / greatest_common(plan.experts_over(), plan.context * plan.tensor);
    let most = MOST_GPUS / plan.model_parallel();
    let needed_by = |ranks: u64| needed(&plan.with_ranks(ranks, batch_given));
    let fits = |ranks: &u64| {
        let plan = plan.with_ranks(*ranks, batch_given);
        plan.groups_evenly() && needed(&plan) <= limit
    };
    let ranks = if batch_given {
        let sequences = plan.global_batch / plan.micro_batch;
        let possible = |ranks: &u64| *ranks <= most && ranks.is_multiple_of(step) && plan.runs(sequences / ranks);
        let ranks: Vec<u64> = divisors(sequences).into_iter().filter(possible).collect();
        let few = ranks.partition_point(|ranks| plan.sharding == Sharding::Hsdp || *ranks < 3 * step);
        let many = &ranks[few..];
        let fitting = || many.get(many.partition_point(|ranks| needed_by(*ranks) > limit));
        ranks[..few].iter().find(|ranks| fits(ranks)).or_else(fitting).copied()?
    } else if plan.sharding == Sharding::Hsdp {
        // Beyond one whole group there are only more copies.
        let one_group = plan.group_at_most.unwrap_or(plan.shard_group) * step;
        (step..=one_group.min(most)).step_by(step as usize).find(fits)?
    } else {
        let steps = most / step;
        let few = (1..=steps.min(2)).find(|steps| fits(&(steps * step)));
        step * match few {
            Some(steps) => steps,
            None if steps < 3 => return None,
            None => fewest_between(3, steps, limit, |steps| needed_by(steps * step))?,
        }
    };
    Some(ranks * plan.model_parallel())
}

/// The fewest ranks of `least..=most` that need no more than `limit`, where more ranks never need more.
fn fewest_between(least: u64, most: u64, limit: Bytes, needed: impl Fn(u64) -> Bytes) -> Option<u64> {
    let (with_most, with_least) = (needed(most), needed(least));
    if with_most > limit {
        return None;
    }
    if with_least <= limit {
        return Some(least);
    }
    // What one rank needs is a constant and a share of the sharded state.
    Some(edge((most, with_most), (least, with_least), limit, Axis::Inverse, needed))
}

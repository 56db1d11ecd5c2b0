//! Judging the layouts of a cell: what is impossible, what does not fit, what cannot be fast enough, and the rest.
//!
//! A bound settles most of them. A step takes at least what it takes with nothing sent between data-parallel ranks: their
//! lines only add to what is exposed, and take room to hide from others. A GPU holds at least what it holds in the first,
//! the second and the last stage. What is left is judged in full, by the functions and with the arguments that a report is
//! made with, so that its figures are those of the report.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::answer::Step;
use crate::communication::{Planned, between_data_ranks, within_a_copy};
use crate::frameworks::Profile;
use crate::names::{Name, Recompute, Schedule, Sharding};
use crate::plan::{Cluster, Model, TrainingJob, TrainingPlan};
use crate::refusal::FieldError;
use crate::resolve::training_plan;
use crate::scenario::{Change, Scenario};
use crate::time::{Work, slowest_of, step_with};
use crate::training::{BytesByPhase, Parts, PhasedEntries, Stage, device_bytes, footprint, parts_of};
use crate::units::Bytes;

use super::space::{Cell, Space, VARIANTS};
use super::{Layout, Plan};

/// What became of the layouts that were tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// All of them.
    pub considered: u64,
    /// Those that do not divide or contradict themselves.
    pub impossible: u64,
    /// Those that a bound shows to be slower than the plans kept.
    pub slower: u64,
    /// Those that do not fit.
    pub too_large: u64,
    /// Those whose step was timed in full.
    pub timed: u64,
}

/// The plans kept: those that fit, fastest first, and of equally fast ones the one that leaves more room.
#[derive(Clone, Debug)]
pub struct Best {
    plans: Vec<Plan>,
    most: usize,
}

impl Best {
    /// None yet, and never more than `most`.
    pub fn at_most(most: usize) -> Best {
        Best { plans: Vec::new(), most }
    }

    /// The plans.
    pub fn plans(&self) -> &[Plan] {
        &self.plans
    }

    /// Seconds beyond which a plan would not be kept.
    fn limit(&self) -> f64 {
        let last = self.plans.last().filter(|_| self.plans.len() == self.most);
        last.map_or(f64::INFINITY, |plan| plan.step.seconds.0)
    }

    fn offer(&mut self, plan: Plan) {
        // Layouts with the same step are one: of two shardings the one that holds less, of two kinds of recomputation the
        // plainer, which comes first. With flash attention, say, selective recomputation has next to nothing to do.
        let same = |other: &Plan| {
            let (a, b) = (&other.layout, &plan.layout);
            let alike = Layout { sharding: b.sharding, recompute: b.recompute, ..a.clone() } == *b;
            alike && other.step == plan.step
        };
        let stays = |other: &Plan| other.layout.recompute != plan.layout.recompute || other.peak <= plan.peak;
        if self.plans.iter().any(|other| same(other) && stays(other)) {
            return;
        }
        self.plans.retain(|other| !same(other));
        let key = |plan: &Plan| (plan.step.seconds.0, plan.peak.get());
        let at = self.plans.partition_point(|other| key(other) <= key(&plan));
        self.plans.insert(at, plan);
        self.plans.truncate(self.most);
    }
}

/// What all layouts of a question have in common.
#[derive(Debug)]
pub struct Judge {
    base: Scenario,
    model: Model,
    profile: &'static Profile,
    cluster: Cluster,
    counts: Counts,
    refusal: Option<FieldError>,
    stages: HashMap<StageKey, Stages>,
    scratch: PhasedEntries,
}

/// What the stages of a pipeline depend on.
type StageKey = (u64, Schedule, u64, u64, bool);

/// The stages that matter.
#[derive(Clone, Debug)]
struct Stages {
    /// The first of each kind that computes as long.
    timed: Vec<Stage>,
    /// Stages that often hold most.
    held: Vec<Stage>,
}

/// Parameters of stages, which many layouts of a cell share.
type KnownParts = Vec<(Stage, Parts)>;

/// A kind of recomputation, as far as it is judged without knowing the sharding.
struct Recomputing {
    recompute: Recompute,
    work: Work,
    slowest: Stage,
    parts: Parts,
    lines: Vec<Planned>,
    unsharded: Vec<BytesByPhase>,
}

const SHARDINGS: usize = Sharding::ALL.len();

/// Sums of many numbers in another order differ in their last digits; a bound must not cut off what is equal.
const ROUNDING: f64 = 1.0 - 1e-9;

impl Judge {
    pub fn new(base: Scenario, model: Model, profile: &'static Profile, cluster: Cluster) -> Judge {
        Judge {
            base,
            model,
            profile,
            cluster,
            counts: Counts::default(),
            refusal: None,
            stages: HashMap::new(),
            scratch: PhasedEntries::new(),
        }
    }

    /// What became of the layouts so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Why the first impossible layout was.
    pub fn refusal(&self) -> Option<&FieldError> {
        self.refusal.as_ref()
    }

    /// Judges every layout of a cell. With `any` it stops at the first that fits.
    pub fn cell(&mut self, space: &Space, cell: &Cell, best: &mut Best, any: bool) {
        let mut layout = space.layout(cell);
        self.apply(layout.changes());
        let mut parts = KnownParts::new();
        let mut holds_state = None;
        for micro_batch in space.micro_batches(cell) {
            layout.micro_batch = micro_batch;
            self.counts.considered += VARIANTS;
            self.micro_batch(&mut layout, &mut parts, &mut holds_state, best);
            if any && !best.plans.is_empty() {
                return;
            }
        }
    }

    /// Judges every recomputation and sharding with one micro-batch.
    fn micro_batch(
        &mut self,
        layout: &mut Layout,
        parts: &mut KnownParts,
        holds_state: &mut Option<[bool; SHARDINGS]>,
        best: &mut Best,
    ) {
        layout.recompute = Recompute::None;
        // One that is possible, by which to know what does not depend on it.
        let Some((_, first)) = Sharding::ALL.iter().find_map(|sharding| {
            layout.sharding = *sharding;
            self.resolve(layout).map(|plan| (*sharding, plan))
        }) else {
            self.counts.impossible += VARIANTS;
            return;
        };
        let first_sharding = layout.sharding;
        let holds_state = *holds_state.get_or_insert_with(|| self.holds_state(layout, parts));
        let holding = holds_state.iter().filter(|holds| **holds).count();
        if holding == 0 {
            self.counts.too_large += VARIANTS;
            return;
        }
        let mut sharded: [Option<Vec<BytesByPhase>>; SHARDINGS] = [const { None }; SHARDINGS];
        for recompute in Recompute::ALL {
            layout.recompute = *recompute;
            layout.sharding = first_sharding;
            let plan = if *recompute == first.recompute { Some(first.clone()) } else { self.resolve(layout) };
            let Some(plan) = plan else {
                self.counts.impossible += SHARDINGS as u64;
                continue;
            };
            let stages = self.stages_of(&plan);
            let job = self.job(&plan);
            let work = Work::of(job.model, &plan);
            let slowest = slowest_of(job.model, &work.hardware, stages.timed.iter().copied());
            let lines = within_a_copy(job, &slowest);
            let slowest_parts = self.parts(parts, &plan, &slowest);
            // Without a gather, and with an update that is shared out as far as it goes.
            let least = plan.with(|settings| settings.sharding = Sharding::Zero1);
            let bound = self.step(&work, &least, &slowest, &slowest_parts, lines.clone());
            if bound.seconds.0 * ROUNDING > best.limit() {
                self.counts.slower += SHARDINGS as u64;
                if *recompute == Recompute::None {
                    // What is computed again hides no more than it takes, so every recomputation is bounded by this.
                    self.counts.slower += VARIANTS - SHARDINGS as u64;
                    return;
                }
                continue;
            }
            let mut recomputing = Recomputing {
                recompute: *recompute,
                work,
                slowest,
                parts: slowest_parts,
                lines,
                unsharded: Vec::new(),
            };
            self.counts.too_large += (SHARDINGS - holding) as u64;
            for (index, sharding) in Sharding::ALL.iter().enumerate().filter(|(index, _)| holds_state[*index]) {
                layout.sharding = *sharding;
                self.sharding(layout, &stages, parts, &mut sharded[index], &mut recomputing, best);
            }
        }
    }

    /// Judges one layout whose [`Recomputing`] is known.
    fn sharding(
        &mut self,
        layout: &Layout,
        stages: &Stages,
        parts: &mut KnownParts,
        sharded: &mut Option<Vec<BytesByPhase>>,
        recomputing: &mut Recomputing,
        best: &mut Best,
    ) {
        let Some(plan) = self.resolve(layout) else {
            self.counts.impossible += 1;
            return;
        };
        debug_assert_eq!(plan.recompute, recomputing.recompute);
        let limit = self.cluster.usable();
        let sharded = sharded.get_or_insert_with(|| self.sharded(&plan, stages, parts));
        if recomputing.unsharded.is_empty() {
            for stage in &stages.held {
                let parts = self.parts(parts, &plan, stage);
                let Judge { scratch, model, profile, cluster, .. } = self;
                let job = TrainingJob { model, plan: &plan, profile, cluster };
                recomputing.unsharded.push(BytesByPhase::unsharded(scratch, job, stage, &parts));
            }
        }
        let job = self.job(&plan);
        let needed = |active: Bytes| device_bytes(active, job);
        if sharded
            .iter()
            .zip(&recomputing.unsharded)
            .any(|(part, remainder)| needed(part.active_with(remainder)) > limit)
        {
            self.counts.too_large += 1;
            return;
        }
        self.counts.timed += 1;
        let job = self.job(&plan);
        let mut lines = between_data_ranks(job, &recomputing.slowest, &recomputing.parts);
        lines.extend(recomputing.lines.iter().cloned());
        let step = self.step(&recomputing.work, &plan, &recomputing.slowest, &recomputing.parts, lines);
        if step.seconds.0 > best.limit() {
            return;
        }
        let peak = footprint(job).peak().device_bytes;
        if job.cluster.fits(peak) {
            best.offer(Plan { layout: layout.clone(), peak, headroom: limit - peak, step });
        } else {
            self.counts.too_large += 1;
        }
    }

    /// For each sharding whether the state alone may fit, whatever the micro-batch: without accumulation gradients live
    /// shortest. A sharding that is impossible counts as one that may.
    fn holds_state(&mut self, layout: &Layout, parts: &mut KnownParts) -> [bool; SHARDINGS] {
        let limit = self.cluster.usable();
        let mut layout = layout.clone();
        std::array::from_fn(|index| {
            layout.sharding = Sharding::ALL[index];
            let Some(plan) = self.resolve(&layout) else { return true };
            let stages = self.stages_of(&plan);
            let least = TrainingPlan { accumulation: 1, ..plan };
            let nothing = BytesByPhase::default();
            let sharded = self.sharded(&least, &stages, parts);
            let job = self.job(&least);
            sharded.iter().all(|bytes| device_bytes(bytes.active_with(&nothing), job) <= limit)
        })
    }

    /// What depends on sharding, of the stages that often hold most.
    fn sharded(&mut self, plan: &TrainingPlan, stages: &Stages, parts: &mut KnownParts) -> Vec<BytesByPhase> {
        let of_stage = |stage: &Stage| {
            let parts = self.parts(parts, plan, stage);
            let Judge { scratch, model, profile, cluster, .. } = self;
            BytesByPhase::sharded(scratch, TrainingJob { model, plan, profile, cluster }, stage, &parts)
        };
        stages.held.iter().map(of_stage).collect()
    }

    fn job<'a>(&'a self, plan: &'a TrainingPlan) -> TrainingJob<'a> {
        TrainingJob { model: &self.model, plan, profile: self.profile, cluster: &self.cluster }
    }

    fn step(&self, work: &Work, plan: &TrainingPlan, stage: &Stage, parts: &Parts, lines: Vec<Planned>) -> Step {
        step_with(self.job(plan), work, stage, parts, lines).0
    }

    fn apply<const N: usize>(&mut self, changes: [Change; N]) {
        for change in changes {
            change.apply(&mut self.base);
        }
    }

    /// A layout of the cell at hand with everything settled; `None` where it is impossible.
    fn resolve(&mut self, layout: &Layout) -> Option<TrainingPlan> {
        self.apply(layout.changes_within_a_cell());
        match training_plan(self.base.training_mut(), &self.model, self.profile, &self.cluster) {
            Ok(plan) => Some(plan),
            Err(refused) => {
                self.refusal.get_or_insert(refused);
                None
            }
        }
    }

    fn stages_of(&mut self, plan: &TrainingPlan) -> Stages {
        let shape = &self.model.architecture;
        let recomputed = plan.recompute_layers > 0;
        let key = (plan.pipeline, plan.schedule, plan.virtual_stages, plan.accumulation, recomputed);
        let stages = self.stages.entry(key).or_insert_with(|| {
            let mut stages = Stages { timed: Vec::new(), held: Vec::new() };
            for stage in Stage::all(plan, shape) {
                let alike = |other: &Stage| other.layers.all() == stage.layers.all() && other.last == stage.last;
                if !stages.timed.iter().any(alike) {
                    stages.timed.push(stage);
                }
                if stage.index < 2 || stage.index + 1 == plan.pipeline {
                    stages.held.push(stage);
                }
            }
            stages
        });
        stages.clone()
    }

    /// The parts of a stage: they depend on its layers and on which end of the model it has.
    fn parts(&self, known: &mut KnownParts, plan: &TrainingPlan, stage: &Stage) -> Parts {
        let alike =
            |other: &Stage| other.layers == stage.layers && other.first == stage.first && other.last == stage.last;
        if let Some((_, parts)) = known.iter().find(|(other, _)| alike(other)) {
            return *parts;
        }
        let parts = parts_of(self.job(plan), stage);
        known.push((*stage, parts));
        parts
    }
}

//! Rules of the field as checks: each with the numbers that triggered it, and, where something can be changed, the change
//! with its effect worked out rather than promised.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::answer::{Figure, Group, Half, Heuristic, InferenceReport, Pass, Traffic, TrainingReport};
use crate::estimate::{Trial, try_inference, try_training};
use crate::names::{Recompute, Schedule, Sharding};
use crate::plan::{InferencePlan, TrainingPlan};
use crate::report::Report;
use crate::resolve::Resolved;
use crate::scenario::Scenario;
use crate::training::whole_state;
use crate::units::Seconds;
use crate::words::Language;

use super::{Change, Patch};
use crate::answer::Severity;

/// A rule that a scenario goes against, and what following it would change.
#[derive(Clone, Debug, PartialEq)]
pub struct Hint {
    /// The rule.
    pub rule: Heuristic,
    /// The half it is about.
    pub half: Half,
    /// The numbers that triggered it.
    pub figures: Vec<Figure>,
    /// The change; empty where the rule names none.
    pub patch: Patch,
    /// Bytes one GPU saves with it; negative where it takes more.
    pub bytes_saved: f64,
    /// Seconds that the sequences of a step take longer with it; negative where they get faster.
    pub seconds_cost: Seconds,
}

impl Hint {
    /// The rule with its numbers, in English.
    #[must_use]
    pub fn because(&self) -> String {
        let figures: Vec<String> = self.figures.iter().map(|figure| figure.text()).collect();
        let figures: Vec<&str> = figures.iter().map(String::as_str).collect();
        Language::English.hint(self.rule, &figures)
    }
}

impl Serialize for Hint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut hint = serializer.serialize_struct("Hint", 7)?;
        hint.serialize_field("id", self.rule.id())?;
        hint.serialize_field("severity", &Severity::Hint)?;
        hint.serialize_field("because", &self.because())?;
        hint.serialize_field("patch", &self.patch)?;
        hint.serialize_field("bytes_saved", &self.bytes_saved)?;
        hint.serialize_field("seconds_cost", &self.seconds_cost)?;
        hint.serialize_field("sources", &[self.rule.source()])?;
        hint.end()
    }
}

/// A wait that is worth a word: more than this share of a step.
const WORTH_A_WORD: f64 = 0.05;

/// Every rule that a scenario goes against, what helps most first. `resolved` and `report` are those of `scenario`.
#[must_use]
pub fn hints(scenario: &Scenario, resolved: &Resolved, report: &Report) -> Vec<Hint> {
    let mut hints = Vec::new();
    if let (Ok(plan), Some(now)) = (&resolved.training, &report.training) {
        Training { scenario, resolved, plan, now }.check(&mut hints);
    }
    if let (Ok(plan), Some(now)) = (&resolved.inference, &report.inference) {
        serving(scenario, resolved, plan, now, &mut hints);
    }
    hints.sort_by(|a, b| a.seconds_cost.0.total_cmp(&b.seconds_cost.0));
    hints
}

/// The training half of a question, its layout and its answer.
struct Training<'a> {
    scenario: &'a Scenario,
    resolved: &'a Resolved,
    plan: &'a TrainingPlan,
    now: &'a TrainingReport,
}

impl Training<'_> {
    /// Share of the step that lines of traffic wait.
    fn waits(&self, of: impl Fn(&Traffic) -> bool) -> f64 {
        let waiting: f64 = self.now.traffic.iter().filter(|line| of(line)).map(|line| line.exposed_seconds.0).sum();
        waiting / self.now.step.seconds.0
    }

    fn group_waits(&self, group: Group) -> f64 {
        self.waits(|line| line.group == group)
    }

    /// The rule, with the first of the changes that helps and keeps fitting what fits; without one where `alone` says that
    /// the rule is worth saying all the same.
    fn say(
        &self,
        hints: &mut Vec<Hint>,
        rule: Heuristic,
        figures: &[Figure],
        candidates: Vec<Vec<Change>>,
        alone: bool,
    ) {
        let tried = self.tried(candidates).find(|(_, then)| self.helps(then));
        if tried.is_some() || alone {
            self.enter(hints, rule, figures, tried);
        }
    }

    /// Changes that can be answered, each with what it comes to.
    fn tried(&self, candidates: Vec<Vec<Change>>) -> impl Iterator<Item = (Patch, Trial)> {
        candidates.into_iter().filter_map(|changes| {
            let patch = Patch(changes);
            let then = try_training(&patch.answerable(self.scenario, self.resolved)?)?;
            Some((patch, then))
        })
    }

    fn enter(&self, hints: &mut Vec<Hint>, rule: Heuristic, figures: &[Figure], tried: Option<(Patch, Trial)>) {
        let (patch, effect) = tried.map_or((Patch::default(), None), |(patch, then)| (patch, Some(then)));
        let (bytes_saved, seconds_cost) = effect.map_or((0.0, 0.0), |then| {
            (self.now.peak.device_bytes.get() - then.peak.get(), self.seconds(&then) - self.now.step.seconds.0)
        });
        let seconds_cost = Seconds(seconds_cost);
        hints.push(Hint { rule, half: Half::Training, figures: figures.to_vec(), patch, bytes_saved, seconds_cost });
    }

    /// How long as many sequences as a step has now take with a change.
    fn seconds(&self, then: &Trial) -> f64 {
        then.seconds.0 * self.plan.global_batch as f64 / then.batch as f64
    }

    /// Whether a change makes a step shorter and does not make what fits too large.
    fn helps(&self, then: &Trial) -> bool {
        self.seconds(then) < self.now.step.seconds.0 && (then.fits || !self.now.fits)
    }

    fn check(&self, hints: &mut Vec<Hint>) {
        self.tensor(hints);
        self.pipeline(hints);
        self.sharding(hints);
        self.recomputation(hints);
        self.the_rest(hints);
    }

    fn tensor(&self, hints: &mut Vec<Hint>) {
        let (plan, node) = (self.plan, self.resolved.cluster.gpus_per_node);
        let tensor = plan.tensor;
        if tensor == 1 {
            return;
        }
        let waits = self.group_waits(Group::Tensor);
        let count = |number: u64| Figure::Count(number as f64);
        let smaller: Vec<u64> = (1..tensor).rev().filter(|ranks| tensor.is_multiple_of(*ranks)).collect();
        // Fewer tensor ranks are more data-parallel ones. The batch stays, or grows by as little as they need.
        let to = |ranks: &u64| {
            let rank_batch = plan.data_parallel * plan.micro_batch * tensor / ranks;
            vec![Change::Tensor(*ranks), Change::GlobalBatch(plan.global_batch.next_multiple_of(rank_batch.max(1)))]
        };
        let parameters = self.resolved.model.parameters;
        if tensor > node {
            let within = smaller.iter().filter(|ranks| **ranks <= node).map(to).collect();
            let figures = [count(tensor), count(node), Figure::Share(waits)];
            self.say(hints, Heuristic::TensorInNode, &figures, within, true);
        } else if parameters < 1e10 && plan.pipeline == 1 {
            let without = vec![to(&1)];
            let figures = [Figure::Count(parameters), count(tensor)];
            self.say(hints, Heuristic::TensorForASmallModel, &figures, without, false);
        } else if waits > 2.0 * WORTH_A_WORD {
            let figures = [count(tensor), Figure::Share(waits), count(self.resolved.model.architecture.hidden)];
            self.say(hints, Heuristic::TensorTooNarrow, &figures, smaller.iter().map(to).collect(), false);
        }
        if self.resolved.cluster.link.id.starts_with("xgmi-mi3") && matches!(tensor, 2 | 4) {
            self.say(hints, Heuristic::PairOfAMesh, &[count(tensor)], vec![to(&8)], true);
        }
    }

    fn pipeline(&self, hints: &mut Vec<Hint>) {
        let plan = self.plan;
        if plan.pipeline == 1 {
            return;
        }
        let bubble = self.now.step.bubble_seconds.0 / self.now.step.seconds.0;
        if bubble > 0.2 {
            let layers = self.resolved.model.architecture.layers;
            let interleaved = (2..=8)
                .rev()
                .filter(|chunks| layers.is_multiple_of(plan.pipeline * chunks))
                .map(|chunks| vec![Change::Schedule(Schedule::Interleaved), Change::VirtualStages(chunks)]);
            let zero_bubble = [vec![Change::Schedule(Schedule::Zb1p)]];
            let candidates = if plan.schedule == Schedule::OneForwardOneBackward {
                interleaved.chain(zero_bubble).collect()
            } else {
                Vec::new()
            };
            let figures = [plan.accumulation, plan.pipeline].map(|number| Figure::Count(number as f64));
            let figures = [figures[0], figures[1], Figure::Share(bubble)];
            self.say(hints, Heuristic::PipelineBubble, &figures, candidates, true);
        }
        if matches!(plan.sharding, Sharding::Zero2 | Sharding::Zero3) && plan.data_parallel > 1 {
            let lines = self.now.traffic.iter().filter(|line| line.group == Group::Data);
            let moved = Figure::Bytes(lines.map(|line| line.bytes).sum());
            let figures = [Figure::Sharding(plan.sharding), moved];
            self.say(hints, Heuristic::ShardedPipeline, &figures, vec![vec![Change::Sharding(Sharding::Zero1)]], false);
        }
    }

    fn sharding(&self, hints: &mut Vec<Hint>) {
        let (plan, cluster) = (self.plan, &self.resolved.cluster);
        let waits = self.group_waits(Group::Data);
        let count = |number: f64| Figure::Count(number);
        let larger: Vec<Vec<Change>> = [4, 2]
            .into_iter()
            .filter(|times| plan.accumulation.is_multiple_of(*times))
            .map(|times| vec![Change::MicroBatch(times * plan.micro_batch), Change::GlobalBatch(plan.global_batch)])
            .collect();
        if plan.sharding == Sharding::Zero3 {
            if plan.accumulation > 1 {
                let figures = [count(plan.accumulation as f64)];
                self.say(hints, Heuristic::AccumulatedSharding, &figures, larger, false);
            }
            let state = whole_state(&self.resolved.model, plan, self.resolved.profile).total;
            let node = cluster.gpus_per_node;
            let fits_a_node = state.get() / (node as f64) < 0.8 * cluster.usable().get();
            if waits > WORTH_A_WORD {
                let gathered = Figure::Sharding(plan.sharding);
                let figures = [gathered, Figure::Share(waits), count(plan.micro_batch_tokens())];
                self.say(hints, Heuristic::ShardingExposed, &figures, vec![], true);
                if fits_a_node && cluster.gpus > node {
                    let figures = [Figure::Bytes(state), count(node as f64), Figure::Share(waits)];
                    let hsdp = vec![vec![Change::Sharding(Sharding::Hsdp)]];
                    self.say(hints, Heuristic::ShardWithinNode, &figures, hsdp, false);
                }
            }
        }
        let ring = plan.data_ranks();
        if ring >= 512 && waits > WORTH_A_WORD {
            let calls: f64 =
                self.now.traffic.iter().filter(|line| line.group == Group::Data).map(|line| line.calls).sum();
            let figures = [count(ring as f64), count(calls), Figure::Share(waits)];
            self.say(hints, Heuristic::LongRing, &figures, vec![vec![Change::Sharding(Sharding::Hsdp)]], true);
        }
        if plan.data_parallel >= 128 && plan.recipe.reduce < 4.0 {
            let figures = [count(plan.data_parallel as f64)];
            self.say(hints, Heuristic::GradientsIn16Bits, &figures, vec![], true);
        }
    }

    fn recomputation(&self, hints: &mut Vec<Hint>) {
        let plan = self.plan;
        if plan.recompute == Recompute::None || !self.now.fits {
            return;
        }
        let without = Patch(vec![Change::Recompute(Recompute::None)]);
        let then = try_training(&without.applied(self.scenario));
        if let Some(then) = then.filter(|then| then.fits && then.seconds < self.now.step.seconds) {
            let capacity = Figure::Bytes(self.now.capacity_bytes);
            let figures = [Figure::Recompute(plan.recompute), Figure::Bytes(then.peak), capacity];
            self.say(hints, Heuristic::RecomputesTooMuch, &figures, vec![without.0], false);
        } else if plan.recompute == Recompute::Full {
            let selective = vec![vec![Change::Recompute(Recompute::Selective)]];
            self.say(hints, Heuristic::SelectiveInstead, &[], selective, false);
        }
    }

    fn the_rest(&self, hints: &mut Vec<Hint>) {
        let (plan, cluster) = (self.plan, &self.resolved.cluster);
        let count = |number: u64| Figure::Count(number as f64);
        let waits = self.group_waits(Group::Expert);
        if plan.experts_over() > cluster.gpus_per_node && waits > WORTH_A_WORD {
            let figures = [count(plan.expert), count(cluster.gpus_per_node), Figure::Share(waits)];
            let within = vec![vec![Change::Expert(cluster.gpus_per_node / plan.expert_tensor)]];
            self.say(hints, Heuristic::ExpertsInNode, &figures, within, true);
        }
        if let Some(stage) = self.now.stages.get(self.now.peak.stage) {
            let activations = stage.accounts[crate::ledger::Account::Activations];
            let most = activations.get() > 0.5 * stage.peak_bytes.get();
            if plan.context == 1 && plan.sequence >= 32_768 && most && !self.now.fits {
                let figures = [count(plan.sequence), Figure::Bytes(activations)];
                let split = [2, 4, 8].map(|ranks| vec![Change::Context(ranks), Change::GlobalBatch(plan.global_batch)]);
                // What is too large has to become smaller, whatever that costs: the first that fits, else the smallest.
                let mut lighter: Vec<_> = self.tried(split.to_vec()).collect();
                lighter.retain(|(_, then)| then.peak < self.now.peak.device_bytes);
                lighter.sort_by(|(_, a), (_, b)| b.fits.cmp(&a.fits).then(a.peak.get().total_cmp(&b.peak.get())));
                let first_that_fits = lighter.iter().rposition(|(_, then)| then.fits).unwrap_or(0);
                let tried = lighter.into_iter().nth(first_that_fits);
                self.enter(hints, Heuristic::ContextForLength, &figures, tried);
            }
        }
        let checkpoint = &self.now.checkpoint;
        if let (Some(write), Some(interval), Some(lost)) =
            (checkpoint.seconds, checkpoint.interval_seconds, checkpoint.overhead)
            && write.0 > 0.1 * interval.0
        {
            let figures = [Figure::Seconds(write), Figure::Seconds(interval), Figure::Share(lost)];
            self.say(hints, Heuristic::CheckpointTooSlow, &figures, vec![], true);
        }
    }
}

/// A decode step that waits longer for all-reduces than it takes to read the weights is split too far.
fn serving(
    scenario: &Scenario,
    resolved: &Resolved,
    plan: &InferencePlan,
    now: &InferenceReport,
    hints: &mut Vec<Hint>,
) {
    let decode = now.traffic.iter().filter(|line| line.pass == Some(Pass::Decode) && line.group == Group::Tensor);
    let waiting: f64 = decode.map(|line| line.exposed_seconds.0).sum();
    let cluster = &resolved.cluster;
    let weights = now.weight_bytes.get() / plan.tensor as f64 / (cluster.gpu.bandwidth * cluster.memory_efficiency);
    if plan.tensor == 1 || waiting <= weights {
        return;
    }
    let patch = Patch(vec![Change::ServingTensor(plan.tensor / 2)]);
    let then = patch.answerable(scenario, resolved).and_then(|changed| try_inference(&changed));
    let Some(then) = then.filter(|then| then.fits || !now.fits) else { return };
    hints.push(Hint {
        rule: Heuristic::ServingWaits,
        half: Half::Inference,
        figures: vec![Figure::Count(plan.tensor as f64), Figure::Seconds(Seconds(waiting))],
        patch,
        bytes_saved: now.peak.device_bytes.get() - then.peak.get(),
        seconds_cost: Seconds(then.seconds.0 - now.decode_seconds.0),
    });
}

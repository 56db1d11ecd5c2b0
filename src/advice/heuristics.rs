//! Rules of the field as checks: each with the numbers that triggered it, and, where something can be changed, the change
//! with its effect worked out rather than promised.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::answer::{Figure, Group, Half, Heuristic, Pass, Severity};
use crate::estimate::{Asked, Estimate, InferenceMemory, InferenceTimes, TrainingMemory, TrainingTimes, Trial};
use crate::ledger::Account;
use crate::names::{Recompute, Schedule, Sharding};
use crate::plan::{Deployment, TrainingJob, TrainingPlan};
use crate::scenario::{Inference, Patch, Training};
use crate::training::whole_state;
use crate::units::Seconds;
use crate::words::Language;

use super::trials::{Tried, tried};

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

/// A wait that is worth mentioning: more than this share of a step.
const WORTH_MENTIONING: f64 = 0.05;

/// Every rule that a question goes against, what helps most first.
#[must_use]
pub fn hints(estimate: &Estimate) -> Vec<Hint> {
    let (asked, memory, times) = (estimate.asked(), estimate.memory(), estimate.times());
    let mut hints = Vec::new();
    if let (Some(job), Some(memory), Some(times)) = (asked.resolved().training_job(), &memory.training, &times.training)
    {
        TrainingRules { asked, job, plan: job.plan, memory, times }.check(&mut hints);
    }
    if let (Some(deployment), Some(memory), Some(times)) =
        (asked.resolved().deployment(), &memory.inference, &times.inference)
    {
        hints.extend(serving_waits(asked, deployment, memory, times));
    }
    hints.sort_by(|a, b| a.seconds_cost.0.total_cmp(&b.seconds_cost.0));
    hints
}

/// The training half of a question, its layout and its answer.
struct TrainingRules<'a> {
    asked: &'a Asked,
    job: TrainingJob<'a>,
    plan: &'a TrainingPlan,
    memory: &'a TrainingMemory,
    times: &'a TrainingTimes,
}

impl TrainingRules<'_> {
    /// Share of the step that a group waits.
    fn group_waits(&self, group: Group) -> f64 {
        let lines = self.times.traffic.iter().filter(|line| line.group == group);
        let waiting: f64 = lines.map(|line| line.exposed_seconds.0).sum();
        waiting / self.times.step.seconds.0
    }

    /// Adds the rule with the first of the changes that helps and keeps fitting what fits; without a change where the rule
    /// is `worth_saying` all the same.
    fn add(
        &self,
        hints: &mut Vec<Hint>,
        rule: Heuristic,
        figures: &[Figure],
        candidates: Vec<Patch>,
        worth_saying: bool,
    ) {
        let tried = self.tried(candidates).find(|tried| self.helps(&tried.then));
        if tried.is_some() || worth_saying {
            self.add_with(hints, rule, figures, tried);
        }
    }

    fn tried(&self, candidates: Vec<Patch>) -> impl Iterator<Item = Tried<Trial>> {
        tried(self.asked, candidates, Trial::training)
    }

    fn add_with(&self, hints: &mut Vec<Hint>, rule: Heuristic, figures: &[Figure], tried: Option<Tried<Trial>>) {
        let (patch, bytes_saved, seconds_cost) =
            tried.map_or((Patch::default(), 0.0, 0.0), |Tried { patch, then, .. }| {
                let saved = self.memory.peak.device_bytes.get() - then.peak.get();
                (patch, saved, self.seconds(&then) - self.times.step.seconds.0)
            });
        let seconds_cost = Seconds(seconds_cost);
        hints.push(Hint { rule, half: Half::Training, figures: figures.to_vec(), patch, bytes_saved, seconds_cost });
    }

    /// How long the sequences of one step of now take with a change.
    fn seconds(&self, then: &Trial) -> f64 {
        then.seconds.0 * self.plan.global_batch as f64 / then.batch as f64
    }

    /// Whether a change makes a step shorter and does not make what fits too large.
    fn helps(&self, then: &Trial) -> bool {
        self.seconds(then) < self.times.step.seconds.0 && (then.fits || !self.memory.fits)
    }

    fn check(&self, hints: &mut Vec<Hint>) {
        self.tensor(hints);
        self.pipeline(hints);
        self.sharding(hints);
        self.recomputation(hints);
        self.experts(hints);
        self.long_sequences(hints);
        self.checkpoints(hints);
    }

    fn tensor(&self, hints: &mut Vec<Hint>) {
        let (plan, node) = (self.plan, self.job.cluster.gpus_per_node);
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
            let global_batch = plan.global_batch.next_multiple_of(rank_batch.max(1));
            Patch(vec![Training::tensor.count(*ranks), Training::global_batch.count(global_batch)])
        };
        let parameters = self.job.model.parameters;
        if tensor > node {
            let within = smaller.iter().filter(|ranks| **ranks <= node).map(to).collect();
            let figures = [count(tensor), count(node), Figure::Share(waits)];
            self.add(hints, Heuristic::TensorInNode, &figures, within, true);
        } else if parameters < 1e10 && plan.pipeline == 1 {
            let without = vec![to(&1)];
            let figures = [Figure::Count(parameters), count(tensor)];
            self.add(hints, Heuristic::TensorForASmallModel, &figures, without, false);
        } else if waits > 2.0 * WORTH_MENTIONING {
            let figures = [count(tensor), Figure::Share(waits), count(self.job.model.architecture.hidden)];
            self.add(hints, Heuristic::TensorTooNarrow, &figures, smaller.iter().map(to).collect(), false);
        }
        if self.job.cluster.link.id.starts_with("xgmi-mi3") && matches!(tensor, 2 | 4) {
            self.add(hints, Heuristic::PairOfAMesh, &[count(tensor)], vec![to(&8)], true);
        }
    }

    fn pipeline(&self, hints: &mut Vec<Hint>) {
        let plan = self.plan;
        if plan.pipeline == 1 {
            return;
        }
        let bubble = self.times.step.bubble_seconds.0 / self.times.step.seconds.0;
        if bubble > 0.2 {
            let layers = self.job.model.architecture.layers;
            let interleaved =
                (2..=8).rev().filter(|chunks| layers.is_multiple_of(plan.pipeline * chunks)).map(|chunks| {
                    Patch(vec![Training::schedule.to(Schedule::Interleaved), Training::virtual_stages.count(chunks)])
                });
            let zero_bubble = [Training::schedule.to(Schedule::Zb1p).into()];
            let candidates = if plan.schedule == Schedule::OneForwardOneBackward {
                interleaved.chain(zero_bubble).collect()
            } else {
                Vec::new()
            };
            let figures = [plan.accumulation, plan.pipeline].map(|number| Figure::Count(number as f64));
            let figures = [figures[0], figures[1], Figure::Share(bubble)];
            self.add(hints, Heuristic::PipelineBubble, &figures, candidates, true);
        }
        if matches!(plan.sharding, Sharding::Zero2 | Sharding::Zero3) && plan.data_parallel > 1 {
            let lines = self.times.traffic.iter().filter(|line| line.group == Group::Data);
            let moved = Figure::Bytes(lines.map(|line| line.bytes).sum());
            let figures = [Figure::Sharding(plan.sharding), moved];
            let less = vec![Training::sharding.to(Sharding::Zero1).into()];
            self.add(hints, Heuristic::ShardedPipeline, &figures, less, false);
        }
    }

    fn sharding(&self, hints: &mut Vec<Hint>) {
        let (plan, cluster) = (self.plan, self.job.cluster);
        let waits = self.group_waits(Group::Data);
        let count = |number: f64| Figure::Count(number);
        let larger: Vec<Patch> = [4, 2]
            .into_iter()
            .filter(|times| plan.accumulation.is_multiple_of(*times))
            .map(|times| {
                let micro_batch = Training::micro_batch.count(times * plan.micro_batch);
                Patch(vec![micro_batch, Training::global_batch.count(plan.global_batch)])
            })
            .collect();
        if plan.sharding == Sharding::Zero3 {
            if plan.accumulation > 1 {
                let figures = [count(plan.accumulation as f64)];
                self.add(hints, Heuristic::AccumulatedSharding, &figures, larger, false);
            }
            let state = whole_state(self.job).total;
            let node = cluster.gpus_per_node;
            let fits_a_node = state.get() / (node as f64) < 0.8 * cluster.usable().get();
            if waits > WORTH_MENTIONING {
                let gathered = Figure::Sharding(plan.sharding);
                let figures = [gathered, Figure::Share(waits), count(plan.micro_batch_tokens())];
                self.add(hints, Heuristic::ShardingExposed, &figures, vec![], true);
                if fits_a_node && cluster.gpus > node {
                    let figures = [Figure::Bytes(state), count(node as f64), Figure::Share(waits)];
                    let hsdp = vec![Training::sharding.to(Sharding::Hsdp).into()];
                    self.add(hints, Heuristic::ShardWithinNode, &figures, hsdp, false);
                }
            }
        }
        let ring = plan.data_ranks();
        if ring >= 512 && waits > WORTH_MENTIONING {
            let calls: f64 =
                self.times.traffic.iter().filter(|line| line.group == Group::Data).map(|line| line.calls).sum();
            let figures = [count(ring as f64), count(calls), Figure::Share(waits)];
            let hsdp = vec![Training::sharding.to(Sharding::Hsdp).into()];
            self.add(hints, Heuristic::LongRing, &figures, hsdp, true);
        }
        if plan.data_parallel >= 128 && plan.recipe.reduce < 4.0 {
            let figures = [count(plan.data_parallel as f64)];
            self.add(hints, Heuristic::GradientsIn16Bits, &figures, vec![], true);
        }
    }

    fn recomputation(&self, hints: &mut Vec<Hint>) {
        let plan = self.plan;
        if plan.recompute == Recompute::None || !self.memory.fits {
            return;
        }
        let without = || vec![Training::recompute.to(Recompute::None).into()];
        let then = self.tried(without()).next().map(|tried| tried.then);
        if let Some(then) = then.filter(|then| then.fits && then.seconds < self.times.step.seconds) {
            let capacity = Figure::Bytes(self.memory.capacity_bytes);
            let figures = [Figure::Recompute(plan.recompute), Figure::Bytes(then.peak), capacity];
            self.add(hints, Heuristic::RecomputesTooMuch, &figures, without(), false);
        } else if plan.recompute == Recompute::Full {
            let selective = vec![Training::recompute.to(Recompute::Selective).into()];
            self.add(hints, Heuristic::SelectiveInstead, &[], selective, false);
        }
    }

    fn experts(&self, hints: &mut Vec<Hint>) {
        let (plan, node) = (self.plan, self.job.cluster.gpus_per_node);
        let count = |number: u64| Figure::Count(number as f64);
        let waits = self.group_waits(Group::Expert);
        if plan.experts_over() > node && waits > WORTH_MENTIONING {
            let figures = [count(plan.expert), count(node), Figure::Share(waits)];
            let within = vec![Training::expert.count(node / plan.expert_tensor).into()];
            self.add(hints, Heuristic::ExpertsInNode, &figures, within, true);
        }
    }

    fn long_sequences(&self, hints: &mut Vec<Hint>) {
        let plan = self.plan;
        let Some(stage) = self.memory.peak_stage() else { return };
        let activations = stage.accounts[Account::Activations];
        let most = activations.get() > 0.5 * stage.peak_bytes.get();
        if plan.context > 1 || plan.sequence < 32_768 || !most || self.memory.fits {
            return;
        }
        let global_batch = Training::global_batch.count(plan.global_batch);
        let split = [2, 4, 8].map(|ranks| Patch(vec![Training::context.count(ranks), global_batch.clone()]));
        // What is too large has to become smaller, whatever that costs: the first that fits, else the smallest.
        let mut lighter: Vec<_> = self.tried(split.to_vec()).collect();
        lighter.retain(|tried| tried.then.peak < self.memory.peak.device_bytes);
        lighter.sort_by(|a, b| {
            let (a, b) = (&a.then, &b.then);
            b.fits.cmp(&a.fits).then(a.peak.get().total_cmp(&b.peak.get()))
        });
        let first_that_fits = lighter.iter().rposition(|tried| tried.then.fits).unwrap_or(0);
        let tried = lighter.into_iter().nth(first_that_fits);
        let figures = [Figure::Count(plan.sequence as f64), Figure::Bytes(activations)];
        self.add_with(hints, Heuristic::ContextForLength, &figures, tried);
    }

    fn checkpoints(&self, hints: &mut Vec<Hint>) {
        let checkpoint = &self.times.checkpoint;
        if let (Some(write), Some(interval), Some(lost)) =
            (checkpoint.seconds, checkpoint.interval_seconds, checkpoint.overhead)
            && write.0 > 0.1 * interval.0
        {
            let figures = [Figure::Seconds(write), Figure::Seconds(interval), Figure::Share(lost)];
            self.add(hints, Heuristic::CheckpointTooSlow, &figures, vec![], true);
        }
    }
}

/// A decode step that waits longer for all-reduces than it takes to read the weights is split too far.
fn serving_waits(
    asked: &Asked,
    deployment: Deployment,
    memory: &InferenceMemory,
    times: &InferenceTimes,
) -> Option<Hint> {
    let Deployment { plan, cluster, .. } = deployment;
    let decode = times.traffic.iter().filter(|line| line.pass == Some(Pass::Decode) && line.group == Group::Tensor);
    let waiting: f64 = decode.map(|line| line.exposed_seconds.0).sum();
    let weights = memory.weight_bytes.get() / plan.tensor as f64 / (cluster.gpu.bandwidth * cluster.memory_efficiency);
    if plan.tensor == 1 || waiting <= weights {
        return None;
    }
    let halved = Patch::from(Inference::tensor.count(plan.tensor / 2));
    let Tried { patch, then, .. } = tried(asked, [halved], Trial::inference).next()?;
    (then.fits || !memory.fits).then(|| Hint {
        rule: Heuristic::ServingWaits,
        half: Half::Inference,
        figures: vec![Figure::Count(plan.tensor as f64), Figure::Seconds(Seconds(waiting))],
        patch,
        bytes_saved: memory.peak.device_bytes.get() - then.peak.get(),
        seconds_cost: Seconds(then.seconds.0 - times.decode_seconds.0),
    })
}

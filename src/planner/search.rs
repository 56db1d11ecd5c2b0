//! The search: a planner that works in slices, so that whoever runs it can show how far it is, and stop.

use serde::{Deserialize, Serialize};

use crate::frameworks::Profile;
use crate::plan::{Cluster, Model};
use crate::refusal::FieldError;
use crate::resolve::{Resolved, resolve};
use crate::scenario::Scenario;

use super::Plan;
use super::judge::{Best, Counts, Judge};
use super::space::{Cell, Schedules, Space};

/// How far a planner is, in layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Layouts judged.
    pub done: u64,
    /// Layouts in all.
    pub total: u64,
}

impl Progress {
    /// Whether all are judged.
    #[must_use]
    pub fn is_complete(self) -> bool {
        self.done == self.total
    }
}

/// What a planner works on: a scenario settled, and what a question asked of it changes.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub base: Scenario,
    pub model: Model,
    pub profile: &'static Profile,
    pub cluster: Cluster,
    pub sequence: u64,
    pub global_batch: u64,
    pub schedules: Schedules,
}

impl Question {
    /// # Errors
    /// Those of [`resolve`].
    pub fn new(scenario: &Scenario, schedules: Schedules) -> Result<Question, FieldError> {
        let Resolved { model, profile, cluster, training, .. } = resolve(scenario)?;
        let base = scenario.clone();
        let (sequence, global_batch) = match &training {
            Ok(plan) => (plan.sequence, plan.global_batch),
            Err(_) => {
                let given = base.training.clone().unwrap_or_default().check()?;
                (given.sequence, given.global_batch.unwrap_or(cluster.gpus * given.micro_batch))
            }
        };
        Ok(Question { base, model, profile, cluster, sequence, global_batch, schedules })
    }

    pub fn planner(self, most: usize) -> Planner {
        let Question { base, model, profile, cluster, sequence, global_batch, schedules } = self;
        let space = Space::new(&base, &model, profile, &cluster, [sequence, global_batch], schedules);
        let total = space.cells().iter().map(|cell| space.count(cell)).sum();
        let judge = Judge::new(base, model, profile, cluster);
        Planner { space, judge, best: Best::at_most(most), next: 0, progress: Progress { done: 0, total } }
    }
}

/// Every layout of a question, judged cell by cell.
#[derive(Debug)]
pub struct Planner {
    space: Space,
    judge: Judge,
    best: Best,
    next: usize,
    progress: Progress,
}

/// Plans that are kept unless another number is asked for.
pub const KEPT: usize = 20;

impl Planner {
    /// A planner for a scenario's model, GPUs, sequence and global batch, each as given or as it stands for when absent.
    ///
    /// # Errors
    /// Those of [`resolve`]: the field, what was given, what is allowed. A layout of the scenario's own that is impossible
    /// is none: it is what is looked for.
    pub fn new(scenario: &Scenario, schedules: Schedules) -> Result<Planner, FieldError> {
        Ok(Question::new(scenario, schedules)?.planner(KEPT))
    }

    /// Judges at least `layouts` more layouts, if there are as many, and says how far that is.
    pub fn advance(&mut self, layouts: u64) -> Progress {
        let enough = self.progress.done + layouts;
        while self.progress.done < enough && self.judge_next(false) {}
        self.progress
    }

    /// The fastest plan; all layouts are judged for it.
    #[must_use]
    pub fn fastest(mut self) -> Option<Plan> {
        while self.judge_next(false) {}
        self.best.plans().first().cloned()
    }

    /// Whether any layout fits; no more are judged than it takes to say so.
    #[must_use]
    pub fn any_fits(mut self) -> bool {
        while self.best.plans().is_empty() && self.judge_next(true) {}
        !self.best.plans().is_empty()
    }

    fn judge_next(&mut self, any: bool) -> bool {
        let Some(cell) = self.space.cells().get(self.next) else { return false };
        let cell: Cell = *cell;
        self.judge.cell(&self.space, &cell, &mut self.best, any);
        self.progress.done += self.space.count(&cell);
        self.next += 1;
        true
    }

    /// The best plans so far, fastest first.
    #[must_use]
    pub fn plans(&self) -> &[Plan] {
        self.best.plans()
    }

    /// What became of the layouts so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.judge.counts()
    }

    /// What it tries.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Why something was left out, the first of it: a reason to show where there is no plan at all.
    #[must_use]
    pub fn refusal(&self) -> Option<&FieldError> {
        self.judge.refusal().or(self.space.refusal())
    }
}

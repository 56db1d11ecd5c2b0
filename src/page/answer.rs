//! Where the page meets the ledger: it asks, and shows what is answered. No accounting happens on this side.

use std::cell::OnceCell;

use vram_ledger::answer::StageReport;
use vram_ledger::estimate::{add_time, held, search};
use vram_ledger::hardware::{Accelerator, accelerators_by_memory, find_accelerator, find_link};
use vram_ledger::ledger::{Accounts, Entry};
use vram_ledger::refusal::FieldError;
use vram_ledger::report::Report;
use vram_ledger::resolve::Resolved;
use vram_ledger::scenario::Scenario;

/// The report to a question, and what the question's absent fields stood for.
#[derive(Debug)]
pub struct Answer {
    /// The report as far as memory goes: no traffic, no times, nothing that takes a search.
    pub report: Report,
    /// The same with traffic and times, once somebody asked for them.
    timed: OnceCell<Report>,
    /// The report as a whole, once somebody asked for it.
    searched: OnceCell<Report>,
    /// The question with every default filled in.
    pub settled: Resolved,
}

impl Answer {
    /// Answers a question.
    ///
    /// # Errors
    /// Those of the ledger: the field, what was given, what is allowed.
    pub fn to(scenario: &Scenario) -> Result<Answer, FieldError> {
        let (settled, report) = held(scenario)?;
        Ok(Answer { report, timed: OnceCell::new(), searched: OnceCell::new(), settled })
    }

    /// The report with traffic and times; they are worked out when they are first asked for.
    pub fn timed(&self) -> &Report {
        self.timed.get_or_init(|| {
            let mut report = self.report.clone();
            add_time(&self.settled, &mut report);
            report
        })
    }

    /// The report with what takes a search; it is looked for when it is first asked for. `scenario` is the question.
    pub fn searched(&self, scenario: &Scenario) -> &Report {
        self.searched.get_or_init(|| {
            let mut report = self.timed().clone();
            search(scenario, &self.settled, &mut report);
            report
        })
    }

    /// The pipeline stage with the largest peak.
    pub fn peak_stage(&self) -> Option<&StageReport> {
        let training = self.report.training.as_ref()?;
        training.stages.get(training.peak.stage)
    }

    /// Bytes by account of the training half.
    pub fn training_accounts(&self) -> Option<&Accounts> {
        self.peak_stage().map(|stage| &stage.accounts)
    }

    /// Entries of the training half.
    pub fn training_entries(&self) -> &[Entry] {
        self.peak_stage().map_or(&[], |stage| &stage.entries)
    }

    /// The name of the GPU for people; `None` where its figures were given.
    pub fn gpu_name(&self) -> Option<&'static str> {
        find_accelerator(&self.settled.cluster.gpu.id).map(|gpu| gpu.name)
    }
}

/// The name of a link for people, without what its row says in brackets; its id where it has no row.
pub fn link_name(id: &str) -> &str {
    find_link(id).map_or(id, |link| link.name.split(" (").next().unwrap_or(link.name))
}

/// Every accelerator, as the slider has them: in order of memory.
pub fn gpus() -> &'static [&'static Accelerator] {
    accelerators_by_memory()
}

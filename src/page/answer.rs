//! Where the page meets the ledger: it asks, and shows what is answered. No accounting happens on this side.

use std::cell::OnceCell;

use vram_ledger::advice::{Advice, Hint, advise, hints};
use vram_ledger::answer::StageReport;
use vram_ledger::estimate::{Asked, Estimate, Memory, Searched, Times};
use vram_ledger::hardware::{Accelerator, accelerators_by_memory, find_accelerator, find_link};
use vram_ledger::ledger::{Accounts, Entry};
use vram_ledger::model::Described;
use vram_ledger::refusal::{FieldError, LinkProblem, Problem};
use vram_ledger::report::Report;
use vram_ledger::resolve::Resolved;
use vram_ledger::scenario::{PastedConfig, Scenario};

/// The answer to a question. Memory is counted at once; the other parts when they are first asked for, by code that may
/// still be on its way until then.
#[derive(Debug)]
pub struct Answer {
    estimate: Estimate,
    advice: OnceCell<Vec<Advice>>,
    hints: OnceCell<Vec<Hint>>,
}

impl Answer {
    /// Answers a question.
    ///
    /// # Errors
    /// Those of the ledger: the field, what was given, what is allowed.
    pub fn to(scenario: &Scenario) -> Result<Answer, FieldError> {
        let estimate = Estimate::from(Asked::read_by(scenario.clone(), already_read)?);
        Ok(Answer { estimate, advice: OnceCell::new(), hints: OnceCell::new() })
    }

    /// The question, and what its absent fields stood for.
    pub fn asked(&self) -> &Asked {
        self.estimate.asked()
    }

    /// The question with every default filled in.
    pub fn settled(&self) -> &Resolved {
        self.asked().resolved()
    }

    /// What one GPU holds.
    pub fn memory(&self) -> &Memory {
        self.estimate.memory()
    }

    /// What is sent, and how long it all takes.
    pub fn times(&self) -> &Times {
        self.estimate.times()
    }

    /// How far it could go.
    pub fn searched(&self) -> &Searched {
        self.estimate.searched()
    }

    /// What would make it fit.
    pub fn advice(&self) -> &[Advice] {
        self.advice.get_or_init(|| advise(&self.estimate))
    }

    /// The rules of the field that it goes against.
    pub fn hints(&self) -> &[Hint] {
        self.hints.get_or_init(|| hints(&self.estimate))
    }

    /// The whole answer as one document.
    pub fn report(&self) -> Report {
        Report::new(self.estimate.clone(), self.advice().to_vec(), self.hints().to_vec())
    }

    /// The pipeline stage with the largest peak.
    pub fn peak_stage(&self) -> Option<&StageReport> {
        self.memory().training.as_ref()?.peak_stage()
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
        find_accelerator(&self.settled().cluster.gpu.id).map(|gpu| gpu.name)
    }
}

/// What a pasted model describes. Such models come through src/page/borders/text.rs alone, which reads them: with the
/// reader here, it would load first.
fn already_read(config: &PastedConfig) -> Result<Described, FieldError> {
    config.known().cloned().unwrap_or_else(|| Err(FieldError::new("model", Problem::Link(LinkProblem::NoReader))))
}

/// The name of a link for people, without what its row says in brackets; its id where it has no row.
pub fn link_name(id: &str) -> &str {
    find_link(id).map_or(id, |link| link.name.split(" (").next().unwrap_or(link.name))
}

/// Every accelerator, as the slider has them: in order of memory.
pub fn gpus() -> &'static [&'static Accelerator] {
    accelerators_by_memory()
}

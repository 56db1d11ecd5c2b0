//! From the question to the answer, where the parts of the ledger meet: what is held first, then how long it takes, then
//! what takes a search.

mod asked;
mod memory;
mod searched;
mod times;
mod trial;

use std::cell::OnceCell;

pub use asked::Asked;
pub use memory::{InferenceMemory, Memory, TrainingMemory};
pub use searched::{InferenceSearched, Searched, TrainingSearched, minimum_training_gpus};
pub use times::{InferenceTimes, Times, TrainingTimes};
pub use trial::Trial;

use crate::refusal::FieldError;
use crate::scenario::Scenario;

/// The answer to one question, each part worked out when it is first asked for: whoever draws what is held need not wait
/// for times, nor for a search that tries many scenarios. All parts belong to the same question.
#[derive(Clone, Debug)]
pub struct Estimate {
    asked: Asked,
    memory: Memory,
    times: OnceCell<Times>,
    searched: OnceCell<Searched>,
}

impl From<Asked> for Estimate {
    fn from(asked: Asked) -> Estimate {
        let memory = Memory::of(&asked);
        Estimate { asked, memory, times: OnceCell::new(), searched: OnceCell::new() }
    }
}

impl Estimate {
    /// Answers a scenario as far as memory goes.
    ///
    /// # Errors
    /// Where a field is out of its range, unknown, or not supported yet; the error names the field, what was given and
    /// what is allowed. A layout that is impossible in one half alone is an answer: that half says why.
    pub fn of(scenario: Scenario) -> Result<Estimate, FieldError> {
        Asked::new(scenario).map(Estimate::from)
    }

    /// The question, and what its absent fields stood for.
    #[must_use]
    pub fn asked(&self) -> &Asked {
        &self.asked
    }

    /// What one GPU holds.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// What is sent, and how long it all takes.
    #[must_use]
    pub fn times(&self) -> &Times {
        self.times.get_or_init(|| Times::of(&self.asked, &self.memory))
    }

    /// How far it could go.
    #[must_use]
    pub fn searched(&self) -> &Searched {
        self.searched.get_or_init(|| Searched::of(&self.asked, &self.memory, self.times()))
    }

    /// All of it.
    #[must_use]
    pub fn into_parts(self) -> (Asked, Memory, Times, Searched) {
        let Estimate { asked, memory, times, searched } = self;
        let times = times.into_inner().unwrap_or_else(|| Times::of(&asked, &memory));
        let searched = searched.into_inner().unwrap_or_else(|| Searched::of(&asked, &memory, &times));
        (asked, memory, times, searched)
    }
}

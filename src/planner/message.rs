//! What a page and the worker that plans for it say to each other.
//!
//! Plans travel as layouts without their figures: whoever has the layout has the ledger, which counts them again.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::refusal::FieldError;
use crate::scenario::Scenario;

use super::{Counts, Layout, Planner, Progress, Schedules, fewest_gpus, longest_sequence};

/// What the worker is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The scenario whose training half is to be laid out.
    #[serde(with = "as_json")]
    pub scenario: Scenario,
    /// The schedules to try.
    pub schedules: Schedules,
}

/// What the worker answers, in the order of the variants; `Found` many times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Message {
    /// The worker listens: what is sent before that is lost.
    Ready,
    /// How far the search is, and the best layouts so far, fastest first.
    Found(Progress, Counts, Vec<Layout>),
    /// The layout with the fewest GPUs.
    Fewest(Option<Layout>),
    /// The layout with the longest sequence.
    Longest(Option<Layout>),
    /// That was all.
    Done,
}

/// Layouts that are judged between two messages.
const SLICE: u64 = 10_000;

/// Answers a question from beginning to end: the plans, then what takes a search of its own. What is asked about the
/// layout as it is takes none, and whoever asks can do so at once.
///
/// # Errors
/// Those of [`Planner::new`].
pub fn answer(scenario: &Scenario, schedules: Schedules, mut say: impl FnMut(Message)) -> Result<(), FieldError> {
    let mut planner = Planner::new(scenario, schedules)?;
    loop {
        let progress = planner.advance(SLICE);
        let layouts = planner.plans().iter().map(|plan| plan.layout.clone()).collect();
        say(Message::Found(progress, planner.counts(), layouts));
        if progress.is_complete() {
            break;
        }
    }
    say(Message::Fewest(fewest_gpus(scenario, schedules)?.map(|plan| plan.layout)));
    say(Message::Longest(longest_sequence(scenario, schedules)?.map(|plan| plan.layout)));
    say(Message::Done);
    Ok(())
}

/// A scenario inside a message: its own JSON, which needs a reader that says of itself what comes.
mod as_json {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    use crate::scenario::Scenario;

    pub fn serialize<S: Serializer>(scenario: &Scenario, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&scenario.to_value().to_string())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Scenario, D::Error> {
        Scenario::from_json(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// What is said as the bytes that are sent.
#[must_use]
pub fn to_bytes(said: &impl Serialize) -> Vec<u8> {
    // Neither a question nor a message has a part that the format lacks.
    postcard::to_allocvec(said).unwrap_or_default()
}

/// What was said with these bytes; `None` where they say nothing of that kind.
#[must_use]
pub fn from_bytes<Said: DeserializeOwned>(bytes: &[u8]) -> Option<Said> {
    postcard::from_bytes(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_arrives() {
        let scenario = Scenario::from_json(
            r#"{"model":"llama-3.1-8b","cluster":{"gpus":12},"training":{"global_batch":12,"sharding":"zero3"}}"#,
        )
        .expect("a scenario");
        let mut said = Vec::new();
        answer(&scenario, Schedules::All, |message| said.push(message)).expect("an answer");
        assert_eq!(said.last(), Some(&Message::Done));
        assert!(matches!(&said[0], Message::Found(progress, _, layouts) if progress.done > 0 && !layouts.is_empty()));
        for message in said {
            assert_eq!(from_bytes(&to_bytes(&message)), Some(message));
        }
        let question = Question { scenario, schedules: Schedules::All };
        assert_eq!(from_bytes(&to_bytes(&question)), Some(question));
        assert_eq!(from_bytes::<Message>(&[]), None);
        assert_eq!(from_bytes::<Message>(&[9]), None);
    }
}

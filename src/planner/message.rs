//! What a planner that runs somewhere else says, as numbers: between a page and its worker nothing else needs to pass.
//!
//! A layout is numbers anyway, and its figures are not sent: whoever has the layout has the ledger, which counts them again.

use crate::names::{Name, Recompute, Schedule, Sharding};
use crate::refusal::FieldError;
use crate::scenario::Scenario;

use super::layout::uneven_layers;
use super::{Counts, Layout, Planner, Progress, Schedules, fewest_gpus, longest_sequence};

/// One thing said.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// The worker listens.
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

/// Numbers of a layout.
const OF_LAYOUT: usize = 12;

impl Message {
    /// The message as numbers; counts are far below 2^53.
    #[must_use]
    pub fn numbers(&self) -> Vec<f64> {
        match self {
            Message::Ready => vec![0.0],
            Message::Found(progress, counts, layouts) => {
                let Counts { considered, impossible, slower, too_large, timed } = *counts;
                let mut numbers = vec![1.0];
                let sums = [progress.done, progress.total, considered, impossible, slower, too_large, timed];
                numbers.extend(sums.map(|sum| sum as f64));
                numbers.extend(layouts.iter().flat_map(of_layout));
                numbers
            }
            Message::Fewest(layout) => [2.0].into_iter().chain(layout.iter().flat_map(of_layout)).collect(),
            Message::Longest(layout) => [3.0].into_iter().chain(layout.iter().flat_map(of_layout)).collect(),
            Message::Done => vec![4.0],
        }
    }

    /// The message of these numbers, about a model of so many layers; `None` where they are none.
    #[must_use]
    pub fn of(numbers: &[f64], layers: u64) -> Option<Message> {
        let (kind, rest) = numbers.split_first()?;
        let layouts = |rest: &[f64]| -> Option<Vec<Layout>> {
            rest.chunks(OF_LAYOUT).map(|chunk| layout_of(chunk, layers)).collect()
        };
        let one = |rest: &[f64]| layouts(rest).map(|layouts| layouts.into_iter().next());
        Some(match *kind as u64 {
            0 => Message::Ready,
            1 => {
                let (sums, rest) = rest.split_first_chunk::<7>()?;
                let [done, total, considered, impossible, slower, too_large, timed] = sums.map(|sum| sum as u64);
                let counts = Counts { considered, impossible, slower, too_large, timed };
                Message::Found(Progress { done, total }, counts, layouts(rest)?)
            }
            2 => Message::Fewest(one(rest)?),
            3 => Message::Longest(one(rest)?),
            4 => Message::Done,
            _ => return None,
        })
    }
}

fn place_of<T: Name>(value: T) -> u64 {
    T::ALL.iter().position(|other| *other == value).unwrap_or(0) as u64
}

fn of_layout(layout: &Layout) -> [f64; OF_LAYOUT] {
    [
        layout.gpus,
        layout.sequence,
        layout.global_batch,
        layout.tensor,
        layout.pipeline,
        layout.context,
        layout.expert,
        place_of(layout.schedule),
        layout.virtual_stages,
        place_of(layout.sharding),
        place_of(layout.recompute),
        layout.micro_batch,
    ]
    .map(|number| number as f64)
}

fn layout_of(numbers: &[f64], layers: u64) -> Option<Layout> {
    let numbers: [f64; OF_LAYOUT] = numbers.try_into().ok()?;
    let [
        gpus,
        sequence,
        global_batch,
        tensor,
        pipeline,
        context,
        expert,
        schedule,
        virtual_stages,
        sharding,
        recompute,
        micro_batch,
    ] = numbers.map(|number| number as u64);
    Some(Layout {
        gpus,
        sequence,
        global_batch,
        tensor,
        pipeline,
        context,
        expert,
        schedule: *Schedule::ALL.get(schedule as usize)?,
        virtual_stages,
        layers_per_stage: uneven_layers(layers, pipeline.max(1)),
        sharding: *Sharding::ALL.get(sharding as usize)?,
        recompute: *Recompute::ALL.get(recompute as usize)?,
        micro_batch,
    })
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
            assert_eq!(Message::of(&message.numbers(), 32), Some(message));
        }
        assert_eq!(Message::of(&Message::Ready.numbers(), 32), Some(Message::Ready));
        assert_eq!(Message::of(&[], 32), None);
        assert_eq!(Message::of(&[1.0, 2.0], 32), None);
        assert_eq!(Message::of(&[9.0], 32), None);
    }
}

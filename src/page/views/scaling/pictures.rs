//! The curves of the view, and the same in words.

use vram_ledger::chart::{Axis, Chart, Line, Marker, Point, Spread, Tint};
use vram_ledger::insight::scaling::{Row, SHARDINGS, Study};
use vram_ledger::text;
use vram_ledger::units::Bytes;
use vram_ledger::words::Language;

use crate::page::answer::link_name;
use crate::page::format::{self, MemoryUnit};
use crate::page::views::pieces::curve;

/// Numbers of GPUs whose points are named: a factor of eight apart.
const NAMED: [u64; 3] = [1, 8, 64];

/// Colour and dash by [`SHARDINGS`]: told apart without colour as well.
const LOOKS: [(Tint, Option<(f64, f64)>); SHARDINGS.len()] = [
    (Tint::First, Some((2.0, 3.0))),
    (Tint::Second, Some((8.0, 3.0))),
    (Tint::Third, Some((4.0, 3.0))),
    (Tint::Fourth, None),
];

/// Stroke of what is chosen, and of what it is compared with.
const STROKES: (f64, f64) = (3.0, 1.5);

/// State on a GPU against GPUs, for every way to share out.
pub fn state(study: &Study, gpu: &str, language: Language, unit: MemoryUnit) -> Chart {
    let in_unit = |bytes: Bytes| bytes.get() / unit.bytes();
    let lines = SHARDINGS.iter().enumerate().map(|(index, sharding)| {
        let (tint, dash) = LOOKS[index];
        let chosen = study.sharding == Some(*sharding);
        Line {
            name: language.sharding(*sharding).to_owned(),
            tint,
            width: if chosen { STROKES.0 } else { STROKES.1 },
            dash,
            at: study.rows.iter().filter_map(|row| Some((row.gpus as f64, in_unit(row.states[index]?)))).collect(),
        }
    });
    Chart {
        x: gpus(language),
        y: Axis {
            spread: Spread::Log10,
            label: language.fill(text!(scaling::STATE_AXIS), &[unit.sign()]),
            min: None,
            max: None,
            write: curve::amount,
        },
        lines: lines.collect(),
        marker: Some(Marker {
            y: in_unit(study.capacity),
            label: language.fill(text!(phases::CAPACITY_LINE), &[gpu, &unit.amount(study.capacity)]),
            tint: Tint::Limit,
        }),
        points: named(study)
            .map(|row| point(study, row, in_unit(row.state), unit.amount(row.state), language))
            .collect(),
    }
}

/// The part of a step that waits, against GPUs.
pub fn waiting(study: &Study, language: Language) -> Chart {
    Chart {
        x: gpus(language),
        y: Axis {
            spread: Spread::Linear,
            label: language.say(text!(scaling::WAITING_SHARE)).to_owned(),
            min: Some(0.0),
            max: Some(1.0),
            write: format::percent,
        },
        lines: vec![
            Line {
                name: over(study, 0, language),
                tint: Tint::Now,
                width: STROKES.0,
                dash: None,
                at: study.rows.iter().map(|row| (row.gpus as f64, row.waiting)).collect(),
            },
            Line {
                name: over(study, 1, language),
                tint: Tint::Second,
                width: STROKES.1,
                dash: Some((6.0, 3.0)),
                at: study.rows.iter().filter_map(|row| Some((row.gpus as f64, row.waiting_over_other?))).collect(),
            },
        ],
        marker: None,
        points: study
            .rows
            .iter()
            .filter(|row| row.gpus == study.gpus)
            .map(|row| point(study, row, row.waiting, format::percent(row.waiting), language))
            .collect(),
    }
}

/// A network as the legend has it.
fn over(study: &Study, index: usize, language: Language) -> String {
    language.fill(text!(scaling::OVER_NETWORK), &[link_name(&study.networks[index])])
}

/// The curve of state in words.
pub fn state_words(study: &Study, language: Language, unit: MemoryUnit) -> String {
    let sharding = study.sharding.map_or("–", |sharding| language.sharding(sharding));
    let points = named(study).map(|row| (unit.amount(row.state), row.gpus));
    language.fill(text!(scaling::STATE_WORDS), &[sharding, &listed(points, language)])
}

/// The curve of waiting in words.
pub fn waiting_words(study: &Study, language: Language) -> String {
    let points = named(study).chain(study.rows.last()).map(|row| (format::percent(row.waiting), row.gpus));
    let words = language.fill(text!(scaling::WAITING_WORDS), &[&listed(points, language)]);
    match study.parting() {
        Some(gpus) => format!("{words} {}", language.fill(text!(scaling::CROSSOVER), &[&format::grouped(gpus as f64)])),
        None => words,
    }
}

fn gpus(language: Language) -> Axis {
    Axis {
        spread: Spread::Log2,
        label: language.say(text!(scaling::GPUS_COLUMN)).to_owned(),
        min: None,
        max: None,
        write: format::grouped,
    }
}

/// The rows whose points are named.
fn named(study: &Study) -> impl Iterator<Item = &Row> {
    study.rows.iter().filter(|row| NAMED.contains(&row.gpus) || row.gpus == study.gpus)
}

fn point(study: &Study, row: &Row, y: f64, amount: String, language: Language) -> Point {
    let now = row.gpus == study.gpus;
    Point {
        at: (row.gpus as f64, y),
        label: if now { language.fill(text!(scaling::NOW), &[&amount]) } else { amount },
        tint: if now { Tint::Now } else { Tint::Text },
    }
}

fn listed(points: impl Iterator<Item = (String, u64)>, language: Language) -> String {
    let parts: Vec<String> = points
        .map(|(amount, gpus)| language.fill(text!(scaling::AMOUNT_ON), &[&amount, &format::grouped(gpus as f64)]))
        .collect();
    parts.join(language.say(text!(amounts::LIST_COMMA)))
}

#[cfg(test)]
mod tests {
    use vram_ledger::scenario::Number;

    use super::*;
    use crate::page::context::state::opening;
    use vram_ledger::estimate::Asked;
    use vram_ledger::insight::scaling::study;

    #[test]
    fn the_lesson_is_marked() {
        let study = study(&Asked::new(opening()).expect("a question"));
        let picture = state(&study, "H100", Language::English, MemoryUnit::Gigabytes);
        let points: Vec<_> = picture.points.iter().map(|point| (point.at, point.label.as_str())).collect();
        assert_eq!(points, [((1.0, 112.0), "now: 112 GB"), ((8.0, 14.0), "14.0 GB"), ((64.0, 1.75), "1.75 GB")]);
        let strokes: Vec<f64> = picture.lines.iter().map(|line| line.width).collect();
        assert_eq!(strokes, [1.5, 1.5, 1.5, 3.0], "what is chosen is the thick one");
        let marker = picture.marker.expect("the line of capacity");
        assert_eq!(marker.label, format!("one H100 shows {}", MemoryUnit::Gigabytes.amount(study.capacity)));
    }

    #[test]
    fn the_present_number_of_gpus_is_a_point_of_both_curves() {
        let mut scenario = opening();
        scenario.cluster_mut().gpus = Some(Number(48.0));
        let study = study(&Asked::new(scenario).expect("a question"));
        for picture in
            [state(&study, "H100", Language::Chinese, MemoryUnit::Gibibytes), waiting(&study, Language::Chinese)]
        {
            let now: Vec<_> = picture.points.iter().filter(|point| point.tint == Tint::Now).collect();
            assert_eq!(now.len(), 1);
            assert_eq!(now[0].at.0, 48.0);
            assert!(now[0].label.starts_with("当前："), "{}", now[0].label);
        }
    }

    #[test]
    fn the_words_name_what_is_marked() {
        let study = study(&Asked::new(opening()).expect("a question"));
        let words = state_words(&study, Language::English, MemoryUnit::Gigabytes);
        assert!(words.contains("112 GB on 1, 14.0 GB on 8, 1.75 GB on 64"), "{words}");
    }
}

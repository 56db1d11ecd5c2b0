//! What comes of the experiment: the core's numbers, arranged for the view.

use vram_ledger::chart::{Axis, Chart, Line, Point, Spread, Tint};
use vram_ledger::numerics::{Experiment, Format, Master, Rounding, Series, Stored, add, experiment, round_to};
use vram_ledger::text;
use vram_ledger::words::Language;

use super::number;
use super::state::Setup;
use crate::page::format;
use crate::page::views::pieces::curve;

/// Points of a curve: more than a screen has columns for its steps to be seen.
const POINTS: usize = 512;

/// Formats that are always compared.
const COMPARED: [Format; 3] = [Format::Fp32, Format::Bf16, Format::Fp16];

/// The experiment with and without a master copy, and the same in other formats.
#[derive(Debug)]
pub struct Outcome {
    /// The stored weight alone.
    pub alone: Series,
    /// The stored weight, rounded from an fp32 copy.
    pub copied: Series,
    /// One row a format.
    pub rows: Vec<Row>,
}

/// What one format makes of it. Nothing where it cannot hold the weight.
#[derive(Debug)]
pub struct Row {
    /// The format.
    pub format: Format,
    /// From the weight to the next number.
    pub gap: Option<f64>,
    /// After all additions, rounded to nearest.
    pub nearest: Option<f64>,
    /// After all additions, truncated.
    pub truncated: Option<f64>,
    /// After all additions to an fp32 copy, rounded to nearest.
    pub copied: Option<f64>,
}

impl Outcome {
    /// Runs it. `None` where the core refuses, which the lab's state does not let happen.
    pub fn of(setup: &Setup) -> Option<Outcome> {
        let curve = |master| experiment(Experiment { master, ..setup.experiment(POINTS) }).ok();
        let chosen = [setup.format].into_iter().filter(|format| !COMPARED.contains(format));
        Some(Outcome {
            alone: curve(Master::None)?,
            copied: curve(Master::Fp32)?,
            rows: COMPARED.into_iter().chain(chosen).map(|format| Row::of(setup, format)).collect(),
        })
    }

    /// The variant that is chosen.
    pub fn chosen(&self, master: Master) -> &Series {
        match master {
            Master::None => &self.alone,
            Master::Fp32 => &self.copied,
        }
    }
}

impl Row {
    fn of(setup: &Setup, format: Format) -> Row {
        let end = |rounding, master| {
            let ends = Experiment { format, rounding, master, ..setup.experiment(2) };
            experiment(ends).ok().map(|series| series.end.value())
        };
        Row {
            format,
            gap: round_to(format, setup.weight, setup.rounding).gap_above(),
            nearest: end(Rounding::NearestEven, Master::None),
            truncated: end(Rounding::Truncation, Master::None),
            copied: end(Rounding::NearestEven, Master::Fp32),
        }
    }
}

/// What one addition does to a stored weight, and why.
pub fn first_addition(setup: &Setup, series: &Series, language: Language) -> String {
    let (start, update) = (series.start, series.update);
    let after = add(start, update, setup.rounding);
    let [sum, result] = [number::sum(start.value(), shown_update(setup, update)), number::text(after.value())];
    let name = setup.format.name();
    if !after.is_finite() {
        return language.fill(text!(precision_lab::OVERFLOW), &[&sum, &result, name]);
    }
    if after.value() == start.value() {
        let gap = gap_towards(start, update);
        let why = match setup.rounding {
            _ if update == 0.0 && setup.update != 0.0 => text!(precision_lab::LOST_IN_FP32),
            _ if update == 0.0 => text!(precision_lab::KEPT_EXACTLY),
            Rounding::Truncation => text!(precision_lab::LOST_TO_TRUNCATION),
            Rounding::NearestEven if update.abs() * 2.0 == gap => text!(precision_lab::LOST_TO_TIE),
            Rounding::NearestEven => text!(precision_lab::LOST_BELOW_HALF),
        };
        return language.fill(why, &[&sum, &result, &number::text(gap)]);
    }
    // Both are fp32 numbers: their difference tells whether anything was lost, to the last bit that can be shown.
    let exact = start.value() + update == after.value();
    let how = match setup.rounding {
        _ if exact => text!(precision_lab::KEPT_EXACTLY),
        Rounding::NearestEven => text!(precision_lab::KEPT_ROUNDED),
        Rounding::Truncation => text!(precision_lab::KEPT_TRUNCATED),
    };
    language.fill(how, &[&sum, &result, name])
}

/// What the fp32 copy makes of the first addition.
pub fn first_addition_to_copy(setup: &Setup, series: &Series, language: Language) -> String {
    let copy = round_to(Format::Fp32, setup.weight, Rounding::NearestEven);
    let after = add(copy, series.update, Rounding::NearestEven);
    if after.value() == copy.value() {
        return language.fill(text!(precision_lab::COPY_LOSES), &[&number::text(copy.value())]);
    }
    let stored = round_to(setup.format, after.value(), setup.rounding);
    let sum = format!("{} = {}", number::sum(copy.value(), series.update), number::text(after.value()));
    language.fill(text!(precision_lab::COPY_KEEPS), &[&sum, setup.format.name(), &number::text(stored.value())])
}

/// The update as given where fp32 has lost it, and as fp32 holds it everywhere else.
fn shown_update(setup: &Setup, held: f64) -> f64 {
    if held == 0.0 { setup.update } else { held }
}

/// The gap between a stored number and its neighbour on the side the update goes to.
fn gap_towards(start: Stored, update: f64) -> f64 {
    let grows = start.value() == 0.0 || start.is_sign_negative() == update.is_sign_negative();
    let [here, there] = [start.gap_above(), start.gap_below()];
    // At the largest number there is nothing above: the gap below is the one that rounding goes by.
    if grows { here.or(there) } else { there.or(here) }.unwrap_or(0.0)
}

/// The curves of the weight.
pub fn picture(setup: &Setup, outcome: &Outcome, language: Language) -> Chart {
    let name = setup.format.name();
    let line = |series: &Series, text, tint, master, dash| Line {
        name: language.fill(text, &[name]),
        tint,
        width: if setup.master == master { 3.0 } else { 1.5 },
        dash,
        at: series.points.iter().map(|point| (point.step as f64, point.value)).collect(),
    };
    let (alone, copied) = (&outcome.alone, &outcome.copied);
    let (start, exact) = (alone.start.value(), alone.exact);
    let end = |series: &Series, tint| Point {
        at: (setup.additions as f64, series.end.value()),
        label: number::text(series.end.value()),
        tint,
    };
    let mut points = vec![end(alone, Tint::Fourth)];
    if copied.end != alone.end {
        points.push(end(copied, Tint::Second));
    }
    Chart {
        x: Axis {
            spread: Spread::Linear,
            label: language.say(text!(precision_lab::ADDITIONS)).to_owned(),
            min: Some(0.0),
            max: Some(setup.additions as f64),
            write: format::grouped,
        },
        y: Axis {
            spread: Spread::Linear,
            label: language.say(text!(precision_lab::WEIGHT)).to_owned(),
            min: None,
            max: None,
            write: curve::decimal,
        },
        lines: vec![
            Line {
                name: language.say(text!(precision_lab::EXACT_LINE)).to_owned(),
                tint: Tint::First,
                width: 1.0,
                dash: Some((2.0, 3.0)),
                at: vec![(0.0, start), (setup.additions as f64, exact)],
            },
            line(copied, text!(precision_lab::FROM_COPY), Tint::Second, Master::Fp32, Some((8.0, 3.0))),
            line(alone, text!(precision_lab::ALONE), Tint::Fourth, Master::None, None),
        ],
        marker: None,
        points,
    }
}

/// The curves in words.
pub fn words(setup: &Setup, outcome: &Outcome, language: Language) -> String {
    let [alone, copied] = [&outcome.alone, &outcome.copied].map(|series| number::text(series.end.value()));
    language.fill(
        text!(precision_lab::WEIGHT_WORDS),
        &[&number::count(setup.additions), setup.format.name(), &alone, &copied],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(setup: Setup) -> String {
        let outcome = Outcome::of(&setup).expect("a setup that can be run");
        first_addition(&setup, &outcome.alone, Language::English)
    }

    #[test]
    fn the_well_known_points() {
        let outcome = Outcome::of(&Setup::default()).expect("the opening setup");
        let [fp32, bf16, fp16] = &outcome.rows[..] else { panic!("three formats: {:?}", outcome.rows) };
        assert!((fp32.nearest.expect("fp32 holds 1.0") - 2.0).abs() < 1e-3, "{fp32:?}");
        assert_eq!((bf16.nearest, bf16.truncated, bf16.gap), (Some(1.0), Some(1.0), Some(0.0078125)));
        assert_eq!(fp16.nearest, Some(1.0));
        assert_eq!(bf16.copied, Some(2.0));
        assert_eq!(outcome.alone.end.value(), 1.0);
    }

    #[test]
    fn why_an_update_is_lost() {
        let bf16 = Setup::default();
        assert_eq!(said(bf16), "1.0 + 0.0001 stays 1.0: the update is less than half of the gap 0.0078125.");
        assert_eq!(
            said(Setup { update: 0.00390625, ..bf16 }),
            "1.0 + 0.00390625 stays 1.0: the update is exactly half of the gap 0.0078125, and a tie goes to the even \
             neighbour."
        );
        assert_eq!(
            said(Setup { rounding: Rounding::Truncation, update: 0.007, ..bf16 }),
            "1.0 + 0.007 stays 1.0: the update does not fill the gap 0.0078125, and truncation cuts it off."
        );
        assert_eq!(
            said(Setup { update: -0.0001, ..bf16 }),
            "1.0 − 0.0001 stays 1.0: the update is less than half of the gap 0.00390625."
        );
        assert!(said(Setup { update: 1e-60, ..bf16 }).contains("0 even in FP32"));
    }

    #[test]
    fn what_an_update_does_that_arrives() {
        let bf16 = Setup::default();
        assert_eq!(said(Setup { update: 1.0, ..bf16 }), "1.0 + 1.0 becomes 2.0, exactly.");
        assert_eq!(
            said(Setup { update: 0.005, ..bf16 }),
            "1.0 + 0.005 becomes 1.0078125, the nearest number that BF16 has."
        );
        assert_eq!(
            said(Setup { update: -0.0001, rounding: Rounding::Truncation, ..bf16 }),
            "1.0 − 0.0001 becomes 0.99609375: what BF16 cannot hold is cut off."
        );
        let e4m3 = Setup { format: Format::Fp8E4m3, weight: 448.0, update: 100.0, ..bf16 };
        assert_eq!(said(e4m3), "448.0 + 100.0 becomes NaN: beyond the range of FP8 E4M3.");
    }

    #[test]
    fn the_copy_keeps_what_the_format_loses() {
        let setup = Setup::default();
        let outcome = Outcome::of(&setup).expect("the opening setup");
        let text = first_addition_to_copy(&setup, &outcome.copied, Language::English);
        assert_eq!(text, "The FP32 copy keeps it: 1.0 + 0.0001 = 1.0001. BF16 stores this copy rounded: 1.0.");
        let lost = Setup { update: 1e-9, ..setup };
        let outcome = Outcome::of(&lost).expect("a smaller update");
        assert_eq!(
            first_addition_to_copy(&lost, &outcome.copied, Language::English),
            "The FP32 copy stays 1.0 as well."
        );
    }

    #[test]
    fn a_format_that_cannot_hold_the_weight_says_so_in_its_row_alone() {
        let setup = Setup { weight: 1e6, update: 1.0, ..Setup::default() };
        let outcome = Outcome::of(&setup).expect("BF16 holds a million");
        assert_eq!((outcome.rows[2].format, outcome.rows[2].nearest), (Format::Fp16, None));
        assert!(outcome.rows[0].nearest.is_some());
    }
}

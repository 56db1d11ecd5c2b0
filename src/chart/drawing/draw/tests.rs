//! The drawing, on a backend that only takes notes. Texts are as wide as half their size times their length.

use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;

use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, text_anchor::HPos,
};

use super::*;
use crate::chart::drawing::look::Colour;
use crate::chart::{Axis, Marker, Point, Spread};

type Rgb = (u8, u8, u8);
type Polyline = Vec<(f64, f64)>;

/// What was drawn, in device pixels.
#[derive(Clone, Debug, Default)]
struct Notes {
    paths: Vec<(Rgb, f64, Polyline)>,
    texts: Vec<(String, f64, Rect)>,
    circles: Vec<(Rgb, (f64, f64), f64)>,
    presented: bool,
}

struct Recorder {
    size: (u32, u32),
    notes: Rc<RefCell<Notes>>,
}

fn pixels((x, y): BackendCoord) -> (f64, f64) {
    (f64::from(x) / UNITS_PER_PIXEL, f64::from(y) / UNITS_PER_PIXEL)
}

impl DrawingBackend for Recorder {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Result<(), DrawingErrorKind<Infallible>> {
        Ok(())
    }

    fn present(&mut self) -> Result<(), DrawingErrorKind<Infallible>> {
        self.notes.borrow_mut().presented = true;
        Ok(())
    }

    fn draw_pixel(&mut self, _: BackendCoord, _: BackendColor) -> Result<(), DrawingErrorKind<Infallible>> {
        panic!("nothing here is drawn pixel by pixel");
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        _: BackendCoord,
        _: BackendCoord,
        _: &S,
        fill: bool,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        assert!(fill);
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        let stroke = f64::from(style.stroke_width()) / UNITS_PER_PIXEL;
        let path = path.into_iter().map(pixels).collect();
        self.notes.borrow_mut().paths.push((style.color().rgb, stroke, path));
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        _: bool,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        let radius = f64::from(radius) / UNITS_PER_PIXEL;
        self.notes.borrow_mut().circles.push((style.color().rgb, pixels(centre), radius));
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        (x, y): BackendCoord,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        let (width, height) = self.estimate_text_size(text, style)?;
        let (width, height) = (width as i32, height as i32);
        let left = match style.anchor().h_pos {
            HPos::Left => x,
            HPos::Center => x - width / 2,
            HPos::Right => x - width,
        };
        let place = Rect { left, top: y - height / 2, right: left + width, bottom: y + height / 2 };
        self.notes.borrow_mut().texts.push((text.to_owned(), style.size() / UNITS_PER_PIXEL, place));
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        Ok(((style.size() / 2.0) as u32 * text.chars().count() as u32, style.size() as u32))
    }
}

/// Colours tell apart what was drawn: each is the place of its tint.
const TEXT: Rgb = shade(Tint::Text);
const GRID: Rgb = shade(Tint::Grid);
const CURVE: Rgb = shade(Tint::Fourth);
const MARKER: Rgb = shade(Tint::Limit);

const fn shade(tint: Tint) -> Rgb {
    (tint as u8, tint as u8, tint as u8)
}

fn axis(spread: Spread, label: &str) -> Axis {
    Axis { spread, label: label.into(), min: None, max: None, write: |value| value.to_string() }
}

fn look(width: f64, ratio: f64) -> Look {
    let opaque = |(red, green, blue): Rgb| Colour { red, green, blue, opacity: 1.0 };
    let colours = Tint::ALL.map(|tint| opaque(shade(tint)));
    Look { width, height: 300.0, ratio, colours, font: "sans-serif".into(), font_size: 12.0 }
}

/// State a GPU against shards: 112 GB over 1 to 4096 GPUs, with the capacity of one.
fn scaling() -> Chart {
    let shards = (0..=12).map(|power| 2f64.powi(power));
    Chart {
        x: axis(Spread::Log2, "GPUs"),
        y: axis(Spread::Log10, "GB per GPU"),
        lines: vec![Line {
            name: "training state".into(),
            tint: Tint::Fourth,
            width: 1.5,
            dash: None,
            at: shards.map(|shards| (shards, 112.0 / shards)).collect(),
        }],
        marker: Some(Marker { y: 80.0, label: "one GPU holds 80 GB".into(), tint: Tint::Limit }),
        points: [(1.0, 112.0), (8.0, 14.0), (64.0, 1.75)]
            .map(|at| Point { at, label: format!("{} GB", at.1), tint: Tint::Fourth })
            .into(),
    }
}

fn drawn(chart: &Chart, look: &Look) -> Result<Notes, String> {
    let notes = Rc::new(RefCell::new(Notes::default()));
    let (width, height) = look.pixels();
    let size = (width * UNITS_PER_PIXEL as u32, height * UNITS_PER_PIXEL as u32);
    draw(Recorder { size, notes: notes.clone() }, chart, look).map_err(|Refusal(message)| message)?;
    Ok(notes.take())
}

fn paths(notes: &Notes, colour: Rgb) -> Vec<Polyline> {
    notes.paths.iter().filter(|path| path.0 == colour).map(|path| path.2.clone()).collect()
}

#[test]
fn a_straight_law_is_a_straight_line_between_the_plot_corners() {
    let notes = drawn(&scaling(), &look(600.0, 1.0)).expect("drawn");
    assert!(notes.presented);
    // The first path in the curve's colour is the legend's sample.
    let curve = &paths(&notes, CURVE)[1];
    assert_eq!(curve.len(), 13);
    let ((x0, y0), (x1, y1)) = (curve[0], curve[12]);
    assert_eq!(x1, 592.0);
    for (x, y) in curve {
        let on_line = y0 + (y1 - y0) * (x - x0) / (x1 - x0);
        assert!((y - on_line).abs() <= 0.125, "{y} {on_line}");
    }
}

#[test]
fn texts_stay_on_the_canvas_and_clear_of_each_other_at_every_width() {
    for width in [240.0, 328.0, 360.0, 600.0, 1200.0] {
        for ratio in [1.0, 1.25, 2.0, 3.0] {
            let notes = drawn(&scaling(), &look(width, ratio)).expect("drawn");
            let unit = UNITS_PER_PIXEL * ratio;
            let canvas = Rect { left: 0, top: 0, right: (width * unit) as i32, bottom: (300.0 * unit) as i32 };
            for (at, (text, size, place)) in notes.texts.iter().enumerate() {
                assert!(canvas.contains(place), "{text} leaves a canvas of {width} at {ratio}: {place:?}");
                assert_eq!(*size, 12.0 * ratio);
                for (other, _, taken) in &notes.texts[..at] {
                    assert!(!place.overlaps(taken), "{text} is written over {other} at {width}, {ratio}");
                }
            }
            for expected in
                ["GPUs", "GB per GPU", "training state", "one GPU holds 80 GB", "112 GB", "14 GB", "1.75 GB"]
            {
                assert!(notes.texts.iter().any(|(text, ..)| text == expected), "{expected} is missing at {width}");
            }
        }
    }
}

#[test]
fn labels_are_not_written_across_curves_where_there_is_room_beside() {
    let notes = drawn(&scaling(), &look(600.0, 1.0)).expect("drawn");
    let units = |(x, y): (f64, f64)| ((x * UNITS_PER_PIXEL) as i32, (y * UNITS_PER_PIXEL) as i32);
    for (text, _, place) in notes.texts.iter().filter(|(text, ..)| text.contains(" GB")) {
        for colour in [CURVE, MARKER] {
            for line in paths(&notes, colour) {
                let crossed = line.windows(2).any(|piece| crosses(units(piece[0]), units(piece[1]), place));
                assert!(!crossed, "{text} is crossed");
            }
        }
    }
}

#[test]
fn twice_the_density_is_twice_the_pixels() {
    let (single, double) =
        (drawn(&scaling(), &look(600.0, 1.0)).expect("drawn"), drawn(&scaling(), &look(600.0, 2.0)).expect("drawn"));
    assert_eq!(single.texts.len(), double.texts.len());
    let (thin, thick) = (&single.paths, &double.paths);
    assert_eq!(thin.len(), thick.len());
    for ((colour, stroke, path), (_, other_stroke, other_path)) in thin.iter().zip(thick) {
        if *colour == CURVE {
            assert_eq!((*stroke, *other_stroke), (1.5, 3.0));
        }
        for ((x, y), (other_x, other_y)) in path.iter().zip(other_path) {
            assert!((2.0 * x - other_x).abs() <= 1.5 && (2.0 * y - other_y).abs() <= 1.5);
        }
    }
}

#[test]
fn grid_lines_fill_whole_pixels() {
    for ratio in [1.0, 1.25, 1.5, 2.0, 3.0] {
        let notes = drawn(&scaling(), &look(601.0, ratio)).expect("drawn");
        for (_, stroke, path) in notes.paths.iter().filter(|(colour, ..)| [GRID, MARKER, TEXT].contains(colour)) {
            assert_eq!(stroke.fract(), 0.0);
            let across = if path[0].0 == path[1].0 { path[0].0 } else { path[0].1 };
            assert_eq!((across - stroke / 2.0).fract(), 0.0, "a blurred line at {ratio}");
        }
    }
}

#[test]
fn a_hole_in_the_data_is_a_hole_in_the_curve() {
    let mut chart = scaling();
    chart.lines[0].at[5].1 = f64::NAN;
    let runs: Vec<usize> =
        paths(&drawn(&chart, &look(600.0, 1.0)).expect("drawn"), CURVE)[1..].iter().map(Vec::len).collect();
    assert_eq!(runs, [5, 7]);
}

#[test]
fn nothing_is_drawn_off_the_axes() {
    let mut chart = scaling();
    (chart.x.min, chart.x.max) = (Some(4.0), Some(256.0));
    (chart.y.min, chart.y.max) = (Some(1.0), Some(20.0));
    let notes = drawn(&chart, &look(600.0, 1.0)).expect("drawn");
    let curve = &paths(&notes, CURVE)[1];
    let plot = paths(&notes, TEXT)[0].clone();
    assert!(curve.iter().all(|(x, y)| (plot[0].0..=plot[1].0).contains(x) && *y <= plot[0].1 && *y >= 0.0));
    assert!(paths(&notes, MARKER).is_empty());
    // Of three points, the one of a single GPU is off the axes.
    let dots: Vec<_> = notes.circles.iter().filter(|circle| circle.0 == CURVE).collect();
    assert_eq!(dots.len(), 2);
    assert!(!notes.texts.iter().any(|(text, ..)| text == "112 GB" || text == "one GPU holds 80 GB"));
}

#[test]
fn dashes_have_their_lengths() {
    let mut chart = scaling();
    chart.lines[0].dash = Some((6.0, 4.0));
    chart.lines[0].at = vec![(1.0, 10.0), (4096.0, 10.0)];
    let notes = drawn(&chart, &look(600.0, 1.0)).expect("drawn");
    let dashes = &paths(&notes, CURVE)[2..];
    assert!(dashes.len() > 40);
    for dash in &dashes[1..dashes.len() - 1] {
        assert_eq!(dash[dash.len() - 1].0 - dash[0].0, 6.0);
    }
    assert_eq!(dashes[2][0].0 - dashes[1][0].0, 10.0);
}

#[test]
fn a_legend_too_long_for_a_row_takes_more_and_the_plot_gives_way() {
    let (mut chart, look) = (scaling(), look(300.0, 1.0));
    let top = |notes: &Notes| paths(notes, GRID).iter().flatten().map(|point| point.1).fold(f64::MAX, f64::min);
    let before = top(&drawn(&chart, &look).expect("drawn"));
    for name in ["optimiser states", "gradients", "weights"] {
        let at = chart.lines[0].at.clone();
        chart.lines.push(Line { name: name.into(), tint: Tint::Fourth, width: 2.0, dash: None, at });
    }
    assert!(top(&drawn(&chart, &look).expect("drawn")) > before);
}

#[test]
fn an_empty_chart_and_a_tiny_canvas_are_drawn() {
    let mut chart = scaling();
    assert!(drawn(&chart, &Look { height: 10.0, ..look(20.0, 1.0) }).is_ok());
    (chart.lines, chart.points, chart.marker) = (Vec::new(), Vec::new(), None);
    assert!(drawn(&chart, &look(400.0, 1.0)).is_ok());
}

#[test]
fn impossible_charts_are_refused_before_drawing() {
    let refused = |change: fn(&mut Chart, &mut Look)| {
        let (mut chart, mut look) = (scaling(), look(600.0, 1.0));
        change(&mut chart, &mut look);
        drawn(&chart, &look).expect_err("refused")
    };
    assert_eq!(refused(|_, look| look.ratio = 0.0), "ratio: 0 was given; allowed: positive numbers");
    assert_eq!(refused(|_, look| look.width = f64::NAN), "width: NaN was given; allowed: 1 to 16384 device pixels");
    assert_eq!(refused(|_, look| look.height = 1e6), "height: 1000000 was given; allowed: 1 to 16384 device pixels");
    assert_eq!(refused(|_, look| look.font_size = -1.0), "font_size: -1 was given; allowed: positive numbers");
    assert_eq!(
        refused(|chart, _| chart.lines[0].width = 0.0),
        "lines[0].width: 0 was given; allowed: positive numbers"
    );
    assert_eq!(
        refused(|chart, _| chart.lines[0].dash = Some((4.0, 0.0))),
        "lines[0].dash: [4, 0] was given; allowed: two positive numbers"
    );
    assert_eq!(refused(|chart, _| chart.x.min = Some(-1.0)), "x.min: -1 was given; allowed: positive numbers");
}

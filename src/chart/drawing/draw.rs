//! The drawing itself, on any plotters backend.

use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Circle, DashedPathElement, PathElement, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, RGBAColor, ShapeStyle, TextStyle};
use plotters_backend::DrawingBackend;

use super::clip::{crosses, visible};
use super::layout::{Rect, Ruler, beside_line, beside_point, best, rows};
use super::look::{Look, UNITS_PER_PIXEL};
use super::scale::{Scale, scales};
use crate::chart::{Chart, Line, Refusal, Tint};

/// Heights and distances, in CSS pixels or as shares of the text size.
mod measure {
    pub const LINE_HEIGHT: f64 = 1.5;
    pub const TICK_GAP: f64 = 8.0;
    pub const TICK_SPACING: f64 = 16.0;
    pub const SWATCH: f64 = 20.0;
    pub const SWATCH_GAP: f64 = 6.0;
    pub const LEGEND_GAP: f64 = 18.0;
    pub const EDGE: f64 = 8.0;
    pub const HAIRLINE: f64 = 1.0;
    pub const MARKER_STROKE: f64 = 1.5;
    pub const DOT_RADIUS: f64 = 4.0;
    pub const DOT_RING: f64 = 1.5;
    pub const LABEL_PAD: f64 = 3.0;
}

/// Draws a chart and presents it.
///
/// # Errors
/// A size, a stroke, a dash or an end of an axis that nothing can be drawn with, and what the backend reports.
pub fn draw<DB: DrawingBackend>(backend: DB, chart: &Chart, look: &Look) -> Result<(), Refusal> {
    look.check()?;
    check(chart)?;
    let (x, y) = scales(chart)?;
    let pen = Pen { area: backend.into_drawing_area(), chart, look };
    pen.area.fill(&pen.colour(Tint::Paper)).map_err(refused)?;
    let plot = pen.frame(&x, &y)?;
    pen.curves(&plot, x, y)?;
    pen.area.present().map_err(refused)
}

/// What can be refused of a chart before anything is drawn.
///
/// # Errors
/// Names the first stroke or dash that has no length, or the end of an axis that cannot be one.
pub fn check(chart: &Chart) -> Result<(), Refusal> {
    for (index, line) in chart.lines.iter().enumerate() {
        if !(line.width > 0.0 && line.width.is_finite()) {
            return Err(Refusal::new(&format!("lines[{index}].width"), line.width, "positive numbers"));
        }
        if let Some((dash, gap)) = line.dash
            && !(dash > 0.0 && gap > 0.0 && dash.is_finite() && gap.is_finite())
        {
            let given = format!("[{dash}, {gap}]");
            return Err(Refusal::new(&format!("lines[{index}].dash"), given, "two positive numbers"));
        }
    }
    scales(chart).map(|_| ())
}

fn refused<E: std::error::Error + Send + Sync>(error: DrawingAreaErrorKind<E>) -> Refusal {
    Refusal(error.to_string())
}

struct Pen<'a, DB: DrawingBackend> {
    area: DrawingArea<DB, Shift>,
    chart: &'a Chart,
    look: &'a Look,
}

impl<DB: DrawingBackend> Pen<'_, DB> {
    fn units(&self, css: f64) -> i32 {
        self.look.units(css)
    }

    fn line_height(&self) -> i32 {
        self.units(self.look.font_size * measure::LINE_HEIGHT)
    }

    fn colour(&self, tint: Tint) -> RGBAColor {
        let colour = self.look.colour(tint);
        RGBAColor(colour.red, colour.green, colour.blue, colour.opacity)
    }

    fn text_style(&self, horizontal: HPos) -> TextStyle<'_> {
        let look = self.look;
        let size = look.font_size * look.ratio * UNITS_PER_PIXEL;
        TextStyle {
            font: FontDesc::new(FontFamily::Name(&look.font), size, FontStyle::Normal),
            color: self.colour(Tint::Text).to_backend_color(),
            pos: Pos::new(horizontal, VPos::Center),
        }
    }

    fn text_width(&self, text: &str) -> Result<i32, Refusal> {
        let style = self.text_style(HPos::Left);
        Ok(self.area.estimate_text_size(text, &style).map_err(refused)?.0 as i32)
    }

    /// Writes one line whose middle is at `y`.
    fn text(&self, text: &str, x: i32, y: i32, horizontal: HPos) -> Result<(), Refusal> {
        if text.is_empty() {
            return Ok(());
        }
        let style = self.text_style(horizontal);
        self.area.draw(&Text::new(text, (x, y), style)).map_err(refused)
    }

    /// A horizontal or vertical line that fills whole device pixels.
    fn crisp_line(&self, from: (i32, i32), to: (i32, i32), tint: Tint, css: f64) -> Result<(), Refusal> {
        let pixel = UNITS_PER_PIXEL as i32;
        let stroke = self.look.crisp_stroke(css);
        // The middle of an odd number of pixels is the middle of one.
        let middle = if (stroke / pixel) % 2 == 1 { pixel / 2 } else { 0 };
        let snap = |at: i32| at.div_euclid(pixel) * pixel + middle;
        let (from, to) = if from.0 == to.0 {
            ((snap(from.0), from.1), (snap(to.0), to.1))
        } else {
            ((from.0, snap(from.1)), (to.0, snap(to.1)))
        };
        let style = ShapeStyle { color: self.colour(tint), filled: false, stroke_width: stroke as u32 };
        self.area.draw(&PathElement::new([from, to], style)).map_err(refused)
    }

    /// The stroke of a curve, in the coordinates of whatever area it is drawn on.
    fn curve_style(&self, line: &Line) -> ShapeStyle {
        let stroke_width = self.units(line.width).max(1) as u32;
        ShapeStyle { color: self.colour(line.tint), filled: false, stroke_width }
    }

    /// Everything around the curves: legend, axes, grid. Answers where the plot is.
    fn frame(&self, x: &Scale, y: &Scale) -> Result<Rect, Refusal> {
        let chart = self.chart;
        let (width, height) = self.area.dim_in_pixel();
        let (width, height) = (width as i32, height as i32);
        let line = self.line_height();
        let edge = self.units(measure::EDGE);

        let header = self.header(width)?;
        let x_label_rows = i32::from(!chart.x.label.is_empty());
        let bottom = height - self.units(measure::TICK_GAP / 2.0) - line * (1 + x_label_rows);
        // A plot that text leaves no room for is drawn a pixel high rather than upside down.
        let top = (header + self.headroom()).min(bottom - UNITS_PER_PIXEL as i32);

        let text_height = self.units(self.look.font_size);
        let y_ruler = Ruler {
            ends: (bottom, top),
            bounds: (i32::MIN / 2, i32::MAX / 2),
            gap: text_height / 2,
            most: (2 * (bottom - top) / (3 * line)).max(2) as usize,
        };
        let y_ticks = y_ruler.ticks(&chart.y, y, |_| Ok(text_height))?;
        let mut y_texts = 0;
        for tick in &y_ticks {
            y_texts = y_texts.max(self.text_width(&tick.text)?);
        }

        let right = width - edge;
        let left = (y_texts + self.units(measure::TICK_GAP)).min(right - UNITS_PER_PIXEL as i32);
        let x_ruler = Ruler {
            ends: (left, right),
            bounds: (0, width),
            gap: self.units(measure::TICK_SPACING),
            most: ((right - left) / (2 * text_height).max(1)).max(2) as usize,
        };
        let x_ticks = x_ruler.ticks(&chart.x, x, |text| self.text_width(text))?;

        for tick in &y_ticks {
            self.crisp_line((left, tick.at), (right, tick.at), Tint::Grid, measure::HAIRLINE)?;
            self.text(&tick.text, left - self.units(measure::TICK_GAP), tick.at, HPos::Right)?;
        }
        let x_text_middle = bottom + self.units(measure::TICK_GAP / 2.0) + line / 2;
        for tick in &x_ticks {
            self.crisp_line((tick.at, top), (tick.at, bottom), Tint::Grid, measure::HAIRLINE)?;
            self.text(&tick.text, tick.begin, x_text_middle, HPos::Left)?;
        }
        self.crisp_line((left, bottom), (right, bottom), Tint::Text, measure::HAIRLINE)?;
        self.text(&chart.x.label, right, x_text_middle + line, HPos::Right)?;
        Ok(Rect { left, top, right, bottom })
    }

    /// The y axis' label and the legend: in one row where both fit, else one below the other. Answers their height.
    fn header(&self, width: i32) -> Result<i32, Refusal> {
        let chart = self.chart;
        let (line, swatch) = (self.line_height(), self.units(measure::SWATCH));
        let (swatch_gap, gap) = (self.units(measure::SWATCH_GAP), self.units(measure::LEGEND_GAP));
        let named: Vec<&Line> = chart.lines.iter().filter(|line| !line.name.is_empty()).collect();
        let mut widths = Vec::with_capacity(named.len());
        for curve in &named {
            widths.push(swatch + swatch_gap + self.text_width(&curve.name)?);
        }

        let label = self.text_width(&chart.y.label)?;
        self.text(&chart.y.label, 0, line / 2, HPos::Left)?;
        let beside_label = if label > 0 { label + gap } else { 0 };
        let whole: i32 = widths.iter().map(|width| width + gap).sum::<i32>() - gap;
        let (start, first_row) = if named.is_empty() || beside_label + whole <= width {
            (beside_label, 0)
        } else {
            (0, i32::from(label > 0))
        };
        let places = rows(&widths, start, width, gap);
        let mut used = i32::from(label > 0);
        for (curve, (row, left)) in named.into_iter().zip(places) {
            let row = first_row + row;
            used = used.max(row + 1);
            let middle = row * line + line / 2;
            self.curve(&self.area, curve, vec![(left, middle), (left + swatch, middle)])?;
            self.text(&curve.name, left + swatch + swatch_gap, middle, HPos::Left)?;
        }
        Ok(used * line)
    }

    /// One run of a curve, solid or dashed, on an area with any coordinates.
    fn curve<C>(&self, area: &DrawingArea<DB, C>, line: &Line, run: Vec<C::From>) -> Result<(), Refusal>
    where
        C: plotters::coord::CoordTranslate,
        C::From: Clone,
    {
        let style = self.curve_style(line);
        match line.dash {
            None => area.draw(&PathElement::new(run, style)),
            Some((dash, gap)) => {
                // A dash shorter than a unit would be none.
                let (dash, gap) = (self.units(dash).max(1), self.units(gap).max(1));
                area.draw(&DashedPathElement::new(run, dash, gap, style))
            }
        }
        .map_err(refused)
    }

    /// The marker line and the curves, then on top the marked points and all labels.
    fn curves(&self, plot: &Rect, x: Scale, y: Scale) -> Result<(), Refusal> {
        let chart = self.chart;
        let shows = |scale: &Scale, value: f64| scale.share(value).is_some_and(|share| (0.0..=1.0).contains(&share));
        let coordinates = Cartesian2d::<Scale, Scale>::new(x, y, (plot.left..plot.right, plot.bottom..plot.top));
        let area = self.area.apply_coord_spec(coordinates);
        let place = |x: f64, y: f64| area.map_coordinate(&(x, y));
        let mut covered = Covered::default();

        let marker = chart.marker.as_ref().filter(|marker| shows(&y, marker.y));
        if let Some(marker) = marker {
            let line = [place(x.low, marker.y), place(x.high, marker.y)];
            self.crisp_line(line[0], line[1], marker.tint, measure::MARKER_STROKE)?;
            covered.lines.push(line.into());
        }
        for line in &chart.lines {
            for run in visible(&x, &y, line.at.iter().copied()) {
                covered.lines.push(run.iter().map(|(x, y)| place(*x, *y)).collect());
                self.curve(&area, line, run)?;
            }
        }

        let radius = self.units(measure::DOT_RADIUS);
        let marked = chart.points.iter().filter(|point| shows(&x, point.at.0) && shows(&y, point.at.1));
        let dots: Vec<_> = marked.map(|point| (point, place(point.at.0, point.at.1))).collect();
        for (_, (x, y)) in &dots {
            covered.boxes.push(Rect { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius });
        }

        // A label may reach above the plot, into the strip left free for that.
        let line = self.line_height();
        let bounds = Rect { top: plot.top - self.headroom(), ..*plot };
        let size = |text: &str| Ok((self.text_width(text)? + 2 * self.units(measure::LABEL_PAD), line));
        if let Some(marker) = marker.filter(|marker| !marker.label.is_empty()) {
            let around = beside_line(place(x.low, marker.y).1, size(&marker.label)?, radius / 2, plot);
            let best = best(&around, &bounds, |place| covered.cost(place));
            self.label(&marker.label, &best)?;
            covered.boxes.push(best);
        }
        for (point, at) in dots.iter().filter(|(point, _)| !point.label.is_empty()) {
            let around = beside_point(*at, size(&point.label)?, radius);
            let best = best(&around, &bounds, |place| covered.cost(place));
            self.label(&point.label, &best)?;
            covered.boxes.push(best);
        }
        // Last, lest the plate of a neighbour's label lie over one.
        for (point, at) in dots {
            let dot = |size: i32, tint: Tint| Circle::new(at, size, self.colour(tint).filled());
            let ring = radius + self.units(measure::DOT_RING);
            self.area.draw(&dot(ring, Tint::Paper)).map_err(refused)?;
            self.area.draw(&dot(radius, point.tint)).map_err(refused)?;
        }
        Ok(())
    }

    /// The strip between header and plot.
    fn headroom(&self) -> i32 {
        self.line_height() * 3 / 4
    }

    /// Text on a plate of the background's colour, so that it can be read across curves and grid.
    fn label(&self, text: &str, place: &Rect) -> Result<(), Refusal> {
        let plate = self.colour(Tint::Paper).mix(0.85).filled();
        let corners = [(place.left, place.top), (place.right, place.bottom)];
        self.area.draw(&Rectangle::new(corners, plate)).map_err(refused)?;
        let middle = (place.top + place.bottom) / 2;
        self.text(text, place.left + self.units(measure::LABEL_PAD), middle, HPos::Left)
    }
}

/// What a label should not be written across.
#[derive(Default)]
struct Covered {
    boxes: Vec<Rect>,
    lines: Vec<Vec<(i32, i32)>>,
}

impl Covered {
    /// How much a label at this place would cover. Any box, which is text or a dot, outweighs all lines.
    fn cost(&self, place: &Rect) -> usize {
        let crossed = |line: &&Vec<(i32, i32)>| line.windows(2).any(|piece| crosses(piece[0], piece[1], place));
        let boxes = self.boxes.iter().filter(|other| other.overlaps(place)).count();
        boxes * (self.lines.len() + 1) + self.lines.iter().filter(crossed).count()
    }
}

#[cfg(test)]
mod tests;

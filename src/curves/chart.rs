//! What a chart is, and which ones are refused.

use std::fmt;

use plotters::style::RGBAColor;

use super::scale::{Extent, Kind, Scale};

/// Units of drawing in one device pixel.
///
/// plotters has whole coordinates and whole stroke widths only. In device pixels a shallow curve would climb in
/// visible steps and a stroke of 1.5 pixels could not be had.
pub const UNITS_PER_PIXEL: f64 = 8.0;

/// Why a chart is not drawn: a message that names the field, says what was given and what is allowed.
#[derive(Debug, PartialEq, Eq)]
pub struct Refusal(pub String);

impl Refusal {
    pub fn new(field: &str, given: impl fmt::Display, allowed: &str) -> Self {
        Self(format!("{field}: {given} was given; allowed: {allowed}"))
    }
}

/// Writes the text of a tick. It is the page's, so it may fail.
pub type Format = Box<dyn Fn(f64) -> Result<String, Refusal>>;

/// One axis.
pub struct Axis {
    pub kind: Kind,
    /// The quantity and its unit; may be empty.
    pub label: String,
    /// Ends of the axis; where absent, the data's, and for a free end of y some room.
    pub min: Option<f64>,
    pub max: Option<f64>,
    /// Ticks to choose from; where absent, round numbers.
    pub ticks: Option<Vec<f64>>,
    pub format: Format,
}

/// One curve.
pub struct Series {
    /// For the legend; without a name the curve is not listed there.
    pub name: String,
    pub colour: RGBAColor,
    /// Stroke in CSS pixels.
    pub width: f64,
    /// Lengths of dash and gap in CSS pixels.
    pub dash: Option<(f64, f64)>,
    /// A curve has a hole where either is not finite, or not positive on a logarithmic axis.
    pub x: Vec<f64>,
    pub y: Vec<f64>,
}

/// A horizontal line across the plot, such as a capacity.
pub struct Marker {
    pub y: f64,
    pub label: String,
    pub colour: RGBAColor,
}

/// A point with a dot and a label.
pub struct Point {
    pub x: f64,
    pub y: f64,
    pub label: String,
    pub colour: RGBAColor,
}

/// The page's colours and type.
pub struct Theme {
    pub text: RGBAColor,
    pub grid: RGBAColor,
    pub background: RGBAColor,
    /// A CSS font family list.
    pub font: String,
    /// Size of all text in CSS pixels.
    pub font_size: f64,
}

/// All of it.
pub struct Chart {
    /// Size in CSS pixels.
    pub width: f64,
    pub height: f64,
    /// Device pixels in a CSS pixel.
    pub ratio: f64,
    pub theme: Theme,
    pub x: Axis,
    pub y: Axis,
    pub series: Vec<Series>,
    pub marker: Option<Marker>,
    pub points: Vec<Point>,
}

/// The widest canvas browsers agree on, in device pixels.
const MAX_PIXELS: f64 = 16_384.0;

impl Chart {
    /// Size of the canvas in device pixels.
    pub fn pixels(&self) -> (u32, u32) {
        ((self.width * self.ratio).round() as u32, (self.height * self.ratio).round() as u32)
    }

    /// A length in CSS pixels as units.
    pub fn units(&self, css: f64) -> i32 {
        (css * self.ratio * UNITS_PER_PIXEL).round() as i32
    }

    /// A stroke in CSS pixels as whole device pixels, at least one, in units. For lines along the pixel grid.
    pub fn crisp_stroke(&self, css: f64) -> i32 {
        ((css * self.ratio).round().max(1.0) * UNITS_PER_PIXEL) as i32
    }

    /// The two axes' scales, from given ends or from the data.
    ///
    /// # Errors
    /// When an axis has its ends in the wrong order, or a logarithmic one reaches zero.
    pub fn scales(&self) -> Result<(Scale, Scale), Refusal> {
        let (mut xs, mut ys) = (Extent::of(self.x.kind), Extent::of(self.y.kind));
        for series in &self.series {
            series.x.iter().for_each(|value| xs.include(*value));
            series.y.iter().for_each(|value| ys.include(*value));
        }
        for point in &self.points {
            xs.include(point.x);
            ys.include(point.y);
        }
        if let Some(marker) = &self.marker {
            ys.include(marker.y);
        }
        let (x, y) = (&self.x, &self.y);
        Ok((Scale::new("x", x.min, x.max, xs, 0.0)?, Scale::new("y", y.min, y.max, ys, 0.05)?))
    }

    /// What can be refused before anything is measured or drawn.
    ///
    /// # Errors
    /// Names the first field that no chart can be drawn from.
    pub fn check(&self) -> Result<(), Refusal> {
        if !(self.ratio > 0.0 && self.ratio.is_finite()) {
            return Err(Refusal::new("ratio", self.ratio, "positive numbers"));
        }
        for (field, value) in [("width", self.width), ("height", self.height)] {
            let pixels = value * self.ratio;
            if !(1.0..=MAX_PIXELS).contains(&pixels) {
                return Err(Refusal::new(field, value, "1 to 16384 device pixels"));
            }
        }
        if !(self.theme.font_size > 0.0 && self.theme.font_size.is_finite()) {
            return Err(Refusal::new("theme.fontSize", self.theme.font_size, "positive numbers"));
        }
        for (at, series) in self.series.iter().enumerate() {
            if series.x.len() != series.y.len() {
                let allowed = format!("as many as x has: {}", series.x.len());
                return Err(Refusal::new(&format!("series[{at}].y.length"), series.y.len(), &allowed));
            }
            if !(series.width > 0.0 && series.width.is_finite()) {
                return Err(Refusal::new(&format!("series[{at}].width"), series.width, "positive numbers"));
            }
            if let Some((dash, gap)) = series.dash
                && !(dash > 0.0 && gap > 0.0 && dash.is_finite() && gap.is_finite())
            {
                let given = format!("[{dash}, {gap}]");
                return Err(Refusal::new(&format!("series[{at}].dash"), given, "two positive numbers"));
            }
        }
        Ok(())
    }
}

/// A colour as canvases write them: `#rrggbb`, or `rgba(r, g, b, a)` where it is not opaque.
pub fn colour(css: &str) -> Option<RGBAColor> {
    if let Some(digits) = css.strip_prefix('#') {
        let value = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 6)?;
        let [_, red, green, blue] = value.to_be_bytes();
        return Some(RGBAColor(red, green, blue, 1.0));
    }
    let mut parts = css.strip_prefix("rgba(")?.strip_suffix(')')?.split(',').map(str::trim);
    let mut channel = || parts.next()?.parse::<u8>().ok();
    let (red, green, blue) = (channel()?, channel()?, channel()?);
    Some(RGBAColor(red, green, blue, opacity(parts.next()?)?))
}

/// An opacity such as `0`, `0.5` or `1`.
///
/// Not by way of `f64`'s own parser, whose tables would be a fifth of the module.
fn opacity(text: &str) -> Option<f64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let whole: u32 = whole.parse().ok()?;
    let scale = 10u32.checked_pow(fraction.len() as u32)?;
    let opacity = f64::from(whole) + f64::from(fraction.parse::<u32>().ok()?) / f64::from(scale);
    (opacity <= 1.0).then_some(opacity)
}

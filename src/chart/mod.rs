//! Line charts: what one shows, as plain data; [`drawing`] draws it.
//!
//! Languages and units are the caller's: it supplies every word, and a function that writes the value of a tick.

#[cfg(any(feature = "page", test))]
pub mod drawing;

/// Everything a chart shows.
#[derive(Debug)]
pub struct Chart {
    /// The axis to the right.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
    /// The curves; later ones lie over earlier ones.
    pub lines: Vec<Line>,
    /// A horizontal line, such as a capacity; not drawn where it is off the axis.
    pub marker: Option<Marker>,
    /// Points with a label; those off the axes are not drawn.
    pub points: Vec<Point>,
}

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// How values are spread.
    pub spread: Spread,
    /// Quantity and unit; may be empty.
    pub label: String,
    /// The low end; by default that of the data, and on y some room below it.
    pub min: Option<f64>,
    /// The high end; by default that of the data, and on y some room above it.
    pub max: Option<f64>,
    /// Writes the value of a tick.
    pub write: fn(f64) -> String,
}

/// How values are spread along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Equal steps are equal differences.
    Linear,
    /// Equal steps are equal ratios, with ticks at powers of two.
    Log2,
    /// Equal steps are equal ratios, with ticks at powers of ten.
    Log10,
}

/// A curve.
#[derive(Debug)]
pub struct Line {
    /// What the legend says; empty keeps it out of the legend.
    pub name: String,
    /// Its colour.
    pub tint: Tint,
    /// Its stroke in CSS pixels.
    pub width: f64,
    /// Lengths of dash and gap in CSS pixels.
    pub dash: Option<(f64, f64)>,
    /// Its corners; it has a hole where one is not finite, or not positive on a logarithmic axis.
    pub at: Vec<(f64, f64)>,
}

/// A horizontal line across the chart.
#[derive(Debug)]
pub struct Marker {
    /// Where.
    pub y: f64,
    /// What it is.
    pub label: String,
    /// Its colour.
    pub tint: Tint,
}

/// A point with a dot and a label.
#[derive(Debug)]
pub struct Point {
    /// Where.
    pub at: (f64, f64),
    /// What it is.
    pub label: String,
    /// Its colour.
    pub tint: Tint,
}

/// A colour by what it is for; which one that is, light or dark, is said by whoever draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tint {
    /// Texts.
    Text,
    /// Lines of the grid.
    Grid,
    /// What lies behind.
    Paper,
    /// Limits that may not be passed.
    Limit,
    /// What holds now.
    Now,
    /// The first of four for comparisons.
    First,
    /// The second of four.
    Second,
    /// The third of four.
    Third,
    /// The last of four.
    Fourth,
}

impl Tint {
    /// Every colour, each at its own place: `Tint::ALL[tint as usize]` is `tint`.
    pub const ALL: [Tint; 9] = [
        Tint::Text,
        Tint::Grid,
        Tint::Paper,
        Tint::Limit,
        Tint::Now,
        Tint::First,
        Tint::Second,
        Tint::Third,
        Tint::Fourth,
    ];

    /// The custom property that holds it in the style sheet of a page.
    #[must_use]
    pub fn property(self) -> &'static str {
        match self {
            Tint::Text => "--curve-text",
            Tint::Grid => "--curve-grid",
            Tint::Paper => "--curve-paper",
            Tint::Limit => "--curve-limit",
            Tint::Now => "--curve-now",
            Tint::First => "--curve-first",
            Tint::Second => "--curve-second",
            Tint::Third => "--curve-third",
            Tint::Fourth => "--curve-fourth",
        }
    }
}

/// Why a chart is not drawn: a message that names the field, says what was given and what is allowed.
#[derive(Debug, PartialEq, Eq)]
pub struct Refusal(pub String);

#[cfg(any(feature = "page", test))]
impl Refusal {
    fn new(field: &str, given: impl std::fmt::Display, allowed: &str) -> Refusal {
        Refusal(format!("{field}: {given} was given; allowed: {allowed}"))
    }
}

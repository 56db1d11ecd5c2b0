//! Curves on a canvas. What one shows is plain data, a [`Picture`]; drawing it is the work of a module of its own,
//! which is fetched when the first curve comes into sight.

mod painter;
mod spec;

use std::rc::Rc;

use vram_ledger::text;
use vram_ledger::words::Language;
use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use crate::page::context::settings::Theme;
use crate::page::format;
use painter::Painter;

/// Everything that is drawn.
#[derive(Debug)]
pub struct Picture {
    /// The axis to the right.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
    /// The curves; later ones lie over earlier ones.
    pub lines: Vec<Line>,
    /// A horizontal line, such as a capacity.
    pub marker: Option<Marker>,
    /// Points with a label.
    pub points: Vec<Point>,
}

/// A picture is made anew when something about it changes; whether it is the same one is all that is ever asked.
impl PartialEq for Picture {
    fn eq(&self, other: &Picture) -> bool {
        std::ptr::eq(self, other)
    }
}

/// An axis.
#[derive(Debug)]
pub struct Axis {
    /// How values are spread.
    pub spread: Spread,
    /// Quantity and unit.
    pub label: String,
    /// Both ends; by default those of the data.
    pub ends: Option<(f64, f64)>,
    /// How its ticks are written.
    pub figures: Figures,
}

/// How values are spread along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Equal steps are equal differences.
    Linear,
    /// Equal steps are doublings.
    Log2,
    /// Equal steps are tenfold.
    Log10,
}

/// How numbers along an axis are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figures {
    /// Whole numbers in groups of three.
    Count,
    /// An amount of memory, its unit left out.
    Amount,
    /// A share, in percent.
    Percent,
    /// As many digits as it takes.
    Decimal,
}

impl Figures {
    /// The text of a tick.
    pub fn text(self, value: f64) -> String {
        match self {
            Figures::Count => format::grouped(value),
            Figures::Amount if value >= 1.0 => format::grouped(value),
            Figures::Amount | Figures::Decimal => decimal(value),
            Figures::Percent => format::percent(value),
        }
    }
}

/// A number in the digits of FP32: what the arithmetic of ticks leaves behind those is not meant.
fn decimal(value: f64) -> String {
    let meant = value as f32;
    let text = if meant.is_finite() { format!("{meant:?}") } else { format!("{value:e}") };
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
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
    /// Its corners; it has a hole where one is not finite.
    pub at: Vec<(f64, f64)>,
}

/// A horizontal line across the picture.
#[derive(Debug)]
pub struct Marker {
    /// Where.
    pub y: f64,
    /// What it is.
    pub label: String,
    /// Its colour.
    pub tint: Tint,
}

/// A point.
#[derive(Debug)]
pub struct Point {
    /// Where.
    pub at: (f64, f64),
    /// What it is.
    pub label: String,
    /// Its colour.
    pub tint: Tint,
}

/// A colour of the style sheet, which has a value for it in the light and in the dark.
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
    /// Every colour.
    #[cfg(test)]
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

    /// The property of the style sheet that holds it.
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

/// What a curve is shown from.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// What is drawn.
    pub picture: Rc<Picture>,
    /// What stands above it.
    pub title: AttrValue,
    /// The picture in words, for those who do not see it; the numbers stand in a table of their own.
    pub words: AttrValue,
    /// The language shown.
    pub language: Language,
    /// The theme chosen; a change of the system's is noticed without.
    pub theme: Option<Theme>,
    /// Whether it is half as high as usual.
    #[prop_or_default]
    pub low: bool,
}

/// A curve with its title. Rendered to text it is an empty canvas with its words.
#[component]
pub fn Curve(props: &Props) -> Html {
    let canvas = use_node_ref();
    let failed = use_state_eq(|| false);
    let painter = use_mut_ref(|| None::<Rc<Painter>>);
    {
        let (canvas, painter, failed) = (canvas.clone(), Rc::clone(&painter), failed.setter());
        use_effect_with((), move |()| {
            let found = canvas.cast::<HtmlCanvasElement>();
            *painter.borrow_mut() = found.map(|canvas| Painter::new(canvas, move || failed.set(true)));
            move || drop(painter.take())
        });
    }
    use_effect_with((Rc::clone(&props.picture), props.theme), move |(picture, _)| {
        if let Some(painter) = painter.borrow().as_ref() {
            painter.show(Rc::clone(picture));
        }
    });
    html! {
        <figure class={classes!("curve", props.low.then_some("low"))}>
            <figcaption>{ &props.title }</figcaption>
            <canvas ref={canvas} role="img" aria-label={&props.words} hidden={*failed} />
            if *failed {
                <p class="note" role="status">{ props.language.say(text!(curves::MISSING)) }</p>
            }
        </figure>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_written_without_what_rounding_left() {
        assert_eq!(Figures::Count.text(4096.0), "4,096");
        assert_eq!(Figures::Amount.text(1000.0), "1,000");
        assert_eq!(Figures::Amount.text(0.1), "0.1");
        assert_eq!(Figures::Amount.text(0.001), "0.001");
        assert_eq!(Figures::Percent.text(0.2), "20 %");
        assert_eq!(Figures::Decimal.text(1.2000000000000002), "1.2");
        assert_eq!(Figures::Decimal.text(-57344.0), "-57344");
        assert_eq!(Figures::Decimal.text(2.5e-8), "2.5e-8");
        assert_eq!(Figures::Decimal.text(3e40), "3e40");
    }

    #[test]
    fn the_style_sheet_has_every_colour_in_both_themes() {
        let css = include_str!("../../../../static/later.css");
        for tint in Tint::ALL {
            let name = tint.property();
            assert!(css.contains(&format!("@property {name} {{")), "{name} is not registered as a colour");
            assert!(css.contains(&format!("{name}: ")), "{name} has no value");
        }
    }
}

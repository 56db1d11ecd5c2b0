//! Reading a chart from JavaScript, and the one function that JavaScript calls.
//!
//! The TypeScript below is the description of what is read, and goes into the module's `.d.ts` as it stands. Whatever
//! is not described is ignored, so that a page may keep data of its own beside it.

use js_sys::{Array, Float64Array, Function, Reflect};
use plotters::style::RGBAColor;
use wasm_bindgen::prelude::*;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use super::canvas::{UnitCanvas, context};
use super::chart::{Axis, Chart, Format, Marker, Point, Refusal, Series, Theme};
use super::draw;
use super::scale::Kind;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r##"
/** A chart. Lengths are CSS pixels, colours any CSS colour without variables, texts as they are to be read. */
export interface ChartSpec {
    /** Size of the canvas on the page, which the page's style sheet fixes: drawing sets only its pixels. */
    width: number;
    height: number;
    /** Device pixels in a CSS pixel: `devicePixelRatio`. */
    ratio: number;
    theme: {
        text: string;
        grid: string;
        /** May be transparent; then plates behind labels are too. */
        background: string;
        /** CSS font family list. Default: system-ui, sans-serif. */
        font?: string;
        /** Size of all text. Default: 12. */
        fontSize?: number;
    };
    x: AxisSpec;
    y: AxisSpec;
    series: SeriesSpec[];
    /** A horizontal line, such as a capacity; not drawn where y is off the axis. */
    marker?: { y: number; label: string; colour: string } | null;
    /** Dots with labels; those off the axes are not drawn. */
    points?: { x: number; y: number; label: string; colour: string }[] | null;
}

export interface AxisSpec {
    kind: "linear" | "log2" | "log10";
    /** Quantity and unit. */
    label?: string;
    /** Ends of the axis; by default those of series, points and marker, with 5 % of room on y. */
    min?: number | null;
    max?: number | null;
    /** Ticks to choose from, as many as fit; by default round numbers. */
    ticks?: Float64Array | null;
    /** Text of a tick. */
    format: (value: number) => string;
}

export interface SeriesSpec {
    /** For the legend; "" keeps the series out of it. */
    name: string;
    colour: string;
    /** Stroke. Default: 2. */
    width?: number;
    /** Lengths of dash and gap; solid by default. */
    dash?: [number, number] | null;
    /** As many in x as in y. The curve has a hole where one is not finite, or not positive on a logarithmic axis. */
    x: Float64Array;
    y: Float64Array;
}
"##;

#[wasm_bindgen]
extern "C" {
    /// Only a name for TypeScript.
    #[wasm_bindgen(typescript_type = "ChartSpec")]
    pub type ChartSpec;
}

/// Draws a chart on a canvas, in place of what was there.
///
/// Throws an `Error` whose message names the field, what was given and what is allowed; the canvas is then unchanged
/// unless the fault showed while drawing, as with a `format` that throws.
#[wasm_bindgen]
pub fn draw(canvas: HtmlCanvasElement, spec: ChartSpec) -> Result<(), JsError> {
    let drawn = || {
        let chart = chart(&Field { path: String::new(), value: spec.into() }, &context(&canvas)?)?;
        chart.check()?;
        chart.scales()?;
        draw::draw(UnitCanvas::new(canvas, chart.pixels())?, &chart)
    };
    drawn().map_err(|Refusal(message)| JsError::new(&message))
}

fn chart(spec: &Field, context: &CanvasRenderingContext2d) -> Result<Chart, Refusal> {
    let theme = spec.field("theme")?;
    Ok(Chart {
        width: spec.field("width")?.number()?,
        height: spec.field("height")?.number()?,
        ratio: spec.field("ratio")?.number()?,
        theme: Theme {
            text: theme.field("text")?.colour(context)?,
            grid: theme.field("grid")?.colour(context)?,
            background: theme.field("background")?.colour(context)?,
            font: theme.optional("font", Field::text)?.unwrap_or_else(|| "system-ui, sans-serif".into()),
            font_size: theme.optional("fontSize", Field::number)?.unwrap_or(12.0),
        },
        x: axis(&spec.field("x")?)?,
        y: axis(&spec.field("y")?)?,
        series: spec.field("series")?.list(|series| {
            Ok(Series {
                name: series.field("name")?.text()?,
                colour: series.field("colour")?.colour(context)?,
                width: series.optional("width", Field::number)?.unwrap_or(2.0),
                dash: series.optional("dash", Field::pair)?,
                x: series.field("x")?.numbers()?,
                y: series.field("y")?.numbers()?,
            })
        })?,
        marker: spec.optional("marker", |marker| {
            Ok(Marker {
                y: marker.field("y")?.number()?,
                label: marker.field("label")?.text()?,
                colour: marker.field("colour")?.colour(context)?,
            })
        })?,
        points: spec
            .optional("points", |points| {
                points.list(|point| {
                    Ok(Point {
                        x: point.field("x")?.number()?,
                        y: point.field("y")?.number()?,
                        label: point.field("label")?.text()?,
                        colour: point.field("colour")?.colour(context)?,
                    })
                })
            })?
            .unwrap_or_default(),
    })
}

fn axis(axis: &Field) -> Result<Axis, Refusal> {
    let kind = axis.field("kind")?;
    let name = kind.text()?;
    Ok(Axis {
        kind: Kind::from_name(&name).ok_or_else(|| Refusal::new(&kind.path, &name, Kind::NAMES))?,
        label: axis.optional("label", Field::text)?.unwrap_or_default(),
        min: axis.optional("min", Field::number)?,
        max: axis.optional("max", Field::number)?,
        ticks: axis.optional("ticks", Field::numbers)?,
        format: axis.field("format")?.format()?,
    })
}

/// A JavaScript value and the path it was found at, for messages.
struct Field {
    path: String,
    value: JsValue,
}

impl Field {
    fn field(&self, name: &str) -> Result<Field, Refusal> {
        let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        match Reflect::get(&self.value, &name.into()) {
            Ok(value) => Ok(Field { path, value }),
            Err(_) => Err(self.refused("an object")),
        }
    }

    /// A field that may be absent, undefined or null.
    fn optional<T>(&self, name: &str, read: impl FnOnce(&Field) -> Result<T, Refusal>) -> Result<Option<T>, Refusal> {
        let field = self.field(name)?;
        if field.value.is_undefined() || field.value.is_null() { Ok(None) } else { read(&field).map(Some) }
    }

    fn refused(&self, allowed: &str) -> Refusal {
        let given = match self.value.as_string() {
            Some(text) => text,
            None => self.value.js_typeof().as_string().unwrap_or_default(),
        };
        Refusal::new(if self.path.is_empty() { "spec" } else { &self.path }, given, allowed)
    }

    fn number(&self) -> Result<f64, Refusal> {
        self.value.as_f64().ok_or_else(|| self.refused("a number"))
    }

    fn text(&self) -> Result<String, Refusal> {
        self.value.as_string().ok_or_else(|| self.refused("a string"))
    }

    fn numbers(&self) -> Result<Vec<f64>, Refusal> {
        let numbers = self.value.dyn_ref::<Float64Array>().ok_or_else(|| self.refused("a Float64Array"))?;
        Ok(numbers.to_vec())
    }

    fn array(&self) -> Result<&Array, Refusal> {
        self.value.dyn_ref::<Array>().ok_or_else(|| self.refused("an array"))
    }

    fn list<T>(&self, read: impl Fn(&Field) -> Result<T, Refusal>) -> Result<Vec<T>, Refusal> {
        let array = self.array()?;
        (0..array.length())
            .map(|at| read(&Field { path: format!("{}[{at}]", self.path), value: array.get(at) }))
            .collect()
    }

    fn pair(&self) -> Result<(f64, f64), Refusal> {
        let array = self.array()?;
        let pair = array.get(0).as_f64().zip(array.get(1).as_f64()).filter(|_| array.length() == 2);
        pair.ok_or_else(|| self.refused("two positive numbers"))
    }

    fn format(&self) -> Result<Format, Refusal> {
        let function = self.value.dyn_ref::<Function>().ok_or_else(|| self.refused("a function"))?.clone();
        let path = self.path.clone();
        Ok(Box::new(move |value| {
            let text = function.call1(&JsValue::UNDEFINED, &value.into()).ok().and_then(|text| text.as_string());
            text.ok_or_else(|| Refusal::new(&path, "no text", "a function that answers a string for every tick"))
        }))
    }

    /// Any colour that the canvas knows: set as a fill, it reads back as `#rrggbb` or `rgba(r, g, b, a)`.
    fn colour(&self, context: &CanvasRenderingContext2d) -> Result<RGBAColor, Refusal> {
        let css = self.text()?;
        let read_back = |before: &str| {
            context.set_fill_style_str(before);
            context.set_fill_style_str(&css);
            context.fill_style().as_string().unwrap_or_default()
        };
        // What the canvas does not know leaves the fill as it was, whatever it was.
        let colour = read_back("#000000");
        let known = colour != "#000000" || read_back("#ffffff") == colour;
        known.then(|| super::chart::colour(&colour)).flatten().ok_or_else(|| self.refused("an sRGB colour of CSS"))
    }
}

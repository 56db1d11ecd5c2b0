//! Reading a chart from JavaScript, and the one function that JavaScript calls.
//!
//! The TypeScript below is the description of what is read, and goes into the module's `.d.ts` as it stands. Whatever
//! is not described is ignored, so that a page may keep data of its own beside it.

use js_sys::{Array, Float64Array, Function, Reflect};
use plotters::style::RGBAColor;
use wasm_bindgen::prelude::*;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use super::canvas::{UnitCanvas, context};
use super::chart::{Axis, Chart, Format, Marker, Point, Refusal, Series, Theme, colour};
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
        let chart = chart(&Field { path: String::new(), object: spec.into() }, &context(&canvas)?)?;
        chart.check()?;
        chart.scales()?;
        draw::draw(UnitCanvas::new(canvas, chart.pixels())?, &chart)
    };
    drawn().map_err(|Refusal(message)| JsError::new(&message))
}

fn chart(spec: &Field, context: &CanvasRenderingContext2d) -> Result<Chart, Refusal> {
    let theme = spec.field("theme")?;
    Ok(Chart {
        width: spec.number("width")?,
        height: spec.number("height")?,
        ratio: spec.number("ratio")?,
        theme: Theme {
            text: theme.colour("text", context)?,
            grid: theme.colour("grid", context)?,
            background: theme.colour("background", context)?,
            font: if theme.has("font")? { theme.text("font")? } else { "system-ui, sans-serif".into() },
            font_size: theme.optional_number("fontSize")?.unwrap_or(12.0),
        },
        x: axis(&spec.field("x")?)?,
        y: axis(&spec.field("y")?)?,
        series: spec.list("series", |series| {
            Ok(Series {
                name: series.text("name")?,
                colour: series.colour("colour", context)?,
                width: series.optional_number("width")?.unwrap_or(2.0),
                dash: if series.has("dash")? { Some(series.pair("dash")?) } else { None },
                x: series.numbers("x")?,
                y: series.numbers("y")?,
            })
        })?,
        marker: if spec.has("marker")? {
            let marker = spec.field("marker")?;
            Some(Marker {
                y: marker.number("y")?,
                label: marker.text("label")?,
                colour: marker.colour("colour", context)?,
            })
        } else {
            None
        },
        points: if spec.has("points")? {
            spec.list("points", |point| {
                Ok(Point {
                    x: point.number("x")?,
                    y: point.number("y")?,
                    label: point.text("label")?,
                    colour: point.colour("colour", context)?,
                })
            })?
        } else {
            Vec::new()
        },
    })
}

fn axis(axis: &Field) -> Result<Axis, Refusal> {
    let kind = axis.text("kind")?;
    Ok(Axis {
        kind: Kind::from_name(&kind).ok_or_else(|| axis.refused("kind", &kind, Kind::NAMES))?,
        label: if axis.has("label")? { axis.text("label")? } else { String::new() },
        min: axis.optional_number("min")?,
        max: axis.optional_number("max")?,
        ticks: if axis.has("ticks")? { Some(axis.numbers("ticks")?) } else { None },
        format: axis.format("format")?,
    })
}

/// A JavaScript object and the path it was found at, for messages.
struct Field {
    path: String,
    object: JsValue,
}

impl Field {
    fn path(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    fn refused(&self, name: &str, given: &str, allowed: &str) -> Refusal {
        Refusal::new(&self.path(name), given, allowed)
    }

    /// A refusal of a value of the wrong type.
    fn mistyped(&self, name: &str, value: &JsValue, allowed: &str) -> Refusal {
        self.refused(name, &value.js_typeof().as_string().unwrap_or_default(), allowed)
    }

    fn value(&self, name: &str) -> Result<JsValue, Refusal> {
        Reflect::get(&self.object, &name.into()).map_err(|_| {
            let path = if self.path.is_empty() { "spec" } else { &self.path };
            Refusal::new(path, self.object.js_typeof().as_string().unwrap_or_default(), "an object")
        })
    }

    /// Whether a field is there: neither absent, nor undefined, nor null.
    fn has(&self, name: &str) -> Result<bool, Refusal> {
        self.value(name).map(|value| !value.is_undefined() && !value.is_null())
    }

    fn field(&self, name: &str) -> Result<Field, Refusal> {
        Ok(Field { path: self.path(name), object: self.value(name)? })
    }

    fn number(&self, name: &str) -> Result<f64, Refusal> {
        let value = self.value(name)?;
        value.as_f64().ok_or_else(|| self.mistyped(name, &value, "a number"))
    }

    fn optional_number(&self, name: &str) -> Result<Option<f64>, Refusal> {
        if self.has(name)? { self.number(name).map(Some) } else { Ok(None) }
    }

    fn text(&self, name: &str) -> Result<String, Refusal> {
        let value = self.value(name)?;
        value.as_string().ok_or_else(|| self.mistyped(name, &value, "a string"))
    }

    fn numbers(&self, name: &str) -> Result<Vec<f64>, Refusal> {
        let value = self.value(name)?;
        let numbers = value.dyn_ref::<Float64Array>().ok_or_else(|| self.mistyped(name, &value, "a Float64Array"))?;
        Ok(numbers.to_vec())
    }

    fn array(&self, name: &str) -> Result<Array, Refusal> {
        self.value(name)?.dyn_into().map_err(|value| self.mistyped(name, &value, "an array"))
    }

    fn list<T>(&self, name: &str, read: impl Fn(&Field) -> Result<T, Refusal>) -> Result<Vec<T>, Refusal> {
        let array = self.array(name)?;
        (0..array.length())
            .map(|at| read(&Field { path: format!("{}[{at}]", self.path(name)), object: array.get(at) }))
            .collect()
    }

    fn pair(&self, name: &str) -> Result<(f64, f64), Refusal> {
        let array = self.array(name)?;
        let pair = array.get(0).as_f64().zip(array.get(1).as_f64()).filter(|_| array.length() == 2);
        pair.ok_or_else(|| self.refused(name, "an array of something else", "two positive numbers"))
    }

    fn format(&self, name: &str) -> Result<Format, Refusal> {
        let function: Function =
            self.value(name)?.dyn_into().map_err(|value| self.mistyped(name, &value, "a function"))?;
        let path = self.path(name);
        Ok(Box::new(move |value| {
            let text = function.call1(&JsValue::UNDEFINED, &value.into()).ok().and_then(|text| text.as_string());
            text.ok_or_else(|| Refusal::new(&path, "no text", "a function that answers a string for every tick"))
        }))
    }

    /// Any colour that the canvas knows: set as a fill, it reads back as `#rrggbb` or `rgba(r, g, b, a)`.
    fn colour(&self, name: &str, context: &CanvasRenderingContext2d) -> Result<RGBAColor, Refusal> {
        let css = self.text(name)?;
        let read_back = |before: &str| {
            context.set_fill_style_str(before);
            context.set_fill_style_str(&css);
            context.fill_style().as_string().unwrap_or_default()
        };
        // What the canvas does not know leaves the fill as it was, whatever it was.
        let seen = read_back("#000000");
        let known = seen != "#000000" || read_back("#ffffff") == seen;
        known.then(|| colour(&seen)).flatten().ok_or_else(|| self.refused(name, &css, "an sRGB colour of CSS"))
    }
}

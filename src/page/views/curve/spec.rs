//! A picture as the module that draws reads it: plain JavaScript, colours and fonts taken from the style sheet.

use js_sys::{Array, Float64Array, Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::CssStyleDeclaration;

use super::{Axis, Figures, Line, Marker, Picture, Point, Spread, Tint};

/// Calls `then` with the description of a picture. `size` is in CSS pixels, `ratio` the device pixels in one of them.
///
/// Within a call, because the functions that write the ticks live no longer.
pub fn with_spec<T>(
    picture: &Picture,
    size: (f64, f64),
    ratio: f64,
    style: &CssStyleDeclaration,
    then: impl FnOnce(&JsValue) -> T,
) -> T {
    let writers = [picture.x.figures, picture.y.figures].map(writer);
    let theme = object(&[
        ("text", colour(style, Tint::Text)),
        ("grid", colour(style, Tint::Grid)),
        ("background", colour(style, Tint::Paper)),
        ("font", style.get_property_value("font-family").unwrap_or_default().into()),
        ("fontSize", font_size(style).into()),
    ]);
    let spec = object(&[
        ("width", size.0.into()),
        ("height", size.1.into()),
        ("ratio", ratio.into()),
        ("theme", theme),
        ("x", axis(&picture.x, writers[0].as_ref())),
        ("y", axis(&picture.y, writers[1].as_ref())),
        ("series", picture.lines.iter().map(|each| line(each, style)).collect::<Array>().into()),
        ("marker", picture.marker.as_ref().map_or(JsValue::NULL, |marker| self::marker(marker, style))),
        ("points", picture.points.iter().map(|each| point(each, style)).collect::<Array>().into()),
    ]);
    then(&spec)
}

type Writer = Closure<dyn Fn(f64) -> String>;

fn writer(figures: Figures) -> Writer {
    Closure::new(move |value| figures.text(value))
}

fn axis(axis: &Axis, writer: &JsValue) -> JsValue {
    let kind = match axis.spread {
        Spread::Linear => "linear",
        Spread::Log2 => "log2",
        Spread::Log10 => "log10",
    };
    let end = |end: Option<f64>| end.map_or(JsValue::NULL, JsValue::from);
    object(&[
        ("kind", kind.into()),
        ("label", axis.label.as_str().into()),
        ("min", end(axis.ends.map(|ends| ends.0))),
        ("max", end(axis.ends.map(|ends| ends.1))),
        ("format", writer.clone()),
    ])
}

fn line(line: &Line, style: &CssStyleDeclaration) -> JsValue {
    let column = |of: fn(&(f64, f64)) -> f64| Float64Array::from(&line.at.iter().map(of).collect::<Vec<f64>>()[..]);
    let dash = line.dash.map_or(JsValue::NULL, |(dash, gap)| Array::of2(&dash.into(), &gap.into()).into());
    object(&[
        ("name", line.name.as_str().into()),
        ("colour", colour(style, line.tint)),
        ("width", line.width.into()),
        ("dash", dash),
        ("x", column(|at| at.0).into()),
        ("y", column(|at| at.1).into()),
    ])
}

fn marker(marker: &Marker, style: &CssStyleDeclaration) -> JsValue {
    object(&[("y", marker.y.into()), ("label", marker.label.as_str().into()), ("colour", colour(style, marker.tint))])
}

fn point(point: &Point, style: &CssStyleDeclaration) -> JsValue {
    object(&[
        ("x", point.at.0.into()),
        ("y", point.at.1.into()),
        ("label", point.label.as_str().into()),
        ("colour", colour(style, point.tint)),
    ])
}

fn colour(style: &CssStyleDeclaration, tint: Tint) -> JsValue {
    style.get_property_value(tint.property()).unwrap_or_default().trim().into()
}

/// The computed size, which is always in pixels.
fn font_size(style: &CssStyleDeclaration) -> f64 {
    let text = style.get_property_value("font-size").unwrap_or_default();
    // The browser's own parser stops at the unit.
    js_sys::parse_float(&text)
}

fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // A plain object takes any property.
        let _ = Reflect::set(&object, &JsValue::from_str(name), value);
    }
    object.into()
}

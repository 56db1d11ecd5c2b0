//! The browser's canvas as a plotters backend.
//!
//! plotters-canvas draws; this wrapper around it changes three things.
//!
//! - **Text is measured by the canvas.** Left alone, plotters measures by appending a span with a `style` attribute to
//!   the page's body. Under a content policy without inline styles each label would be a violation on the console, and
//!   measured in the wrong font; and each would force a layout of the page.
//! - **Coordinates are finer than pixels.** [`UNITS_PER_PIXEL`] of them make a device pixel, by the context's transform.
//! - **Lines are joined round.** With mitres, a curve sampled densely grows spikes at its bends.

use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind};
use plotters_canvas::CanvasBackend;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use super::draw::{check, draw};
use super::look::{Colour, Look, UNITS_PER_PIXEL};
use crate::chart::{Chart, Refusal, Tint};

/// Draws a chart on a canvas, in place of what was there: as large as the style sheet makes the canvas, in its type, and
/// in the colours of its [custom properties](Tint::property).
///
/// # Errors
/// What [`draw()`] refuses, a canvas that is not shown, and a colour that is none. The canvas is then unchanged.
pub fn paint(canvas: HtmlCanvasElement, chart: &Chart) -> Result<(), Refusal> {
    let look = look_of(&canvas)?;
    look.check()?;
    check(chart)?;
    draw(UnitCanvas::new(canvas, look.pixels())?, chart, &look)
}

fn look_of(canvas: &HtmlCanvasElement) -> Result<Look, Refusal> {
    let (window, context) = (gloo::utils::window(), context(canvas)?);
    let style = window.get_computed_style(canvas).ok().flatten();
    let style = style.ok_or_else(|| Refusal::new("canvas", "one without a style", "a canvas of the document"))?;
    let property = |name: &str| style.get_property_value(name).unwrap_or_default();
    let mut colours = [Colour { red: 0, green: 0, blue: 0, opacity: 0.0 }; Tint::ALL.len()];
    for (colour, tint) in colours.iter_mut().zip(Tint::ALL) {
        let css = property(tint.property());
        *colour = colour_of(css.trim(), &context)
            .ok_or_else(|| Refusal::new(tint.property(), &css, "an sRGB colour of CSS"))?;
    }
    let size = canvas.get_bounding_client_rect();
    Ok(Look {
        width: size.width(),
        height: size.height(),
        ratio: window.device_pixel_ratio(),
        colours,
        font: property("font-family"),
        // The computed size is in pixels; the browser's own reader stops at the unit.
        font_size: js_sys::parse_float(&property("font-size")),
    })
}

/// Any colour that the canvas knows: set as a fill, it reads back as `#rrggbb` or `rgba(r, g, b, a)`.
fn colour_of(css: &str, context: &CanvasRenderingContext2d) -> Option<Colour> {
    let read_back = |before: &str| {
        context.set_fill_style_str(before);
        context.set_fill_style_str(css);
        context.fill_style().as_string().unwrap_or_default()
    };
    // What the canvas does not know leaves the fill as it was, whatever it was.
    let seen = read_back("#000000");
    let known = seen != "#000000" || read_back("#ffffff") == seen;
    known.then(|| Colour::from_css(&seen)).flatten()
}

type Drawn = Result<(), DrawingErrorKind<<CanvasBackend as DrawingBackend>::ErrorType>>;

/// A canvas ready to be drawn on, cleared, in units.
struct UnitCanvas {
    inner: CanvasBackend,
    context: CanvasRenderingContext2d,
    size: (u32, u32),
}

impl UnitCanvas {
    /// Sizes the canvas to `width` × `height` device pixels and clears it.
    ///
    /// # Errors
    /// When the canvas has no 2D context, as when it was given another kind before.
    fn new(canvas: HtmlCanvasElement, (width, height): (u32, u32)) -> Result<Self, Refusal> {
        let context = context(&canvas)?;
        // Setting a size gives the canvas new memory, even if it is the size it has.
        if (canvas.width(), canvas.height()) != (width, height) {
            canvas.set_width(width);
            canvas.set_height(height);
        }
        let unit = 1.0 / UNITS_PER_PIXEL;
        let size = (width * UNITS_PER_PIXEL as u32, height * UNITS_PER_PIXEL as u32);
        // A scaling always has an inverse, which is all that could be wrong with a transform.
        let _ = context.set_transform(unit, 0.0, 0.0, unit, 0.0, 0.0);
        context.clear_rect(0.0, 0.0, f64::from(size.0), f64::from(size.1));
        context.set_line_join("round");
        let inner = CanvasBackend::with_canvas_object(canvas).ok_or_else(no_context)?;
        Ok(Self { inner, context, size })
    }
}

/// The canvas' 2D context.
///
/// # Errors
/// When it has none.
fn context(canvas: &HtmlCanvasElement) -> Result<CanvasRenderingContext2d, Refusal> {
    let context = canvas.get_context("2d").ok().flatten().ok_or_else(no_context)?;
    context.dyn_into().map_err(|_| no_context())
}

fn no_context() -> Refusal {
    Refusal::new("canvas", "one without a 2D context", "a canvas not used for another kind of drawing")
}

impl DrawingBackend for UnitCanvas {
    type ErrorType = <CanvasBackend as DrawingBackend>::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Self::ErrorType>> {
        // The same font string as the inner backend draws with.
        let font = format!("{} {}px {}", style.style().as_str(), style.size(), style.family().as_str());
        self.context.set_font(&font);
        let width = self.context.measure_text(text).map_or(0.0, |metrics| metrics.width());
        Ok((width.ceil() as u32, style.size().ceil() as u32))
    }

    fn ensure_prepared(&mut self) -> Drawn {
        self.inner.ensure_prepared()
    }

    fn present(&mut self) -> Drawn {
        self.inner.present()
    }

    fn draw_pixel(&mut self, point: BackendCoord, colour: BackendColor) -> Drawn {
        self.inner.draw_pixel(point, colour)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.inner.draw_line(from, to, style)
    }

    fn draw_rect<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S, fill: bool) -> Drawn {
        self.inner.draw_rect(from, to, style, fill)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Drawn {
        self.inner.draw_path(path, style)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Drawn {
        self.inner.fill_polygon(path, style)
    }

    fn draw_circle<S: BackendStyle>(&mut self, centre: BackendCoord, radius: u32, style: &S, fill: bool) -> Drawn {
        self.inner.draw_circle(centre, radius, style, fill)
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Drawn {
        self.inner.draw_text(text, style, at)
    }
}

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

use super::chart::{Refusal, UNITS_PER_PIXEL};

type Drawn = Result<(), DrawingErrorKind<<CanvasBackend as DrawingBackend>::ErrorType>>;

/// A canvas ready to be drawn on, cleared, in units.
pub struct UnitCanvas {
    inner: CanvasBackend,
    context: CanvasRenderingContext2d,
    size: (u32, u32),
}

impl UnitCanvas {
    /// Sizes the canvas to `width` × `height` device pixels and clears it.
    ///
    /// # Errors
    /// When the canvas has no 2D context, as when it was given another kind before.
    pub fn new(canvas: HtmlCanvasElement, (width, height): (u32, u32)) -> Result<Self, Refusal> {
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
pub fn context(canvas: &HtmlCanvasElement) -> Result<CanvasRenderingContext2d, Refusal> {
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

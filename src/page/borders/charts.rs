//! Drawing charts. A part of its own, because plotters is as large as all the views: it is fetched when the first chart
//! comes into sight.

use std::rc::Rc;

use vram_ledger::chart::Chart;
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use web_sys::HtmlCanvasElement;

/// What draws could not be fetched, or the chart is refused.
#[derive(Clone, Copy, Debug)]
pub struct NotDrawn;

impl From<SplitLoaderError> for NotDrawn {
    fn from(_: SplitLoaderError) -> NotDrawn {
        NotDrawn
    }
}

/// Draws a chart on a canvas, as large as the canvas is shown and in the colours of the style sheet.
///
/// # Errors
/// [`NotDrawn`]; what could not be fetched is tried again by the next call.
#[wasm_split(charts, fallible, preload(
    /// Fetches what draws, without drawing.
    fetch
))]
pub fn paint(canvas: HtmlCanvasElement, chart: Rc<Chart>) -> Result<(), NotDrawn> {
    #[cfg(target_arch = "wasm32")]
    return vram_ledger::chart::drawing::canvas::paint(canvas, &chart).map_err(|_| NotDrawn);
    // Natively there is no canvas to draw on.
    #[cfg(not(target_arch = "wasm32"))]
    {
        drop((canvas, chart));
        Err(NotDrawn)
    }
}

//! Line charts on a canvas, drawn with plotters from plain data.
//!
//! | file | subject |
//! |---|---|
//! | `chart.rs` | what a chart is, and which ones are refused |
//! | `scale.rs` | from a value to its place on an axis; the range an axis shows |
//! | `ticks.rs` | round numbers along an axis |
//! | `clip.rs` | the parts of a curve that can be seen |
//! | `layout.rs` | where text goes so that it does not collide |
//! | `draw.rs` | the drawing itself, on any plotters backend |
//! | `canvas.rs` | the browser's canvas as such a backend |
//! | `spec.rs` | reading a chart from JavaScript |
//!
//! Language and units stay with the page: it supplies every word, and a function that writes a tick's value.
//! Lengths in a chart are CSS pixels. On their way to plotters they become *units*, of which there are
//! [`chart::UNITS_PER_PIXEL`] in a device pixel, because plotters counts in whole numbers.

#[cfg(target_arch = "wasm32")]
mod canvas;
mod chart;
mod clip;
mod draw;
mod layout;
mod scale;
#[cfg(target_arch = "wasm32")]
mod spec;
mod ticks;

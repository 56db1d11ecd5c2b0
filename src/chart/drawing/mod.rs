//! Charts drawn by plotters.
//!
//! | file | subject |
//! |---|---|
//! | `look.rs` | the size, the colours and the type a chart is drawn with |
//! | `scale.rs` | from a value to its place on an axis; the range an axis shows |
//! | `ticks.rs` | round numbers along an axis |
//! | `clip.rs` | the parts of a curve that can be seen |
//! | `layout.rs` | where text goes so that it does not collide |
//! | `draw.rs` | the drawing itself, on any plotters backend |
//! | `canvas.rs` | the browser's canvas as such a backend |
//!
//! Lengths are CSS pixels. On their way to plotters they become *units*, of which there are
//! [`look::UNITS_PER_PIXEL`] in a device pixel, because plotters counts in whole numbers.

#[cfg(target_arch = "wasm32")]
pub mod canvas;
mod clip;
pub mod draw;
mod layout;
pub mod look;
mod scale;
mod ticks;

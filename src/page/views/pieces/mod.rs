//! What several views show, and what stands in the card without loading first.

pub mod advice;
pub mod curve;
pub mod explanation;
pub mod selectable_bar;
pub mod stacked_bars;
pub mod step_line;
pub mod table;

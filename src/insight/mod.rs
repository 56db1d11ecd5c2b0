//! Conclusions over estimates: what follows from the answers to one question, or from those to several.

pub mod comparison;
pub mod hiding;
pub mod log;
pub mod phases;
pub mod scaling;
pub mod stages;

pub use comparison::{EngineFigures, UnderEngine, engines, under_engine};

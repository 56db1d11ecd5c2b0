//! The vocabulary of answers: phases, peaks, stages, traffic, steps, and the ids of advice.
//!
//! Whoever computes a part of the answer says it in these types; the document that holds them all is [`crate::report`].

mod advice;
mod gap;
mod heuristics;
mod memory;
mod model;
mod serving;
mod times;
mod traffic;

pub use advice::{AdviceId, Half, Severity};
pub use gap::Gap;
pub use heuristics::{Figure, Grade, Heuristic};
pub use memory::{Peak, Phase, PhaseBytes, StageReport, StateBytes};
pub use model::ModelReport;
pub use serving::{LayerKind, LogFigure};
pub use times::{Checkpoint, Padding, Run, Step, Term};
pub use traffic::{Collective, Group, Pass, Payload, Remedy, Traffic};

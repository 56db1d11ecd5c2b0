//! Which layout to train by: every way to split a scenario's model over its GPUs that fits, fastest first, and the same
//! questions asked backwards.
//!
//! Nothing is counted here. A layout is a change of the scenario; [`crate::resolve`] says whether it is possible,
//! [`crate::training`] what it holds and [`crate::time`] how long it takes, by the same functions that [`crate::estimate()`]
//! uses. What is here is the order in which they are asked: bounds first, so that most layouts are settled by a few of the
//! numbers that their report would have.

mod backwards;
mod judge;
mod layout;
mod message;
mod plan;
mod search;
mod space;

pub use backwards::{Hiding, Limits, fewest_gpus, hiding_bandwidth, limits, longest_sequence};
pub use judge::Counts;
pub use layout::{Layout, uneven_layers};
pub use message::{Message, Question, answer, from_bytes, to_bytes};
pub use plan::{Plan, Reason, reasons};
pub use search::{Planner, Progress};
pub use space::{Cell, Schedules, Space};

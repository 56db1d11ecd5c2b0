//! The vocabulary of what is computed from: a scenario with everything settled, as `resolve` makes it.
//!
//! Whoever counts bytes or seconds reads these types and knows nothing of JSON, defaults or refusals.

mod adapter;
mod cluster;
mod division;
mod inference;
mod job;
mod model;
mod recipe;
mod training;

pub use adapter::{AdapterPlan, Base, MODULES, Targets};
pub use cluster::{Cluster, Gpu, LinkFigures, Peaks};
pub use division::Division;
pub use inference::{InferencePlan, Split, splits};
pub use job::{Deployment, TrainingJob};
pub use model::Model;
pub use recipe::Recipe;
pub use training::{TrainingPlan, ZeroPlus, micro_batch_rule, shard_group, shares_out};

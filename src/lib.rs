//! The accounting core of **VRAM Ledger** (显存账本): what a model costs to serve and to train, byte by byte, and what a
//! layout pays in communication.
//!
//! Data flows one way: a [`Scenario`] (the question) goes through [`estimate()`] and comes out as a [`Report`] (the
//! answer). Nothing here knows a browser, a file or a clock, so the same code answers the page, the example program,
//! the tests and whoever embeds it.
//!
//! ```text
//! Scenario ──► resolve ──► training · inference · communication · time ──► Report
//! ```
//!
//! A model that one GPU serves is not a model that one GPU trains:
//!
//! ```
//! use vram_ledger::{Account, Scenario, estimate, explain};
//!
//! # fn main() -> Result<(), vram_ledger::FieldError> {
//! let report = estimate(&Scenario::from_json("{}")?)?; // 7 billion parameters in bf16 on one 80 GB card
//! let inference = report.inference.expect("the opening state can be served");
//! let training = report.training.expect("the opening state can be trained, if not on one card");
//! let stage = &training.stages[0];
//!
//! let lines = [
//!     format!("to serve: {} GB of weights", inference.accounts[Account::Weights].gigabytes()),
//!     format!("to train: {} GB before one activation", stage.state.total.gigabytes()),
//! ];
//! println!("{}", lines.join("\n"));
//! assert_eq!(lines, ["to serve: 14 GB of weights", "to train: 112 GB before one activation"]);
//!
//! // Every number says where it comes from.
//! let variance = stage.entries.iter().find(|entry| entry.account == Account::Variance).unwrap();
//! assert_eq!(explain(variance).formula, "c · (Ψ_s ÷ t + Ψ_r) ÷ N");
//! # Ok(())
//! # }
//! ```
//!
//! What is wrong with a question is an answer too: the field, what was given, what is allowed.
//!
//! ```
//! # use vram_ledger::{Scenario, estimate};
//! let error = Scenario::from_json(r#"{"cluster": {"gpus": 0}}"#).and_then(|scenario| estimate(&scenario)).unwrap_err();
//! assert_eq!(error.to_string(), "cluster.gpus: given 0; allowed: a whole number from 1 to 1048576");
//! ```

pub mod advice;
pub mod answer;
mod catalogue;
pub mod chart;
pub mod communication;
pub mod divisors;
pub mod engines;
pub mod estimate;
pub mod families;
pub mod frameworks;
pub mod hardware;
pub mod inference;
pub mod insight;
mod labels;
pub mod ledger;
pub mod link;
pub mod model;
pub mod names;
pub mod numerics;
pub mod optimizers;
pub mod plan;
pub mod planner;
pub mod refusal;
pub mod report;
pub mod resolve;
mod root_finding;
pub mod scenario;
pub mod schema;
pub mod time;
pub mod training;
pub mod units;
pub mod weight_formats;
pub mod words;

pub use ledger::{Account, Entry, Rule, explain};
pub use refusal::FieldError;
pub use report::{Report, estimate};
pub use scenario::Scenario;
pub use units::Bytes;

//! The lines about memory that serving engines print when they start: as the ledger predicts them, and as a real log has
//! them. What an engine's lines look like stands with the engine ([`crate::engines::log`]).

mod parsed;
mod predicted;

pub use parsed::{Log, looked_for, read};
pub use predicted::{expected, log, predicted};

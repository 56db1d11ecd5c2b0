//! The lines about memory that serving engines print when they start: as the ledger predicts them, and as a real log has
//! them.

mod parsed;
mod phrases;
mod predicted;

pub use parsed::{Log, Logged, read};
pub use phrases::{LOOKED_FOR, Looked};
pub use predicted::{PredictedLine, expected, log, predicted};

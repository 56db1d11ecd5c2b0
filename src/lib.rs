//! The shared accounting core of VRAM Ledger.

pub mod advice;
pub mod communication;
pub mod defaults;
pub mod estimate;
pub mod hardware;
pub mod inference;
pub mod ledger;
pub mod link;
pub mod model;
pub mod profile;
pub mod report;
pub mod resolve;
pub mod scenario;
pub mod time;
pub mod training;
pub mod units;

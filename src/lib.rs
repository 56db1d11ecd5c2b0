//! The shared accounting core of VRAM Ledger.

pub mod hardware;
pub mod model;

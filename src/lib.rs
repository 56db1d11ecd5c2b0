//! The shared accounting core of VRAM Ledger.

pub mod numerics;

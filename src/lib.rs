//! The shared accounting core of VRAM Ledger.

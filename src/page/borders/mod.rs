//! What the page fetches after it has answered, and everything else that is done for the size of the first load.
//!
//! Each function marked `wasm_split` is a border. What is reachable only through it becomes a part of its own, which
//! comes with the first call; what both sides use stays with the first load, so nothing is there twice.
#![allow(unsafe_code, reason = "the code on either side of a border is exported and imported by name")]

pub mod charts;
pub mod rows;
pub mod text;
pub mod views;

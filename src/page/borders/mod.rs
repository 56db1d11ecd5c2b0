//! What is done for the size of the first load, and for that alone: parts of the program that come when they are needed.
//!
//! Each function marked `wasm_split` is a border. What is reachable only through it becomes a part of its own, which
//! comes with the first call; what several parts use, and the first load does not, becomes a part that comes with the
//! first of them. So nothing is loaded twice, and a border needs care alone: what is named on this side of it is loaded
//! on this side.
//!
//! | border | what comes later | kB of brotli that do not load first |
//! |---|---|---|
//! | `later()` in src/page/mod.rs | the views, the settings in groups, explanations, what is said of refusals | 204 |
//! | [`text`] | reading and writing links and pasted models, which the views need most of too | 65 |
//! | [`charts`] | plotters | 29 |
//! | [`rows`] | the files of the catalogues with their sources | 22 |
//!
//! And one thing that never loads: `src/page/typed_number.rs` has the browser read what is typed, which saves the standard
//! library's reader and its tables, 12 kB. It stands outside this folder because the fields, which need it, stand below. It may go when the standard library's reader is loaded for something else.
//!
//! So that the reader of models lies behind [`text`] and not in what counts, the page settles questions by
//! `Asked::read_by` (src/page/answer.rs): 44 of the 65.
//!
//! Behind the first stands a table of functions ([`Views`](crate::page::context::later::Views)), because a border can be
//! crossed only by waiting, and drawing does not wait. All of it may go when the whole program keeps to the budget, or
//! when rustc cuts programs itself; a border that saves less than 8 kB is taken out.
#![allow(unsafe_code, reason = "the code on either side of a border is exported and imported by name")]

pub mod charts;
pub mod rows;
pub mod text;

//! The views below the card as a module of their own: the page fetches it when one of them is first chosen.

#[path = "../page/mod.rs"]
#[allow(dead_code, reason = "the other half of the page is the first module, src/main.rs")]
mod page;

use wasm_bindgen::prelude::wasm_bindgen;

/// Shows a view in `root`: `question` is what stands behind `#` in a link, `query` what stands behind `?`.
#[wasm_bindgen]
pub fn show(root: web_sys::Element, question: &str, query: &str) {
    page::views::show(root, question, query);
}

// The page calls `show`; a program still has to have a start.
fn main() {}

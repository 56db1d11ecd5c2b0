//! Everything that the first answer does not need: the views, the explanations, the settings in groups, what is said
//! of refusals.

use wasm_split_helpers::wasm_split;

use crate::page::context::later::{Fetching, NotFetched, Views};
use crate::page::views::VIEWS;

#[wasm_split(views, fallible)]
fn views() -> Result<&'static Views, NotFetched> {
    Ok(&VIEWS)
}

/// Fetches it.
pub fn fetch() -> Fetching {
    Box::pin(views())
}

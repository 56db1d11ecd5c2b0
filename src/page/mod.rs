//! The page: it shows what the ledger answers, and turns what people do into questions.
//!
//! State flows one way: an [`Action`](context::state::Action) makes a new [`State`](context::state::State), and
//! everything is drawn from that. Most of the page is plain functions from [`Page`](context::Page) to `Html`; components
//! are only where something is kept or watched.
//!
//! | room | subject |
//! |---|---|
//! | `fields/` | what a control is: the settings that can be seen and changed |
//! | `context/` | what everything is drawn from: the state, the page's own settings, small pieces |
//! | `borders/` | what comes when it is needed |
//! | `controls/` | how a control is drawn |
//! | `shell/` | what loads first: header, card, tabs, address |
//! | `views/` | what comes later: a folder a view |
//!
//! Each imports those above it in this table alone; shell and views do not know each other and meet here.

mod answer;
mod borders;
mod context;
mod controls;
mod fields;
mod format;
mod shell;
#[cfg(all(test, feature = "ssr"))]
mod tests;
mod typed_number;
mod views;

use wasm_split_helpers::wasm_split;

use context::later::{Fetching, NotFetched, Views};

/// Puts the page in place of what the document shows until then.
pub fn mount() {
    shell::app::mount(&views::TABS, fetch_views);
}

#[allow(unsafe_code, reason = "the code on either side of a border is exported and imported by name")]
#[wasm_split(views, fallible)]
fn later() -> Result<&'static Views, NotFetched> {
    Ok(&views::VIEWS)
}

/// Fetches everything that the first answer does not need.
fn fetch_views() -> Fetching {
    Box::pin(later())
}

//! The page: it shows what the ledger answers, and turns what people do into questions.
//!
//! State flows one way: an [`Action`](context::state::Action) makes a new [`State`](context::state::State), and
//! everything is drawn from that. Most of the page is plain functions from [`Page`](context::Page) to `Html`; components
//! are only where something is kept or watched.

mod answer;
mod borders;
mod context;
mod controls;
mod fields;
mod format;
mod shell;
#[cfg(all(test, feature = "ssr"))]
mod tests;
mod views;

/// Puts the page in place of what the document shows until then. Here alone the shell and the views meet.
pub fn mount() {
    shell::app::mount(&views::TABS, borders::views::fetch);
}

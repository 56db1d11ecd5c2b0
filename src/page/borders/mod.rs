//! What the page fetches after it has answered: everything below the card, and reading and writing texts.
//!
//! Each function marked `wasm_split` is a border. What is reachable only through it becomes a file of its own, which
//! comes on the first call; what both sides use stays in the first file, so nothing is there twice.
#![allow(unsafe_code, reason = "the code on either side of a border is exported and imported by name")]

pub mod catalogue_rows;
pub mod charts;
pub mod question_text;

use vram_ledger::refusal::{FieldError, Problem};
use wasm_bindgen_futures::spawn_local;
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use yew::prelude::*;

use crate::page::borders::catalogue_rows::Rows;
use crate::page::borders::question_text::Text;
use crate::page::context::settings::View;
use crate::page::context::state::{Action, State};
use crate::page::views::Views;

/// It could not be fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotFetched;

impl From<SplitLoaderError> for NotFetched {
    fn from(_: SplitLoaderError) -> NotFetched {
        NotFetched
    }
}

impl From<NotFetched> for FieldError {
    fn from(_: NotFetched) -> FieldError {
        let text = "the part of the page that reads links did not arrive; reload the page to try again";
        FieldError::new("", Problem::Malformed(text.to_owned()))
    }
}

/// Reading and writing texts.
///
/// # Errors
/// It could not be fetched; another call tries again.
#[wasm_split(text, fallible)]
pub fn text() -> Result<&'static Text, NotFetched> {
    Ok(&crate::page::borders::question_text::TEXT)
}

/// The rows of the catalogues with their sources.
///
/// # Errors
/// It could not be fetched; another call tries again.
#[wasm_split(rows, fallible)]
pub fn rows() -> Result<&'static Rows, NotFetched> {
    Ok(&crate::page::borders::catalogue_rows::ROWS)
}

/// Everything below the card.
#[wasm_split(views, fallible)]
fn views() -> Result<&'static Views, NotFetched> {
    Ok(&crate::page::views::VIEWS)
}

/// What is there of the views.
#[derive(Clone, Copy)]
pub enum Later {
    /// They are on their way.
    #[cfg_attr(not(target_arch = "wasm32"), allow(dead_code, reason = "rendered to text, a page fetches nothing"))]
    OnTheirWay,
    /// They are here.
    Here(&'static Views),
    /// They could not be fetched.
    Failed,
}

impl Later {
    /// What is there at the very start: rendered to text, a page has nothing to fetch.
    #[cfg(not(target_arch = "wasm32"))]
    fn at_first() -> Later {
        Later::Here(&crate::page::views::VIEWS)
    }

    #[cfg(target_arch = "wasm32")]
    fn at_first() -> Later {
        Later::OnTheirWay
    }
}

/// The views. They are fetched once the page stands; choosing another view tries again where that failed.
#[hook]
pub fn use_views(view: View) -> Later {
    let later = use_state(Later::at_first);
    let known = later.clone();
    use_effect_with(view, move |_| {
        if !matches!(*known, Later::Here(_)) {
            spawn_local(async move {
                known.set(match views().await {
                    Ok(views) => Later::Here(views),
                    Err(NotFetched) => Later::Failed,
                });
            });
        }
    });
    *later
}

/// Reads a pasted model and says what came of it.
pub fn read_model(pasted: &str, dispatch: UseReducerDispatcher<State>) {
    let pasted = pasted.to_owned();
    spawn_local(async move {
        let outcome = match text().await {
            Ok(text) => (text.read_model)(&pasted),
            Err(missing) => Err(crate::page::context::state::Refusal::Ledger(missing.into())),
        };
        dispatch.dispatch(Action::Read(Box::new(outcome)));
    });
}

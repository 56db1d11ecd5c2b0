//! What comes after the first answer, as far as those know it who are there before: functions that draw.

use std::pin::Pin;

use vram_ledger::answer::Half;
use vram_ledger::refusal::{FieldError, LinkProblem, Problem};
use vram_ledger::words::Language;
use wasm_split_helpers::SplitLoaderError;
use yew::prelude::*;

use crate::page::context::Page;
use crate::page::fields::{Control, Refusal};

/// A part of the page could not be fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotFetched;

impl From<SplitLoaderError> for NotFetched {
    fn from(_: SplitLoaderError) -> NotFetched {
        NotFetched
    }
}

impl From<NotFetched> for FieldError {
    fn from(_: NotFetched) -> FieldError {
        FieldError::new("", Problem::Link(LinkProblem::NoReader))
    }
}

/// What the shell and the controls call of it.
pub struct Views {
    /// The chosen view.
    pub chosen: fn(&Page) -> Html,
    /// The field that searches the models; until somebody types it shows the name of the one that is chosen.
    pub model_search: fn(&Page, String) -> Html,
    /// The settings of a group of controls, by its place among them.
    pub group: fn(&Page, usize) -> Html,
    /// The cheapest advice on a half.
    pub cheapest_advice: fn(&Page, Half) -> Html,
    /// The other advice.
    pub other_ways: fn(&Page) -> Html,
    /// Where the time of a step goes.
    pub step: fn(&Page) -> Html,
    /// Where the number that was chosen comes from.
    pub explanation: fn(&Page) -> Html,
    /// A refused field in words.
    pub field_error: fn(Language, &FieldError) -> String,
    /// Why what was entered into a control was not taken, in words.
    pub refusal: fn(&Refusal, Language, &str, Control) -> String,
}

/// Whether it is here.
#[derive(Clone, Copy)]
pub enum Later {
    /// It is on its way.
    OnItsWay,
    /// It is here.
    Here(&'static Views),
    /// It could not be fetched.
    Failed,
}

impl PartialEq for Later {
    fn eq(&self, other: &Later) -> bool {
        match (self, other) {
            (Later::OnItsWay, Later::OnItsWay) | (Later::Failed, Later::Failed) => true,
            (Later::Here(one), Later::Here(other)) => std::ptr::eq(*one, *other),
            _ => false,
        }
    }
}

/// It, being fetched.
pub type Fetching = Pin<Box<dyn Future<Output = Result<&'static Views, NotFetched>>>>;

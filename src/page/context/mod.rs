//! What everything on the page is drawn from.

pub mod elements;
pub mod later;
pub mod question_text;
pub mod segments;
pub mod settings;
pub mod state;

use std::ops::Deref;
use std::rc::Rc;

use vram_ledger::refusal::FieldError;
use vram_ledger::text;
use vram_ledger::words::{Language, Text};
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};
use yew::prelude::*;

use crate::page::fields::{Control, Refusal};
use elements::paragraph;
use later::{Later, Views};
use settings::Settings;
use state::{Action, State};

/// What everything is drawn from.
#[derive(Clone, PartialEq)]
pub struct Page {
    /// The question, its answer, and what is being done.
    pub state: UseReducerHandle<State>,
    /// Width of the bars in pixels.
    pub bar_width: f64,
    /// What came after the first answer.
    pub later: Later,
}

impl Page {
    /// The language shown.
    pub fn language(&self) -> Language {
        self.state.settings.language
    }

    /// A text.
    pub fn say(&self, text: Text) -> &'static str {
        self.language().say(text)
    }

    /// A text with its gaps filled.
    pub fn fill(&self, text: Text, parts: &[&str]) -> String {
        self.language().fill(text, parts)
    }

    /// What `draw` makes of what comes after the first answer; before that, or where it did not come, that is said.
    pub fn once_here(&self, draw: impl FnOnce(&'static Views) -> Html) -> Html {
        match self.later {
            Later::Here(views) => draw(views),
            Later::OnItsWay => paragraph("note", self.say(text!(views::ON_ITS_WAY))),
            Later::Failed => paragraph("error", self.say(text!(views::FAILED))),
        }
    }

    /// A refused field in words, as soon as there are words for it.
    pub fn field_error(&self, error: &FieldError) -> String {
        match self.later {
            Later::Here(views) => (views.field_error)(self.language(), error),
            Later::OnItsWay | Later::Failed => error.field.to_string(),
        }
    }

    /// Why what was entered into a control was not taken, as soon as there are words for it.
    pub fn refusal(&self, refusal: &Refusal, text: &str, control: Control) -> String {
        match self.later {
            Later::Here(views) => (views.refusal)(refusal, self.language(), text, control),
            Later::OnItsWay | Later::Failed => text.to_owned(),
        }
    }

    /// A change of the page's settings.
    pub fn with_settings(&self, change: impl FnOnce(&mut Settings)) -> Action {
        let mut settings = self.state.settings.clone();
        change(&mut settings);
        Action::Set(settings)
    }

    /// A callback that makes something happen.
    pub fn act<E>(&self, action: Action) -> Callback<E> {
        let dispatch = self.state.dispatcher();
        Callback::from(move |_| dispatch.dispatch(action.clone()))
    }

    /// A number of GPUs, in words.
    pub fn gpus(&self, count: f64) -> String {
        self.language().gpus(count)
    }

    /// The GPU by its full name.
    pub fn gpu_name(&self) -> String {
        self.state.answer.gpu_name().unwrap_or(self.say(text!(amounts::THIS_GPU))).to_owned()
    }

    /// The GPU without its size, which the sentence says itself.
    pub fn short_gpu_name(&self) -> String {
        let name = self.gpu_name();
        let words: Vec<&str> = name.split(' ').collect();
        let size = words.iter().position(|word| *word == "GB").map_or(words.len(), |unit| unit - 1);
        // What a row says in brackets, as "(per GPU)", is for the list and not for a sentence.
        let end = words.iter().position(|word| word.starts_with('(')).unwrap_or(words.len()).min(size);
        words[..end].join(" ").trim_end_matches(',').to_owned()
    }
}

/// A value that is made once and then only passed on: it equals itself alone.
pub struct Once<T>(Rc<T>);

impl<T> Once<T> {
    /// A value that equals no other.
    pub fn new(value: T) -> Once<T> {
        Once(Rc::new(value))
    }
}

impl<T> Clone for Once<T> {
    fn clone(&self) -> Once<T> {
        Once(Rc::clone(&self.0))
    }
}

impl<T> PartialEq for Once<T> {
    fn eq(&self, other: &Once<T>) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> From<&Rc<T>> for Once<T> {
    fn from(value: &Rc<T>) -> Once<T> {
        Once(Rc::clone(value))
    }
}

impl<T> Deref for Once<T> {
    type Target = Rc<T>;

    fn deref(&self) -> &Rc<T> {
        &self.0
    }
}

/// What stands in the field of an event.
pub fn input_value(event: &InputEvent) -> String {
    event.target_unchecked_into::<HtmlInputElement>().value()
}

/// What stands in the field of several lines of an event.
pub fn text_area_value(event: &InputEvent) -> String {
    event.target_unchecked_into::<HtmlTextAreaElement>().value()
}

/// What is chosen in the box of an event.
pub fn select_value(event: &Event) -> String {
    event.target_unchecked_into::<HtmlSelectElement>().value()
}

/// Moves the focus to the element of that id.
pub fn focus(id: &str) {
    if let Some(element) = gloo::utils::document().get_element_by_id(id) {
        // SVG elements have the same method; nothing depends on whether they can take the focus.
        let _ = element.unchecked_into::<HtmlElement>().focus();
    }
}

//! The controls: every field of the question that the page lets somebody change, each described once.

mod choice;
mod field;
mod groups;
mod model;
mod precision;
mod slider;
mod specs;

use std::borrow::Cow;

use serde_json::{Value, json};
use yew::prelude::*;

use super::Page;
use super::core::Answer;
use super::edit::Edit;
use super::language::{Language, Message};
use super::quantity::{self, Quantity};
use super::state::Refusal;

pub use precision::serves_integers;
pub use specs::*;

/// A field of the question as the page shows it.
pub struct Spec {
    /// The dotted path of the field, or a name of its own where the control sets several; also its element's id.
    pub id: &'static str,
    /// What stands beside it.
    pub label: Message,
    /// What it takes.
    pub kind: Kind,
}

/// What a control takes.
pub enum Kind {
    /// A number, typed.
    Number {
        /// What it counts.
        quantity: Quantity,
        /// The fields it sets.
        paths: &'static [&'static str],
        /// Its value in the answer, given or not.
        effective: fn(&Answer) -> Option<f64>,
    },
    /// One of some names.
    Choice {
        /// The names, as the question has them.
        names: &'static [&'static str],
        /// A name for people.
        text: fn(Language, usize) -> Cow<'static, str>,
        /// Its value in the answer, given or not.
        effective: fn(&Answer) -> Option<&'static str>,
    },
    /// On or off.
    Switch {
        /// Its value in the answer, given or not.
        effective: fn(&Answer) -> Option<bool>,
    },
    /// A text with several lines: a pasted `config.json`.
    Config,
    /// Drawn by a module of its own.
    Own,
}

/// A control, by reference: each is one static of [`specs`].
#[derive(Clone, Copy)]
pub struct Control(pub &'static Spec);

impl PartialEq for Control {
    fn eq(&self, other: &Control) -> bool {
        self.0.id == other.0.id
    }
}

impl std::fmt::Debug for Control {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(self.0.id)
    }
}

impl Control {
    /// What a typed text asks for.
    ///
    /// # Errors
    /// The text is not what the control takes.
    pub fn read(self, text: &str) -> Result<Vec<Edit>, Refusal> {
        match self.0.kind {
            Kind::Number { quantity, .. } => {
                if text.trim().is_empty() {
                    // An emptied field goes back to its default.
                    return Ok(self.number_edits(None));
                }
                let number = quantity::parse(text, quantity).ok_or(Refusal::NotANumber)?;
                Ok(self.number_edits(Some(number)))
            }
            Kind::Config => {
                let config: Value = serde_json::from_str(text).map_err(|error| Refusal::NotJson(error.to_string()))?;
                Ok(vec![Edit::set("model", config)])
            }
            Kind::Choice { .. } | Kind::Switch { .. } | Kind::Own => Ok(Vec::new()),
        }
    }

    /// The edits that give every field of a number control this value.
    pub fn number_edits(self, number: Option<f64>) -> Vec<Edit> {
        let Kind::Number { paths, .. } = self.0.kind else { return Vec::new() };
        if self == PARAMETERS {
            let model = number.map(|count| json!({"parameters": count}));
            return vec![Edit { path: "model", value: model }];
        }
        paths.iter().map(|path| Edit { path, value: number.map(Value::from) }).collect()
    }
}

/// The five sliders of the brief and the model, as they stand above the card.
pub fn workbench(page: &Page) -> Html {
    let embed = page.state.settings.embed;
    html! {
        <section class="controls" aria-label={page.say(Message::Controls)}>
            <div class="sliders">
                if !embed { { model::chooser(page) } }
                { slider::parameters(page) }
                { precision::slider(page) }
                { slider::gpu(page) }
                { slider::gpus(page) }
                { slider::sequence(page) }
            </div>
            if !embed { { groups::groups(page) } }
        </section>
    }
}

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

pub use choice::{option, select};
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

#[cfg(test)]
mod tests {
    use vram_ledger::scenario::Scenario;

    use super::super::edit::edited;
    use super::*;

    const ALL: [Control; 24] = [
        PARAMETERS,
        GPUS,
        SEQUENCE,
        MICRO_BATCH,
        GLOBAL_BATCH,
        TRAINING_SEQUENCE,
        TRAINING_TENSOR,
        SEQUENCE_PARALLEL,
        RECOMPUTE,
        TRAINING_ATTENTION,
        KERNELS,
        LOSS,
        LOSS_CHUNKS,
        OPTIMIZER,
        DROPOUT,
        CONTEXT,
        CONCURRENCY,
        WEIGHTS,
        CACHE,
        PREFILL_CHUNK,
        SERVING_TENSOR,
        FRAMEWORK,
        RECIPE,
        SHARDING,
    ];

    /// What a control offers is a question of the schema, and the ledger answers it or says which value it refuses.
    #[test]
    fn every_control_sets_a_field_that_there_is() {
        let asked = |edits: &[Edit]| edited(&Scenario::default(), edits).unwrap_or_else(|error| panic!("{error}"));
        for control in ALL {
            let id = control.0.id;
            match control.0.kind {
                Kind::Number { effective, .. } => {
                    let now = effective(&Answer::to(&Scenario::default()).expect("an answer to nothing"));
                    let scenario = asked(&control.number_edits(now));
                    assert!(Answer::to(&scenario).is_ok(), "{id} refuses its own default, {now:?}");
                }
                Kind::Choice { names, text, .. } => {
                    for (index, name) in names.iter().enumerate() {
                        let answer = Answer::to(&asked(&[Edit::set(id, *name)]));
                        assert!(answer.is_ok(), "{id} offers {name}, and the ledger answers {:?}", answer.err());
                        assert!(Language::ALL.iter().all(|language| !text(*language, index).is_empty()));
                    }
                }
                Kind::Switch { .. } => assert!(Answer::to(&asked(&[Edit::set(id, true)])).is_ok(), "{id}"),
                Kind::Config | Kind::Own => panic!("{id} has no value of its own to try"),
            }
        }
    }
}

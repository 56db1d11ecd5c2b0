//! The controls: every field of the question that the page lets somebody change, each described once.

mod choice;
mod field;
mod groups;
mod model;
mod model_search;
mod precision;
mod serving;
mod slider;
mod specs;

use std::borrow::Cow;

use vram_ledger::scenario::Scenario;
use yew::prelude::*;

use super::Page;
use super::core::Answer;
use super::edit::Edit;
use super::language::{Language, Message};
use super::quantity::{self, Quantity};
use super::state::Refusal;

pub use choice::{option, select};
pub use groups::group;
pub use model_search::search;
pub use precision::serves_integers;
pub use specs::*;

/// A field of the question as the page shows it.
pub struct Spec {
    /// The dotted path of the field, or a name of its own where the control sets several; also its element's id.
    pub id: &'static str,
    /// What stands beside it. A function, so that texts of controls in groups come with those.
    pub label: fn(Language) -> &'static str,
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
        fields: &'static [Field],
        /// Its value in the answer, given or not.
        effective: fn(&Answer) -> Option<f64>,
    },
    /// One of some names.
    Choice {
        /// The names, as the question has them.
        names: &'static [&'static str],
        /// A name for people.
        text: fn(Language, usize) -> Cow<'static, str>,
        /// The name that was given; [`CUSTOM`] where it is an object of its own.
        given: fn(&Scenario) -> Option<&'static str>,
        /// Gives a name, by its place among the offered ones.
        set: fn(&mut Scenario, Option<usize>),
        /// Its value in the answer, given or not.
        effective: fn(&Answer) -> Option<&'static str>,
    },
    /// On or off.
    Switch {
        /// Turns it.
        set: fn(&mut Scenario, bool),
        /// Its value in the answer, given or not.
        effective: fn(&Answer) -> Option<bool>,
    },
    /// A text with several lines: a pasted `config.json`.
    Config,
    /// Drawn by a module of its own.
    Own,
}

/// A field of the question that holds a number.
pub struct Field {
    /// What was given.
    pub given: fn(&Scenario) -> Option<f64>,
    /// Gives it.
    pub set: fn(&mut Scenario, Option<f64>),
}

/// What an option is called whose value is an object.
pub const CUSTOM: &str = "{…}";

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
    /// What stands beside it.
    pub fn label(self, language: Language) -> &'static str {
        (self.0.label)(language)
    }

    /// What a typed text asks for.
    ///
    /// # Errors
    /// The text is not what the control takes.
    pub fn read(self, text: &str) -> Result<Vec<Edit>, Refusal> {
        let Kind::Number { quantity, .. } = self.0.kind else { return Ok(Vec::new()) };
        if text.trim().is_empty() {
            // An emptied field goes back to its default.
            return Ok(vec![Edit::Number(self, None)]);
        }
        let number = quantity::parse(text, quantity).ok_or(Refusal::NotANumber)?;
        Ok(vec![Edit::Number(self, Some(number))])
    }

    /// The edit that gives a name, or gives the field back to its default where the name is empty; none where it is
    /// not offered.
    pub fn choice(self, name: &str) -> Option<Edit> {
        let Kind::Choice { names, .. } = self.0.kind else { return None };
        let index = names.iter().position(|known| *known == name);
        (index.is_some() || name.is_empty()).then_some(Edit::Choice(self, index))
    }

    /// The number that was given, if any.
    pub fn given_number(self, scenario: &Scenario) -> Option<f64> {
        let Kind::Number { fields, .. } = self.0.kind else { return None };
        fields.iter().find_map(|field| (field.given)(scenario))
    }

    /// The name that was given, if any.
    pub fn given_name(self, scenario: &Scenario) -> Option<&'static str> {
        let Kind::Choice { given, .. } = self.0.kind else { return None };
        given(scenario)
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
    use vram_ledger::model::find;
    use vram_ledger::scenario::{Engine, ModelChoice, Name};

    use super::super::edit::edited;
    use super::*;

    /// What a control offers is a question of the schema, and the ledger answers it or says which value it refuses.
    #[test]
    fn every_control_sets_a_field_that_there_is() {
        // What only some engines have, or only latent attention, is tried with those.
        let asked = |edit: Edit| {
            let plain = edited(&Scenario::default(), std::slice::from_ref(&edit));
            let with = |engine: Engine| {
                let mut scenario = Scenario { model: find("deepseek-v3").map(ModelChoice::Catalogue), ..plain.clone() };
                scenario.inference_mut().engine = Some(engine);
                scenario
            };
            let works =
                |scenario: &Scenario| Answer::to(scenario).is_ok_and(|answer| answer.report.inference.is_some());
            if works(&plain) {
                return plain;
            }
            Engine::ALL.iter().map(|engine| with(*engine)).find(works).unwrap_or(plain)
        };
        let above = [PARAMETERS, GPUS, SEQUENCE, FRAMEWORK, RECIPE, SHARDING];
        // The network has no names of its own: it takes an id of the catalogue.
        let in_groups = groups::controls().filter(|control| *control != NETWORK);
        for control in above.into_iter().chain(in_groups) {
            let id = control.0.id;
            match control.0.kind {
                Kind::Number { effective, .. } => {
                    let now = effective(&Answer::to(&Scenario::default()).expect("an answer to nothing"));
                    let scenario = asked(Edit::Number(control, now));
                    assert_eq!(control.given_number(&scenario), now, "{id}");
                    assert!(Answer::to(&scenario).is_ok(), "{id} refuses its own default, {now:?}");
                }
                Kind::Choice { names, text, .. } => {
                    for (index, name) in names.iter().enumerate() {
                        let scenario = asked(control.choice(name).expect("an offered name"));
                        assert_eq!(control.given_name(&scenario), Some(*name), "{id}");
                        let answer = Answer::to(&scenario);
                        assert!(answer.is_ok(), "{id} offers {name}, and the ledger answers {:?}", answer.err());
                        assert!(Language::ALL.iter().all(|language| !text(*language, index).is_empty()));
                    }
                }
                Kind::Switch { .. } => {
                    let scenario = asked(Edit::Switch(control, true));
                    let value = scenario.to_value();
                    // Parts of a list stand in it by their name.
                    if let Some(part) = id.strip_prefix("training.zeropp.") {
                        assert_eq!(value.pointer("/training/zeropp"), Some(&serde_json::json!([part])), "{id}");
                        assert_eq!(edited(&scenario, &[Edit::Switch(control, false)]), Scenario::default());
                    } else {
                        let path = format!("/{}", id.replace('.', "/"));
                        assert_eq!(value.pointer(&path), Some(&true.into()), "{id}");
                    }
                    assert!(Answer::to(&scenario).is_ok(), "{id}");
                }
                Kind::Config | Kind::Own => panic!("{id} has no value of its own to try"),
            }
        }
    }
}

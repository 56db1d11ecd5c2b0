//! The controls as data: every field of the question that the page lets somebody change, each described once.

pub mod notches;
pub mod quantity;
mod refusal;
mod specs;

use std::borrow::Cow;

use vram_ledger::scenario::{Change, Patch, Scenario};
use vram_ledger::words::Language;

use crate::page::answer::Answer;
use quantity::Quantity;

pub use refusal::Refusal;
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
        /// The change that gives a name, by its place among the offered ones, or gives it back to its default.
        change: fn(Option<usize>) -> Change,
        /// Its value in the answer, given or not.
        effective: fn(&Answer) -> Option<&'static str>,
    },
    /// On or off.
    Switch {
        /// The change of a question that turns it.
        change: fn(&Scenario, bool) -> Change,
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
    /// The change that gives it, or gives it back to its default.
    pub change: fn(Option<f64>) -> Change,
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
    pub fn read(self, text: &str) -> Result<Patch, Refusal> {
        let Kind::Number { quantity, .. } = self.0.kind else { return Ok(Patch::default()) };
        if text.trim().is_empty() {
            // An emptied field goes back to its default.
            return Ok(self.number(None));
        }
        let number = quantity::parse(text, quantity).ok_or(Refusal::NotANumber)?;
        Ok(self.number(Some(number)))
    }

    /// The changes that give a number to every field of the control, or give them back to their defaults.
    pub fn number(self, number: Option<f64>) -> Patch {
        let Kind::Number { fields, .. } = self.0.kind else { return Patch::default() };
        Patch(fields.iter().map(|field| (field.change)(number)).collect())
    }

    /// The change that gives a name, or gives the field back to its default where the name is empty; none where it is
    /// not offered.
    pub fn choice(self, name: &str) -> Option<Change> {
        let Kind::Choice { names, change, .. } = self.0.kind else { return None };
        let index = names.iter().position(|known| *known == name);
        (index.is_some() || name.is_empty()).then(|| change(index))
    }

    /// The change of `scenario` that turns a switch.
    pub fn switched(self, scenario: &Scenario, on: bool) -> Option<Change> {
        let Kind::Switch { change, .. } = self.0.kind else { return None };
        Some(change(scenario, on))
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_come_and_go() {
        let mut patch = GPUS.number(Some(8.0));
        patch.0.extend(SHARDING.choice("zero3"));
        let asked = patch.applied(&Scenario::default());
        assert_eq!(asked.to_value(), json!({"cluster": {"gpus": 8}, "training": {"sharding": "zero3"}}));
        assert_eq!(GPUS.given_number(&asked), Some(8.0));
        assert_eq!(SHARDING.given_name(&asked), Some("zero3"));
        let mut fewer = GPUS.number(None);
        fewer.0.extend(CACHE.choice(""));
        assert_eq!(fewer.applied(&asked).to_value(), json!({"training": {"sharding": "zero3"}}));
    }

    #[test]
    fn only_what_is_offered_can_be_chosen() {
        assert_eq!(SHARDING.choice("zero4"), None);
        assert!(SHARDING.choice("").is_some_and(|change| change.value().is_null()));
    }
}

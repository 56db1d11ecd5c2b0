//! The controls as data: every field of the question that the page lets somebody change, each described once.

pub mod edit;
pub mod notches;
pub mod quantity;
mod specs;

use std::borrow::Cow;

use vram_ledger::scenario::Scenario;
use vram_ledger::words::Language;

use crate::page::answer::Answer;
use crate::page::context::state::Refusal;
use edit::Edit;
use quantity::Quantity;

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

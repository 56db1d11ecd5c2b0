//! Why what was entered into a control is not taken.

use vram_ledger::refusal::FieldError;
use vram_ledger::scenario::Quantity;
use vram_ledger::text;
use vram_ledger::words::Language;

use super::{Control, Kind, quantity};

/// Why a text was refused.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// It is not a number.
    NotANumber,
    /// It is not JSON; the reader's own words.
    NotJson(String),
    /// The ledger refuses it.
    Ledger(FieldError),
}

impl Refusal {
    /// Why what was entered into a control was not taken.
    pub fn text(&self, language: Language, entered: &str, control: Control) -> String {
        match self {
            Refusal::Ledger(error) => language.field_error(error),
            Refusal::NotJson(reason) => language.fill(text!(refusals::NOT_JSON), &[reason]),
            Refusal::NotANumber => {
                let example = quantity::example(match control.kind() {
                    Kind::Number(quantity) => quantity,
                    _ => Quantity::Count,
                });
                language.fill(text!(refusals::NOT_A_NUMBER), &[entered, language.say(example)])
            }
        }
    }
}

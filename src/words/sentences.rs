//! Sentences put together from several texts.

use std::borrow::Cow;

use super::{Language, Text, fill};
use crate::answer::Heuristic;
use crate::frameworks::Framework;
use crate::ledger::{Basis, grouped};
use crate::model::Difference;
use crate::refusal::FieldError;
use crate::scenario::{Change, Cluster, Inference, Number, Setting, Training};
use crate::text;

impl Language {
    /// A training framework, whose defaults a question starts from.
    #[must_use]
    pub fn framework(self, framework: Framework) -> &'static str {
        framework.profile().title.unwrap_or(self.say(text!(values::TEXTBOOK)))
    }

    /// A number of GPUs, with the word.
    #[must_use]
    pub fn gpus(self, count: f64) -> String {
        if count == 1.0 {
            return self.say(text!(amounts::ONE_GPU)).to_owned();
        }
        self.fill(text!(amounts::GPUS), &[&grouped(&format!("{count:.0}"))])
    }

    /// Why a published count of parameters is not the derived one.
    #[must_use]
    pub fn differences(self, differences: &[Difference]) -> String {
        // Digits stand in groups from five on, so that shapes stay as they are written.
        let number = |number: u64| match number {
            ..10_000 => number.to_string(),
            _ => grouped(&number.to_string()),
        };
        let part = |difference: &Difference| {
            let of: Vec<String> = difference.of.iter().copied().map(number).collect();
            let what = fill(self.surplus(difference.what), &of.iter().map(String::as_str).collect::<Vec<_>>());
            let Some(count) = difference.count else { return what };
            let sign = if count < 0 { "-" } else { "+" };
            let count = [sign, &grouped(&count.unsigned_abs().to_string())].concat();
            self.fill(text!(differences::COUNTED), &[&count, &what])
        };
        let parts = differences.iter().map(part);
        parts.reduce(|said, next| self.fill(text!(differences::NEXT), &[&said, &next])).unwrap_or_default()
    }

    /// Sentences one after the other, parted as the language parts them.
    #[must_use]
    pub fn sentences(self, sentences: &[String]) -> String {
        let joined =
            sentences.iter().cloned().reduce(|said, next| self.fill(text!(amounts::NEXT_SENTENCE), &[&said, &next]));
        joined.unwrap_or_default()
    }

    /// How sure a figure is, with what that means.
    #[must_use]
    pub fn basis_with_meaning(self, basis: Basis) -> String {
        self.fill(text!(basis::WITH_MEANING), &[self.basis(basis), self.basis_meaning(basis)])
    }

    /// A refused field: its path, what was given, what is allowed.
    #[must_use]
    pub fn field_error(self, error: &FieldError) -> String {
        let problem = self.problem(&error.problem);
        if error.field.is_empty() { problem } else { self.fill(text!(refusals::OF_FIELD), &[&error.field, &problem]) }
    }

    /// A rule of the field with the numbers that triggered it, and what speaks against it where sources disagree.
    #[must_use]
    pub fn hint(self, rule: Heuristic, figures: &[&str]) -> String {
        let says = fill(self.rule_of_thumb(rule), figures);
        match self.rule_of_thumb_but(rule) {
            Some(but) => self.fill(text!(rules_of_thumb::BUT), &[&says, but]),
            None => says,
        }
    }

    /// A change to a question.
    #[must_use]
    pub fn change(self, change: &Change) -> String {
        let (text, value): (_, Cow<str>) = match change {
            Change::Sharding(_, Some(sharding)) => return self.sharding_short(*sharding).to_owned(),
            Change::Schedule(_, Some(schedule)) => return self.schedule(*schedule).to_owned(),
            Change::Number(setting, Some(gpus)) if *setting == Cluster::gpus => return self.gpus(gpus.0),
            Change::Recompute(_, Some(recompute)) => {
                (text!(advice::CHANGE_RECOMPUTE), self.recompute(*recompute).into())
            }
            Change::Weights(_, Some(format)) => (text!(advice::CHANGE_WEIGHTS), self.weight_format(*format).into()),
            Change::Number(setting, Some(count)) => match count_text(*setting) {
                Some(text) => (text, count.0.to_string().into()),
                None => return by_path(change),
            },
            other => return by_path(other),
        };
        self.fill(text, &[&value])
    }
}

/// What a count is called as a change.
fn count_text(setting: Setting<Number>) -> Option<Text> {
    let texts = [
        (Training::micro_batch, text!(advice::CHANGE_MICRO_BATCH)),
        (Training::global_batch, text!(advice::CHANGE_GLOBAL_BATCH)),
        (Training::tensor, text!(advice::CHANGE_TENSOR)),
        (Inference::tensor, text!(advice::CHANGE_TENSOR)),
        (Training::context, text!(advice::CHANGE_CONTEXT)),
        (Training::expert, text!(advice::CHANGE_EXPERT)),
        (Training::virtual_stages, text!(advice::CHANGE_VIRTUAL_STAGES)),
    ];
    texts.into_iter().find(|(other, _)| *other == setting).map(|(_, text)| text)
}

/// A change that nobody proposes, as JSON has it.
fn by_path(change: &Change) -> String {
    [change.path(), ": ", &change.value().to_string()].concat()
}

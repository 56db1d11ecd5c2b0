//! From an entry to the text that shows where its bytes come from.

use super::{Entry, Symbol, Unit};
use crate::units::trimmed;

/// Formula, working, source and symbols of one entry: the same in every language.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The rule's name.
    pub rule: &'static str,
    /// The formula in symbols.
    pub formula: String,
    /// The formula with the numbers put in.
    pub working: String,
    /// Where the formula comes from.
    pub source: &'static str,
    /// Each symbol with its number.
    pub terms: Vec<TermText>,
}

/// One symbol of a formula with its number.
#[derive(Clone, Debug, PartialEq)]
pub struct TermText {
    /// The symbol.
    pub symbol: Symbol,
    /// Its number, written out.
    pub value: String,
}

/// Explains an entry: the formula, the formula with today's numbers, the source.
#[must_use]
pub fn explain(entry: &Entry) -> Explanation {
    let rule = entry.rule;
    let value_of = |part: &str| {
        let index = rule.symbols().iter().position(|symbol| symbol.sign() == part)?;
        Some(term_text(rule.symbols()[index], entry.terms()[index]))
    };
    let working: Vec<String> =
        rule.formula().split(' ').map(|part| value_of(part).unwrap_or_else(|| part.to_owned())).collect();
    Explanation {
        rule: rule.id(),
        formula: close_brackets(rule.formula()),
        working: close_brackets(&working.join(" ")),
        source: rule.source(),
        terms: rule
            .symbols()
            .iter()
            .zip(entry.terms())
            .map(|(symbol, value)| TermText { symbol: *symbol, value: term_text(*symbol, *value) })
            .collect(),
    }
}

/// A formula as people write it: no space inside brackets, a true minus sign.
fn close_brackets(formula: &str) -> String {
    formula.replace("( ", "(").replace(" )", ")").replace(" - ", " − ")
}

fn term_text(symbol: Symbol, value: f64) -> String {
    match symbol.unit() {
        Unit::BytesEach | Unit::Bytes => format!("{} B", number_text(value)),
        Unit::BitsEach => format!("{} bit", number_text(value)),
        Unit::One | Unit::Count => number_text(value),
    }
}

/// A number in full, digits in groups of three, at most six decimals.
#[must_use]
pub fn number_text(value: f64) -> String {
    let text = trimmed(value, 6);
    match text.split_once('.') {
        Some((whole, fraction)) => format!("{}.{fraction}", grouped(whole)),
        None => grouped(&text),
    }
}

/// Digits in groups of three.
#[must_use]
pub fn grouped(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

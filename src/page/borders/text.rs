//! Reading and writing questions as text. The opening page has none: what does it is fetched with the first link, the
//! first change that goes to the address, the first pasted model.

use std::rc::Rc;

use vram_ledger::refusal::FieldError;
use vram_ledger::scenario::{ModelChoice, Scenario};
use wasm_split_helpers::wasm_split;

use crate::page::context::later::NotFetched;
use crate::page::context::question_text;
use crate::page::fields::Refusal;

/// Reads the part of a link behind `#`.
///
/// # Errors
/// It could not be fetched; another call tries again. Within it, what is wrong with the link.
#[wasm_split(text, fallible)]
pub fn decode(hash: String) -> Result<Result<Scenario, FieldError>, NotFetched> {
    Ok(question_text::decode(&hash))
}

/// The part of the address behind `?`, with its `#`, for a question; `None` where the one that the address `holds` is
/// the same, however it is written.
///
/// # Errors
/// It could not be fetched; another call tries again.
#[wasm_split(text, fallible)]
pub fn hash_unless_held(holds: Option<Rc<Scenario>>, scenario: Rc<Scenario>) -> Result<Option<String>, NotFetched> {
    Ok((holds.as_ref() != Some(&scenario)).then(|| question_text::hash(&scenario)))
}

/// Reads a pasted model.
///
/// # Errors
/// It could not be fetched; another call tries again. Within it, why the text is no model.
#[wasm_split(text, fallible)]
pub fn read_model(pasted: String) -> Result<Result<ModelChoice, Refusal>, NotFetched> {
    Ok(question_text::pasted_model(&pasted))
}

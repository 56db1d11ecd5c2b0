//! Model families: what is known of each, and reading a Hugging Face `config.json` by it.
//!
//! A family is a [`Family`]: one row, in [`rows`] or, where it needs code of its own, in the file named after it. The row
//! says which keys of a `config.json` mean which numbers and tensors, and what the family's configuration class takes for
//! a key that is left out. Those defaults are from the configuration classes of transformers 4.57, of families that came
//! later from those of 5.24, so that a file the library loads is read the same way here.
//!
//! [`keys`] has the keys that are read, [`decoder`] makes the answer by the row; beside them stand which layers are of
//! which kind ([`layers`]), experts ([`mixture`]), tensors that only some families have ([`further`]), values that files
//! write in several ways ([`values`]), the format of a checkpoint's weights ([`quantized`]), and what is made of a file of
//! no known family ([`unknown`]).

mod decoder;
mod deepseek;
mod falcon;
mod further;
mod gemma4;
mod keys;
mod laguna;
mod layers;
mod llama4;
mod mamba;
mod minimax;
mod mixture;
mod nemotron_h;
mod nemotron_nas;
mod published;
mod quantized;
mod qwen3_next;
mod row;
mod rows;
mod unknown;
mod values;

pub use keys::HfConfig;
pub use published::{ModelRow, model_rows};
pub use row::Family;
pub use rows::FAMILIES;

use std::borrow::Cow;

use crate::refusal::{FieldError, ModelProblem, Problem};

/// The family a `model_type` belongs to, if it is one of those known.
pub fn find(model_type: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.model_types.contains(&model_type))
}

/// The largest value of each dimension: far above anything built, and low enough that products of them stay exact.
mod limit {
    pub const LAYERS: u64 = 10_000;
    pub const HIDDEN: u64 = 1_000_000;
    pub const HEADS: u64 = 100_000;
    pub const HEAD_DIM: u64 = 100_000;
    pub const MLP_WIDTH: u64 = 10_000_000;
    pub const VOCABULARY: u64 = 10_000_000;
    pub const POSITIONS: u64 = 1_000_000_000;
    pub const EXPERTS: u64 = 100_000;
}

/// A number beside the key that it is given under, or would be.
type Named = (&'static str, Option<u64>);

/// The refusal of what stands under `key`.
fn refused(key: impl Into<Cow<'static, str>>, problem: ModelProblem) -> FieldError {
    FieldError::new(key, Problem::Model(problem))
}

/// A dimension that must be there, positive and not absurd.
fn dimension(key: impl Into<Cow<'static, str>>, value: Option<u64>, most: u64) -> Result<u64, FieldError> {
    match value {
        Some(value) if (1..=most).contains(&value) => Ok(value),
        Some(given) => Err(refused(key, ModelProblem::Range { given, least: 1, most })),
        None => Err(refused(key, ModelProblem::Missing { most })),
    }
}

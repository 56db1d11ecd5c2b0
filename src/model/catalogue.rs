//! Published models and their dimensions.

use super::Architecture;
use super::table::MODELS;

/// One published checkpoint; of a multimodal one, its language model.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// The name a scenario uses.
    pub id: &'static str,
    /// The name a person uses.
    pub name: &'static str,
    /// Its dimensions.
    pub architecture: Architecture,
}

/// Every published model, by family.
pub fn catalogue() -> &'static [Published] {
    &MODELS
}

/// The model of that id.
pub fn find(id: &str) -> Option<&'static Published> {
    catalogue().iter().find(|row| row.id == id)
}

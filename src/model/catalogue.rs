//! Published models and their dimensions.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::Architecture;
use crate::catalogue;

/// One published checkpoint; of a multimodal one, its language model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Published {
    /// The name a scenario uses.
    pub id: &'static str,
    /// The name a person uses.
    pub name: &'static str,
    /// Its dimensions.
    pub architecture: Architecture,
}

static MODELS: LazyLock<Vec<Published>> = LazyLock::new(|| catalogue::facts(include_bytes!("catalogue.postcard")));

/// Every published model, by family.
pub fn catalogue() -> &'static [Published] {
    &MODELS
}

/// The model of that id.
pub fn find(id: &str) -> Option<&'static Published> {
    catalogue().iter().find(|row| row.id == id)
}

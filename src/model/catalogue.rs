//! Published models, each with its dimensions, its published size and where both were read.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;

use super::{Architecture, HfConfig};

/// One published checkpoint; of a multimodal one, its language model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelRow {
    /// The name a scenario uses.
    pub id: &'static str,
    /// The name a person uses.
    pub name: &'static str,
    /// The Hugging Face repository whose figures these are, if there is one.
    pub repository: Option<&'static str>,
    /// The keys of its `config.json` that decide tensors and cache.
    pub config: HfConfig,
    /// The dimensions those keys describe.
    pub architecture: Architecture,
    /// The longest sequence the model is made for, in tokens.
    pub context: u64,
    /// Parameters, stated independently of `architecture`: embedding and head included, a tied head once.
    pub parameters: u64,
    /// Parameters one token meets, of a mixture of experts.
    pub active_parameters: Option<u64>,
    /// Elements stored in the published checkpoint; none where only a round figure was published.
    pub published_parameters: Option<u64>,
    /// What makes the published number differ from `parameters`: signed counts, each with what it is.
    pub difference: Option<&'static str>,
    /// Bytes that one more token adds to the 16-bit cache while every layer still grows.
    pub kv_bytes_per_token: u64,
    /// The same beyond the window of every windowed layer; none where no layer has a window.
    pub kv_bytes_per_token_unwindowed: Option<u64>,
    /// What else is to be known about the figures.
    pub note: Option<&'static str>,
    /// Figures no published source was read for.
    pub unverified: Vec<&'static str>,
    sources: Vec<&'static str>,
}

impl ModelRow {
    /// What was read and where.
    pub fn sources(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.sources.iter().filter_map(|key| catalogue_file().0.get(key).copied())
    }
}

/// A row as the file has it. Equal figures are written once: no `published` means the same as `parameters`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileRow {
    id: &'static str,
    name: &'static str,
    repository: Option<&'static str>,
    parameters: u64,
    active: Option<u64>,
    published: Option<u64>,
    difference: Option<&'static str>,
    cache: u64,
    unwindowed_cache: Option<u64>,
    context: u64,
    config: HfConfig,
    sources: Vec<&'static str>,
    #[serde(default)]
    unverified: Vec<&'static str>,
    note: Option<&'static str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(borrow)]
    sources: BTreeMap<&'static str, &'static str>,
    models: Vec<FileRow>,
}

fn catalogue_file() -> &'static (BTreeMap<&'static str, &'static str>, Vec<ModelRow>) {
    static CATALOGUE: OnceLock<(BTreeMap<&'static str, &'static str>, Vec<ModelRow>)> = OnceLock::new();
    CATALOGUE.get_or_init(|| {
        // The file is part of the program, and a test reads it and checks every row.
        let file: File =
            serde_json::from_str(include_str!("catalogue.json")).expect("the compiled-in models are valid");
        (file.sources, file.models.into_iter().map(row).collect())
    })
}

fn row(row: FileRow) -> ModelRow {
    let architecture = row.config.architecture().unwrap_or_else(|error| panic!("{}: {error}", row.id));
    ModelRow {
        id: row.id,
        name: row.name,
        repository: row.repository,
        config: row.config,
        architecture,
        context: row.context,
        parameters: row.parameters,
        active_parameters: row.active,
        published_parameters: if row.difference.is_none() { Some(row.parameters) } else { row.published },
        difference: row.difference,
        kv_bytes_per_token: row.cache,
        kv_bytes_per_token_unwindowed: row.unwindowed_cache,
        note: row.note,
        unverified: row.unverified,
        sources: row.sources,
    }
}

/// Every published model, by family.
pub fn catalogue() -> &'static [ModelRow] {
    &catalogue_file().1
}

/// The model of that id.
pub fn find(id: &str) -> Option<&'static ModelRow> {
    catalogue().iter().find(|row| row.id == id)
}

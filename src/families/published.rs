//! The rows of the catalogue of models as their file has them, with what stands behind the figures.

use std::ops::Deref;
use std::sync::LazyLock;

use serde::Deserialize;

use super::HfConfig;
use crate::catalogue::File;
use crate::model::{Difference, Published};
use crate::refusal::FieldError;

/// A row as the file has it: the model, and what stands behind its figures.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "FileRow", bound(deserialize = "'de: 'static"))]
pub struct ModelRow {
    /// The model.
    pub model: Published,
    /// The Hugging Face repository whose figures these are, if there is one.
    pub repository: Option<String>,
    /// The keys of its `config.json` that decide tensors and cache.
    pub config: HfConfig,
    /// The longest sequence the model is made for, in tokens; none where its layers set no limit.
    pub context: Option<u64>,
    /// Parameters, stated independently of `architecture`: embedding and head included, a tied head once.
    pub parameters: u64,
    /// Parameters one token meets, of a mixture of experts.
    pub active_parameters: Option<u64>,
    /// Elements stored in the published checkpoint; none where only a round figure was published.
    pub published_parameters: Option<u64>,
    /// What makes the published number differ from `parameters`; nothing where it does not.
    pub difference: Vec<Difference>,
    /// Bytes that one more token adds to the 16-bit cache while every layer still grows.
    pub kv_bytes_per_token: u64,
    /// The same beyond the window of every windowed layer; none where no layer has a window.
    pub kv_bytes_per_token_unwindowed: Option<u64>,
    /// What an indexer adds to either, in FP8 and fp32.
    pub indexer_bytes_per_token: Option<u64>,
    /// Bytes of a request however long it is: a 16-bit convolution and an fp32 state.
    pub state_bytes_per_sequence: Option<u64>,
    /// What else is to be known about the figures.
    pub note: Option<String>,
    /// Figures no published source was read for.
    pub unverified: Vec<String>,
    sources: Vec<String>,
}

impl Deref for ModelRow {
    type Target = Published;
    fn deref(&self) -> &Published {
        &self.model
    }
}

impl ModelRow {
    /// What was read and where.
    pub fn sources(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.sources.iter().filter_map(|key| FILE.source(key))
    }
}

/// A row as it is written. Equal figures are written once: no `difference` means that `published` is `parameters`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileRow {
    id: &'static str,
    name: &'static str,
    repository: Option<String>,
    parameters: u64,
    active: Option<u64>,
    published: Option<u64>,
    #[serde(default)]
    difference: Vec<Difference>,
    cache: u64,
    unwindowed_cache: Option<u64>,
    indexer: Option<u64>,
    state: Option<u64>,
    context: Option<u64>,
    config: HfConfig,
    sources: Vec<String>,
    #[serde(default)]
    unverified: Vec<String>,
    note: Option<String>,
}

impl TryFrom<FileRow> for ModelRow {
    type Error = FieldError;

    fn try_from(row: FileRow) -> Result<ModelRow, FieldError> {
        let architecture = row.config.architecture()?;
        Ok(ModelRow {
            model: Published { id: row.id, name: row.name, architecture },
            repository: row.repository,
            config: row.config,
            context: row.context,
            parameters: row.parameters,
            active_parameters: row.active,
            published_parameters: if row.difference.is_empty() { Some(row.parameters) } else { row.published },
            difference: row.difference,
            kv_bytes_per_token: row.cache,
            kv_bytes_per_token_unwindowed: row.unwindowed_cache,
            indexer_bytes_per_token: row.indexer,
            state_bytes_per_sequence: row.state,
            note: row.note,
            unverified: row.unverified,
            sources: row.sources,
        })
    }
}

static FILE: LazyLock<File<ModelRow>> = LazyLock::new(|| File::read(include_str!("../model/catalogue.json")));

/// Every row of the file, with its sources; for the reference pages and the tests. The ledger counts with the figures
/// alone, [`crate::model::catalogue()`].
pub fn model_rows() -> &'static [ModelRow] {
    &FILE.rows
}

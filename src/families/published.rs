//! The rows of the catalogue of models as their file has them, with what stands behind the figures.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::OnceLock;

use super::HfConfig;
use crate::model::Published;
use crate::schema::{read_compiled_in, schema};

/// A row as the file has it: the model, and what stands behind its figures.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelRow {
    /// The model.
    pub model: Published,
    /// The Hugging Face repository whose figures these are, if there is one.
    pub repository: Option<&'static str>,
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
    /// What makes the published number differ from `parameters`: signed counts, each with what it is.
    pub difference: Option<&'static str>,
    /// Bytes that one more token adds to the 16-bit cache while every layer still grows.
    pub kv_bytes_per_token: u64,
    /// The same beyond the window of every windowed layer; none where no layer has a window.
    pub kv_bytes_per_token_unwindowed: Option<u64>,
    /// What an indexer adds to either, in FP8 and fp32.
    pub indexer_bytes_per_token: Option<u64>,
    /// Bytes of a request however long it is: a 16-bit convolution and an fp32 state.
    pub state_bytes_per_sequence: Option<u64>,
    /// What else is to be known about the figures.
    pub note: Option<&'static str>,
    /// Figures no published source was read for.
    pub unverified: Vec<&'static str>,
    sources: Vec<&'static str>,
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
        self.sources.iter().filter_map(|key| file().sources.get(key).copied())
    }
}

schema! { Refused:
    /// A row as the file has it. Equal figures are written once: no `published` means the same as `parameters`.
    struct FileRow {
        "id" id: &'static str,
        "name" name: &'static str,
        "repository" repository: &'static str,
        "parameters" parameters: u64,
        "active" active: u64,
        "published" published: u64,
        "difference" difference: &'static str,
        "cache" cache: u64,
        "unwindowed_cache" unwindowed_cache: u64,
        "indexer" indexer: u64,
        "state" state: u64,
        "context" context: u64,
        "config" config: HfConfig,
        "sources" sources: Vec<&'static str>,
        "unverified" unverified: Vec<&'static str>,
        "note" note: &'static str,
    }

    struct File {
        "sources" sources: BTreeMap<&'static str, &'static str>,
        "models" models: Vec<FileRow>,
    }
}

struct Catalogue {
    sources: BTreeMap<&'static str, &'static str>,
    rows: Vec<ModelRow>,
}

fn file() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    // The file is part of the program, and a test reads it and checks every row.
    CATALOGUE
        .get_or_init(|| read_file(include_str!("../model/catalogue.json")).expect("the compiled-in models are valid"))
}

fn read_file(text: &str) -> Option<Catalogue> {
    let file: File = read_compiled_in(text)?;
    Some(Catalogue { sources: file.sources?, rows: file.models?.into_iter().map(row).collect::<Option<_>>()? })
}

/// The row, where all is there that every row has.
fn row(row: FileRow) -> Option<ModelRow> {
    let (config, parameters) = (row.config?, row.parameters?);
    Some(ModelRow {
        model: Published { id: row.id?, name: row.name?, architecture: config.architecture().ok()? },
        repository: row.repository,
        config,
        context: row.context,
        parameters,
        active_parameters: row.active,
        published_parameters: if row.difference.is_none() { Some(parameters) } else { row.published },
        difference: row.difference,
        kv_bytes_per_token: row.cache?,
        kv_bytes_per_token_unwindowed: row.unwindowed_cache,
        indexer_bytes_per_token: row.indexer,
        state_bytes_per_sequence: row.state,
        note: row.note,
        unverified: row.unverified.unwrap_or_default(),
        sources: row.sources?,
    })
}

/// Every row of the file, with its sources; for the reference pages and the tests. The ledger counts with the table
/// written from it, [`crate::model::catalogue()`].
pub fn model_rows() -> &'static [ModelRow] {
    &file().rows
}

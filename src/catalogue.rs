//! Catalogues: rows of figures, with where each was read.
//!
//! A catalogue is written as JSON. The program counts with the figures alone, as bytes in the postcard format that a test
//! writes beside the JSON (`UPDATE=1 cargo test --test reference_pages facts`): whoever opens a page then waits neither
//! for notes and sources nor for a reader of them. Both are part of the program, so a fault in either is one of the
//! program, which the tests rule out.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A catalogue as its JSON has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File<Row> {
    /// What was read, by the keys that rows use.
    sources: BTreeMap<String, String>,
    /// The rows, in the order in which they are offered.
    pub rows: Vec<Row>,
}

impl<Row: Deserialize<'static>> File<Row> {
    /// Reads the JSON.
    pub(crate) fn read(text: &'static str) -> File<Row> {
        serde_json::from_str(text).unwrap_or_else(|error| panic!("a catalogue is not what its rows are: {error}"))
    }
}

impl<Row> File<Row> {
    /// What the key of a source stands for.
    pub(crate) fn source(&self, key: &str) -> Option<&str> {
        self.sources.get(key).map(String::as_str)
    }
}

/// Reads the figures of a catalogue from their bytes.
pub(crate) fn facts<Fact: Deserialize<'static>>(bytes: &'static [u8]) -> Vec<Fact> {
    postcard::from_bytes(bytes).expect("the figures are those of the catalogue's JSON")
}

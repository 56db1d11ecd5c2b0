//! Where the figures of a row of a catalogue were read. The files of the catalogues are fetched when somebody asks for
//! that, so nothing else of the page may read them.

use vram_ledger::families::model_rows;
use vram_ledger::hardware::accelerator_rows;
use vram_ledger::model::Difference;
use wasm_split_helpers::wasm_split;

use crate::page::context::later::NotFetched;

/// What stands behind the figures of a row.
pub struct Row {
    /// The name for people.
    pub name: &'static str,
    /// Where figures were read: which ones, where the row says so, and the publication.
    pub sources: Vec<(Option<&'static str>, &'static str)>,
    /// What else is to be known.
    pub note: Option<&'static str>,
    /// Figures no published source was read for.
    pub unverified: &'static [String],
}

/// The row of a model.
pub struct ModelRow {
    /// What stands behind its figures.
    pub row: Row,
    /// Its parameters, where their number was published to the last one.
    pub published_parameters: Option<u64>,
    /// Why that is not the number derived; nothing where it is.
    pub difference: &'static [Difference],
}

/// The rows of a model and of an accelerator by their ids; none where there is no such row.
///
/// # Errors
/// They could not be fetched; another call tries again.
#[wasm_split(rows, fallible)]
pub fn rows(model: Option<String>, accelerator: String) -> Result<(Option<ModelRow>, Option<Row>), NotFetched> {
    let model = model_rows().iter().find(|row| model.as_deref() == Some(row.id)).map(|row| ModelRow {
        row: Row {
            name: row.name,
            sources: row.sources().map(|source| (None, source)).collect(),
            note: row.note.as_deref(),
            unverified: &row.unverified,
        },
        published_parameters: row.published_parameters,
        difference: &row.difference,
    });
    let accelerator = accelerator_rows().iter().find(|row| row.id == accelerator).map(|row| Row {
        name: row.name,
        sources: row.sources().map(|(figures, source)| (Some(figures), source)).collect(),
        note: row.note.as_deref(),
        unverified: &row.unverified,
    });
    Ok((model, accelerator))
}

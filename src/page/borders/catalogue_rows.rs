//! The rows of the catalogues as their files have them, with what stands behind the figures. A file of its own: the
//! page fetches it when somebody asks where a figure comes from, so nothing else may read those files.

use vram_ledger::families::model_rows;
use vram_ledger::hardware::accelerator_rows;

/// What can be asked, each by an id.
pub struct Rows {
    /// The row of a model, and its parameters as published.
    pub model: fn(&str) -> Option<(Row, Published)>,
    /// The row of an accelerator.
    pub accelerator: fn(&str) -> Option<Row>,
}

/// What stands behind the figures of a row.
pub struct Row {
    /// The name for people.
    pub name: &'static str,
    /// Where figures were read: which ones, where the row says so, and the publication.
    pub sources: Vec<(Option<&'static str>, &'static str)>,
    /// What else is to be known.
    pub note: Option<&'static str>,
    /// Figures no published source was read for.
    pub unverified: &'static [&'static str],
}

/// A published parameter count, where one was published to the last parameter, and why it is not the derived one.
pub struct Published {
    /// The count.
    pub parameters: Option<u64>,
    /// The difference in words.
    pub difference: Option<&'static str>,
}

/// The one there is.
pub static ROWS: Rows = Rows { model, accelerator };

fn model(id: &str) -> Option<(Row, Published)> {
    let row = model_rows().iter().find(|row| row.id == id)?;
    let sources = row.sources().map(|source| (None, source)).collect();
    let published = Published { parameters: row.published_parameters, difference: row.difference };
    Some((Row { name: row.name, sources, note: row.note, unverified: &row.unverified }, published))
}

fn accelerator(id: &str) -> Option<Row> {
    let row = accelerator_rows().iter().find(|row| row.id == id)?;
    let sources = row.sources().map(|(figures, source)| (Some(figures), source)).collect();
    Some(Row { name: row.name, sources, note: row.note, unverified: &row.unverified })
}

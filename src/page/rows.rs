//! The rows of the catalogues as their files have them, with what stands behind the figures. A file of its own: the
//! page fetches it when somebody asks where a figure comes from.

use vram_ledger::hardware::{AcceleratorRow, accelerator_rows};
use vram_ledger::model::{ModelRow, model_rows};

/// What can be asked.
pub struct Rows {
    /// The row of a model, by its id.
    pub model: fn(&str) -> Option<&'static ModelRow>,
    /// The row of an accelerator, by its id.
    pub accelerator: fn(&str) -> Option<&'static AcceleratorRow>,
}

/// The one there is.
pub static ROWS: Rows = Rows {
    model: |id| model_rows().iter().find(|row| row.id == id),
    accelerator: |id| accelerator_rows().iter().find(|row| row.id == id),
};

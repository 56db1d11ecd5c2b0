//! The catalogues as their files have them, with what stands behind the figures. They are fetched when somebody asks
//! where a figure comes from, so nothing else of the page may read those files.

use vram_ledger::hardware::{AcceleratorRow, accelerator_rows};
use vram_ledger::model::{ModelRow, model_rows};
use wasm_split_helpers::wasm_split;

use crate::page::context::later::NotFetched;

/// Every row.
#[derive(Clone, Copy)]
pub struct Rows {
    /// Models with their published parameter counts.
    pub models: &'static [ModelRow],
    /// Accelerators.
    pub accelerators: &'static [AcceleratorRow],
}

/// Reads them.
///
/// # Errors
/// They could not be fetched; another call tries again.
#[wasm_split(rows, fallible)]
pub fn rows() -> Result<Rows, NotFetched> {
    Ok(Rows { models: model_rows(), accelerators: accelerator_rows() })
}

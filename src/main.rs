//! The page of VRAM Ledger.

#[allow(dead_code, reason = "the other half of the page is the module of the views, src/bin/views.rs")]
mod page;

fn main() {
    // Natively there is no document; the page is then rendered to text by its tests.
    if cfg!(target_arch = "wasm32") {
        page::mount();
    }
}

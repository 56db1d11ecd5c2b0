//! The page of VRAM Ledger.

mod page;

fn main() {
    // Natively there is no document; the page is then rendered to text by its tests.
    if cfg!(target_arch = "wasm32") {
        page::mount();
    }
}

//! What is seen until the page answers is made from the page itself.

use std::fs;
use std::path::Path;

use vram_ledger::words::Language;

use super::{start, whole, without_closed_parts, without_lists};
use crate::page::context::state::opening;

/// `static/first-paint.html` is the opening state; `UPDATE=1` writes it anew. Nothing in closed parts: before the page
/// answers, they do not open.
#[test]
fn first_paint() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/first-paint.html");
    let html = without_closed_parts(&without_lists(&whole(start(opening(), Language::English)))) + "\n";
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &html).expect("the first paint can be written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == html,
        "static/first-paint.html is not the opening state; UPDATE=1 cargo test --features ssr --bin vram-ledger first_paint"
    );
}

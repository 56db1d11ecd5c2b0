//! Every view of the list, and some once more where they have little to show.

use serde_json::{Value, json};
use vram_ledger::words::Language;

use super::{asked, drawn, settings, snapshot, start};
use crate::page::context::state::{Start, State};
use crate::page::views::{TABS, VIEWS};

/// A view of a question.
pub fn view(id: &str, question: &Value, language: Language) -> String {
    let (settings, refused) = settings(language).read(&format!("view={id}"));
    assert_eq!(refused, None, "a view of the list");
    drawn(State::start(Start { settings, ..start(asked(question.clone()), language) }), VIEWS.chosen)
}

/// A question that leaves no view empty: a pipeline of tensor groups over a network, served by an engine with a budget,
/// layers of two kinds.
pub fn pipeline() -> Value {
    json!({
        "model": "gemma-2-9b", "framework": "megatron-core", "cluster": {"gpus": 16},
        "training": {"pipeline": 2, "tensor": 2, "global_batch": 16, "schedule": "1f1b"},
        "inference": {"engine": "vllm", "concurrency": 8},
    })
}

#[test]
fn every_view() {
    for tab in &TABS {
        snapshot(&format!("view-{}", tab.id), &view(tab.id, &pipeline(), Language::English));
    }
}

#[test]
fn views_with_little_to_show() {
    for id in ["stages", "timeline"] {
        snapshot(&format!("view-{id}-of-one-stage"), &view(id, &json!({"model": "llama-3.1-8b"}), Language::English));
    }
    // Tensor groups do not divide every number of GPUs.
    let divided = json!({"cluster": {"gpus": 48}, "training": {"tensor": 8, "sharding": "zero3"}});
    snapshot("view-scaling-with-gaps", &view("scaling", &divided, Language::English));
}

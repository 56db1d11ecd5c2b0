//! What loads first, piece by piece.

use std::rc::Rc;

use serde_json::json;
use vram_ledger::scenario::{Scenario, SettingId};
use vram_ledger::words::Language;
use yew::prelude::*;

use super::{asked, drawn, settings, snapshot, start, whole, without_closed_parts};
use crate::page::context::Page;
use crate::page::context::state::{Action, Start, State, opening};
use crate::page::controls;
use crate::page::fields::Control;
use crate::page::shell::{app, card, header, tabs};

fn opened(scenario: Scenario) -> State {
    State::start(start(scenario, Language::English))
}

fn card(page: &Page) -> Html {
    card::card(page, &NodeRef::default())
}

#[test]
fn header_and_tabs() {
    snapshot("header", &drawn(opened(opening()), header::header));
    let html = drawn(opened(opening()), tabs::tabs);
    // The view itself has a snapshot of its own.
    snapshot("tabs", &html[..html.find("role=\"tabpanel\"").expect("a view")]);
}

#[test]
fn controls_in_sight() {
    snapshot("controls", &without_closed_parts(&drawn(opened(opening()), controls::workbench)));
}

/// In every group: as many as the groups have, each with the value that counts where nothing is chosen.
#[test]
fn controls_in_groups() {
    let html = drawn(opened(opening()), controls::workbench);
    let [sight, all] = [without_closed_parts(&html), html];
    let from = sight.find("<details").expect("groups");
    snapshot("groups", &all[from..]);
}

#[test]
fn what_is_typed_and_refused() {
    const GPUS: Control = Control::Setting(SettingId::Gpus);
    let typed = [Action::Typed(GPUS, "many".to_owned()), Action::Entered(GPUS)];
    let state = typed.into_iter().fold(Rc::new(opened(opening())), State::reduce);
    let html = drawn(Rc::unwrap_or_clone(state), controls::workbench);
    let from = html.find("id=\"cluster.gpus-label\"").expect("the slider of GPUs");
    let to = from + html[from..].find("</p>").expect("the reason");
    snapshot("refused-entry", &html[from..to]);
}

#[test]
fn the_card() {
    snapshot("card", &drawn(opened(opening()), card));
    let shards = json!({"model": "llama-3.1-8b", "cluster": {"gpus": 8}, "training": {"sharding": "zero3"}});
    snapshot("card-of-eight-shards", &drawn(opened(asked(shards)), card));
    let large = json!({"model": {"parameters": 7e10}, "cluster": {"gpu": "rtx-4090"}});
    snapshot("card-that-does-not-fit", &drawn(opened(asked(large)), card));
}

#[test]
fn a_refused_link() {
    let refused = Scenario::from_value(&json!({"training": {"sharding": "zero4"}})).expect_err("no such stage");
    let state = State::start(Start { question: Err(refused), settings: settings(Language::English) });
    snapshot("refused-link", &drawn(state, app::refused_link));
}

#[test]
fn an_embedded_page_has_bars_and_sliders_alone() {
    let (settings, refused) = settings(Language::English).read("embed=1&view=bars");
    assert_eq!(refused, None);
    let html = whole(Start { question: Ok(Rc::new(opening())), settings });
    for there in ["<main class=\"embedded\"><h1 class=\"spoken\">", "class=\"card\"", "class=\"sliders\""] {
        assert!(html.contains(there), "{there}");
    }
    for missing in ["<header", "role=\"tab\"", "<details", "id=\"model\""] {
        assert!(!html.contains(missing), "{missing}");
    }
}

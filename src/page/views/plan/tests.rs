//! The view with an answer.

use std::rc::Rc;

use serde_json::json;
use vram_ledger::planner::{Schedules, answer};
use vram_ledger::scenario::Scenario;
use vram_ledger::words::Language;
use yew::prelude::*;

use super::{Search, view};
use crate::page::context::state::{State, opening};
use crate::page::tests;

#[derive(Clone, PartialEq, Properties)]
struct Props {
    scenario: Rc<Scenario>,
}

#[component]
fn Answered(props: &Props) -> Html {
    let scenario = Rc::clone(&props.scenario);
    let state = use_reducer(|| State::start(tests::start((*scenario).clone(), Language::English)));
    let search = use_reducer(move || {
        let mut said = Vec::new();
        answer(&scenario, Schedules::Common, |message| said.push(message)).expect("an answer");
        Search::of(scenario, said)
    });
    view(&tests::page(state), &search)
}

fn snapshot(name: &str, scenario: Scenario) {
    tests::snapshot(name, &tests::text_of::<Answered>(Props { scenario: Rc::new(scenario) }));
}

#[test]
fn plans_and_answers() {
    snapshot(
        "plan-answered",
        tests::asked(json!({
            "model": "llama-3.1-8b", "cluster": {"gpus": 16},
            "training": {"global_batch": 32, "sharding": "zero3", "sequence": 8192},
        })),
    );
}

#[test]
fn nothing_fits() {
    snapshot("plan-nothing-fits", opening());
}

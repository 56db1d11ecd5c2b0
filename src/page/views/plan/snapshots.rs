//! The view as text, in both languages, at the start and with an answer.

use std::rc::Rc;

use vram_ledger::planner::{Schedules, answer};
use vram_ledger::scenario::Scenario;
use vram_ledger::words::Language;
use yew::prelude::*;

use super::{Search, view};
use crate::page::context::state::{Start, State, opening};
use crate::page::snapshots;

#[derive(Clone, PartialEq, Properties)]
struct Props {
    scenario: Rc<Scenario>,
    language: Language,
    answered: bool,
}

#[component]
fn Shown(props: &Props) -> Html {
    let Props { scenario, language, answered } = props.clone();
    let asked = Rc::clone(&scenario);
    let start = Start { question: Ok(Rc::clone(&scenario)), settings: snapshots::settings(language) };
    let state = use_reducer(|| State::start(start));
    let search = use_reducer(move || {
        let mut said = Vec::new();
        if answered {
            answer(&asked, Schedules::Common, |message| said.push(message)).expect("an answer");
            Search::of(asked, said)
        } else {
            Search::default()
        }
    });
    view(&snapshots::page(state), &search)
}

fn snapshot(name: &str, scenario: &Scenario, answered: bool) {
    for language in Language::ALL {
        let props = Props { scenario: Rc::new(scenario.clone()), language, answered };
        let html = snapshots::text_of::<Shown>(props).replace("><", ">\n<");
        insta::assert_snapshot!(format!("{name}-{}", language.short()), html);
    }
}

#[test]
fn nothing_asked() {
    snapshot("plan-start", &opening(), false);
}

#[test]
fn plans_and_answers() {
    let scenario = Scenario::from_json(
        r#"{"model":"llama-3.1-8b","cluster":{"gpus":16},"training":{"global_batch":32,"sharding":"zero3","sequence":8192}}"#,
    );
    snapshot("plan-answered", &scenario.expect("a scenario"), true);
}

#[test]
fn nothing_fits() {
    snapshot("plan-nothing-fits", &opening(), true);
}

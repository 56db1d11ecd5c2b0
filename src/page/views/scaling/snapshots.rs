//! The view as text, in both languages.

use std::rc::Rc;

use vram_ledger::scenario::{Number, Scenario};
use vram_ledger::words::Language;
use yew::ServerRenderer;

use super::{Props, Scaling};
use crate::page::context::state::opening;
use crate::page::format::MemoryUnit;

fn snapshot(name: &str, scenario: &Scenario) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    for language in Language::ALL {
        let scenario = scenario.clone();
        let props = move || Props {
            scenario: Rc::new(scenario),
            gpu: "H100".into(),
            language,
            unit: MemoryUnit::Gigabytes,
            theme: None,
        };
        let html = runtime.block_on(ServerRenderer::<Scaling>::with_props(props).hydratable(false).render());
        insta::assert_snapshot!(format!("{name}-{}", language.short()), html.replace("><", ">\n<"));
    }
}

#[test]
fn the_opening_question() {
    snapshot("scaling", &opening());
}

#[test]
fn a_layout_that_does_not_divide_every_number() {
    let mut scenario = opening();
    scenario.cluster_mut().gpus = Some(Number(48.0));
    scenario.training_mut().tensor = Some(Number(8.0));
    snapshot("scaling-left-out", &scenario);
}

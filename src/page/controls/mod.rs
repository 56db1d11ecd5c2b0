//! How the controls are drawn.

mod choice;
mod field;
mod groups;
mod model;
mod model_search;
mod precision;
mod serving;
mod slider;

use vram_ledger::text;
use yew::prelude::*;

use crate::page::context::Page;

pub use choice::{option, select};
pub use groups::group;
pub use model_search::search;
pub use precision::serves_integers;

/// The five sliders of the brief and the model, as they stand above the card.
pub fn workbench(page: &Page) -> Html {
    let embed = page.state.settings.embed;
    html! {
        <section class="controls" aria-label={page.say(text!(settings::CONTROLS))}>
            <div class="sliders">
                if !embed { { model::chooser(page) } }
                { slider::parameters(page) }
                { precision::slider(page) }
                { slider::gpu(page) }
                { slider::gpus(page) }
                { slider::sequence(page) }
            </div>
            if !embed { { groups::groups(page) } }
        </section>
    }
}

#[cfg(test)]
mod tests {
    use vram_ledger::model::find;
    use vram_ledger::names::{Engine, Name, Offload};
    use vram_ledger::scenario::{ModelChoice, Patch, Scenario, Section, SettingId, Training};

    use super::*;
    use crate::page::answer::Answer;
    use crate::page::fields::*;
    use vram_ledger::words::Language;

    /// What a control offers is a question of the schema, and the ledger answers it or says which value it refuses.
    #[test]
    fn every_control_sets_a_field_that_there_is() {
        // What only some engines have, or only latent attention, or only offloading, is tried with those.
        let asked = |changes: Patch| {
            let plain = changes.applied(&Scenario::default());
            let with = |engine: Engine| {
                let mut scenario = Scenario { model: find("deepseek-v3").map(ModelChoice::Catalogue), ..plain.clone() };
                scenario.inference_mut().engine = Some(engine);
                scenario
            };
            let offloaded = || Patch::from(Training::offload.to(Offload::Optimizer)).applied(&plain);
            let works =
                |scenario: &Scenario| Answer::to(scenario).is_ok_and(|answer| answer.memory().inference.is_some());
            if works(&plain) {
                return plain;
            }
            let with_others = Engine::ALL.iter().map(|engine| with(*engine)).chain([offloaded()]);
            with_others.into_iter().find(works).unwrap_or(plain)
        };
        let above = [Control::Parameters, Control::Sequence, SettingId::Gpus.into()];
        let in_sight = controls(Section::InSight);
        // The network has no names of its own: it takes an id of the catalogue.
        let in_groups = groups::in_groups().filter(|control| *control != SettingId::Network.into());
        for control in above.into_iter().chain(in_sight).chain(in_groups) {
            let id = control.id();
            match control.kind() {
                Kind::Number(_) => {
                    let now = control.number_in(&Answer::to(&Scenario::default()).expect("an answer to nothing"));
                    let scenario = asked(control.number(now));
                    assert_eq!(control.given_number(&scenario), now, "{id}");
                    assert!(Answer::to(&scenario).is_ok(), "{id} refuses its own default, {now:?}");
                }
                Kind::Choice(names) => {
                    for (index, name) in names.iter().enumerate() {
                        let scenario = asked(control.choice(name).expect("an offered name").into());
                        assert_eq!(control.given_name(&scenario), Some(*name), "{id}");
                        let answer = Answer::to(&scenario);
                        assert!(answer.is_ok(), "{id} offers {name}, and the ledger answers {:?}", answer.err());
                        assert!(Language::ALL.iter().all(|language| !control.name_text(*language, index).is_empty()));
                    }
                }
                Kind::Switch => {
                    let scenario = asked(control.switched(&Scenario::default(), true).expect("a switch").into());
                    let value = scenario.to_value();
                    // Parts of a list stand in it by their name.
                    if let Some(part) = id.strip_prefix("training.zeropp.") {
                        assert_eq!(value.pointer("/training/zeropp"), Some(&serde_json::json!([part])), "{id}");
                        let off = Patch::from(control.switched(&scenario, false).expect("a switch"));
                        assert_eq!(off.applied(&scenario), Scenario::default());
                    } else {
                        let path = format!("/{}", id.replace('.', "/"));
                        assert_eq!(value.pointer(&path), Some(&true.into()), "{id}");
                    }
                    assert!(Answer::to(&scenario).is_ok(), "{id}");
                }
                Kind::Text | Kind::Own => panic!("{id} has no value of its own to try"),
            }
        }
    }
}

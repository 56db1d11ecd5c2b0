//! The controls of serving: what the chosen engine and the model have, in labelled parts, and a word on the others.

use vram_ledger::insight::under_engine;
use vram_ledger::names::{CacheFormat, Engine, Name, WeightFormat};
use vram_ledger::resolve::resolve;
use vram_ledger::scenario::{Inference, Patch, Section, SettingId};
use vram_ledger::text;
use vram_ledger::words::Text;
use yew::prelude::*;

use super::groups::one;
use super::*;
use crate::page::context::Page;
use crate::page::context::elements::paragraph;
use crate::page::context::state::Action;
use crate::page::fields::*;

/// The sections of serving under their headings.
const SECTIONS: [(Text, Section); 4] = [
    (text!(settings::REQUESTS_PART), Section::Requests),
    (text!(settings::FORMATS_PART), Section::Formats),
    (text!(settings::ENGINE_PART), Section::EngineMemory),
    (text!(settings::SPLIT_PART), Section::Split),
];

/// The controls of all of them, in their order.
pub fn all() -> impl Iterator<Item = Control> {
    SECTIONS.into_iter().flat_map(|(_, section)| controls(section))
}

/// What is in the group.
pub fn group(page: &Page) -> Html {
    let engine = engine_of(page);
    let has = |control: &Control| applies(page, engine, *control);
    let without: Vec<&str> =
        all().filter(|control| !has(control)).map(|control| control.label(page.language())).collect();
    html! {
        <>
        { for SECTIONS.into_iter().map(|(heading, section)| html! {
            <fieldset>
                <legend>{ page.say(heading) }</legend>
                <div class="group">
                    { for controls(section).filter(has).map(|control| drawn(page, engine, control)) }
                </div>
            </fieldset>
        }) }
        if !without.is_empty() {
            { paragraph("note", page.fill(
                text!(settings::NOT_HERE), &[page.language().engine(engine), &without.join(page.say(text!(amounts::LIST_COMMA)))],
            )) }
        }
        </>
    }
}

/// The engine asked for.
fn engine_of(page: &Page) -> Engine {
    page.state.scenario.inference.as_ref().and_then(|half| half.engine).unwrap_or_default()
}

/// Whether the engine and the model have what a control sets. What stands in the question is shown in any case, and so
/// is what was refused.
fn applies(page: &Page, engine: Engine, control: Control) -> bool {
    let shape = &page.state.answer.settled().model.architecture;
    let of_model = match control {
        Control::Setting(SettingId::LatentCache) => shape.latent.is_some(),
        Control::Setting(SettingId::FullWindows) => shape.window.is_some(),
        Control::Setting(SettingId::ServingExpert) => shape.experts.is_some(),
        _ => true,
    };
    let of_engine = match control {
        Control::Setting(setting) => engine.has(setting),
        _ => true,
    };
    let given = control.given_number(&page.state.scenario).is_some()
        || control.given_name(&page.state.scenario).is_some()
        || page.state.draft(control).is_some();
    given || (of_model && of_engine)
}

fn drawn(page: &Page, engine: Engine, control: Control) -> Html {
    match control {
        Control::Setting(SettingId::Engine) => engine_box(page, control),
        Control::Setting(SettingId::Weights) => {
            let offered = |format: WeightFormat| engine.loads(format);
            grouped(page, control, weights_heading, offered)
        }
        Control::Setting(SettingId::Cache) => {
            let offered = |format: CacheFormat| engine.caches_in(format);
            grouped(page, control, cache_heading, offered)
        }
        _ => one(page, control),
    }
}

/// The engine. Choosing one takes what only others have out of the question, so that the choice is not refused for it.
fn engine_box(page: &Page, control: Control) -> Html {
    let list = |option: &dyn Fn(usize) -> Html| (0..Engine::ALL.len()).map(option).collect();
    let (dispatch, scenario) = (page.state.dispatcher(), page.state.scenario.clone());
    let on_choice = Callback::from(move |value: String| {
        let mut changed = under_engine(&scenario, Engine::from_name(&value).unwrap_or_default()).scenario;
        if value.is_empty() {
            changed = Patch::from(Inference::engine.unset()).applied(&changed);
        }
        let changes = Patch(control.choice(&value).into_iter().collect());
        dispatch.dispatch(match resolve(&changed) {
            Ok(_) => Action::Advised(changed.into()),
            // What is impossible all the same is said under the box.
            Err(_) => Action::Change { by: control, changes, shown: value, sliding: false },
        });
    });
    choice::with_label(page, control, choice::boxed(page, control, &list, on_choice))
}

/// The heading that a format of the weights stands under.
fn weights_heading(format: WeightFormat) -> Text {
    use WeightFormat::*;
    match format {
        Fp32 | Bf16 | Fp16 => text!(settings::PLAIN_FORMATS),
        Fp8 | Fp8Block | Int8 => text!(settings::EIGHT_BITS),
        Int4G128 | GptqG128 | GptqG32 | Nf4 | Nf4Dq | Mxfp4 | Nvfp4 => text!(settings::FOUR_BITS),
        GgufF16 | GgufQ8_0 | GgufQ6K | GgufQ5KM | GgufQ5KS | GgufQ4KM | GgufQ4KS | GgufQ4_0 | GgufQ3KL | GgufQ3KM
        | GgufQ2K => text!(settings::GGUF_MIXES),
    }
}

/// The heading that a format of the cache stands under.
fn cache_heading(format: CacheFormat) -> Text {
    use CacheFormat::*;
    match format {
        Bf16 | Fp16 => text!(settings::PLAIN_FORMATS),
        Fp8 | Int8 | Int4 => text!(settings::ONE_SCALE),
        Q8_0 | Q5_0 | Q5_1 | Q4_0 | Q4_1 | Iq4Nl | Q8Kv => text!(settings::GGML_BLOCKS),
    }
}

/// A box whose formats stand under headings: those that are offered, and the one that was given.
fn grouped<T: Name>(page: &Page, control: Control, heading: fn(T) -> Text, offered: impl Fn(T) -> bool) -> Html {
    let given = control.given_name(&page.state.scenario);
    let stands = |index: &usize| offered(T::ALL[*index]) || given == Some(T::NAMES[*index]);
    let places: Vec<usize> = (0..T::ALL.len()).filter(stands).collect();
    let heading = |index: usize| heading(T::ALL[index]);
    let list = |option: &dyn Fn(usize) -> Html| {
        // Formats of one heading follow each other.
        let same = places.chunk_by(|one, next| heading(*one) == heading(*next));
        same.map(|under| choice::group(page.say(heading(under[0])), under.iter().copied().map(option))).collect()
    };
    choice::with_label(page, control, choice::boxed(page, control, &list, choice::taken(page, control)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_one_heading_follow_each_other() {
        let headings = |all: Vec<Text>| {
            let parts: Vec<Text> = all.chunk_by(|one, next| one == next).map(|part| part[0]).collect();
            assert!(parts.iter().enumerate().all(|(index, part)| !parts[..index].contains(part)), "{parts:?}");
        };
        headings(WeightFormat::ALL.iter().copied().map(weights_heading).collect());
        headings(CacheFormat::ALL.iter().copied().map(cache_heading).collect());
    }
}

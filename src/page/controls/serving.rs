//! The controls of serving: what the chosen engine and the model have, in labelled parts, and a word on the others.

use vram_ledger::insight::under_engine;
use vram_ledger::names::{CacheFormat, Engine, Name, WeightFormat};
use vram_ledger::resolve::resolve;
use vram_ledger::scenario::{Inference, Patch, SettingId};
use vram_ledger::text;
use vram_ledger::words::Text;
use yew::prelude::*;

use super::groups::one;
use super::*;
use crate::page::context::Page;
use crate::page::context::elements::paragraph;
use crate::page::context::state::Action;
use crate::page::fields::*;

/// The parts, each with its controls in their order.
const PARTS: [(Text, &[Control]); 4] = [
    (text!(settings::REQUESTS_PART), &[ENGINE, CONTEXT, CONCURRENCY, SHARED_PREFIX, DRAFT_TOKENS]),
    (text!(settings::FORMATS_PART), &[WEIGHTS, CACHE, MLA, SERVING_ATTENTION]),
    (
        text!(settings::ENGINE_PART),
        &[
            MEMORY_FRACTION,
            CACHE_BYTES,
            MAX_SEQUENCES,
            CUDA_GRAPHS,
            PREFILL_CHUNK,
            BLOCK,
            KV_UNIFIED,
            SWA_FULL,
            LOGITS_ROWS,
        ],
    ),
    (text!(settings::SPLIT_PART), &[SERVING_TENSOR, SERVING_PIPELINE, SERVING_EXPERT, BY_REQUEST]),
];

/// The controls of all parts, in their order.
pub fn controls() -> impl Iterator<Item = Control> {
    PARTS.into_iter().flat_map(|(_, controls)| controls.iter().copied())
}

/// What is in the group.
pub fn group(page: &Page) -> Html {
    let engine = engine_of(page);
    let without: Vec<&str> = controls()
        .filter(|control| !applies(page, engine, *control))
        .map(|control| control.label(page.language()))
        .collect();
    html! {
        <>
        { for PARTS.iter().map(|(heading, controls)| html! {
            <fieldset>
                <legend>{ page.say(*heading) }</legend>
                <div class="group">
                    { for controls.iter().filter(|control| applies(page, engine, **control)).map(|control| {
                        drawn(page, engine, *control)
                    }) }
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
    let of_model = match control.0.id {
        "inference.mla" => shape.latent.is_some(),
        "inference.swa_full" => shape.window.is_some(),
        "inference.expert" => shape.experts.is_some(),
        _ => true,
    };
    let given = control.given_number(&page.state.scenario).is_some()
        || control.given_name(&page.state.scenario).is_some()
        || page.state.draft(control).is_some();
    given || (of_model && SettingId::from_path(control.0.id).is_none_or(|setting| engine.has(setting)))
}

fn drawn(page: &Page, engine: Engine, control: Control) -> Html {
    if control == ENGINE {
        return engine_box(page);
    }
    if control == WEIGHTS {
        return grouped(page, control, &WEIGHT_LISTS, |name| {
            WeightFormat::from_name(name).is_some_and(|format| engine.loads(format))
        });
    }
    if control == CACHE {
        return grouped(page, control, &CACHE_LISTS, |name| {
            CacheFormat::from_name(name).is_some_and(|format| engine.caches_in(format))
        });
    }
    one(page, control)
}

/// The engine. Choosing one takes what only others have out of the question, so that the choice is not refused for it.
fn engine_box(page: &Page) -> Html {
    let Kind::Choice { names, .. } = ENGINE.0.kind else { return Html::default() };
    let list = |option: &dyn Fn(usize) -> Html| (0..names.len()).map(option).collect();
    let (dispatch, scenario) = (page.state.dispatcher(), page.state.scenario.clone());
    let on_choice = Callback::from(move |value: String| {
        let mut changed = under_engine(&scenario, Engine::from_name(&value).unwrap_or_default()).scenario;
        if value.is_empty() {
            changed = Patch::from(Inference::engine.unset()).applied(&changed);
        }
        let changes = Patch(ENGINE.choice(&value).into_iter().collect());
        dispatch.dispatch(match resolve(&changed) {
            Ok(_) => Action::Advised(changed.into()),
            // What is impossible all the same is said under the box.
            Err(_) => Action::Change { by: ENGINE, changes, shown: value, sliding: false },
        });
    });
    choice::with_label(page, ENGINE, choice::boxed(page, ENGINE, &list, on_choice))
}

/// Names under_engine a heading.
type List = (Text, &'static [&'static str]);

const fn weights<const N: usize>(formats: [WeightFormat; N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut index = 0;
    while index < N {
        // Names and values stand in the same order, by the macro that makes them.
        names[index] = <WeightFormat as Name>::NAMES[formats[index] as usize];
        index += 1;
    }
    names
}

const WEIGHT_LISTS: [List; 4] = {
    use WeightFormat::*;
    [
        (text!(settings::PLAIN_FORMATS), &weights([Fp32, Bf16, Fp16])),
        (text!(settings::EIGHT_BITS), &weights([Fp8, Fp8Block, Int8])),
        (text!(settings::FOUR_BITS), &weights([Int4G128, GptqG128, GptqG32, Nf4, Nf4Dq, Mxfp4, Nvfp4])),
        (
            text!(settings::GGUF_MIXES),
            &weights([
                GgufF16, GgufQ8_0, GgufQ6K, GgufQ5KM, GgufQ5KS, GgufQ4KM, GgufQ4KS, GgufQ4_0, GgufQ3KL, GgufQ3KM,
                GgufQ2K,
            ]),
        ),
    ]
};

const CACHE_LISTS: [List; 3] = [
    (text!(settings::PLAIN_FORMATS), &["bf16", "fp16"]),
    (text!(settings::ONE_SCALE), &["fp8", "int8", "int4"]),
    (text!(settings::GGML_BLOCKS), &["q8_0", "q5_1", "q5_0", "q4_1", "q4_0", "iq4_nl", "q8_kv"]),
];

/// A box whose names stand under_engine headings; only those that `offered` says.
fn grouped(page: &Page, control: Control, lists: &[List], offered: impl Fn(&str) -> bool) -> Html {
    let Kind::Choice { names, .. } = control.0.kind else { return Html::default() };
    let given = control.given_name(&page.state.scenario);
    let list = |option: &dyn Fn(usize) -> Html| {
        lists
            .iter()
            .filter_map(|(heading, members)| {
                let members = members.iter().filter(|name| offered(name) || given == Some(**name));
                let options: Vec<Html> =
                    members.filter_map(|name| names.iter().position(|known| known == name)).map(option).collect();
                (!options.is_empty()).then(|| choice::group(page.say(*heading), options.into_iter()))
            })
            .collect()
    };
    choice::with_label(page, control, choice::boxed(page, control, &list, choice::taken(page, control)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_control_and_every_format_stands_in_a_list() {
        let in_parts: Vec<&str> = PARTS.iter().flat_map(|(_, controls)| controls.iter().map(|c| c.0.id)).collect();
        let of_serving = |id: &&str| id.starts_with("inference.");
        let in_group: Vec<&str> = groups::controls().map(|control| control.0.id).filter(of_serving).collect();
        assert_eq!(in_parts, in_group);
        for (control, lists, all) in
            [(WEIGHTS, &WEIGHT_LISTS[..], WeightFormat::NAMES), (CACHE, &CACHE_LISTS[..], CacheFormat::NAMES)]
        {
            let Kind::Choice { names, .. } = control.0.kind else { panic!("a choice") };
            let listed: Vec<&str> = lists.iter().flat_map(|(_, names)| names.iter().copied()).collect();
            assert_eq!(listed.len(), all.len());
            assert!(all.iter().all(|name| listed.contains(name) && names.contains(name)));
        }
    }
}

//! Choosing the model: a decoder of some size, a published one, or a pasted `config.json`.

use vram_ledger::scenario::{ModelChoice, SettingId};
use vram_ledger::text;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::field::error;
use crate::page::borders::text::read_model;
use crate::page::context::elements::{button, paragraph};
use crate::page::context::later::Later;
use crate::page::context::state::Action;
use crate::page::context::{Page, text_area_value};
use crate::page::fields::{Control, Refusal};

const MODEL: Control = Control::Setting(SettingId::Model);

/// The field, in which the name of a model can be searched as soon as the catalogue is here.
pub fn chooser(page: &Page) -> Html {
    let id = MODEL.id();
    let now = shown(page);
    html! {
        <div class="control model">
            <div class="head"><label for={id}>{ MODEL.label(page.language()) }</label></div>
            { match page.later {
                Later::Here(views) => (views.model_search)(page, now),
                Later::OnItsWay | Later::Failed => {
                    html! { <div><input type="text" class="field" {id} value={now} readonly=true /></div> }
                }
            } }
            { paragraph("note", understood(page).unwrap_or_else(|| shape(page))) }
            { error(page, MODEL) }
        </div>
    }
}

/// The name of the model that is chosen, or that a `config.json` is being pasted.
fn shown(page: &Page) -> String {
    let model = &page.state.answer.memory().model;
    match &page.state.scenario.model {
        _ if page.state.draft(Control::ModelConfig).is_some() => page.say(text!(models::PASTED_CONFIG)).to_owned(),
        Some(ModelChoice::Catalogue(row)) => row.name.to_owned(),
        Some(ModelChoice::Config(_)) => page.fill(text!(models::PASTED_CONFIG_OF), &[&model.name]),
        // The ledger's name for it is its size and an English word.
        None | Some(ModelChoice::Parameters(_)) => {
            page.fill(text!(models::DECODER_OF), &[model.name.split(' ').next().unwrap_or_default()])
        }
    }
}

/// What was made of a pasted file, where that is to be said.
fn understood(page: &Page) -> Option<String> {
    page.state.answer.memory().model.understood.as_ref().map(|understood| page.language().understood(understood))
}

/// The shape in a line, so that what was assumed or read is seen.
fn shape(page: &Page) -> String {
    let model = &page.state.answer.memory().model;
    let numbers = [model.layers, model.hidden, model.heads, model.kv_heads].map(|number| number.to_string());
    let shape = page.fill(text!(models::SHAPE), &numbers.each_ref().map(String::as_str));
    if model.assumed_shape { page.fill(text!(models::ASSUMED_SHAPE), &[&shape]) } else { shape }
}

/// Where a `config.json` is pasted. The text stays until it is taken or given up.
pub fn paste(page: &Page) -> Html {
    let Some(draft) = page.state.draft(Control::ModelConfig) else { return Html::default() };
    let dispatch = page.state.dispatcher();
    let oninput = Callback::from(move |event: InputEvent| {
        dispatch.dispatch(Action::Typed(Control::ModelConfig, text_area_value(&event)));
    });
    let onclick = {
        let (dispatch, text) = (page.state.dispatcher(), draft.text.clone());
        Callback::from(move |_: MouseEvent| {
            let (dispatch, text) = (dispatch.clone(), text.clone());
            spawn_local(async move {
                let outcome = read_model(text).await.unwrap_or_else(|missing| Err(Refusal::Ledger(missing.into())));
                dispatch.dispatch(Action::Read(Box::new(outcome)));
            });
        })
    };
    let refused = draft.refusal.is_some();
    html! {
        <div class="paste">
            <label for={Control::ModelConfig.id()}>{ page.say(text!(models::PASTE_HERE)) }</label>
            <textarea
                id={Control::ModelConfig.id()} rows="6" spellcheck="false" value={draft.text.clone()} {oninput}
                aria-invalid={refused.then_some("true")}
                aria-describedby={refused.then(|| format!("{}-error", Control::ModelConfig.id()))}
                placeholder="{ \"model_type\": \"llama\", \"hidden_size\": 4096, … }"
            />
            { error(page, Control::ModelConfig) }
            <p>
                <button type="button" {onclick}>{ page.say(text!(models::USE_THIS_MODEL)) }</button>
                { " " }
                { button(page, Some("link"), page.say(text!(models::CANCEL)), Action::Abandoned(Control::ModelConfig)) }
            </p>
        </div>
    }
}

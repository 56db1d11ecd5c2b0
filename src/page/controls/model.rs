//! Choosing the model: a decoder of some size, a published one, or a pasted `config.json`.

use vram_ledger::model::catalogue;
use vram_ledger::scenario::{ModelChoice, Number};
use yew::prelude::*;
use yew::virtual_dom::VList;

use super::super::edit::Edit;
use super::super::language::Message;
use super::super::later::{self, Later};
use super::super::parts::{button, paragraph};
use super::super::state::Action;
use super::super::{Page, text_area_value};
use super::choice::{group, option, select};
use super::field::error;
use super::{MODEL, MODEL_CONFIG};

/// Values of options that are not ids of the catalogue; no id has a bracket.
const BARE: &str = "(bare)";
const PASTED: &str = "(pasted)";

/// The select box, and the place to paste a config into while that is chosen.
pub fn chooser(page: &Page) -> Html {
    let model = &page.state.answer.report.model;
    let pasting = page.state.draft(MODEL_CONFIG).is_some();
    let chosen = match &page.state.scenario.model {
        _ if pasting => PASTED,
        None | Some(ModelChoice::Parameters(_)) => BARE,
        Some(ModelChoice::Catalogue(row)) => row.id,
        Some(ModelChoice::Config(_)) => PASTED,
    };
    let mut options = VList::new();
    let bare = if model.assumed_shape {
        // The ledger's name for it is its size and an English word.
        page.fill(Message::DecoderOf, &[model.name.split(' ').next().unwrap_or_default()])
    } else {
        page.say(Message::DecoderOfAnySize).to_owned()
    };
    options.add_child(option(BARE, bare, chosen == BARE));
    match (page.later, &page.state.scenario.model) {
        (Later::Here(views), _) => options.add_children((views.models)(chosen)),
        // Until the catalogue is here, the one that is chosen.
        (_, Some(ModelChoice::Catalogue(row))) => options.add_child(option(row.id, row.name, row.id == chosen)),
        _ => {}
    }
    let pasted = match &page.state.scenario.model {
        Some(ModelChoice::Config(_)) => page.fill(Message::PastedConfigOf, &[&model.name]),
        _ => page.say(Message::PastedConfig).to_owned(),
    };
    options.add_child(option(PASTED, pasted, chosen == PASTED));

    let (parameters, later) = (model.parameters, page.later);
    let dispatch = page.state.dispatcher();
    let on_choice = Callback::from(move |value: String| {
        if value == PASTED {
            dispatch.dispatch(Action::Typed(MODEL_CONFIG, String::new()));
            return;
        }
        dispatch.dispatch(Action::Abandoned(MODEL_CONFIG));
        let model = match later {
            _ if value == BARE => Some(ModelChoice::Parameters(Number(parameters))),
            Later::Here(views) => (views.model)(&value).map(ModelChoice::Catalogue),
            Later::OnTheirWay | Later::Failed => None,
        };
        let Some(model) = model else { return };
        let edits = vec![Edit::Model(model)];
        dispatch.dispatch(Action::Change { by: MODEL, edits, shown: value, sliding: false });
    });
    html! {
        <div class="control model">
            <div class="head"><label for={MODEL.0.id}>{ MODEL.label(page.language()) }</label></div>
            { select(MODEL.0.id, chosen, options, on_choice) }
            { paragraph("note", page.state.answer.report.model.understood.clone().unwrap_or_else(|| shape(page))) }
            { error(page, MODEL) }
        </div>
    }
}

/// The published models, by family.
pub fn models(chosen: &str) -> Vec<Html> {
    let families = catalogue().chunk_by(|a, b| a.architecture.family == b.architecture.family);
    let groups = families.map(|family| {
        let rows = family.iter().map(|row| option(row.id, row.name, row.id == chosen));
        group(family[0].architecture.family.name(), rows)
    });
    groups.collect()
}

/// The shape in a line, so that what was assumed or read is seen.
fn shape(page: &Page) -> String {
    let model = &page.state.answer.report.model;
    let numbers = [model.layers, model.hidden, model.heads, model.kv_heads].map(|number| number.to_string());
    let shape = page.fill(Message::Shape, &numbers.each_ref().map(String::as_str));
    if model.assumed_shape { page.fill(Message::AssumedShape, &[&shape]) } else { shape }
}

/// Where a `config.json` is pasted. The text stays until it is taken or given up.
pub fn paste(page: &Page) -> Html {
    let Some(draft) = page.state.draft(MODEL_CONFIG) else { return Html::default() };
    let dispatch = page.state.dispatcher();
    let oninput = Callback::from(move |event: InputEvent| {
        dispatch.dispatch(Action::Typed(MODEL_CONFIG, text_area_value(&event)));
    });
    let onclick = {
        let (dispatch, text) = (page.state.dispatcher(), draft.text.clone());
        Callback::from(move |_: MouseEvent| later::read_model(&text, dispatch.clone()))
    };
    let refused = draft.refusal.is_some();
    html! {
        <div class="paste">
            <label for={MODEL_CONFIG.0.id}>{ page.say(Message::PasteHere) }</label>
            <textarea
                id={MODEL_CONFIG.0.id} rows="6" spellcheck="false" value={draft.text.clone()} {oninput}
                aria-invalid={refused.then_some("true")}
                aria-describedby={refused.then(|| format!("{}-error", MODEL_CONFIG.0.id))}
                placeholder="{ \"model_type\": \"llama\", \"hidden_size\": 4096, … }"
            />
            { error(page, MODEL_CONFIG) }
            <p>
                <button type="button" {onclick}>{ page.say(Message::UseThisModel) }</button>
                { " " }
                { button(page, Some("link"), page.say(Message::Cancel), Action::Abandoned(MODEL_CONFIG)) }
            </p>
        </div>
    }
}

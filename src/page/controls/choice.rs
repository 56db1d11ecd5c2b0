//! One of several names: the browser's own select box.

use std::borrow::Cow;

use serde_json::Value;
use vram_ledger::hardware::{accelerators, networks};
use yew::prelude::*;
use yew::virtual_dom::{VList, VTag};

use super::super::edit::{Edit, given};
use super::super::language::Message;
use super::super::state::Action;
use super::super::{Page, select_value};
use super::field::error;
use super::{Control, GPU, Kind, NETWORK};

/// An option. What is selected is a property of the element: once somebody has chosen, its attribute has no effect.
pub fn option(value: &str, text: impl Into<AttrValue>, selected: bool) -> Html {
    let mut option = VTag::new("option");
    option.add_attribute("value", value.to_owned());
    if cfg!(target_arch = "wasm32") {
        option.add_property("selected", selected);
    } else if selected {
        // Rendered to text there are no properties, and nobody has chosen yet.
        option.add_attribute("selected", "selected");
    }
    option.add_child(Html::VText(yew::virtual_dom::VText::new(text)));
    option.into()
}

/// Options under a heading.
pub fn group(label: impl Into<AttrValue>, options: impl Iterator<Item = Html>) -> Html {
    html! { <optgroup label={label.into()}>{ for options }</optgroup> }
}

/// A select box whose options are `options`; `edits` says what choosing one of their values means.
pub fn select(page: &Page, control: Control, options: VList, edits: fn(&str) -> Vec<Edit>) -> Html {
    let dispatch = page.state.dispatcher();
    let onchange = Callback::from(move |event: Event| {
        let value = select_value(&event);
        dispatch.dispatch(Action::Change { by: control, edits: edits(&value), shown: value, sliding: false });
    });
    html! { <select id={control.0.id} {onchange}>{ Html::from(options) }</select> }
}

/// A control of kind choice with its label and what is wrong with it.
pub fn labelled(page: &Page, control: Control) -> Html {
    html! {
        <div class="pair">
            <label for={control.0.id}>{ page.say(control.0.label) }</label>
            { chooser(page, control) }
            { error(page, control) }
        </div>
    }
}

/// The select box of a control of kind choice. Its first option gives the field back to its default.
fn chooser(page: &Page, control: Control) -> Html {
    let Kind::Choice { names, text, effective } = control.0.kind else { return Html::default() };
    let language = page.language();
    let given = given(&page.state.scenario, control.0.id);
    // What was refused stays chosen, with the reason under it.
    let chosen = match page.state.draft(control) {
        Some(draft) => Some(Cow::from(draft.text.clone())),
        None => given.as_ref().map(|value| match value.as_str() {
            Some(name) => Cow::from(name.to_owned()),
            None => Cow::from(CUSTOM),
        }),
    };
    let default_text = match effective(&page.state.answer) {
        Some(name) if chosen.is_none() => {
            let index = names.iter().position(|known| *known == name);
            page.fill(Message::DefaultIs, &[&index.map_or(name.into(), |index| text(language, index))])
        }
        _ => page.say(Message::Default).to_owned(),
    };
    let mut options = VList::new();
    options.add_child(option("", default_text, chosen.is_none()));
    for (index, name) in names.iter().enumerate() {
        options.add_child(option(name, text(language, index), chosen.as_deref() == Some(name)));
    }
    // A value that is not among the offered ones: an object of its own, or a name for which there is no entry here.
    if let Some(other) = chosen.filter(|chosen| !chosen.is_empty() && !names.contains(&chosen.as_ref())) {
        options.add_child(option(&other, other.clone().into_owned(), true));
    }
    let id = control.0.id;
    let dispatch = page.state.dispatcher();
    let onchange = Callback::from(move |event: Event| {
        let value = select_value(&event);
        if value != CUSTOM {
            let edit = if value.is_empty() { Edit::clear(id) } else { Edit::set(id, value.clone()) };
            dispatch.dispatch(Action::Change { by: control, edits: vec![edit], shown: value, sliding: false });
        }
    });
    html! { <select {id} {onchange}>{ Html::from(options) }</select> }
}

/// What an option is called whose value is an object.
const CUSTOM: &str = "{…}";

/// A switch with its label and what is wrong with it.
pub fn switch(page: &Page, control: Control) -> Html {
    let Kind::Switch { effective } = control.0.kind else { return Html::default() };
    let id = control.0.id;
    let on = effective(&page.state.answer).unwrap_or(false);
    let action = Action::Change { by: control, edits: vec![Edit::set(id, !on)], shown: String::new(), sliding: false };
    html! {
        <div class="pair">
            <label class="switch">
                <input type="checkbox" {id} checked={on} onchange={page.act(action)} />
                { " " }{ page.say(control.0.label) }
            </label>
            { error(page, control) }
        </div>
    }
}

/// The GPU by name, as the exact entry beside its slider.
pub fn gpu(page: &Page) -> Html {
    let now = &page.state.answer.settled.cluster.gpu.id;
    let mut options = VList::new();
    for same_vendor in accelerators().chunk_by(|a, b| a.vendor == b.vendor) {
        options.add_child(group(
            same_vendor[0].vendor,
            same_vendor.iter().map(|gpu| option(gpu.id, gpu.name, gpu.id == now)),
        ));
    }
    if matches!(given(&page.state.scenario, GPU.0.id), Some(Value::Object(_))) {
        options.add_child(option("", page.say(Message::OwnFigures), true));
    }
    select(page, GPU, options, |id| if id.is_empty() { Vec::new() } else { vec![Edit::set(GPU.0.id, id)] })
}

/// The network between nodes.
pub fn network(page: &Page) -> Html {
    let now = &page.state.answer.settled.cluster.network.id;
    let mut options = VList::new();
    for link in networks() {
        options.add_child(option(link.id, link.name, link.id == now));
    }
    if matches!(given(&page.state.scenario, NETWORK.0.id), Some(Value::Object(_))) {
        options.add_child(option("", page.say(Message::OwnFigures), true));
    }
    let select =
        select(page, NETWORK, options, |id| if id.is_empty() { Vec::new() } else { vec![Edit::set(NETWORK.0.id, id)] });
    html! {
        <div class="pair">
            <label for={NETWORK.0.id}>{ page.say(NETWORK.0.label) }</label>
            { select }
            { error(page, NETWORK) }
        </div>
    }
}

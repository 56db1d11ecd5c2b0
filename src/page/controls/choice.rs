//! One of several names: the browser's own select box.

use std::borrow::Cow;

use vram_ledger::hardware::{accelerators, networks};
use vram_ledger::scenario::{Change, Cluster, GpuChoice, LinkChoice, Patch, Plain, SettingId};
use vram_ledger::text;
use yew::prelude::*;
use yew::virtual_dom::VList;

use super::field::error;
use crate::page::context::state::Action;
use crate::page::context::{Page, select_value};
use crate::page::fields::{Control, Kind};

/// An option. That it is selected counts when the box is drawn first; afterwards the box's own value does.
pub fn option(value: &str, text: impl Into<AttrValue>, selected: bool) -> Html {
    plain_option(value.to_owned().into(), text.into(), selected)
}

fn plain_option(value: AttrValue, text: AttrValue, selected: bool) -> Html {
    html! { <option {value} {selected}>{ text }</option> }
}

/// Options under a heading.
pub fn group(label: impl Into<AttrValue>, options: impl Iterator<Item = Html>) -> Html {
    html! { <optgroup label={label.into()}>{ for options }</optgroup> }
}

/// A select box that shows `chosen`; `on_choice` is told the value of another option.
///
/// Once somebody has chosen, the attributes of options have no effect any more: the value is a property of the box.
pub fn select(id: &'static str, chosen: &str, options: VList, on_choice: Callback<String>) -> Html {
    let onchange = Callback::from(move |event: Event| on_choice.emit(select_value(&event)));
    let options = Html::from(options);
    if cfg!(target_arch = "wasm32") {
        html! { <select {id} ~value={chosen.to_owned()} {onchange}>{ options }</select> }
    } else {
        // Rendered to text there are no properties, and nobody has chosen yet.
        html! { <select {id} {onchange}>{ options }</select> }
    }
}

/// A select box of a control; `changes` says what choosing a value means.
pub fn chooser(page: &Page, control: Control, chosen: &str, options: VList, changes: fn(&str) -> Patch) -> Html {
    let dispatch = page.state.dispatcher();
    let on_choice = Callback::from(move |value: String| {
        dispatch.dispatch(Action::Change { by: control, changes: changes(&value), shown: value, sliding: false });
    });
    select(control.id(), chosen, options, on_choice)
}

/// A control of kind choice with its label and what is wrong with it.
pub fn labelled(page: &Page, control: Control) -> Html {
    let Kind::Choice(names) = control.kind() else { return Html::default() };
    let list = |option: &dyn Fn(usize) -> Html| (0..names.len()).map(option).collect();
    with_label(page, control, boxed(page, control, &list, taken(page, control)))
}

/// A box with its control's label and what is wrong with it.
pub fn with_label(page: &Page, control: Control, select: Html) -> Html {
    html! {
        <div class="pair">
            <label for={control.id()}>{ control.label(page.language()) }</label>
            { select }
            { error(page, control) }
        </div>
    }
}

/// What choosing a name means: it is given to the control's field.
pub fn taken(page: &Page, control: Control) -> Callback<String> {
    let dispatch = page.state.dispatcher();
    Callback::from(move |value: String| {
        if let Some(change) = control.choice(&value) {
            dispatch.dispatch(Action::Change { by: control, changes: change.into(), shown: value, sliding: false });
        }
    })
}

/// What makes the options of a box, from a function that makes the option of a name by its place.
type List<'a> = &'a dyn Fn(&dyn Fn(usize) -> Html) -> Vec<Html>;

/// The select box of a control of kind choice. Its first option gives the field back to its default; `list` makes the
/// others.
pub fn boxed(page: &Page, control: Control, list: List, on_choice: Callback<String>) -> Html {
    let Kind::Choice(names) = control.kind() else { return Html::default() };
    let language = page.language();
    // What was refused stays chosen, with the reason under it.
    let chosen = match page.state.draft(control) {
        Some(draft) => Some(Cow::from(draft.text.clone())),
        None => control.given_name(&page.state.scenario).map(Cow::from),
    };
    let default_text = match control.value(&page.state.answer) {
        Some(Plain::Name(name)) if chosen.is_none() => {
            let index = names.iter().position(|known| *known == name);
            page.fill(text!(settings::DEFAULT_IS), &[index.map_or(name, |index| control.name_text(language, index))])
        }
        _ => page.say(text!(settings::DEFAULT)).to_owned(),
    };
    let mut options = VList::new();
    options.add_child(option("", default_text, chosen.is_none()));
    options.add_children(list(&|index| {
        option(names[index], control.name_text(language, index), chosen.as_deref() == Some(names[index]))
    }));
    // A value that is not among the offered ones: an object of its own, or a name for which there is no entry here.
    if let Some(other) = chosen.as_deref().filter(|chosen| !chosen.is_empty() && !names.contains(chosen)) {
        options.add_child(option(other, other.to_owned(), true));
    }
    select(control.id(), chosen.as_deref().unwrap_or_default(), options, on_choice)
}

/// A switch with its label and what is wrong with it.
pub fn switch(page: &Page, control: Control) -> Html {
    let id = control.id();
    let on = control.value(&page.state.answer) == Some(Plain::Switch(true));
    let changes = Patch(control.switched(&page.state.scenario, !on).into_iter().collect());
    let action = Action::Change { by: control, changes, shown: String::new(), sliding: false };
    html! {
        <div class="pair">
            <label class="switch">
                <input type="checkbox" {id} checked={on} onchange={page.act(action)} />
                { " " }{ control.label(page.language()) }
            </label>
            { error(page, control) }
        </div>
    }
}

/// The GPU by name, as the exact entry beside its slider.
pub fn gpu(page: &Page) -> Html {
    let now = &page.state.answer.settled().cluster.gpu.id;
    let mut options = VList::new();
    for same_vendor in accelerators().chunk_by(|a, b| a.vendor == b.vendor) {
        options.add_child(group(
            same_vendor[0].vendor,
            same_vendor.iter().map(|gpu| option(gpu.id, gpu.name, gpu.id == now)),
        ));
    }
    let own =
        matches!(page.state.scenario.cluster.as_ref().and_then(|part| part.gpu.as_ref()), Some(GpuChoice::Custom(_)));
    of_catalogue(page, SettingId::Gpu.into(), now, own, options, |id| Cluster::gpu.to(GpuChoice::Catalogue(id)))
}

/// The network between nodes.
pub fn network(page: &Page) -> Html {
    let control = Control::from(SettingId::Network);
    let now = &page.state.answer.settled().cluster.network.id;
    let mut options = VList::new();
    for link in networks() {
        options.add_child(option(link.id, link.name, link.id == now));
    }
    let own = matches!(
        page.state.scenario.cluster.as_ref().and_then(|part| part.network.as_ref()),
        Some(LinkChoice::Custom(_))
    );
    html! {
        <div class="pair">
            <label for={control.id()}>{ control.label(page.language()) }</label>
            { of_catalogue(page, control, now, own, options, |id| Cluster::network.to(LinkChoice::Catalogue(id))) }
            { error(page, control) }
        </div>
    }
}

/// A select box over ids of a catalogue; figures of one's `own` have an entry while they are there.
fn of_catalogue(
    page: &Page,
    control: Control,
    now: &str,
    own: bool,
    mut options: VList,
    change: fn(String) -> Change,
) -> Html {
    if own {
        options.add_child(option("", page.say(text!(settings::OWN_FIGURES)), true));
    }
    let dispatch = page.state.dispatcher();
    let on_choice = Callback::from(move |value: String| {
        if !value.is_empty() {
            let changes = change(value.clone()).into();
            dispatch.dispatch(Action::Change { by: control, changes, shown: value, sliding: false });
        }
    });
    select(control.id(), if own { "" } else { now }, options, on_choice)
}

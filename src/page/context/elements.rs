//! Small pieces that stand in many places. Functions rather than markup written out each time: each is compiled once.

use std::rc::Rc;

use vram_ledger::scenario::Scenario;
use vram_ledger::text;
use yew::prelude::*;

use crate::page::context::Page;
use crate::page::context::state::Action;

/// A paragraph with a class.
pub fn paragraph(class: &'static str, text: impl Into<AttrValue>) -> Html {
    fn plain(class: &'static str, text: AttrValue) -> Html {
        html! { <p {class}>{ text }</p> }
    }
    plain(class, text.into())
}

/// A piece of a line with a class.
pub fn span(class: &'static str, text: impl Into<AttrValue>) -> Html {
    fn plain(class: &'static str, text: AttrValue) -> Html {
        html! { <span {class}>{ text }</span> }
    }
    plain(class, text.into())
}

/// A button that makes something happen; without a class it is an ordinary one.
pub fn button(page: &Page, class: Option<&'static str>, text: &'static str, action: Action) -> Html {
    html! { <button type="button" {class} onclick={page.act(action)}>{ text }</button> }
}

/// The button that takes another question in place of the present one; `name` says which, where what stands around it
/// does not.
pub fn apply(page: &Page, name: Option<String>, scenario: Scenario) -> Html {
    let take = page.act(Action::Advised(Rc::new(scenario)));
    html! {
        <button type="button" class="apply" aria-label={name} onclick={take}>{ page.say(text!(advice::APPLY)) }</button>
    }
}

/// A button that stays pressed while `pressed`.
pub fn toggle(page: &Page, class: &'static str, pressed: bool, content: Html, action: Action) -> Html {
    html! {
        <button type="button" {class} aria-pressed={truth(pressed)} onclick={page.act(action)}>{ content }</button>
    }
}

/// A truth value as ARIA writes it.
pub fn truth(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

/// A square in the colour of an account or of a part of the step.
pub fn swatch(name: &'static str) -> Html {
    html! { <span class={format!("swatch {name}")} aria-hidden="true"></span> }
}

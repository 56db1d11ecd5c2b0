//! A number typed exactly. While somebody types, the text is theirs: it is read when they leave the field or press Enter.

use vram_ledger::scenario::Quantity;
use vram_ledger::text;
use yew::prelude::*;

use crate::page::context::elements::button;
use crate::page::context::state::Action;
use crate::page::context::{Page, input_value};
use crate::page::fields::{Control, Kind};
use crate::page::format;

/// Whether a field shows its default as a value or only as a hint.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Empty {
    /// The value that holds is always shown.
    Never,
    /// What was not given is a hint; an emptied field goes back to it.
    Allowed,
}

/// The field alone.
pub fn field(page: &Page, control: Control, empty: Empty) -> Html {
    let Kind::Number(quantity) = control.kind() else { return Html::default() };
    let draft = page.state.draft(control);
    let given = control.given_number(&page.state.scenario);
    // A half that was refused has no values of its own, and what was given stays to be seen and mended.
    let current =
        control.number_in(&page.state.answer).or(given).map(|value| shown(value, quantity)).unwrap_or_default();
    let show_value = empty == Empty::Never || given.is_some();
    let value = match draft {
        Some(draft) => draft.text.clone(),
        None if show_value => current.clone(),
        None => String::new(),
    };
    // As wide as what it shows, so that it lines up with its label; the style sheet bounds it.
    let size = value.chars().count().max(current.len()).max(4) + 1;
    let refused = draft.is_some_and(|draft| draft.refusal.is_some());
    let dispatch = page.state.dispatcher();
    let oninput = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: InputEvent| dispatch.dispatch(Action::Typed(control, input_value(&event))))
    };
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            dispatch.dispatch(Action::Abandoned(control));
        }
    });
    html! {
        <input
            type="text" inputmode="decimal" class="field" id={control.id()} autocomplete="off" spellcheck="false"
            size={size.to_string()}
            {value} placeholder={current} {oninput} {onkeydown} onchange={page.act(Action::Entered(control))}
            aria-invalid={refused.then_some("true")}
            aria-describedby={refused.then(|| error_id(control))}
        />
    }
}

/// The field with its label and, under it, what is wrong with it.
pub fn labelled(page: &Page, control: Control) -> Html {
    html! {
        <div class="pair">
            <label for={control.id()}>{ control.label(page.language()) }</label>
            { field(page, control, Empty::Allowed) }
            { error(page, control) }
        </div>
    }
}

/// What is wrong with what was entered into a control.
pub fn error(page: &Page, control: Control) -> Html {
    let refusal = page.state.draft(control).and_then(|draft| Some((draft, draft.refusal.as_ref()?)));
    let Some((draft, refusal)) = refusal else { return Html::default() };
    let message = page.refusal(refusal, &draft.text, control);
    html! {
        <p class="error" id={error_id(control)} role="alert">
            { message }
            { " " }
            { button(page, Some("link"), page.say(text!(settings::DISMISS)), Action::Abandoned(control)) }
        </p>
    }
}

fn error_id(control: Control) -> String {
    format!("{}-error", control.id())
}

/// A value as the field shows it: exact, and readable back.
pub fn shown(value: f64, quantity: Quantity) -> String {
    match quantity {
        Quantity::Parameters => format::parameters(value),
        Quantity::Tokens | Quantity::Count | Quantity::Bytes => format::grouped(value),
        Quantity::Share | Quantity::Factor => value.to_string(),
    }
}

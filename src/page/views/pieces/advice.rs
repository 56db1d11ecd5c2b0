//! What would make it fit, and taking it.

use vram_ledger::advice::Advice;
use vram_ledger::answer::Half;
use vram_ledger::scenario::Patch;
use vram_ledger::text;
use yew::prelude::*;

use crate::page::context::Page;
use crate::page::context::elements::{apply, span};

/// The advice on the present answer.
fn advice_of(page: &Page) -> &[Advice] {
    page.state.answer.advice()
}

/// The cheapest advice on a half, where it does not fit.
pub fn cheapest(page: &Page, half: Half) -> Html {
    advice_of(page).iter().find(|advice| advice.half == half).map(|advice| one(page, advice)).unwrap_or_default()
}

/// One piece of advice with the button that takes it.
fn one(page: &Page, advice: &Advice) -> Html {
    let text = changes(page, &advice.patch);
    html! {
        <span class="advice">
            { page.fill(text!(advice::WOULD_FIT), &[&text]) }{ " " }
            { apply(page, Some(page.fill(text!(advice::APPLY_THIS), &[&text])), advice.patch.applied(&page.state.scenario)) }
        </span>
    }
}

/// The changes of a patch in words.
pub fn changes(page: &Page, patch: &Patch) -> String {
    // What already is as proposed needs no saying.
    let scenario = &page.state.scenario;
    let changes = patch.0.iter().filter(|change| !change.is_made_in(scenario));
    let texts: Vec<String> = changes.map(|change| page.language().change(change)).collect();
    texts.join(" + ")
}

/// The advice beyond the first: other ways, with what they cost.
pub fn other_ways(page: &Page) -> Html {
    let rows: Vec<Html> = [Half::Inference, Half::Training]
        .into_iter()
        .flat_map(|half| advice_of(page).iter().filter(move |advice| advice.half == half).skip(1))
        .map(|advice| {
            let peak = page.state.settings.unit.amount(advice.peak_after);
            html! { <li>{ one(page, advice) }{ " " }{ span("quiet", page.fill(text!(advice::PEAK_AFTER), &[&peak])) }</li> }
        })
        .collect();
    if rows.is_empty() {
        return Html::default();
    }
    html! {
        <details class="ways">
            <summary>{ page.say(text!(advice::OTHER_WAYS)) }</summary>
            <ul>{ for rows }</ul>
        </details>
    }
}

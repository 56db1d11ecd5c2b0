//! Where the figures of the chosen model and GPU were read. The rows with their sources come only when they are asked
//! for: the ledger itself counts without them.

use vram_ledger::scenario::ModelChoice;
use vram_ledger::text;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::english;
use crate::page::borders;
use crate::page::borders::rows::{ModelRow, Row};
use crate::page::context::Page;
use crate::page::context::elements::paragraph;
use crate::page::context::later::NotFetched;

/// What is drawn from.
#[derive(PartialEq, Properties)]
struct Props {
    page: Page,
}

/// The part, closed until somebody asks.
pub fn part(page: &Page) -> Html {
    html! { <Sources page={page.clone()} /> }
}

#[component]
fn Sources(props: &Props) -> Html {
    let page = &props.page;
    let open = use_state_eq(|| false);
    let rows = use_state(|| None);
    let model = match &page.state.scenario.model {
        Some(ModelChoice::Catalogue(row)) => Some(row.id),
        Some(ModelChoice::Config(_)) | Some(ModelChoice::Parameters(_)) | None => None,
    };
    let accelerator = page.state.answer.settled().cluster.gpu.id.to_string();
    let read = rows.setter();
    // Closed and opened again, the part tries again what failed.
    use_effect_with((*open, model, accelerator), move |(open, model, accelerator)| {
        if *open {
            let (model, accelerator) = (model.map(str::to_owned), accelerator.clone());
            spawn_local(async move { read.set(Some(borders::rows::rows(model, accelerator).await)) });
        }
    });
    html! {
        <details class="sources" ontoggle={move |_: Event| open.set(!*open)}>
            <summary>{ page.say(text!(sources::TITLE)) }</summary>
            { match &*rows {
                None => paragraph("note", page.say(text!(sources::ON_THEIR_WAY))),
                Some(Err(NotFetched)) => paragraph("error", page.say(text!(sources::FAILED))),
                Some(Ok((model, gpu))) => html! { <>{ of_model(page, model.as_ref()) }{ of_gpu(page, gpu.as_ref()) }</> },
            } }
        </details>
    }
}

fn of_model(page: &Page, found: Option<&ModelRow>) -> Html {
    match &page.state.scenario.model {
        Some(ModelChoice::Catalogue(_)) => {}
        Some(ModelChoice::Config(_)) => return paragraph("note", page.say(text!(sources::MODEL_PASTED))),
        None | Some(ModelChoice::Parameters(_)) => return paragraph("note", page.say(text!(sources::MODEL_ASSUMED))),
    }
    let Some(found) = found else { return Html::default() };
    let counted = |count: f64| crate::page::format::grouped(count);
    let derived = page.fill(text!(sources::COUNT_DERIVED), &[&counted(page.state.answer.memory().model.parameters)]);
    let why = page.language().differences(found.difference);
    let comparison = match found.published_parameters.map(|count| count as f64) {
        None => page.fill(text!(sources::COUNT_ROUND), &[&why]),
        Some(count) if why.is_empty() => page.fill(text!(sources::COUNT_PUBLISHED), &[&counted(count)]),
        Some(count) => {
            let by = count - page.state.answer.memory().model.parameters;
            let by = format!("{}{}", if by < 0.0 { "−" } else { "+" }, counted(by.abs()));
            page.fill(text!(sources::COUNT_DIFFERS), &[&counted(count), &by, &why])
        }
    };
    html! {
        <>
        <h4>{ found.row.name }</h4>
        <p>{ derived }{ " " }{ comparison }</p>
        { listed(page, &found.row) }
        </>
    }
}

fn of_gpu(page: &Page, found: Option<&Row>) -> Html {
    let Some(row) = found else { return paragraph("note", page.say(text!(sources::GPU_OWN))) };
    html! {
        <>
        <h4>{ row.name }</h4>
        { listed(page, row) }
        </>
    }
}

/// The sources of a row, its note, and what nothing was read for.
fn listed(page: &Page, row: &Row) -> Html {
    let source = |(figures, source): &(Option<&str>, &str)| match figures {
        None => (*source).to_owned(),
        Some(figures) => page.fill(text!(sources::SOURCE_OF), &[figures, source]),
    };
    html! {
        <>
        <ul>{ for row.sources.iter().map(|each| html! { <li>{ english(page, &source(each)) }</li> }) }</ul>
        if let Some(note) = row.note { <p>{ english(page, note) }</p> }
        if !row.unverified.is_empty() {
            { paragraph("note", page.fill(text!(sources::UNVERIFIED), &[&row.unverified.join(", ")])) }
        }
        </>
    }
}

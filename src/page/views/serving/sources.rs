//! Where the figures of the chosen model and GPU were read. The rows with their sources come only when they are asked
//! for: the ledger itself counts without them.

use vram_ledger::scenario::ModelChoice;
use vram_ledger::text;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::difference::difference;

use super::english;
use crate::page::borders::rows::{self, Rows};
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
    let rows = use_state(|| None::<Result<Rows, NotFetched>>);
    let ontoggle = {
        let rows = rows.clone();
        Callback::from(move |_: Event| {
            if !matches!(*rows, Some(Ok(_))) {
                let rows = rows.clone();
                spawn_local(async move { rows.set(Some(rows::rows().await)) });
            }
        })
    };
    html! {
        <details class="sources" {ontoggle}>
            <summary>{ page.say(text!(sources::TITLE)) }</summary>
            { match *rows {
                None => paragraph("note", page.say(text!(sources::ON_THEIR_WAY))),
                Some(Err(_)) => paragraph("error", page.say(text!(sources::FAILED))),
                Some(Ok(rows)) => html! { <>{ of_model(page, rows) }{ of_gpu(page, rows) }</> },
            } }
        </details>
    }
}

fn of_model(page: &Page, rows: Rows) -> Html {
    let report = &page.state.answer.memory().model;
    let row = match &page.state.scenario.model {
        Some(ModelChoice::Catalogue(row)) => rows.models.iter().find(|known| known.id == row.id),
        Some(ModelChoice::Config(_)) => return paragraph("note", page.say(text!(sources::MODEL_PASTED))),
        None | Some(ModelChoice::Parameters(_)) => return paragraph("note", page.say(text!(sources::MODEL_ASSUMED))),
    };
    let Some(row) = row else { return Html::default() };
    let counted = |count: f64| crate::page::format::grouped(count);
    let derived = page.fill(text!(sources::COUNT_DERIVED), &[&counted(report.parameters)]);
    let difference = row.difference.map(|why| difference(page.language(), why));
    let comparison = match (row.published_parameters.map(|count| count as f64), difference) {
        (None, why) => page.fill(text!(sources::COUNT_ROUND), &[&why.unwrap_or_default()]),
        (Some(count), None) => page.fill(text!(sources::COUNT_PUBLISHED), &[&counted(count)]),
        (Some(count), Some(why)) => {
            let by = count - report.parameters;
            let by = format!("{}{}", if by < 0.0 { "−" } else { "+" }, counted(by.abs()));
            page.fill(text!(sources::COUNT_DIFFERS), &[&counted(count), &by, &why])
        }
    };
    html! {
        <>
        <h4>{ row.name }</h4>
        <p>{ derived }{ " " }{ comparison }</p>
        { listed(page, row.sources().map(str::to_owned), row.note, &row.unverified) }
        </>
    }
}

fn of_gpu(page: &Page, rows: Rows) -> Html {
    let id = &page.state.answer.settled().cluster.gpu.id;
    let Some(row) = rows.accelerators.iter().find(|row| row.id == *id) else {
        return paragraph("note", page.say(text!(sources::GPU_OWN)));
    };
    let sources = row.sources().map(|(figures, source)| page.fill(text!(sources::SOURCE_OF), &[figures, source]));
    html! {
        <>
        <h4>{ row.name }</h4>
        { listed(page, sources, row.note, &row.unverified) }
        </>
    }
}

/// The sources of a row, its note, and what nothing was read for.
fn listed(page: &Page, sources: impl Iterator<Item = String>, note: Option<&str>, unverified: &[&str]) -> Html {
    html! {
        <>
        <ul>{ for sources.map(|source| html! { <li>{ english(page, &source) }</li> }) }</ul>
        if let Some(note) = note { <p>{ english(page, note) }</p> }
        if !unverified.is_empty() {
            { paragraph("note", page.fill(text!(sources::UNVERIFIED), &[&unverified.join(", ")])) }
        }
        </>
    }
}

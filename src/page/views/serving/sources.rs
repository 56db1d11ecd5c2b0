//! Where the figures of the chosen model and GPU were read. The rows with their sources come only when they are asked
//! for: the ledger itself counts without them.

use vram_ledger::scenario::ModelChoice;
use vram_ledger::text;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::difference::difference;

use super::english;
use crate::page::borders::catalogue_rows::{Row, Rows};
use crate::page::borders::{self, NotFetched};
use crate::page::context::Page;
use crate::page::context::elements::paragraph;

/// What is drawn from.
#[derive(Properties)]
struct Props {
    page: Page,
}

/// It is drawn anew whenever the page is.
impl PartialEq for Props {
    fn eq(&self, _: &Props) -> bool {
        false
    }
}

/// The part, closed until somebody asks.
pub fn part(page: &Page) -> Html {
    html! { <Sources page={Page::without_bars(page.state.clone())} /> }
}

#[component]
fn Sources(props: &Props) -> Html {
    let page = &props.page;
    let rows = use_state(|| None::<Result<&'static Rows, NotFetched>>);
    let ontoggle = {
        let rows = rows.clone();
        Callback::from(move |_: Event| {
            if !matches!(*rows, Some(Ok(_))) {
                let rows = rows.clone();
                spawn_local(async move { rows.set(Some(borders::rows().await)) });
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

fn of_model(page: &Page, rows: &'static Rows) -> Html {
    let report = &page.state.answer.memory().model;
    let row = match &page.state.scenario.model {
        Some(ModelChoice::Catalogue(row)) => (rows.model)(row.id),
        Some(ModelChoice::Config(_)) => return paragraph("note", page.say(text!(sources::MODEL_PASTED))),
        None | Some(ModelChoice::Parameters(_)) => return paragraph("note", page.say(text!(sources::MODEL_ASSUMED))),
    };
    let Some((row, published)) = row else { return Html::default() };
    let counted = |count: f64| crate::page::format::grouped(count);
    let derived = page.fill(text!(sources::COUNT_DERIVED), &[&counted(report.parameters)]);
    let comparison = match published
        .parameters
        .map(|count| (count as f64, published.difference.map(|why| difference(page.language(), why))))
    {
        None => {
            let why = published.difference.map(|why| difference(page.language(), why)).unwrap_or_default();
            page.fill(text!(sources::COUNT_ROUND), &[&why])
        }
        Some((count, None)) => page.fill(text!(sources::COUNT_PUBLISHED), &[&counted(count)]),
        Some((count, Some(why))) => {
            let by = count - report.parameters;
            let by = format!("{}{}", if by < 0.0 { "−" } else { "+" }, counted(by.abs()));
            page.fill(text!(sources::COUNT_DIFFERS), &[&counted(count), &by, &why])
        }
    };
    html! {
        <>
        <h4>{ row.name }</h4>
        <p>{ derived }{ " " }{ comparison }</p>
        { listed(page, &row) }
        </>
    }
}

fn of_gpu(page: &Page, rows: &'static Rows) -> Html {
    let Some(row) = (rows.accelerator)(&page.state.answer.settled().cluster.gpu.id) else {
        return paragraph("note", page.say(text!(sources::GPU_OWN)));
    };
    html! {
        <>
        <h4>{ row.name }</h4>
        { listed(page, &row) }
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

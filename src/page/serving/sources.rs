//! Where the figures of the chosen model and GPU were read. The rows with their sources come only when they are asked
//! for: the ledger itself counts without them.

use vram_ledger::scenario::ModelChoice;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::super::Page;
use super::super::language::ServingText;
use super::super::later::{self, NotFetched};
use super::super::parts::paragraph;
use super::super::rows::Rows;
use super::english;

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
                spawn_local(async move { rows.set(Some(later::rows().await)) });
            }
        })
    };
    html! {
        <details class="sources" {ontoggle}>
            <summary>{ page.say(ServingText::SourcesTitle) }</summary>
            { match *rows {
                None => paragraph("note", page.say(ServingText::SourcesOnTheirWay)),
                Some(Err(_)) => paragraph("error", page.say(ServingText::SourcesFailed)),
                Some(Ok(rows)) => html! { <>{ of_model(page, rows) }{ of_gpu(page, rows) }</> },
            } }
        </details>
    }
}

fn of_model(page: &Page, rows: &'static Rows) -> Html {
    let report = &page.state.answer.report.model;
    let row = match &page.state.scenario.model {
        Some(ModelChoice::Catalogue(row)) => (rows.model)(row.id),
        Some(ModelChoice::Config(_)) => return paragraph("note", page.say(ServingText::ModelPasted)),
        None | Some(ModelChoice::Parameters(_)) => return paragraph("note", page.say(ServingText::ModelAssumed)),
    };
    let Some(row) = row else { return Html::default() };
    let counted = |count: f64| super::super::format::grouped(count);
    let derived = page.fill(ServingText::CountDerived, &[&counted(report.parameters)]);
    let published = row.published_parameters.map(|count| (count as f64, row.difference));
    let comparison = match published {
        None => page.fill(ServingText::CountRound, &[row.difference.unwrap_or_default()]),
        Some((count, None)) => page.fill(ServingText::CountPublished, &[&counted(count)]),
        Some((count, Some(why))) => {
            let by = count - report.parameters;
            let by = format!("{}{}", if by < 0.0 { "−" } else { "+" }, counted(by.abs()));
            page.fill(ServingText::CountDiffers, &[&counted(count), &by, why])
        }
    };
    html! {
        <>
        <h4>{ row.name }</h4>
        <p>{ derived }{ " " }{ comparison }</p>
        { listed(page, row.note, &row.unverified, row.sources().map(|source| (None, source))) }
        </>
    }
}

fn of_gpu(page: &Page, rows: &'static Rows) -> Html {
    let Some(row) = (rows.accelerator)(&page.state.answer.settled.cluster.gpu.id) else {
        return paragraph("note", page.say(ServingText::GpuOwn));
    };
    html! {
        <>
        <h4>{ row.name }</h4>
        { listed(page, row.note, &row.unverified, row.sources().map(|(figures, source)| (Some(figures), source))) }
        </>
    }
}

/// The sources of a row, its note, and what nothing was read for.
fn listed(
    page: &Page,
    note: Option<&'static str>,
    unverified: &[&'static str],
    sources: impl Iterator<Item = (Option<&'static str>, &'static str)>,
) -> Html {
    html! {
        <>
        <ul>
            { for sources.map(|(figures, source)| {
                let text = figures.map_or_else(
                    || source.to_owned(), |figures| page.fill(ServingText::SourceOf, &[figures, source]),
                );
                html! { <li>{ english(page, &text) }</li> }
            }) }
        </ul>
        if let Some(note) = note { <p>{ english(page, note) }</p> }
        if !unverified.is_empty() {
            { paragraph("note", page.fill(ServingText::Unverified, &[&unverified.join(", ")])) }
        }
        </>
    }
}

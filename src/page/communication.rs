//! The communication account: what one GPU sends, among whom, over which link, for how long, and what nothing hides.

use vram_ledger::communication::Traffic;
use vram_ledger::units::Seconds;
use yew::prelude::*;

use super::Page;
use super::core::link_name;
use super::format;
use super::language::Message;

/// The view.
pub fn view(page: &Page) -> Html {
    let report = &page.state.answer.report;
    let training = report.training.as_ref().map(|half| half.traffic.as_slice());
    let inference = report.inference.as_ref().map(|half| half.traffic.as_slice());
    html! {
        <>
        { table(page, Message::SentInAStep, training) }
        { table(page, Message::SentInAPass, inference) }
        <p class="note">{ page.say(Message::ExposedMeans) }</p>
        </>
    }
}

const COLUMNS: [(Message, bool); 8] = [
    (Message::WhatMoves, false),
    (Message::CollectiveColumn, false),
    (Message::GroupColumn, false),
    (Message::LinkColumn, false),
    (Message::CallsColumn, true),
    (Message::SentColumn, true),
    (Message::TimeColumn, true),
    (Message::ExposedColumn, true),
];

fn table(page: &Page, caption: Message, traffic: Option<&[Traffic]>) -> Html {
    let Some(traffic) = traffic else { return Html::default() };
    if traffic.is_empty() {
        return html! { <p>{ page.fill(Message::NothingSent, &[page.say(caption)]) }</p> };
    }
    let most = traffic.iter().map(|line| line.exposed_seconds.0).fold(0.0, f64::max);
    html! {
        <div class="scroll" tabindex="0" role="region" aria-label={page.say(caption)}>
            <table class="traffic">
                <caption>{ page.say(caption) }</caption>
                <thead>
                    <tr>
                        { for COLUMNS.iter().map(|(name, number)| html! {
                            <th scope="col" class={number.then_some("number")}>{ page.say(*name) }</th>
                        }) }
                    </tr>
                </thead>
                <tbody>
                    { for traffic.iter().map(|line| row(page, line, most > 0.0 && line.exposed_seconds.0 == most)) }
                </tbody>
            </table>
        </div>
    }
}

fn row(page: &Page, line: &Traffic, largest: bool) -> Html {
    let language = page.language();
    let what = match line.pass {
        Some(pass) => format!("{}: {}", language.pass(pass), language.payload(line.payload)),
        None => language.payload(line.payload).to_owned(),
    };
    let group = page.fill(Message::GroupOf, &[language.group(line.group), &format::grouped(line.size as f64)]);
    let time = |seconds: Seconds| format::seconds(seconds);
    html! {
        <tr class={largest.then_some("selected")}>
            <th scope="row">{ what }</th>
            <td>{ language.collective(line.collective) }</td>
            <td>{ group }</td>
            <td>{ link_name(&line.link).to_owned() }</td>
            <td class="number">{ format::grouped(line.calls) }</td>
            <td class="number">{ page.state.settings.unit.amount(line.bytes) }</td>
            <td class="number">{ time(line.seconds) }</td>
            <td class="number">
                { time(line.exposed_seconds) }
                if largest { <span class="mark">{ " " }{ page.say(Message::LargestExposed) }</span> }
            </td>
        </tr>
    }
}

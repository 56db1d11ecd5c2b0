//! The communication account: what one GPU sends, among whom, over which link, for how long, and what nothing hides.

mod step_and_run;

use vram_ledger::answer::Traffic;
use vram_ledger::insight::hiding::remedy;
use vram_ledger::text;
use vram_ledger::words::Text;
use yew::prelude::*;

use crate::page::answer::link_name;
use crate::page::context::Page;
use crate::page::context::elements::paragraph;
use crate::page::format;
use crate::page::views::pieces::table::{Numbers, cell, head, row_head, scrolling};
use crate::page::views::timeline;

/// The view.
pub fn view(page: &Page) -> Html {
    let times = page.state.answer.times();
    let training = times.training.as_ref().map(|half| half.traffic.as_slice());
    let inference = times.inference.as_ref().map(|half| half.traffic.as_slice());
    html! {
        <>
        { table(page, text!(communication::SENT_IN_A_STEP), training) }
        { timeline::padding(page).map(|text| paragraph("note", text)) }
        { table(page, text!(communication::SENT_IN_A_PASS), inference) }
        <p class="note">{ page.say(text!(communication::EXPOSED_MEANS)) }</p>
        { step_and_run::band(page) }
        { step_and_run::other_view(page) }
        { step_and_run::rules(page) }
        { step_and_run::run(page) }
        </>
    }
}

const COLUMNS: [(Text, Numbers); 8] = [
    (text!(communication::WHAT_MOVES), Numbers::No),
    (text!(communication::COLLECTIVE_COLUMN), Numbers::No),
    (text!(communication::GROUP_COLUMN), Numbers::No),
    (text!(communication::LINK_COLUMN), Numbers::No),
    (text!(communication::CALLS_COLUMN), Numbers::Yes),
    (text!(communication::SENT_COLUMN), Numbers::Yes),
    (text!(communication::TIME_COLUMN), Numbers::Yes),
    (text!(communication::EXPOSED_COLUMN), Numbers::Yes),
];

/// The columns, with what would hide a line behind them.
fn columns(page: &Page) -> Vec<(&'static str, Numbers)> {
    let hides = (page.say(text!(communication::HIDES_COLUMN)), Numbers::No);
    COLUMNS.map(|(name, numbers)| (page.say(name), numbers)).into_iter().chain([hides]).collect()
}

fn table(page: &Page, caption: Text, traffic: Option<&[Traffic]>) -> Html {
    let Some(traffic) = traffic else { return Html::default() };
    if traffic.is_empty() {
        return html! { <p>{ page.fill(text!(communication::NOTHING_SENT), &[page.say(caption)]) }</p> };
    }
    let most = traffic.iter().map(|line| line.exposed_seconds.0).fold(0.0, f64::max);
    let rows = traffic.iter().map(|line| row(page, line, most > 0.0 && line.exposed_seconds.0 == most));
    let name = page.say(caption);
    let table = html! {
        <table class="traffic">
            <caption>{ name }</caption>
            { head(&columns(page)) }
            <tbody>{ for rows }</tbody>
        </table>
    };
    scrolling(name, table)
}

fn row(page: &Page, line: &Traffic, largest: bool) -> Html {
    let language = page.language();
    let what = match line.pass {
        Some(pass) => format!("{}: {}", language.pass(pass), language.payload(line.payload)),
        None => language.payload(line.payload).to_owned(),
    };
    let group =
        page.fill(text!(communication::GROUP_OF), &[language.group(line.group), &format::grouped(line.size as f64)]);
    let unit = page.state.settings.unit;
    html! {
        <tr class={largest.then_some("selected")}>
            { row_head(what) }
            { cell(language.collective(line.collective), Numbers::No) }
            { cell(group, Numbers::No) }
            { cell(link_name(&line.link).to_owned(), Numbers::No) }
            { cell(format::grouped(line.calls), Numbers::Yes) }
            { cell(unit.any_amount(line.bytes), Numbers::Yes) }
            { cell(format::seconds(line.seconds), Numbers::Yes) }
            <td class="number">
                { format::seconds(line.exposed_seconds) }
                if largest { <span class="mark">{ " " }{ page.say(text!(communication::LARGEST_EXPOSED)) }</span> }
            </td>
            { cell(remedy(line).map_or("", |remedy| language.remedy(remedy)), Numbers::No) }
        </tr>
    }
}

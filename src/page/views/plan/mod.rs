//! Plan: every layout that fits, fastest first, and the same question backwards. A worker searches; this shows what it says.

mod answers;
mod search;
#[cfg(all(test, feature = "ssr"))]
mod tests;

use std::rc::Rc;

use vram_ledger::names::Schedule;
use vram_ledger::planner::{Counts, Layout, Plan, reasons};
use vram_ledger::scenario::Scenario;
use vram_ledger::text;
use vram_ledger::units::Seconds;
use vram_ledger::words::Text;
use yew::prelude::*;

use crate::page::context::Page;
use crate::page::context::elements::{self, paragraph};
use crate::page::format;
use crate::page::views::pieces::table::{Numbers, cell, head, scrolling};

pub use search::{Search, use_search};

/// The view.
pub fn view(page: &Page, search: &UseReducerHandle<Search>) -> Html {
    html! {
        <div class="plan">
            <p>{ question(page) }</p>
            { controls(page, search) }
            if search.failed() {
                <p class="error" role="alert">{ page.say(text!(plan::FAILED)) }</p>
            }
            if let Some(asked) = search.asked().filter(|_| !search.running()) {
                { found(page, search, asked) }
            }
            if let Some(asked) = search.asked() {
                { answers::table(page, search, asked) }
                { paragraph("note", page.say(text!(plan::NOTE))) }
            }
        </div>
    }
}

/// What is asked, in a sentence.
fn question(page: &Page) -> String {
    let settled = &page.state.answer.settled();
    let model = settled.model.name();
    let gpus = page.gpus(settled.cluster.gpus as f64);
    let gpu = page.short_gpu_name();
    match &settled.training {
        Ok(plan) => {
            let [tokens, sequences] = [plan.sequence, plan.global_batch].map(|count| format::grouped(count as f64));
            page.fill(text!(plan::ASKS), &[&model, &gpus, &gpu, &tokens, &sequences])
        }
        Err(_) => page.fill(text!(plan::ASKS_WITHOUT_BATCH), &[&model, &gpus, &gpu]),
    }
}

fn controls(page: &Page, search: &UseReducerHandle<Search>) -> Html {
    let every = search.every_schedule();
    let (switched, started, ended) = (search.dispatcher(), search.dispatcher(), search.dispatcher());
    let scenario = Rc::clone(&page.state.scenario);
    let start = move |_| search::start(&started, Rc::clone(&scenario), every);
    let button = if search.asked().is_some() { text!(plan::FIND_AGAIN) } else { text!(plan::FIND) };
    html! {
        <>
        <div class="plan-controls">
            if search.running() {
                <button type="button" onclick={move |_| ended.dispatch(search::Act::Cancelled)}>
                    { page.say(text!(plan::STOP)) }
                </button>
            } else {
                <button type="button" onclick={start}>{ page.say(button) }</button>
            }
            <label class="switch">
                <input
                    type="checkbox" id="plan-schedules" checked={every} disabled={search.running()}
                    onchange={move |_| switched.dispatch(search::Act::EverySchedule(!every))}
                />
                { " " }{ page.say(text!(plan::EVERY_SCHEDULE)) }
            </label>
        </div>
        if search.running() {
            { progress(page, search) }
        }
        </>
    }
}

fn progress(page: &Page, search: &Search) -> Html {
    let progress = search.progress();
    html! {
        <p class="plan-progress">
            <progress
                aria-label={page.say(text!(plan::JUDGING))} value={progress.done.to_string()}
                max={progress.total.max(1).to_string()}
            />
            { " " }{ judged(page, search, text!(plan::JUDGED_OF)) }
        </p>
    }
}

/// What was found for the question `asked`.
fn found(page: &Page, search: &Search, asked: &Scenario) -> Html {
    let plans = search.plans();
    let outdated = plans.first().is_some_and(|plan| !is_as_asked(page, &plan.layout, asked));
    let Counts { considered, impossible, slower, too_large, timed } = search.counts();
    let counts = [considered, impossible, too_large, slower, timed].map(|count| format::grouped(count as f64));
    let counted = page.fill(text!(plan::COUNTED), &counts.each_ref().map(String::as_str));
    let none = if impossible == considered { text!(plan::NOTHING_DIVIDES) } else { text!(plan::NOTHING_FITS) };
    html! {
        <>
        if outdated {
            <p class="error" role="status">{ page.say(text!(plan::OUTDATED)) }</p>
        }
        if search.cancelled() {
            <p role="status">{ judged(page, search, text!(plan::STOPPED)) }</p>
        }
        if plans.is_empty() {
            if !search.cancelled() {
                <p class="finding" role="status">{ page.say(none) }</p>
            }
        } else {
            <p class="finding" role="status">{ why_the_first(page, plans) }</p>
            { table(page, plans) }
        }
        { paragraph("note", counted) }
        </>
    }
}

/// How far the search is, in words.
fn judged(page: &Page, search: &Search, text: Text) -> String {
    let progress = search.progress();
    let [done, total] = [progress.done, progress.total].map(|count| format::grouped(count as f64));
    page.fill(text, &[&done, &total])
}

/// Whether the question is still the one that was asked: it differs in nothing but what a layout sets, and has the same
/// GPUs, sequence and batch, which are part of a question and of a layout.
fn is_as_asked(page: &Page, layout: &Layout, asked: &Scenario) -> bool {
    let (now, settled) = (&page.state.scenario, &page.state.answer.settled());
    let alike = match &settled.training {
        Ok(plan) => (plan.sequence, plan.global_batch) == (layout.sequence, layout.global_batch),
        Err(_) => *asked == **now,
    };
    alike && settled.cluster.gpus == layout.gpus && layout.patch().applied(asked) == layout.patch().applied(now)
}

/// Why the first beats the second.
fn why_the_first(page: &Page, plans: &[Plan]) -> String {
    let [first, second, ..] = plans else { return String::new() };
    let difference = second.step.seconds.0 - first.step.seconds.0;
    // Parts of a thousandth of the difference tell nothing.
    let parts: Vec<String> = reasons(first, second)
        .iter()
        .filter(|reason| reason.seconds_saved.0.abs() > 0.001 * difference)
        .map(|reason| {
            let seconds = format::seconds(Seconds(reason.seconds_saved.0.abs()));
            let text = if reason.seconds_saved.0 > 0.0 { text!(plan::LESS) } else { text!(plan::MORE) };
            page.fill(text, &[page.language().term(reason.term), &seconds])
        })
        .collect();
    if difference <= 0.0 || parts.is_empty() {
        return page.say(text!(plan::WHY_EQUAL)).to_owned();
    }
    let saved = format::seconds(Seconds(difference));
    page.fill(text!(plan::WHY_FIRST), &[&saved, &parts.join(page.say(text!(amounts::LIST_COMMA)))])
}

/// The columns before the time of a step.
const LAYOUT: [(Text, Numbers); 8] = [
    (text!(plan::DATA), Numbers::Yes),
    (text!(plan::TENSOR), Numbers::Yes),
    (text!(plan::PIPELINE), Numbers::No),
    (text!(plan::CONTEXT), Numbers::Yes),
    (text!(plan::EXPERT), Numbers::Yes),
    (text!(plan::SHARDING), Numbers::No),
    (text!(plan::RECOMPUTE), Numbers::No),
    (text!(plan::MICRO_BATCH), Numbers::Yes),
];

fn table(page: &Page, plans: &[Plan]) -> Html {
    let name = page.say(text!(plan::PLANS));
    let mut columns = vec![(page.say(text!(scaling::STEP_TIME)), Numbers::Yes)];
    columns.extend([text!(plan::THROUGHPUT)].map(|text| (page.say(text), Numbers::Yes)));
    columns.push(("MFU", Numbers::Yes));
    columns.extend([text!(plan::PEAK), text!(plan::HEADROOM)].map(|text| (page.say(text), Numbers::Yes)));
    columns.extend(LAYOUT.map(|(text, numbers)| (page.say(text), numbers)));
    columns.push((page.say(text!(advice::APPLY)), Numbers::No));
    let table = html! {
        <table class="plans">
            <caption>{ name }</caption>
            { head(&columns) }
            <tbody>{ for plans.iter().map(|plan| row(page, plan)) }</tbody>
        </table>
    };
    scrolling(name, table)
}

fn row(page: &Page, plan: &Plan) -> Html {
    let Plan { layout, peak, headroom, step } = plan;
    let language = page.language();
    let unit = page.state.settings.unit;
    let number = |count: u64| cell(format::grouped(count as f64), Numbers::Yes);
    let applied = layout.patch().applied(&page.state.scenario);
    let now = applied == *page.state.scenario;
    html! {
        <tr class={now.then_some("now")}>
            <th scope="row" class="number">{ format::seconds(step.seconds) }</th>
            { cell(format::grouped(step.tokens_per_second_per_gpu), Numbers::Yes) }
            { cell(format::percent(step.mfu), Numbers::Yes) }
            { cell(unit.amount(*peak), Numbers::Yes) }
            { cell(unit.amount(*headroom), Numbers::Yes) }
            { number(layout.data()) }
            { number(layout.tensor) }
            { cell(pipeline(page, layout), Numbers::No) }
            { number(layout.context) }
            { number(layout.expert) }
            { cell(language.sharding_short(layout.sharding), Numbers::No) }
            { cell(language.recompute(layout.recompute), Numbers::No) }
            { number(layout.micro_batch) }
            <td>{ apply(page, layout, now, applied) }</td>
        </tr>
    }
}

fn pipeline(page: &Page, layout: &Layout) -> String {
    let stages = format::grouped(layout.pipeline as f64);
    match layout.schedule {
        _ if layout.pipeline == 1 => stages,
        Schedule::Interleaved => {
            page.fill(text!(plan::STAGES_OF_CHUNKS), &[&stages, &layout.virtual_stages.to_string()])
        }
        schedule => page.fill(text!(plan::STAGES), &[&stages, page.language().schedule(schedule)]),
    }
}

/// The button that takes a layout, or that it is the current one.
fn apply(page: &Page, layout: &Layout, now: bool, applied: Scenario) -> Html {
    if now {
        return html! { page.say(text!(plan::NOW)) };
    }
    elements::apply(page, Some(page.fill(text!(plan::APPLY_LAYOUT), &[&in_a_line(page, layout)])), applied)
}

/// A layout in a line: what it splits, and how.
fn in_a_line(page: &Page, layout: &Layout) -> String {
    let counted = |text: Text, count: u64| (count > 1).then(|| page.fill(text, &[&count.to_string()]));
    let stages = (layout.pipeline > 1).then(|| page.fill(text!(plan::PIPELINE_OF), &[&pipeline(page, layout)]));
    let language = page.language();
    let parts: Vec<String> = [
        Some(page.fill(text!(plan::DATA_OF), &[&layout.data().to_string()])),
        counted(text!(plan::TENSOR_OF), layout.tensor),
        stages,
        counted(text!(plan::CONTEXT_OF), layout.context),
        counted(text!(plan::EXPERT_OF), layout.expert),
        Some(language.sharding_short(layout.sharding).to_owned()),
        Some(page.fill(text!(advice::CHANGE_RECOMPUTE), &[language.recompute(layout.recompute)])),
        Some(page.fill(text!(advice::CHANGE_MICRO_BATCH), &[&layout.micro_batch.to_string()])),
    ]
    .into_iter()
    .flatten()
    .collect();
    parts.join(page.say(text!(amounts::LIST_COMMA)))
}

//! The questions asked backwards: those about any layout as soon as the worker has answered them, those about the layout as
//! it is at once.

use std::rc::Rc;

use vram_ledger::planner::{Layout, Plan, hiding_bandwidth, limits};
use vram_ledger::scenario::{MOST_TOKENS, Scenario};
use vram_ledger::text;
use vram_ledger::words::{Language, Text};
use yew::prelude::*;

use super::{Search, apply, in_a_line};
use crate::page::context::Page;
use crate::page::format;
use crate::page::views::pieces::table::row_head;

/// The answers, to the question `asked` and about the layout as it is now.
pub fn table(page: &Page, search: &Search, asked: &Rc<Scenario>) -> Html {
    let any = |question: Text, none: Text, found: Found, plan: Option<&Option<Plan>>| {
        let answer = match plan {
            // What was cancelled is not coming any more.
            None if search.cancelled() => html! { "–" },
            None => html! { page.say(text!(plan::SEARCHING)) },
            Some(None) => html! { page.say(none) },
            Some(Some(plan)) => {
                let applied = plan.layout.patch().applied(asked);
                let now = applied == *page.state.scenario;
                html! { <>{ said_of(page, found, plan) }{ " " }{ apply(page, &plan.layout, now, applied) }</> }
            }
        };
        html! { <tr>{ row_head(page.say(question)) }<td>{ answer }</td></tr> }
    };
    html! {
        <table class="backwards">
            <caption>{ page.say(text!(plan::BACKWARDS)) }</caption>
            <tbody>
                { any(text!(plan::FEWEST_GPUS), text!(plan::NO_NUMBER), on_gpus, search.fewest()) }
                { any(text!(plan::LONGEST_SEQUENCE), text!(plan::NO_SEQUENCE), of_tokens, search.longest()) }
                <AsSet scenario={Rc::clone(&page.state.scenario)} language={page.language()} />
            </tbody>
        </table>
    }
}

/// What was found in a layout: the sentence, and the number it begins with.
type Found = fn(&Page, &Layout) -> (Text, String);

fn on_gpus(page: &Page, layout: &Layout) -> (Text, String) {
    (text!(plan::ON_GPUS), page.gpus(layout.gpus as f64))
}

fn of_tokens(_: &Page, layout: &Layout) -> (Text, String) {
    let text = if layout.sequence == MOST_TOKENS { text!(plan::OF_MOST_TOKENS) } else { text!(plan::OF_TOKENS) };
    (text, format::grouped(layout.sequence as f64))
}

fn said_of(page: &Page, found: Found, plan: &Plan) -> String {
    let layout = &plan.layout;
    let (text, number) = found(page, layout);
    let peak = page.state.settings.unit.amount(plan.peak);
    page.fill(text, &[&number, &in_a_line(page, layout), &format::seconds(plan.step.seconds), &peak])
}

#[derive(Clone, PartialEq, Properties)]
struct Props {
    scenario: Rc<Scenario>,
    language: Language,
}

/// The answers about the layout as it is. A component, so that they are worked out once for each question.
#[component]
fn AsSet(props: &Props) -> Html {
    let language = props.language;
    // The page has an answer to its question, so neither is refused.
    let known = use_memo(Rc::clone(&props.scenario), |scenario| {
        (limits(scenario).ok().flatten(), hiding_bandwidth(scenario).ok().flatten())
    });
    let (limits, hiding) = *known;
    let counted = |text: Text, count: u64| language.fill(text, &[&format::grouped(count as f64)]);
    // A layout that is possible has a time of a step, whether or not it fits.
    let no_limit = if hiding.is_some() { text!(plan::DOES_NOT_FIT) } else { text!(plan::NO_LAYOUT) };
    let limited = |text: Option<String>| text.unwrap_or_else(|| language.say(no_limit).to_owned());
    let hidden = hiding.map_or_else(
        || language.say(text!(plan::NO_LAYOUT)).to_owned(),
        |hiding| {
            let [now, then] = [hiding.exposed_now, hiding.exposed_then].map(format::seconds);
            if hiding.already {
                language.fill(text!(plan::HIDES_ALREADY), &[&now])
            } else {
                language.fill(text!(plan::HIDES), &[&bandwidth(hiding.bandwidth), &now, &then])
            }
        },
    );
    let row =
        |question: Text, answer: String| html! { <tr>{ row_head(language.say(question)) }<td>{ answer }</td></tr> };
    html! {
        <>
        { row(text!(plan::LONGEST_HERE), limited(limits.map(|limits| counted(text!(plan::TOKENS), limits.sequence)))) }
        { row(text!(plan::LARGEST_HERE), limited(limits.map(|limits| counted(text!(plan::SEQUENCES), limits.micro_batch)))) }
        { row(text!(plan::HIDING_NETWORK), hidden) }
        </>
    }
}

/// Bytes a second.
fn bandwidth(bytes: f64) -> String {
    let (size, sign) = if bytes >= 1e12 { (1e12, "TB/s") } else { (1e9, "GB/s") };
    format!("{} {sign}", format::figure(bytes / size))
}

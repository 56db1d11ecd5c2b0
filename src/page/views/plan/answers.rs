//! The questions asked backwards: those about any layout as soon as the worker has answered them, those about the layout as
//! it is at once.

use std::rc::Rc;

use vram_ledger::planner::{Plan, hiding_bandwidth, limits};
use vram_ledger::scenario::{MOST_TOKENS, Scenario};
use yew::prelude::*;

use super::{Search, apply, in_a_line};
use crate::page::context::Page;
use crate::page::format;
use crate::page::language::{Language, PlanText};
use crate::page::views::table::row_head;

/// The answers, to the question `asked` and about the layout as it is now.
pub fn table(page: &Page, search: &Search, asked: &Rc<Scenario>) -> Html {
    let any = |question: PlanText, none: PlanText, plan: Option<&Option<Plan>>| {
        let answer = match plan {
            // What was cancelled is not coming any more.
            None if search.cancelled() => html! { "–" },
            None => html! { page.say(PlanText::Searching) },
            Some(None) => html! { page.say(none) },
            Some(Some(plan)) => {
                let applied = plan.layout.applied(asked);
                let now = applied == *page.state.scenario;
                html! { <>{ said_of(page, question, plan) }{ " " }{ apply(page, &plan.layout, now, applied) }</> }
            }
        };
        html! { <tr>{ row_head(page.say(question)) }<td>{ answer }</td></tr> }
    };
    html! {
        <table class="backwards">
            <caption>{ page.say(PlanText::Backwards) }</caption>
            <tbody>
                { any(PlanText::FewestGpus, PlanText::NoNumber, search.fewest()) }
                { any(PlanText::LongestSequence, PlanText::NoSequence, search.longest()) }
                <AsSet scenario={Rc::clone(&page.state.scenario)} language={page.language()} />
            </tbody>
        </table>
    }
}

fn said_of(page: &Page, question: PlanText, plan: &Plan) -> String {
    let layout = &plan.layout;
    let (text, number) = match question {
        PlanText::FewestGpus => (PlanText::OnGpus, page.gpus(layout.gpus as f64)),
        _ if layout.sequence == MOST_TOKENS => (PlanText::OfMostTokens, format::grouped(layout.sequence as f64)),
        _ => (PlanText::OfTokens, format::grouped(layout.sequence as f64)),
    };
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
    let counted = |text: PlanText, count: u64| language.fill(text, &[&format::grouped(count as f64)]);
    // A layout that is possible has a time of a step, whether or not it fits.
    let no_limit = if hiding.is_some() { PlanText::DoesNotFit } else { PlanText::NoLayout };
    let limited = |text: Option<String>| text.unwrap_or_else(|| language.say(no_limit).to_owned());
    let hidden = hiding.map_or_else(
        || language.say(PlanText::NoLayout).to_owned(),
        |hiding| {
            let [now, then] = [hiding.exposed_now, hiding.exposed_then].map(format::seconds);
            if hiding.already {
                language.fill(PlanText::HidesAlready, &[&now])
            } else {
                language.fill(PlanText::Hides, &[&bandwidth(hiding.bandwidth), &now, &then])
            }
        },
    );
    let row =
        |question: PlanText, answer: String| html! { <tr>{ row_head(language.say(question)) }<td>{ answer }</td></tr> };
    html! {
        <>
        { row(PlanText::LongestHere, limited(limits.map(|limits| counted(PlanText::Tokens, limits.sequence)))) }
        { row(PlanText::LargestHere, limited(limits.map(|limits| counted(PlanText::Sequences, limits.micro_batch)))) }
        { row(PlanText::HidingNetwork, hidden) }
        </>
    }
}

/// Bytes a second.
fn bandwidth(bytes: f64) -> String {
    let (size, sign) = if bytes >= 1e12 { (1e12, "TB/s") } else { (1e9, "GB/s") };
    format!("{} {sign}", format::figure(bytes / size))
}

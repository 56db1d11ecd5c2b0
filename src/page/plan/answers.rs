//! The questions asked backwards, each with its answer as soon as it is there.

use std::rc::Rc;

use vram_ledger::planner::Plan;
use vram_ledger::scenario::Scenario;
use yew::prelude::*;

use super::super::Page;
use super::super::format;
use super::super::language::PlanText;
use super::super::table::row_head;
use super::{Search, apply, in_a_line};

/// The answers to the question `asked`.
pub fn table(page: &Page, search: &Search, asked: &Rc<Scenario>) -> Html {
    // What was cancelled is not coming any more.
    let waiting = || html! { if !search.cancelled() { { page.say(PlanText::Searching) } } else { { "–" } } };
    let here = |asked: PlanText, answer: Option<Option<String>>| {
        let answer = answer.map_or_else(waiting, |answer| {
            html! { answer.unwrap_or_else(|| page.say(no_layout(page)).to_owned()) }
        });
        html! { <tr>{ row_head(page.say(asked)) }<td>{ answer }</td><td></td></tr> }
    };
    let counted = |text: PlanText, count: u64| page.fill(text, &[&format::grouped(count as f64)]);
    let limits = search.limits();
    let hiding = search.hiding().map(|hiding| {
        hiding.map(|hiding| {
            let [now, then] = [hiding.exposed_now, hiding.exposed_then].map(format::seconds);
            if hiding.already {
                page.fill(PlanText::HidesAlready, &[&now])
            } else {
                page.fill(PlanText::Hides, &[&bandwidth(hiding.bandwidth), &now, &then])
            }
        })
    });
    let any = |asked_for: PlanText, said: PlanText, none: PlanText, plan: Option<&Option<Plan>>| {
        let answer = match plan {
            None => waiting(),
            Some(None) => html! { page.say(none) },
            Some(Some(plan)) => html! { said_of(page, said, plan) },
        };
        let button = plan.and_then(Option::as_ref).map(|plan| {
            let applied = plan.layout.applied(asked);
            apply(page, &plan.layout, applied == *page.state.scenario, applied)
        });
        html! { <tr>{ row_head(page.say(asked_for)) }<td>{ answer }</td><td>{ button }</td></tr> }
    };
    html! {
        <table class="backwards">
            <caption>{ page.say(PlanText::Backwards) }</caption>
            <tbody>
                { any(PlanText::FewestGpus, PlanText::OnGpus, PlanText::NoNumber, search.fewest()) }
                { any(PlanText::LongestSequence, PlanText::OfTokens, PlanText::NoSequence, search.longest()) }
                { here(PlanText::LongestHere, limits.map(|limits| limits.map(|limits| counted(PlanText::Tokens, limits.sequence)))) }
                { here(PlanText::LargestHere, limits.map(|limits| limits.map(|limits| counted(PlanText::Sequences, limits.micro_batch)))) }
                { here(PlanText::HidingNetwork, hiding) }
            </tbody>
        </table>
    }
}

/// Why there is no answer about the layout as it is.
fn no_layout(page: &Page) -> PlanText {
    if page.state.answer.settled.training.is_ok() { PlanText::DoesNotFit } else { PlanText::NoLayout }
}

fn said_of(page: &Page, said: PlanText, plan: &Plan) -> String {
    let layout = &plan.layout;
    let number = match said {
        PlanText::OnGpus => page.gpus(layout.gpus as f64),
        _ => format::grouped(layout.sequence as f64),
    };
    let peak = page.state.settings.unit.amount(plan.peak);
    page.fill(said, &[&number, &in_a_line(page, layout), &format::seconds(plan.step.seconds), &peak])
}

/// Bytes a second.
fn bandwidth(bytes: f64) -> String {
    let (size, sign) = if bytes >= 1e12 { (1e12, "TB/s") } else { (1e9, "GB/s") };
    format!("{} {sign}", format::figure(bytes / size))
}

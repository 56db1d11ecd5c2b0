//! What waiting costs: how sure the step is, the other count of a node's network, the rules of the field that a layout
//! goes against, and the bill of the whole run.

use vram_ledger::advice::Hint;
use vram_ledger::answer::{Figure, Grade, Half};
use vram_ledger::estimate::TrainingTimes;
use vram_ledger::names::BandwidthView;
use vram_ledger::scenario::{Cluster, Patch};
use vram_ledger::text;
use vram_ledger::units::{Bytes, Seconds};
use yew::prelude::*;

use crate::page::answer::Answer;
use crate::page::context::Page;
use crate::page::context::elements::{apply, paragraph, span};
use crate::page::format;
use crate::page::views::pieces::advice::changes;

/// How long a step may take at the most.
pub fn band(page: &Page) -> Html {
    let Some(training) = &page.state.answer.times().training else { return Html::default() };
    let [usual, most] = [training.step.seconds, training.step.high_seconds].map(format::seconds);
    paragraph("note", page.fill(text!(step::BAND), &[&usual, &most]))
}

/// The same step by the other count of a node's network, where anything crosses nodes.
pub fn other_view(page: &Page) -> Html {
    let answer = &page.state.answer;
    let network = &answer.settled().cluster.network.id;
    let crosses = |half: &TrainingTimes| half.traffic.iter().any(|line| line.link == *network);
    if !answer.times().training.as_ref().is_some_and(crosses) {
        return Html::default();
    }
    let other = match answer.settled().cluster.bandwidth_view {
        BandwidthView::Rails => BandwidthView::SingleNic,
        BandwidthView::SingleNic => BandwidthView::Rails,
    };
    let scenario = Patch::from(Cluster::bandwidth_view.to(other)).applied(&page.state.scenario);
    let Ok(then) = Answer::to(&scenario) else { return Html::default() };
    let Some(half) = &then.times().training else { return Html::default() };
    let parts = [
        page.language().bandwidth_view(other).to_owned(),
        format::seconds(half.step.seconds),
        format::percent(half.step.waiting_share),
    ];
    html! {
        <>
        <p>{ page.fill(text!(step::OTHER_VIEW), &parts.each_ref().map(String::as_str)) }</p>
        { paragraph("note", page.say(text!(step::TWO_VIEWS))) }
        </>
    }
}

/// The rules of the field that speak against this layout, each with what following it would change.
pub fn rules(page: &Page) -> Html {
    let hints = page.state.answer.hints();
    html! {
        <section class="rules">
            <h3>{ page.say(text!(rules_of_thumb::HEADING)) }</h3>
            if hints.is_empty() {
                <p>{ page.say(text!(rules_of_thumb::NO_RULES)) }</p>
            } else {
                <ul>{ for hints.iter().map(|hint| html! { <li>{ rule(page, hint) }</li> }) }</ul>
            }
        </section>
    }
}

fn rule(page: &Page, hint: &Hint) -> Html {
    let language = page.language();
    let figures: Vec<String> = hint.figures.iter().map(|figure| figure_text(page, *figure)).collect();
    let figures: Vec<&str> = figures.iter().map(String::as_str).collect();
    let says = language.hint(hint.rule, &figures);
    let grade = page.say(match hint.rule.grade() {
        Grade::Several => text!(rules_of_thumb::SEVERAL_SOURCES),
        Grade::One => text!(rules_of_thumb::ONE_SOURCE),
    });
    html! {
        <>
        <p><strong>{ language.half(hint.half) }</strong>{ " " }{ says }</p>
        if !hint.patch.0.is_empty() {
            <p>
                { effect(page, hint) }{ " " }
                { apply(page, None, hint.patch.applied(&page.state.scenario)) }
            </p>
        }
        <p>{ span("quiet", page.fill(text!(rules_of_thumb::SOURCE), &[hint.rule.source(), grade])) }</p>
        </>
    }
}

/// What the change is and what it does.
fn effect(page: &Page, hint: &Hint) -> String {
    let times = page.state.answer.times();
    let now = match hint.half {
        Half::Training => times.training.as_ref().map(|half| half.step.seconds),
        Half::Inference => times.inference.as_ref().map(|half| half.decode_seconds),
    };
    let now = now.unwrap_or_default();
    let then = Seconds(now.0 + hint.seconds_cost.0);
    let amount = |bytes: f64| page.state.settings.unit.amount(Bytes::whole(bytes));
    let peak = match hint.bytes_saved {
        saved if saved > 0.0 => page.fill(text!(rules_of_thumb::LESS), &[&amount(saved)]),
        saved if saved < 0.0 => page.fill(text!(rules_of_thumb::MORE), &[&amount(-saved)]),
        _ => page.say(text!(rules_of_thumb::SAME)).to_owned(),
    };
    let [then, now] = [then, now].map(format::seconds);
    page.fill(text!(rules_of_thumb::EFFECT), &[&changes(page, &hint.patch), &then, &now, &peak])
}

fn figure_text(page: &Page, figure: Figure) -> String {
    match figure {
        Figure::Count(count) if count >= 1e7 => format::parameters(count),
        Figure::Count(count) => format::grouped(count),
        Figure::Bytes(bytes) => page.state.settings.unit.amount(bytes),
        Figure::Seconds(seconds) => format::seconds(seconds),
        Figure::Share(share) => format::percent(share),
        Figure::Sharding(sharding) => page.language().sharding_short(sharding).to_owned(),
        Figure::Recompute(recompute) => page.language().recompute(recompute).to_owned(),
    }
}

/// The bill of the run and its checkpoints.
pub fn run(page: &Page) -> Html {
    let answer = &page.state.answer;
    let Some(training) = &answer.times().training else { return Html::default() };
    let mut sentences = Vec::new();
    match (&training.run, &answer.settled().training) {
        (Some(run), Ok(plan)) => {
            let day = 24.0 * 3600.0;
            let parts = [
                format::parameters(plan.tokens.unwrap_or_default()),
                format::figure(run.seconds.0 / day),
                page.gpus(answer.settled().cluster.gpus as f64),
                format::figure(run.high_seconds.0 / day),
                format::grouped(run.gpu_hours),
            ];
            sentences.push(page.fill(text!(run::TAKES), &parts.each_ref().map(String::as_str)));
            if let (Some(cost), Some(most)) = (run.cost, run.high_cost) {
                sentences.push(page.fill(text!(run::COSTS), &[&format::grouped(cost), &format::grouped(most)]));
            }
        }
        _ => sentences.push(page.say(text!(run::NO_RUN)).to_owned()),
    }
    let checkpoint = &training.checkpoint;
    sentences.push(page.fill(text!(run::CHECKPOINT_SIZE), &[&page.state.settings.unit.any_amount(checkpoint.bytes)]));
    sentences.extend(
        checkpoint.seconds.map(|seconds| page.fill(text!(run::CHECKPOINT_TAKES), &[&format::seconds(seconds)])),
    );
    if let (Some(interval), Some(lost)) = (checkpoint.interval_seconds, checkpoint.overhead) {
        let parts = [format::seconds(interval), format::percent(lost)];
        sentences.push(page.fill(text!(run::CHECKPOINT_EVERY), &[&parts[0], &parts[1]]));
    }
    html! {
        <section>
            <h3>{ page.say(text!(run::HEADING)) }</h3>
            <p>{ page.language().sentences(&sentences) }</p>
        </section>
    }
}

//! Where the time of an optimiser step goes, as a thin bar with words.

use vram_ledger::text;
use yew::prelude::*;

use crate::page::context::Page;
use crate::page::context::elements::{span, swatch};
use crate::page::format;

/// The step of the training half.
pub fn step_line(page: &Page) -> Html {
    let Some(training) = &page.state.answer.times().training else { return Html::default() };
    let step = &training.step;
    let parts = [
        ("compute", text!(step::COMPUTE), step.compute_seconds),
        ("waiting", text!(step::WAITING), step.exposed_communication_seconds),
        ("bubble", text!(step::BUBBLE), step.bubble_seconds),
        ("optimizer", text!(step::OPTIMIZER_STEP), step.optimizer_seconds),
    ];
    let share = |seconds: f64| seconds / step.seconds.0;
    let mut start = 0.0;
    let gpus = page.gpus(page.state.answer.settled().cluster.gpus as f64);
    html! {
        <div class="step">
            <p class="step-title">
                { page.say(text!(step::ONE_STEP)) }{ " " }<strong>{ format::seconds(step.seconds) }</strong>{ " " }
                { page.fill(text!(step::ON_GPUS_WAITS), &[&gpus]) }{ " " }<strong>{ format::percent(step.waiting_share) }</strong>
            </p>
            <svg class="steps" height="12" aria-hidden="true">
                { for parts.iter().map(|(class, _, seconds)| {
                    let length = share(seconds.0);
                    let x = format::of_width(start);
                    start += length;
                    html! { <rect class={*class} {x} width={format::of_width(length)} height="12" /> }
                }) }
            </svg>
            <p class="keys">
                { for parts.iter().filter(|(class, _, seconds)| seconds.0 > 0.0 || *class == "waiting").map(
                    |(class, name, seconds)| html! {
                        <span class="part">
                            { swatch(class) }
                            { page.say(*name) }{ " " }{ format::percent(share(seconds.0)) }
                            { span("quiet", format!(" {}", format::seconds(*seconds))) }
                        </span>
                    }
                ) }
            </p>
        </div>
    }
}

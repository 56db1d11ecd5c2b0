//! The card: both ledgers on one scale, the verdict, and where the time of a step goes.

mod bars;
mod verdict;

use vram_ledger::answer::{Half, Peak};
use vram_ledger::ledger::{Account, Accounts};
use vram_ledger::refusal::FieldError;
use vram_ledger::text;
use yew::prelude::*;

use crate::page::context::Page;
use crate::page::context::elements::paragraph;
use crate::page::context::later::Later;
use crate::page::context::segments::segments;
use crate::page::controls::serves_integers;
use crate::page::format;

/// The card. `bars` is where the width of the bars is measured.
pub fn card(page: &Page, bars: &NodeRef) -> Html {
    let scale = bars::Scale::of(page);
    html! {
        <section class="card" aria-label={page.say(text!(card::BOTH_LEDGERS))}>
            <div class="bars" ref={bars}>
                { half(page, Half::Inference, scale) }
                { half(page, Half::Training, scale) }
                { bars::capacity_label(page, scale) }
            </div>
            { all_keys(page, scale) }
            <div class="details">
                <div class="keys">
                    { for halves(page).map(|(half, accounts)| bars::unlabelled(page, half, accounts, scale)) }
                </div>
                { gap(page) }
                { notes(page) }
                if let Later::Here(views) = page.later {
                    { (views.other_ways)(page) }
                    { (views.step)(page) }
                } else if page.state.answer.memory().training.is_some() {
                    // Room for the line to come, so that nothing moves when it does.
                    <div class="step"></div>
                }
            </div>
            { verdict::spoken(page) }
        </section>
    }
}

/// The accounts of each half that has an answer.
fn halves(page: &Page) -> impl Iterator<Item = (Half, &Accounts)> {
    let answer = &page.state.answer;
    let inference = answer.memory().inference.as_ref().map(|half| (Half::Inference, &half.accounts));
    let training = answer.training_accounts().map(|accounts| (Half::Training, accounts));
    inference.into_iter().chain(training)
}

/// One half: its verdict and its bar, or why it has none.
fn half(page: &Page, half: Half, scale: bars::Scale) -> Html {
    let answer = &page.state.answer;
    let (accounts, error) = match half {
        Half::Training => (answer.training_accounts(), answer.settled().training.as_ref().err()),
        Half::Inference => {
            let accounts = answer.memory().inference.as_ref().map(|half| &half.accounts);
            (accounts, answer.settled().inference.as_ref().err())
        }
    };
    html! {
        <>
        { verdict::line(page, half) }
        if let Some(accounts) = accounts { { bars::bar(page, half, accounts, scale) } }
        if let Some(error) = error { { refused(page, error) } }
        </>
    }
}

fn refused(page: &Page, error: &FieldError) -> Html {
    paragraph("error", page.field_error(error))
}

/// Every account with its amount: on a narrow screen, where the bars carry no labels.
fn all_keys(page: &Page, scale: bars::Scale) -> Html {
    html! {
        <div class="all-keys">
            { for halves(page).map(|(half, accounts)| html! {
                <p>
                    <strong>{ page.language().half(half) }</strong>
                    { for segments(accounts, scale.end).iter().map(|segment| bars::key(page, half, segment)) }
                </p>
            }) }
        </div>
    }
}

/// The lesson in a line: what is kept before one activation, training against serving.
fn gap(page: &Page) -> Html {
    let answer = &page.state.answer;
    let gap = &answer.memory().gap;
    let (Some(bytes), Some(ratio)) = (gap.state_bytes_per_parameter, gap.training_over_inference) else {
        return Html::default();
    };
    let (Some(stage), Some(inference)) = (answer.peak_stage(), &answer.memory().inference) else {
        return Html::default();
    };
    let unit = page.state.settings.unit;
    let texts = [
        unit.amount(stage.state.total),
        unit.amount(inference.accounts[Account::Weights]),
        format::trimmed(bytes),
        format::trimmed(bytes / ratio),
        format::trimmed(ratio),
    ];
    paragraph("gap", page.fill(text!(card::GAP_LINE), &texts.each_ref().map(String::as_str)))
}

/// What has to be said beside the bars.
fn notes(page: &Page) -> Html {
    html! {
        <>
        if serves_integers(page) { { paragraph("note", page.say(text!(card::INTEGERS_HOLD_NO_UPDATES))) } }
        if let Some(training) = &page.state.answer.memory().training { { three_sizes(page, &training.peak) } }
        </>
    }
}

/// The three sizes of the training half, where the framework's profile makes them differ.
fn three_sizes(page: &Page, peak: &Peak) -> Html {
    if peak.active_bytes == peak.device_bytes {
        return Html::default();
    }
    let sizes = [peak.active_bytes, peak.reserved_bytes, peak.device_bytes, peak.low_bytes, peak.high_bytes]
        .map(|bytes| page.state.settings.unit.amount(bytes));
    paragraph("note", page.fill(text!(card::THREE_SIZES), &sizes.each_ref().map(String::as_str)))
}

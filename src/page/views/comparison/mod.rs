//! Serving against training, with this question's numbers.

use vram_ledger::estimate::Memory;
use vram_ledger::ledger::Account;
use vram_ledger::scenario::{Patch, SettingId};
use vram_ledger::text;
use vram_ledger::units::{Bytes, Seconds};
use yew::prelude::*;

use crate::page::answer::Answer;
use crate::page::context::Page;
use crate::page::fields::Control;
use crate::page::format;
use crate::page::views::pieces::table::{Numbers, cell, head, row_head};

/// The view.
pub fn view(page: &Page) -> Html {
    let (memory, times) = (page.state.answer.memory(), page.state.answer.times());
    let unit = page.state.settings.unit;
    let amount = |bytes: Bytes| {
        if bytes > Bytes::ZERO { unit.any_amount(bytes) } else { page.say(text!(comparison::NOTHING)).to_owned() }
    };
    let served = |account: Account| memory.inference.as_ref().map(|half| amount(half.accounts[account]));
    let trained = |account: Account| page.state.answer.training_accounts().map(|accounts| amount(accounts[account]));
    let accounts = [
        (text!(comparison::ROW_WEIGHTS), Account::Weights),
        (text!(comparison::ROW_GRADIENTS), Account::Gradients),
        (text!(comparison::ROW_MASTER), Account::MasterWeights),
        (text!(comparison::ROW_MOMENTUM), Account::Momentum),
        (text!(comparison::ROW_VARIANCE), Account::Variance),
        (text!(comparison::ROW_ACTIVATIONS), Account::Activations),
        (text!(comparison::ROW_CACHE), Account::KvCache),
    ];
    let rows = accounts.map(|(name, account)| (name, served(account), trained(account)));
    let sequence = doubled(page, &[Control::Sequence]);
    let serving_batch = doubled(page, &[SettingId::Concurrency.into()]);
    // Where a global batch was given, it doubles with the micro-batches it is made of.
    let training_batch = doubled(page, &[SettingId::MicroBatch.into(), SettingId::GlobalBatch.into()]);
    let grows = |now: Option<Bytes>, then: Option<Bytes>| {
        let more = then? - now?;
        Some(if more > Bytes::ZERO { format!("+ {}", amount(more)) } else { amount(more) })
    };
    let served_peak = |memory: &Memory| memory.inference.as_ref().map(|half| half.peak.device_bytes);
    let trained_peak = |memory: &Memory| memory.training.as_ref().map(|half| half.peak.device_bytes);
    let network_served = times.inference.as_ref().map(|half| {
        let decode = half.traffic.iter().filter(|line| line.pass == Some(vram_ledger::answer::Pass::Decode));
        page.fill(text!(comparison::A_TOKEN), &[&amount(decode.map(|line| line.bytes).sum())])
    });
    let network_trained = times
        .training
        .as_ref()
        .map(|half| page.fill(text!(comparison::A_STEP), &[&amount(half.traffic.iter().map(|line| line.bytes).sum())]));
    let time_served = times.inference.as_ref().map(|half| {
        page.fill(
            text!(comparison::A_TOKEN_TAKES),
            &[&format::seconds(half.decode_seconds), &format::seconds(half.prefill_seconds)],
        )
    });
    let time_trained = times.training.as_ref().map(|half| {
        page.fill(
            text!(comparison::A_STEP_TAKES),
            &[&format::seconds(half.step.seconds), &waits(page, half.step.exposed_communication_seconds)],
        )
    });
    let further = [
        (
            text!(comparison::ROW_SEQUENCE_DOUBLED),
            sequence.as_ref().and_then(|then| grows(served_peak(memory), served_peak(then))),
            sequence.as_ref().and_then(|then| grows(trained_peak(memory), trained_peak(then))),
        ),
        (
            text!(comparison::ROW_BATCH_DOUBLED),
            serving_batch.as_ref().and_then(|then| grows(served_peak(memory), served_peak(then))),
            training_batch.as_ref().and_then(|then| grows(trained_peak(memory), trained_peak(then))),
        ),
        (text!(comparison::ROW_NETWORK), network_served, network_trained),
        (text!(comparison::ROW_TIME), time_served, time_trained),
    ];
    let columns = [
        page.say(text!(comparison::COMPARED_COLUMN)),
        page.say(text!(card::INFERENCE)),
        page.say(text!(card::TRAINING)),
    ]
    .map(|name| (name, Numbers::No));
    html! {
        <table class="comparison">
            <caption>{ page.say(text!(comparison::CAPTION)) }</caption>
            { head(&columns) }
            <tbody>
                { for rows.into_iter().chain(further).map(|(name, served, trained)| html! {
                    <tr>
                        { row_head(page.say(name)) }
                        { for [served, trained].into_iter().map(|text| {
                            cell(text.unwrap_or_else(|| "–".to_owned()), Numbers::No)
                        }) }
                    </tr>
                }) }
            </tbody>
        </table>
    }
}

fn waits(page: &Page, exposed: Seconds) -> String {
    if exposed.0 > 0.0 { format::seconds(exposed) } else { page.say(text!(comparison::NOTHING)).to_owned() }
}

/// The answer with twice of what some controls hold; those that were left to their default follow by themselves.
fn doubled(page: &Page, controls: &[Control]) -> Option<Memory> {
    let changes = controls
        .iter()
        .enumerate()
        .filter_map(|(index, control)| {
            let doubles = index == 0 || control.given_number(&page.state.scenario).is_some();
            let value = control.number_in(&page.state.answer)?;
            doubles.then(|| control.number(Some(value * 2.0)).0)
        })
        .flatten();
    Answer::to(&Patch(changes.collect()).applied(&page.state.scenario)).ok().map(|answer| answer.memory().clone())
}

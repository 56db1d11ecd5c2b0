//! Serving against training, with this question's numbers.

use serde_json::Value;
use vram_ledger::ledger::Account;
use vram_ledger::report::Report;
use vram_ledger::units::{Bytes, Seconds};
use yew::prelude::*;

use super::Page;
use super::controls::{CONCURRENCY, Control, GLOBAL_BATCH, Kind, MICRO_BATCH, SEQUENCE};
use super::core::Answer;
use super::edit::edited;
use super::format;
use super::language::Message;
use super::table::{Numbers, cell, head, row_head};

/// The view.
pub fn view(page: &Page) -> Html {
    let report = &page.state.answer.report;
    let unit = page.state.settings.unit;
    let amount =
        |bytes: Bytes| if bytes > Bytes::ZERO { unit.any_amount(bytes) } else { page.say(Message::Nothing).to_owned() };
    let served = |account: Account| report.inference.as_ref().map(|half| amount(half.accounts[account]));
    let trained = |account: Account| page.state.answer.training_accounts().map(|accounts| amount(accounts[account]));
    let accounts = [
        (Message::RowWeights, Account::Weights),
        (Message::RowGradients, Account::Gradients),
        (Message::RowMaster, Account::MasterWeights),
        (Message::RowMomentum, Account::Momentum),
        (Message::RowVariance, Account::Variance),
        (Message::RowActivations, Account::Activations),
        (Message::RowCache, Account::KvCache),
    ];
    let rows = accounts.map(|(name, account)| (name, served(account), trained(account)));
    let sequence = doubled(page, &[SEQUENCE]);
    let serving_batch = doubled(page, &[CONCURRENCY]);
    // Where a global batch was given, it doubles with the micro-batches it is made of.
    let training_batch = doubled(page, &[MICRO_BATCH, GLOBAL_BATCH]);
    let grows = |now: Option<Bytes>, then: Option<Bytes>| {
        let more = then? - now?;
        Some(if more > Bytes::ZERO { format!("+ {}", amount(more)) } else { amount(more) })
    };
    let served_peak = |report: &Report| report.inference.as_ref().map(|half| half.peak.device_bytes);
    let trained_peak = |report: &Report| report.training.as_ref().map(|half| half.peak.device_bytes);
    let network_served = report.inference.as_ref().map(|half| {
        let decode = half.traffic.iter().filter(|line| line.pass == Some(vram_ledger::communication::Pass::Decode));
        page.fill(Message::AToken, &[&amount(decode.map(|line| line.bytes).sum())])
    });
    let network_trained = report
        .training
        .as_ref()
        .map(|half| page.fill(Message::AStep, &[&amount(half.traffic.iter().map(|line| line.bytes).sum())]));
    let time_served = report.inference.as_ref().map(|half| {
        page.fill(
            Message::ATokenTakes,
            &[&format::seconds(half.decode_seconds), &format::seconds(half.prefill_seconds)],
        )
    });
    let time_trained = report.training.as_ref().map(|half| {
        page.fill(
            Message::AStepTakes,
            &[&format::seconds(half.step.seconds), &waits(page, half.step.exposed_communication_seconds)],
        )
    });
    let further = [
        (
            Message::RowSequenceDoubled,
            sequence.as_ref().and_then(|then| grows(served_peak(report), served_peak(then))),
            sequence.as_ref().and_then(|then| grows(trained_peak(report), trained_peak(then))),
        ),
        (
            Message::RowBatchDoubled,
            serving_batch.as_ref().and_then(|then| grows(served_peak(report), served_peak(then))),
            training_batch.as_ref().and_then(|then| grows(trained_peak(report), trained_peak(then))),
        ),
        (Message::RowNetwork, network_served, network_trained),
        (Message::RowTime, time_served, time_trained),
    ];
    let columns =
        [Message::ComparedColumn, Message::Inference, Message::Training].map(|name| (page.say(name), Numbers::No));
    html! {
        <table class="comparison">
            <caption>{ page.say(Message::ComparisonCaption) }</caption>
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
    if exposed.0 > 0.0 { format::seconds(exposed) } else { page.say(Message::Nothing).to_owned() }
}

/// The answer with twice of what some controls hold; those that were left to their default follow by themselves.
fn doubled(page: &Page, controls: &[Control]) -> Option<Report> {
    let edits: Vec<_> = controls
        .iter()
        .enumerate()
        .filter_map(|(index, control)| {
            let Kind::Number { effective, .. } = control.0.kind else { return None };
            let given =
                super::edit::given(&page.state.scenario, control.0.id).is_some_and(|value| value != Value::Null);
            let doubles = index == 0 || given;
            let value = effective(&page.state.answer)?;
            doubles.then(|| control.number_edits(Some(value * 2.0)))
        })
        .flatten()
        .collect();
    let scenario = edited(&page.state.scenario, &edits).ok()?;
    Answer::to(&scenario).ok().map(|answer| answer.report)
}

//! Stages: what one GPU of each pipeline stage holds, on one scale, and why the largest is the largest.

use std::rc::Rc;

use vram_ledger::answer::StageReport;
use vram_ledger::estimate::TrainingMemory;
use vram_ledger::insight::stages::{AccountGroup, Cause, Reason, causes, split_in_stages};
use vram_ledger::ledger::Account;
use vram_ledger::names::Schedule;
use vram_ledger::plan::TrainingPlan;
use vram_ledger::text;
use vram_ledger::units::Bytes;
use vram_ledger::words::Text;
use yew::prelude::*;

use crate::page::context::Page;
use crate::page::context::elements::{button, paragraph, span};
use crate::page::context::segments::segments;
use crate::page::context::state::Action;
use crate::page::format;
use crate::page::views::pieces::selectable_bar::{Bar, Looking, explained};
use crate::page::views::pieces::stacked_bars::{self, Scale, legend};
use crate::page::views::pieces::table::{Numbers, cell, head, row_head, scrolling};
use crate::page::views::timeline;

/// The view.
pub fn view(page: &Page, looking: &Looking) -> Html {
    let answer = &page.state.answer;
    let (Some(training), Ok(plan)) = (&answer.memory().training, &answer.settled().training) else {
        return stacked_bars::no_training(page);
    };
    let stages = training.stages.as_slice();
    let causes = causes(stages, training.peak.stage);
    // Where all hold the same, none is marked.
    let because = causes.first();
    let largest = stages.iter().map(|stage| stage.accounts.total()).fold(Bytes::ZERO, |a, b| if b > a { b } else { a });
    let scale = Scale::of(page, largest);
    let bars = stages.iter().map(|stage| &stage.accounts);
    html! {
        <div class="stages">
            { match stages {
                [stage] => one_stage(page, stage),
                _ => words(page, training, plan, &causes),
            } }
            <div class="drawing">
                { for stages.iter().map(|stage| {
                    row(page, looking, stage, scale, because.filter(|_| stage.stage == training.peak.stage))
                }) }
                { under(page, scale) }
            </div>
            { legend(page, bars) }
            { explained(
                page,
                looking,
                |looked| stages.get(looked.stage).map_or(Vec::new(), |stage| stage.entries.clone()),
                |looked, amount| {
                    let account = page.language().account(looked.account);
                    page.fill(text!(phases::STAGE_HOLDS), &[account, amount, &looked.stage.to_string()])
                },
            ) }
            { table(page, training, because.is_none()) }
            <p class="note">{ page.say(text!(stages::NOTE)) }</p>
        </div>
    }
}

/// Why the largest is the largest, what the schedule has to do with it, and how far the smallest is below.
fn words(page: &Page, training: &TrainingMemory, plan: &TrainingPlan, causes: &[Cause]) -> Html {
    let stages = &training.stages;
    let unit = page.state.settings.unit;
    let Some(peak) = stages.get(training.peak.stage) else { return Html::default() };
    let amount = |stage: &StageReport| unit.amount(stage.accounts.total());
    let [cause, rest @ ..] = causes else {
        let all_alike = page.fill(text!(stages::ALIKE), &[&amount(peak)]);
        let schedule = page.say(of_schedule(plan.schedule));
        return html! { <>{ paragraph("finding", all_alike) }<p>{ schedule }</p></> };
    };
    let phase = page.say(timeline::name(peak.peak_phase, peak.head));
    let finding =
        page.fill(text!(stages::FINDING), &[&peak.stage.to_string(), &amount(peak), phase, &in_short(page, cause)]);
    let [here, elsewhere] = [cause.here, cause.elsewhere].map(|bytes| unit.amount(bytes));
    let mut sentences = vec![page.fill(text!(stages::DIFFERENCE), &[group(page, cause.group), &here, &elsewhere])];
    sentences.extend(rest.iter().map(|cause| {
        let [here, elsewhere] = [cause.here, cause.elsewhere].map(|bytes| unit.amount(bytes));
        page.fill(text!(stages::BESIDES), &[&in_short(page, cause), group(page, cause.group), &here, &elsewhere])
    }));
    sentences.push(page.say(of_schedule(plan.schedule)).to_owned());
    let least = stages.iter().min_by(|a, b| a.accounts.total().get().total_cmp(&b.accounts.total().get()));
    sentences.extend(least.filter(|least| least.accounts.total() < peak.accounts.total()).map(|least| {
        let spare = unit.amount(peak.accounts.total() - least.accounts.total());
        page.fill(text!(stages::SPREAD), &[&least.stage.to_string(), &amount(least), &spare])
    }));
    html! { <>{ paragraph("finding", finding) }<p>{ page.language().sentences(&sentences) }</p></> }
}

/// What a reason says beside the bar.
fn in_short(page: &Page, cause: &Cause) -> String {
    let unit = page.state.settings.unit;
    match cause.reason {
        Reason::MicroBatches { count, layers } => {
            page.fill(text!(stages::REASON_MICRO_BATCHES), &[&format::grouped(count), &format::grouped(layers)])
        }
        Reason::LayersInFlight(layers) => {
            page.fill(text!(stages::REASON_LAYERS_IN_FLIGHT), &[&format::grouped(layers)])
        }
        Reason::Layers(layers) => page.fill(text!(stages::REASON_LAYERS), &[&format::grouped(layers)]),
        Reason::HeavierLayers => page.say(text!(stages::REASON_HEAVIER_LAYERS)).to_owned(),
        Reason::HeadAndLoss => page.say(text!(stages::REASON_HEAD_AND_LOSS)).to_owned(),
        Reason::Embedding => page.say(text!(stages::REASON_EMBEDDING)).to_owned(),
        Reason::Head => page.say(text!(stages::REASON_HEAD)).to_owned(),
        Reason::BothEnds => page.say(text!(stages::REASON_BOTH_ENDS)).to_owned(),
        Reason::MoreParameters => page.fill(text!(stages::REASON_MORE_PARAMETERS), &[&unit.amount(cause.here)]),
        Reason::Account(account) => page.fill(text!(stages::REASON_ACCOUNT), &[page.language().account(account)]),
    }
}

/// The accounts of a group in words.
fn group(page: &Page, group: AccountGroup) -> &'static str {
    match group {
        AccountGroup::State => page.say(text!(stages::STATE_GROUP)),
        AccountGroup::Ends => page.say(text!(stages::ENDS_GROUP)),
        AccountGroup::Activations => page.language().account(Account::Activations),
        AccountGroup::One(account) => page.language().account(account),
    }
}

/// What a schedule has in flight.
fn of_schedule(schedule: Schedule) -> Text {
    match schedule {
        Schedule::OneForwardOneBackward => text!(stages::HOLDS_1F1B),
        Schedule::GPipe => text!(stages::HOLDS_GPIPE),
        Schedule::Interleaved => text!(stages::HOLDS_INTERLEAVED),
        Schedule::Zb1p | Schedule::Zbv => text!(stages::HOLDS_ZB1P),
        Schedule::Zb2p => text!(stages::HOLDS_ZB2P),
        Schedule::DualPipe => text!(stages::HOLDS_DUALPIPE),
    }
}

/// Where nothing is split by layers: what would do it, with an example to try where one is possible.
fn one_stage(page: &Page, stage: &StageReport) -> Html {
    let example = split_in_stages(page.state.answer.asked());
    html! {
        <>
        { paragraph("finding", page.fill(text!(stages::ONE_STAGE), &[&format::grouped(stage.layers)])) }
        <p>
            { page.say(text!(stages::ONE_STAGE_MEANS)) }{ " " }
            if let Some(example) = example {
                { button(
                    page,
                    Some("apply"),
                    page.say(text!(stages::TRY_STAGES)),
                    Action::Advised(Rc::new(example.scenario)),
                ) }{ " " }
                { span("quiet", page.fill(text!(stages::EXAMPLE_STAGES), &[
                    &example.stages.to_string(), &page.gpus(example.gpus as f64), &example.micro_batches.to_string(),
                ])) }
            }
        </p>
        </>
    }
}

/// A stage: its name, its bar, its size, and for the largest why it is.
fn row(page: &Page, looking: &Looking, stage: &StageReport, scale: Scale, largest: Option<&Cause>) -> Html {
    let total = page.state.settings.unit.amount(stage.accounts.total());
    let name = page.fill(text!(stages::STAGE_NAME), &[&stage.stage.to_string()]);
    let label = format!("{name}: {total}");
    let segments = segments(&stage.accounts, scale.end);
    let bar = Bar { looking, stage: stage.stage, phase: stage.peak_phase, segments: &segments };
    let capacity = scale.at(scale.capacity).map(format::of_width);
    html! {
        <div class={if largest.is_some() { "stage largest" } else { "stage" }}>
            <p class="name"><strong>{ name }</strong>{ " " }{ span("quiet", part_of_the_model(page, stage)) }</p>
            <svg class="stack" height="24" role="group" aria-label={label}>
                { for segments.iter().enumerate().map(|(index, segment)| bar.part(page, index, html! {
                    <rect x={format::of_width(segment.start)} width={format::of_width(segment.length)} height="24">
                        <title>{ stacked_bars::named(page, segment.account, segment.bytes) }</title>
                    </rect>
                })) }
                if let Some(x) = capacity {
                    <line class="capacity" x1={x.clone()} x2={x} y1="-3" y2="27" />
                }
            </svg>
            <p class="amount">{ total }</p>
            if let Some(cause) = largest {
                <p class="why mark">
                    { page.fill(text!(stages::LARGEST_STAGE), &[&in_short(page, cause)]) }
                </p>
            }
        </div>
    }
}

/// What of the model a stage has, and how much of it is in flight.
fn part_of_the_model(page: &Page, stage: &StageReport) -> String {
    let layers = page.fill(
        text!(stages::LAYERS_OF),
        &[&format::grouped(stage.layers), &format::trimmed(stage.layers_in_flight / stage.layers.max(1.0))],
    );
    let ends = [(stage.embedding, text!(stages::EMBEDDING_END)), (stage.head, text!(stages::HEAD_END))];
    ends.into_iter()
        .filter(|(here, _)| *here)
        .fold(layers, |text, (_, end)| text + page.say(text!(amounts::LIST_COMMA)) + page.say(end))
}

/// The line of capacity in words, under the bars.
fn under(page: &Page, scale: Scale) -> Html {
    let text = scale.capacity_in_words(page);
    let Some(at) = scale.at(scale.capacity) else { return paragraph("note", text) };
    // The text hangs to the side on which there is more room.
    let anchor = if at > 0.5 { "end" } else { "start" };
    html! {
        <div class="stage">
            <svg class="capacity-label" height="18" aria-hidden="true">
                <text x={format::of_width(at)} y="14" text-anchor={anchor}>{ text }</text>
            </svg>
        </div>
    }
}

fn table(page: &Page, training: &TrainingMemory, alike: bool) -> Html {
    let unit = page.state.settings.unit;
    let stages = &training.stages;
    let outside = |stage: &StageReport| stage.accounts[Account::Runtime] + stage.accounts[Account::Slack];
    // With the textbook's figures nothing is outside the tensors.
    let has_outside = stages.iter().any(|stage| outside(stage) > Bytes::ZERO);
    let mut columns = vec![
        (text!(stages::STAGE_COLUMN), Numbers::No),
        (text!(stages::PARAMETERS_COLUMN), Numbers::Yes),
        (text!(stages::STATE_COLUMN), Numbers::Yes),
        (text!(stages::ACTIVATIONS_COLUMN), Numbers::Yes),
        (text!(stages::ENDS_COLUMN), Numbers::Yes),
        (text!(stages::BUFFERS_COLUMN), Numbers::Yes),
        (text!(stages::PEAK_COLUMN), Numbers::Yes),
    ];
    if has_outside {
        columns.extend([(text!(stages::OUTSIDE_COLUMN), Numbers::Yes), (text!(stages::DEVICE_COLUMN), Numbers::Yes)]);
    }
    columns.push((text!(phases::COLUMN), Numbers::No));
    let columns: Vec<_> = columns.into_iter().map(|(name, numbers)| (page.say(name), numbers)).collect();
    let row = |stage: &StageReport| {
        let held = |group: AccountGroup| group.bytes(&stage.accounts);
        let [state, activations, ends] = [AccountGroup::State, AccountGroup::Activations, AccountGroup::Ends].map(held);
        let mut bytes =
            vec![state, activations, ends, stage.peak_bytes - (state + activations + ends), stage.peak_bytes];
        if has_outside {
            bytes.extend([outside(stage), stage.accounts.total()]);
        }
        let largest = stage.stage == training.peak.stage && !alike;
        html! {
            <tr class={largest.then_some("selected")}>
                { row_head(stage.stage.to_string()) }
                { cell(format::parameters(stage.parameters), Numbers::Yes) }
                { for bytes.into_iter().map(|bytes| cell(unit.figure(bytes), Numbers::Yes)) }
                { cell(page.say(timeline::name(stage.peak_phase, stage.head)), Numbers::No) }
            </tr>
        }
    };
    let caption = page.fill(text!(stages::CAPTION), &[unit.sign()]);
    let table = html! {
        <table>
            <caption>{ caption }</caption>
            { head(&columns) }
            <tbody>{ for stages.iter().map(row) }</tbody>
        </table>
    };
    scrolling(page.say(text!(stages::TABLE)), table)
}

//! The timeline: what one GPU of the largest stage holds in the phases of an optimiser step, and why it peaks where it
//! does.

use vram_ledger::answer::{Phase, PhaseBytes, StageReport};
use vram_ledger::estimate::TrainingMemory;
use vram_ledger::insight::phases::lead;
use vram_ledger::ledger::Account;
use vram_ledger::text;
use vram_ledger::units::Bytes;
use vram_ledger::words::Text;
use yew::prelude::*;

use crate::page::context::Page;
use crate::page::context::elements::{paragraph, swatch};
use crate::page::context::segments::segments;
use crate::page::format;
use crate::page::views::pieces::selectable_bar::{Bar, Looking, explained};
use crate::page::views::pieces::stacked_bars::{self, Scale, legend, line_key, shown};
use crate::page::views::pieces::table::{Numbers, cell, head, row_head, scrolling};

/// Height of the scale in pixels.
const HEIGHT: f64 = 220.0;
/// Room above it for the amount over a column that reaches its end.
const ABOVE: f64 = 22.0;
/// Part of its place that a column fills.
const FILLED: f64 = 0.84;
/// The least height in which a column says what a segment is.
const LABELLED: f64 = 17.0;

/// The view.
pub fn view(page: &Page, looking: &Looking) -> Html {
    let answer = &page.state.answer;
    let (Some(training), Some(stage)) = (&answer.memory().training, answer.peak_stage()) else {
        return stacked_bars::no_training(page);
    };
    let scale = Scale::of(page, stage.peak_bytes);
    let unit = page.state.settings.unit;
    html! {
        <div class="timeline">
            { words(page, training, stage) }
            <div class="drawing">
                { columns(page, looking, stage, scale) }
                <div class="under">
                    { for stage.phases.iter().map(|phase| html! {
                        <p>
                            { page.say(name(phase.phase, stage.head)) }
                            if phase.phase == stage.peak_phase {
                                <span class="mark">{ " " }{ page.say(text!(timeline::LARGEST_PHASE)) }</span>
                            }
                        </p>
                    }) }
                </div>
            </div>
            { legend(page, stage.phases.iter().map(|phase| &phase.accounts)) }
            <p class="keys">
                { match scale.at(scale.capacity) {
                    Some(_) => line_key("capacity", scale.capacity_in_words(page)),
                    None => paragraph("note", scale.capacity_in_words(page)),
                } }
                { line_key("steady", page.fill(text!(timeline::STEADY_LINE), &[&unit.amount(stage.steady_bytes)])) }
            </p>
            { explained(
                page,
                looking,
                |looked| answer.asked().entries_in(looked.stage, looked.phase),
                |looked, amount| {
                    let account = page.language().account(looked.account);
                    page.fill(text!(phases::PHASE_HOLDS), &[account, amount, page.say(name(looked.phase, stage.head))])
                },
            ) }
            { phases(page, stage) }
            { by_account(page, stage) }
        </div>
    }
}

/// The name of a phase, on a stage with or without the head.
pub fn name(phase: Phase, head: bool) -> Text {
    match phase {
        Phase::Loss if head => text!(phases::LOSS),
        Phase::Loss => text!(phases::FORWARD),
        Phase::Backward => text!(phases::BACKWARD),
        Phase::BackwardEnd => text!(phases::BACKWARD_END),
        Phase::Optimizer => text!(phases::OPTIMIZER),
    }
}

/// What happens in it.
fn happens(phase: Phase, head: bool) -> Text {
    match phase {
        Phase::Loss if head => text!(timeline::IN_LOSS),
        Phase::Loss => text!(timeline::IN_FORWARD),
        Phase::Backward => text!(timeline::IN_BACKWARD),
        Phase::BackwardEnd => text!(timeline::IN_BACKWARD_END),
        Phase::Optimizer => text!(timeline::IN_OPTIMIZER),
    }
}

/// Why it may be the largest.
fn because(phase: Phase, head: bool) -> Text {
    match phase {
        Phase::Loss if head => text!(timeline::PEAK_IN_LOSS),
        Phase::Loss => text!(timeline::PEAK_IN_FORWARD),
        Phase::Backward => text!(timeline::PEAK_IN_BACKWARD),
        Phase::BackwardEnd => text!(timeline::PEAK_IN_BACKWARD_END),
        Phase::Optimizer => text!(timeline::PEAK_IN_OPTIMIZER),
    }
}

/// The largest phase, why it is, and how far it stands above the next one.
fn words(page: &Page, training: &TrainingMemory, stage: &StageReport) -> Html {
    let unit = page.state.settings.unit;
    let say = |phase: Phase| page.say(name(phase, stage.head));
    let finding = page.fill(text!(timeline::FINDING), &[say(stage.peak_phase), &unit.amount(stage.peak_bytes)]);
    let mut sentences = vec![page.say(because(stage.peak_phase, stage.head)).to_owned()];
    sentences.extend(lead(stage).map(|lead| {
        let more: Vec<String> = lead
            .more
            .iter()
            .map(|(account, bytes)| format!("{} + {}", page.language().account(*account), unit.amount(*bytes)))
            .collect();
        let less = unit.amount(stage.peak_bytes - lead.next.bytes);
        let more = more.join(page.say(text!(amounts::LIST_COMMA)));
        page.fill(text!(timeline::AGAINST), &[say(lead.next.phase), &less, &more])
    }));
    let comes_and_goes = [stage.steady_bytes, stage.peak_bytes - stage.steady_bytes].map(|bytes| unit.amount(bytes));
    sentences.push(page.fill(text!(timeline::COMES_AND_GOES), &comes_and_goes.each_ref().map(String::as_str)));
    if training.stages.len() > 1 {
        sentences.push(page.fill(text!(timeline::OF_STAGE), &[&stage.stage.to_string()]));
    }
    sentences.extend(padding(page));
    let device = (training.peak.device_bytes > training.peak.active_bytes).then(|| {
        let device = unit.amount(training.peak.device_bytes);
        paragraph("note", page.fill(text!(timeline::TENSORS), &[&device]))
    });
    html! { <>{ paragraph("finding", finding) }<p>{ page.language().sentences(&sentences) }</p>{ device }</> }
}

/// What padding costs, where there is any.
pub fn padding(page: &Page) -> Option<String> {
    let padding = page.state.answer.searched().training.as_ref()?.padding?;
    let unit = page.state.settings.unit;
    let parts = [
        format::percent(padding.share),
        unit.amount(padding.bytes),
        format::seconds(padding.seconds),
        unit.amount(padding.traffic_bytes),
    ];
    Some(page.fill(text!(timeline::PADDING_COSTS), &parts.each_ref().map(String::as_str)))
}

/// A column a phase, side by side in the order of the step.
fn columns(page: &Page, looking: &Looking, stage: &StageReport, scale: Scale) -> Html {
    let unit = page.state.settings.unit;
    let number = stage.phases.len().max(1) as f64;
    let line = |class: &'static str, bytes: Bytes| {
        scale.at(bytes).map(|at| {
            let y = format::trimmed(height_of(at));
            html! { <line {class} x1="0" x2="100%" y1={y.clone()} y2={y} /> }
        })
    };
    html! {
        <svg
            class="stack" height={format::trimmed(ABOVE + HEIGHT)} role="group"
            aria-label={page.say(text!(timeline::DRAWING))}
        >
            { for stage.phases.iter().enumerate().map(|(index, phase)| {
                let from = (index as f64 + (1.0 - FILLED) / 2.0) / number;
                column(page, looking, stage, phase, scale, [from, FILLED / number])
            }) }
            <line class="ground" x1="0" x2="100%" y1={format::trimmed(height_of(0.0))} y2={format::trimmed(height_of(0.0))} />
            { line("steady", stage.steady_bytes) }
            { line("capacity", scale.capacity) }
            // Above the lines, so that they do not cross it.
            { for stage.phases.iter().enumerate().map(|(index, phase)| {
                let top = scale.at(phase.bytes).map_or(ABOVE, height_of);
                html! {
                    <text
                        class={if phase.phase == stage.peak_phase { "over largest" } else { "over" }}
                        x={format::of_width((index as f64 + 0.5) / number)} y={format::trimmed(top - 6.0)}
                        text-anchor="middle"
                    >
                        { unit.amount(phase.bytes) }
                    </text>
                }
            }) }
        </svg>
    }
}

/// Where a share of the scale stands, from above.
fn height_of(share: f64) -> f64 {
    ABOVE + HEIGHT * (1.0 - share)
}

/// What is held in a phase, from the ground up, between its left end and its width.
fn column(
    page: &Page,
    looking: &Looking,
    stage: &StageReport,
    phase: &PhaseBytes,
    scale: Scale,
    [from, width]: [f64; 2],
) -> Html {
    let segments = segments(&phase.accounts, scale.end);
    let bar = Bar { looking, stage: stage.stage, phase: phase.phase, segments: &segments };
    let drawn = segments.iter().enumerate().map(|(index, segment)| {
        let top = height_of(segment.start + segment.length);
        let height = HEIGHT * segment.length;
        let named = stacked_bars::named(page, segment.account, segment.bytes);
        // Said once: where there is no room for the text, by a title.
        let labelled = height >= LABELLED;
        let part = html! {
            <>
            <rect
                x={format::of_width(from)} width={format::of_width(width)} y={format::trimmed(top)}
                height={format::trimmed(height)}
            >
                if !labelled { <title>{ named.clone() }</title> }
            </rect>
            if labelled {
                <text x={format::of_width(from)} dx="6" y={format::trimmed(top + height / 2.0 + 4.0)} aria-hidden="true">
                    { named }
                </text>
            }
            </>
        };
        bar.part(page, index, part)
    });
    let label =
        format!("{}: {}", page.say(name(phase.phase, stage.head)), page.state.settings.unit.amount(phase.bytes));
    html! { <g role="group" aria-label={label}>{ for drawn }</g> }
}

/// What happens in each phase, and what it takes.
fn phases(page: &Page, stage: &StageReport) -> Html {
    let unit = page.state.settings.unit;
    let columns = [
        (text!(phases::COLUMN), Numbers::No),
        (text!(timeline::HAPPENS_COLUMN), Numbers::No),
        (text!(timeline::HELD_COLUMN), Numbers::Yes),
        (text!(timeline::OVER_STEADY_COLUMN), Numbers::Yes),
    ];
    let row = |phase: &PhaseBytes| {
        let steady = stage.steady_bytes;
        let against = if phase.bytes == steady {
            unit.figure(Bytes::ZERO)
        } else if phase.bytes > steady {
            format!("+ {}", unit.figure(phase.bytes - steady))
        } else {
            format!("− {}", unit.figure(steady - phase.bytes))
        };
        html! {
            <tr class={(phase.phase == stage.peak_phase).then_some("selected")}>
                { row_head(page.say(name(phase.phase, stage.head))) }
                { cell(page.say(happens(phase.phase, stage.head)), Numbers::No) }
                { cell(unit.figure(phase.bytes), Numbers::Yes) }
                { cell(against, Numbers::Yes) }
            </tr>
        }
    };
    let table = html! {
        <table>
            <caption>{ page.fill(text!(timeline::CAPTION), &[unit.sign()]) }</caption>
            { head(&columns.map(|(name, numbers)| (page.say(name), numbers))) }
            <tbody>
                { for stage.phases.iter().map(row) }
                <tr>
                    { row_head(page.say(text!(timeline::BETWEEN_STEPS))) }
                    { cell(page.say(text!(timeline::IN_BETWEEN)), Numbers::No) }
                    { cell(unit.figure(stage.steady_bytes), Numbers::Yes) }
                    { cell(unit.figure(Bytes::ZERO), Numbers::Yes) }
                </tr>
            </tbody>
        </table>
    };
    scrolling(page.say(text!(timeline::TABLE)), table)
}

/// What is held in each phase, account by account.
fn by_account(page: &Page, stage: &StageReport) -> Html {
    let unit = page.state.settings.unit;
    let phases = &stage.phases;
    let mut columns = vec![(page.say(text!(ledger::ACCOUNT_COLUMN)), Numbers::No)];
    columns.extend(phases.iter().map(|phase| (page.say(name(phase.phase, stage.head)), Numbers::Yes)));
    let row = |account: Account| {
        html! {
            <tr>
                <th scope="row">
                    <span class="part">{ swatch(account.name()) }{ page.language().account(account) }</span>
                </th>
                { for phases.iter().map(|phase| {
                    let bytes = phase.accounts[account];
                    cell(if bytes > Bytes::ZERO { unit.figure(bytes) } else { "–".to_owned() }, Numbers::Yes)
                }) }
            </tr>
        }
    };
    let name = page.say(text!(timeline::PHASES_BY_ACCOUNT));
    let table = html! {
        <table>
            <caption>{ format!("{name} ({})", unit.sign()) }</caption>
            { head(&columns) }
            <tbody>{ for shown(phases.iter().map(|phase| &phase.accounts)).map(row) }</tbody>
            <tfoot>
                <tr>
                    { row_head(page.say(text!(ledger::TOTAL))) }
                    { for phases.iter().map(|phase| cell(unit.figure(phase.bytes), Numbers::Yes)) }
                </tr>
            </tfoot>
        </table>
    };
    scrolling(name, table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phase_has_words_of_its_own_on_stages_with_and_without_the_head() {
        for head in [true, false] {
            for texts in [name, happens, because] {
                let said: Vec<Text> = Phase::ALL.map(|phase| texts(phase, head)).to_vec();
                assert!(said.iter().enumerate().all(|(index, text)| !said[..index].contains(text)), "{said:?}");
            }
        }
    }
}

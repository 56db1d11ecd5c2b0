//! What the engine would log, and a pasted log held against it line by line.

use std::rc::Rc;

use vram_ledger::answer::LogFigure;
use vram_ledger::estimate::InferenceSearched;
use vram_ledger::inference::log::{looked_for, read};
use vram_ledger::insight::log::{Adopted, Compared, NoComparison, Reason, Row, compare, lines_of};
use vram_ledger::insight::under_engine;
use vram_ledger::names::{Engine, Name};
use vram_ledger::plan::InferencePlan;
use vram_ledger::text;
use vram_ledger::units::Bytes;
use yew::prelude::*;

use super::requests;
use crate::page::context::elements::{button, paragraph};
use crate::page::context::state::Action;
use crate::page::context::{Page, text_area_value};
use crate::page::format;
use crate::page::views::pieces::table::{Numbers, cell, head, scrolling};

/// The section.
pub fn logs(
    page: &Page,
    searched: &InferenceSearched,
    plan: &InferencePlan,
    pasted: &UseStateHandle<AttrValue>,
) -> Html {
    let oninput = {
        let pasted = pasted.clone();
        Callback::from(move |event: InputEvent| pasted.set(text_area_value(&event).into()))
    };
    html! {
        <section>
            <h3>{ page.say(text!(logs::TITLE)) }</h3>
            { predicted(page, plan.engine) }
            // Of an engine that reserves its cache at the start, this is what it says last.
            if searched.maximum_concurrency < 1.0 && !searched.log.is_empty() {
                { paragraph("short", page.fill(text!(logs::WOULD_STOP), &[&format::grouped(plan.context as f64)])) }
            }
            <p><label for="pasted-log">{ page.fill(text!(logs::PASTE_LOG), &[&read_engines(page)]) }</label></p>
            <textarea
                id="pasted-log" rows="6" spellcheck="false" autocomplete="off" value={(**pasted).clone()} {oninput}
                placeholder="INFO … Model loading took 14.99 GiB …"
            />
            <div role="status">
                if !pasted.trim().is_empty() { { held_against(page, pasted) } }
            </div>
        </section>
    }
}

/// The engines whose logs are read.
fn read_engines(page: &Page) -> String {
    looked_for().map(|(engine, _)| page.language().engine(engine)).collect::<Vec<_>>().join(", ")
}

/// The lines of the engine asked for; where it prints none, those of the first that does.
fn predicted(page: &Page, engine: Engine) -> Html {
    let scenario = &page.state.scenario;
    let (lines, text) = match lines_of(scenario) {
        lines if lines.is_empty() => {
            let other = Engine::ALL.iter().copied().find(|engine| engine.lines().is_some()).unwrap_or_default();
            let names = [page.language().engine(engine), page.language().engine(other)];
            (lines_of(&under_engine(scenario, other).scenario), page.fill(text!(logs::OF_OTHER), &names))
        }
        lines => (lines, page.fill(text!(logs::PREDICTED), &[page.language().engine(engine)])),
    };
    html! { <><p>{ text }</p><pre class="log" tabindex="0">{ lines.join("\n") }</pre></> }
}

fn held_against(page: &Page, pasted: &str) -> Html {
    match compare(&page.state.scenario, pasted) {
        Ok(compared) => html! { <>{ adopted(page, &compared) }{ table(page, &compared) }</> },
        Err(NoComparison::Impossible(error)) => {
            let engine = read(pasted).engine.map_or("", |engine| page.language().engine(engine));
            paragraph("error", page.fill(text!(logs::IMPOSSIBLE_LOG), &[engine, &page.field_error(&error)]))
        }
        Err(NoComparison::NothingKnown) => html! {
            <>
            { paragraph("error", page.say(text!(logs::UNKNOWN_LOG))) }
            <ul>
                { for looked_for().map(|(engine, words)| html! {
                    <li>
                        { page.language().engine(engine) }
                        { for words.iter().map(|words| html! { <>{ " " }<code class="looked">{ *words }</code></> }) }
                    </li>
                }) }
            </ul>
            </>
        },
    }
}

/// What was taken from the log, and the button that takes it into the question.
fn adopted(page: &Page, compared: &Compared) -> Html {
    if compared.adopted.is_empty() {
        return Html::default();
    }
    let sentences: Vec<String> = compared
        .adopted
        .iter()
        .map(|adopted| match *adopted {
            Adopted::Engine(engine) => page.fill(text!(logs::TOOK_ENGINE), &[page.language().engine(engine)]),
            Adopted::Context(tokens) => {
                let [logged, asked] = tokens.map(format::grouped);
                page.fill(text!(logs::TOOK_CONTEXT), &[&logged, &asked])
            }
            Adopted::Slots(counts) => {
                let [logged, asked] = counts.map(format::grouped);
                page.fill(text!(logs::TOOK_SLOTS), &[&logged, &asked])
            }
            Adopted::Devices(counts) => {
                let [logged, here] = counts.map(format::grouped);
                page.fill(text!(logs::TOOK_DEVICES), &[&logged, &here])
            }
            Adopted::Fraction(shares) => {
                let [logged, here] = shares.map(format::trimmed);
                page.fill(text!(logs::TOOK_FRACTION), &[&logged, &here])
            }
        })
        .collect();
    let take = Action::Advised(Rc::new(compared.scenario.clone()));
    html! {
        <p>
            { page.language().sentences(&sentences) }{ " " }
            { button(page, Some("apply"), page.say(text!(logs::TAKE_THESE)), take) }
        </p>
    }
}

fn table(page: &Page, compared: &Compared) -> Html {
    let columns = [
        (text!(logs::FIGURE_COLUMN), Numbers::No),
        (text!(logs::PREDICTED_COLUMN), Numbers::Yes),
        (text!(logs::LOGGED_COLUMN), Numbers::Yes),
        (text!(logs::DIFFERENCE_COLUMN), Numbers::Yes),
    ]
    .map(|(name, numbers)| (page.say(name), numbers));
    let caption = page.fill(text!(logs::CAPTION), &[page.language().engine(compared.engine)]);
    // Context and slots are taken from the log, so they have nothing to be compared with.
    let taken = |figure| matches!(figure, LogFigure::Context | LogFigure::Slots);
    let rows = compared.rows.iter().filter(|row| !taken(row.logged.figure));
    let table = html! {
        <table class="logged">
            <caption>{ caption }</caption>
            { head(&columns) }
            { for rows.map(|row| row_of(page, row)) }
        </table>
    };
    scrolling(page.say(text!(logs::TITLE)), table)
}

/// A figure, and under it why it differs and the line it stands in: a column for those would be out of sight on a phone.
fn row_of(page: &Page, row: &Row) -> Html {
    let figure = row.logged.figure;
    let value = |value: f64| shown(page, figure, value);
    let predicted = row.predicted.map_or_else(|| "–".to_owned(), value);
    let difference = row
        .predicted
        .map_or_else(|| "–".to_owned(), |predicted| difference(figure, row.logged.value - predicted, predicted));
    let why: Vec<String> = row.reasons.iter().map(|why| reason(page, *why)).collect();
    let same = matches!(row.reasons[..], [Reason::Same]);
    html! {
        <tbody>
            <tr>
                <th scope="rowgroup">{ page.language().log_figure(figure) }</th>
                { cell(predicted, Numbers::Yes) }
                { cell(value(row.logged.value), Numbers::Yes) }
                { cell(if same { "0".to_owned() } else { difference }, Numbers::Yes) }
            </tr>
            <tr>
                <td colspan="4">
                    { why.join(page.say(text!(amounts::LIST_COMMA))) }
                    { for row.logged.line.lines().map(|line| html! { <code>{ line.to_owned() }</code> }) }
                </td>
            </tr>
        </tbody>
    }
}

/// A figure as people compare it.
fn shown(page: &Page, figure: LogFigure, value: f64) -> String {
    match figure {
        _ if figure.is_bytes() => page.state.settings.unit.any_amount(Bytes::whole(value)),
        LogFigure::Fraction => format::trimmed(value),
        LogFigure::Requests => requests(value),
        _ => format::grouped(value),
    }
}

/// How far the log is from the prediction: in percent, and exact.
fn difference(figure: LogFigure, by: f64, of: f64) -> String {
    let sign = if by < 0.0 { "−" } else { "+" };
    let amount = match figure {
        _ if figure.is_bytes() => format!("{} B", format::grouped(by.abs())),
        LogFigure::Fraction | LogFigure::Requests => format::trimmed(by.abs()),
        _ => format::grouped(by.abs()),
    };
    if of == 0.0 {
        return format!("{sign}{amount}");
    }
    let percent = by.abs() / of * 100.0;
    format!("{sign}{percent:.1} % ({sign}{amount})")
}

fn reason(page: &Page, reason: Reason) -> String {
    let language = page.language();
    let unit = page.state.settings.unit;
    let signed =
        |bytes: f64| format!("{}{}", if bytes < 0.0 { "−" } else { "+" }, unit.any_amount(Bytes::whole(bytes.abs())));
    match reason {
        Reason::Same => page.say(text!(logs::WHY_SAME)).to_owned(),
        Reason::Close => page.say(text!(logs::WHY_CLOSE)).to_owned(),
        Reason::NotPredicted => page.say(text!(logs::WHY_NOT_PREDICTED)).to_owned(),
        Reason::WeightFormat(format) => page.fill(text!(logs::WHY_WEIGHT_FORMAT), &[language.weight_format(format)]),
        Reason::Ranks(ranks) => page.fill(text!(logs::WHY_RANKS), &[&ranks.to_string()]),
        Reason::MoreLoaded => page.say(text!(logs::WHY_MORE_LOADED)).to_owned(),
        Reason::LessLoaded => page.say(text!(logs::WHY_LESS_LOADED)).to_owned(),
        Reason::CacheFormat(format) => page.fill(text!(logs::WHY_CACHE_FORMAT), &[language.cache_format(format)]),
        Reason::Cells(times) => page.fill(text!(logs::WHY_CELLS), &[&format::trimmed(times)]),
        Reason::Follows(figure) => page.fill(text!(logs::WHY_FOLLOWS), &[language.log_figure(figure)]),
        Reason::Part(figure, bytes) => page.fill(text!(logs::WHY_PART), &[language.log_figure(figure), &signed(bytes)]),
        Reason::Rest(bytes) => page.fill(text!(logs::WHY_REST), &[&signed(bytes)]),
        Reason::Sequences(count) => page.fill(text!(logs::WHY_SEQUENCES), &[&format::grouped(count as f64)]),
        Reason::WideRange => page.say(text!(logs::WHY_WIDE_RANGE)).to_owned(),
        Reason::OtherDevice => page.say(text!(logs::WHY_OTHER_DEVICE)).to_owned(),
    }
}

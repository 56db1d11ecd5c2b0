//! Scaling: the same question with other numbers of GPUs, as curves and as a table.

mod pictures;

use std::rc::Rc;

use vram_ledger::estimate::Asked;
use vram_ledger::insight::scaling::{Row, SHARDINGS, Study, study};
use vram_ledger::names::Sharding;
use vram_ledger::scenario::Scenario;
use vram_ledger::text;
use vram_ledger::words::Language;
use yew::prelude::*;

use crate::page::answer::link_name;
use crate::page::context::settings::Theme;
use crate::page::format::{self, MemoryUnit};
use crate::page::views::pieces::curve::{Curve, Picture};

/// What the view is drawn from.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The question; its number of GPUs is replaced.
    pub scenario: Rc<Scenario>,
    /// The GPU, as short as people say it.
    pub gpu: AttrValue,
    /// The language shown.
    pub language: Language,
    /// The unit of memory.
    pub unit: MemoryUnit,
    /// Light or dark, where somebody chose.
    pub theme: Option<Theme>,
}

/// State, peak and waiting share against GPUs.
#[component]
pub fn Scaling(props: &Props) -> Html {
    let Props { language, theme, unit, .. } = *props;
    let asked = (Rc::clone(&props.scenario), props.gpu.clone(), language, unit);
    let shown = use_memo(asked, |(scenario, gpu, language, unit)| {
        let study = study(&Asked::new(Scenario::clone(scenario)).ok()?);
        let pictures = (!study.rows.is_empty()).then(|| {
            [pictures::state(&study, gpu, *language, *unit), pictures::waiting(&study, *language)].map(Picture::new)
        });
        Some((study, pictures))
    });
    let Some((study, pictures)) = shown.as_ref() else { return Html::default() };
    let Some([state, waiting]) = pictures else {
        return html! { <>{ left_out(study, language) }<p>{ language.say(text!(scaling::NO_TRAINING)) }</p></> };
    };
    html! {
        <div class="scaling">
            <Curve
                picture={state.clone()} title={language.say(text!(scaling::STATE_CURVE))} {language} {theme}
                words={pictures::state_words(study, language, unit)}
            />
            <p>{ language.say(text!(scaling::STATE_LESSON)) }</p>
            <Curve
                picture={waiting.clone()} title={language.say(text!(scaling::WAITING_CURVE))} {language} {theme} low=true
                words={pictures::waiting_words(study, language)}
            />
            if let Some(gpus) = study.parting() {
                <p>{ language.fill(text!(scaling::CROSSOVER), &[&format::grouped(gpus as f64)]) }</p>
            }
            { left_out(study, language) }
            { table(study, language, unit) }
        </div>
    }
}

/// What the curves and the table do not have.
fn left_out(study: &Study, language: Language) -> Html {
    if study.without.is_empty() {
        return Html::default();
    }
    let counts: Vec<String> = study.without.iter().map(|count| format::grouped(*count as f64)).collect();
    let counts = counts.join(language.say(text!(amounts::LIST_COMMA)));
    let note = language.fill(text!(scaling::LEFT_OUT), &[&counts]);
    let reason = study.reason.as_ref().map(|reason| language.field_error(reason));
    html! { <p class="note">{ note }{ " " }{ reason }</p> }
}

fn table(study: &Study, language: Language, unit: MemoryUnit) -> Html {
    let columns = [text!(scaling::PEAK_PER_GPU), text!(scaling::STEP_TIME), text!(scaling::WAITING_SHARE)];
    let states = language.fill(text!(scaling::STATE_BY_SHARDING), &[language.say(text!(scaling::STATE_PER_GPU))]);
    html! {
        <div class="scroll" role="region" tabindex="0" aria-label={language.say(text!(scaling::CAPTION))}>
            <table>
                <caption>{ language.say(text!(scaling::CAPTION)) }</caption>
                <thead>
                    <tr>
                        <th scope="col" rowspan="2" class="number">{ language.say(text!(scaling::GPUS_COLUMN)) }</th>
                        <th scope="colgroup" colspan="4" class="spanning">{ states }</th>
                        { for columns.iter().map(|name| html! {
                            <th scope="col" rowspan="2" class="number">{ language.say(*name) }</th>
                        }) }
                        <th scope="col" rowspan="2" class="number">
                            { language.fill(text!(scaling::OVER_NETWORK), &[link_name(&study.networks[1])]) }
                        </th>
                    </tr>
                    <tr>
                        { for SHARDINGS.iter().map(|sharding| html! {
                            <th scope="col" class={number(study, *sharding)}>
                                { language.sharding_in_short(*sharding) }
                            </th>
                        }) }
                    </tr>
                </thead>
                <tbody>{ for study.rows.iter().map(|row| cells(study, row, unit)) }</tbody>
            </table>
        </div>
    }
}

fn cells(study: &Study, row: &Row, unit: MemoryUnit) -> Html {
    let now = row.gpus == study.gpus;
    html! {
        <tr class={now.then_some("now")}>
            <th scope="row" class="number">{ format::grouped(row.gpus as f64) }</th>
            { for SHARDINGS.iter().zip(row.states).map(|(sharding, state)| html! {
                <td class={number(study, *sharding)}>
                    { state.map_or_else(|| "–".to_owned(), |state| unit.amount(state)) }
                </td>
            }) }
            <td class="number">{ unit.amount(row.peak) }</td>
            <td class="number">{ format::seconds(row.step) }</td>
            <td class="number">{ format::percent(row.waiting) }</td>
            <td class="number">{ row.waiting_over_other.map_or_else(|| "–".to_owned(), format::percent) }</td>
        </tr>
    }
}

/// The class of a number, and whether it stands in the column of what is chosen.
fn number(study: &Study, sharding: Sharding) -> Classes {
    classes!("number", (study.sharding == Some(sharding)).then_some("now"))
}

//! Scaling: the same question with other numbers of GPUs.

use std::rc::Rc;

use vram_ledger::report::Report;
use vram_ledger::scenario::{Number, Scenario};
use yew::prelude::*;

use super::core::Answer;
use super::format::{self, MemoryUnit};
use super::language::{Language, Message};

/// What the view is drawn from.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The question; its number of GPUs is replaced.
    pub scenario: Rc<Scenario>,
    /// The language shown.
    pub language: Language,
    /// The unit of memory.
    pub unit: MemoryUnit,
}

/// Numbers of GPUs in the table; 1, 8 and 64 are the well-known points.
const POINTS: [u32; 5] = [1, 8, 64, 512, 4096];

/// The question with this number of GPUs; `None` where it has no training half then.
fn with_gpus(scenario: &Scenario, gpus: u32) -> Option<Report> {
    let mut scenario = scenario.clone();
    scenario.cluster_mut().gpus = Some(Number::from(gpus));
    Answer::to(&scenario).ok().map(|answer| answer.report).filter(|report| report.training.is_some())
}

/// State, peak and waiting share against GPUs.
#[component]
pub fn Scaling(props: &Props) -> Html {
    let rows = use_memo(Rc::clone(&props.scenario), |scenario| POINTS.map(|gpus| (gpus, with_gpus(scenario, gpus))));
    let language = props.language;
    let columns = [Message::StatePerGpu, Message::PeakPerGpu, Message::StepTime, Message::WaitingShare];
    html! {
        <table class="scaling">
            <caption>{ language.say(Message::ScalingCaption) }</caption>
            <thead>
                <tr>
                    <th scope="col" class="number">{ language.say(Message::GpusColumn) }</th>
                    { for columns.iter().map(|name| html! { <th scope="col" class="number">{ language.say(*name) }</th> }) }
                </tr>
            </thead>
            <tbody>
                { for rows.iter().map(|(gpus, report)| html! {
                    <tr>
                        <th scope="row" class="number">{ format::grouped(f64::from(*gpus)) }</th>
                        { cells(report.as_ref(), language, props.unit) }
                    </tr>
                }) }
            </tbody>
        </table>
    }
}

fn cells(report: Option<&Report>, language: Language, unit: MemoryUnit) -> Html {
    let training = report.and_then(|report| report.training.as_ref());
    let stage = training.and_then(|training| training.stages.get(training.peak.stage));
    match (training, stage) {
        (Some(training), Some(stage)) => {
            let texts = [
                unit.amount(stage.state.total),
                unit.amount(training.peak.device_bytes),
                format::seconds(training.step.seconds),
                format::percent(training.step.waiting_share),
            ];
            texts.into_iter().map(|text| html! { <td class="number">{ text }</td> }).collect()
        }
        _ => html! { <td colspan="4">{ language.say(Message::LayoutDoesNotDivide) }</td> },
    }
}

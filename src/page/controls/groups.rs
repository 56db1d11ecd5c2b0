//! Everything beyond the five sliders: three choices in sight, the rest in labelled groups that open.

use yew::prelude::*;

use super::super::Page;
use super::super::language::Message;
use super::*;

/// A group that opens, by its heading and its controls.
const GROUPS: [(Message, &[Control]); 3] = [
    (
        Message::TrainingSettings,
        &[
            MICRO_BATCH,
            GLOBAL_BATCH,
            TRAINING_SEQUENCE,
            TRAINING_TENSOR,
            SEQUENCE_PARALLEL,
            RECOMPUTE,
            TRAINING_ATTENTION,
            KERNELS,
            LOSS,
            LOSS_CHUNKS,
            OPTIMIZER,
            DROPOUT,
        ],
    ),
    (
        Message::ServingSettings,
        &[CONTEXT, CONCURRENCY, WEIGHTS, CACHE, PREFILL_CHUNK, SERVING_TENSOR, SERVING_ATTENTION],
    ),
    (Message::ClusterSettings, &[GPUS_PER_NODE, NETWORK]),
];

/// The choices in sight and the groups.
pub fn groups(page: &Page) -> Html {
    html! {
        <>
        { model::paste(page) }
        <div class="groups">
            { for [FRAMEWORK, RECIPE, SHARDING].into_iter().map(|control| one(page, control)) }
            { for GROUPS.iter().map(|(heading, controls)| html! {
                <details>
                    <summary>{ page.say(*heading) }</summary>
                    <div class="group">{ for controls.iter().map(|control| one(page, *control)) }</div>
                </details>
            }) }
        </div>
        </>
    }
}

/// A control by its kind.
fn one(page: &Page, control: Control) -> Html {
    match control.0.kind {
        _ if control == NETWORK => choice::network(page),
        Kind::Number { .. } => field::labelled(page, control),
        Kind::Choice { .. } => choice::labelled(page, control),
        Kind::Switch { .. } => choice::switch(page, control),
        Kind::Config | Kind::Own => Html::default(),
    }
}

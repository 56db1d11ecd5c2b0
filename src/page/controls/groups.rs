//! Everything beyond the five sliders: three choices in sight, the rest in labelled groups that open. What is in the
//! groups comes after the first answer.

use vram_ledger::text;
use vram_ledger::words::Text;
use yew::prelude::*;

use super::*;
use crate::page::context::Page;
use crate::page::fields::*;

/// The groups, by their headings.
const GROUPS: [Text; 4] =
    [text!(settings::TRAINING), text!(settings::LAYOUT), text!(settings::SERVING), text!(settings::CLUSTER)];

/// What is in each.
const CONTROLS: [&[Control]; GROUPS.len()] = [
    &[
        MICRO_BATCH,
        GLOBAL_BATCH,
        TRAINING_SEQUENCE,
        PACKING,
        RECOMPUTE,
        RECOMPUTE_LAYERS,
        TRAINING_ATTENTION,
        KERNELS,
        LOSS,
        LOSS_CHUNKS,
        OPTIMIZER,
        OPTIMIZER_STEP,
        OPTIMIZER_IN_BACKWARD,
        PAGED_OPTIMIZER,
        FUSED_ACCUMULATION,
        COMPUTE,
        REDUCE_DTYPE,
        VOCAB_MULTIPLE,
        DROPOUT,
        OFFLOAD,
        ACTIVATION_OFFLOAD,
        ADAPTER,
        ADAPTER_RANK,
    ],
    &[
        TRAINING_TENSOR,
        SEQUENCE_PARALLEL,
        PIPELINE,
        SCHEDULE,
        VIRTUAL_STAGES,
        CONTEXT_PARALLEL,
        CONTEXT_METHOD,
        EXPERT_PARALLEL,
        EXPERT_TENSOR,
        EXPERT_CAPACITY,
        EXPERT_IMBALANCE,
        EXPERT_DISPATCH,
        SHARD_GROUP,
        RESHARD,
        ZERO_PLUS_WEIGHTS,
        ZERO_PLUS_GRADIENTS,
        ZERO_PLUS_COPY,
        TENSOR_OVERLAP,
        DATA_OVERLAP,
    ],
    // Those of serving stand in parts of their own.
    &[],
    &[GPUS_PER_NODE, NETWORK, NETWORK_VIEW, CONVENTION, RUN_TOKENS, PRICE, MTBF, STORAGE],
];

/// The choices in sight and the groups.
pub fn groups(page: &Page) -> Html {
    html! {
        <>
        { model::paste(page) }
        <div class="groups">
            { for [FRAMEWORK, RECIPE, SHARDING].into_iter().map(|control| choice::labelled(page, control)) }
            { for GROUPS.iter().enumerate().map(|(index, heading)| html! {
                <details>
                    <summary>{ page.say(*heading) }</summary>
                    { page.once_here(|views| (views.group)(page, index)) }
                </details>
            }) }
        </div>
        </>
    }
}

/// Every control of each group, in order.
#[cfg(test)]
pub(super) fn controls() -> impl Iterator<Item = Control> {
    CONTROLS.into_iter().flatten().copied().chain(serving::controls())
}

/// What is in a group.
pub fn group(page: &Page, index: usize) -> Html {
    if CONTROLS[index].is_empty() {
        return serving::group(page);
    }
    html! { <div class="group">{ for CONTROLS[index].iter().map(|control| one(page, *control)) }</div> }
}

/// A control by its kind.
pub(super) fn one(page: &Page, control: Control) -> Html {
    match control.0.kind {
        _ if control == NETWORK => choice::network(page),
        Kind::Number { .. } => field::labelled(page, control),
        Kind::Choice { .. } => choice::labelled(page, control),
        Kind::Switch { .. } => choice::switch(page, control),
        Kind::Config | Kind::Own => Html::default(),
    }
}

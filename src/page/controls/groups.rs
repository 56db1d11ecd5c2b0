//! Everything beyond the five sliders: three choices in sight, the rest in labelled groups that open. What is in the
//! groups comes after the first answer.

use vram_ledger::scenario::{Section, SettingId};
use vram_ledger::text;
use vram_ledger::words::Text;
use yew::prelude::*;

use super::*;
use crate::page::context::Page;
use crate::page::fields::*;

/// The groups, by their headings, each with the section whose controls are in it; serving has sections of its own.
const GROUPS: [(Text, Option<Section>); 4] = [
    (text!(settings::TRAINING), Some(Section::Training)),
    (text!(settings::LAYOUT), Some(Section::Layout)),
    (text!(settings::SERVING), None),
    (text!(settings::CLUSTER), Some(Section::Cluster)),
];

/// The choices in sight and the groups.
pub fn groups(page: &Page) -> Html {
    html! {
        <>
        { model::paste(page) }
        <div class="groups">
            { for controls(Section::InSight).map(|control| choice::labelled(page, control)) }
            { for GROUPS.iter().enumerate().map(|(index, (heading, _))| html! {
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
pub(super) fn in_groups() -> impl Iterator<Item = Control> {
    GROUPS.into_iter().filter_map(|(_, section)| section).flat_map(controls).chain(serving::all())
}

/// What is in a group.
pub fn group(page: &Page, index: usize) -> Html {
    match GROUPS[index].1 {
        Some(section) => html! {
            <div class="group">{ for controls(section).map(|control| one(page, control)) }</div>
        },
        None => serving::group(page),
    }
}

/// A control by what it takes.
pub(super) fn one(page: &Page, control: Control) -> Html {
    match control.kind() {
        Kind::Number(_) => field::labelled(page, control),
        Kind::Choice(_) => choice::labelled(page, control),
        Kind::Switch => choice::switch(page, control),
        Kind::Own if control == SettingId::Network.into() => choice::network(page),
        Kind::Own | Kind::Text => Html::default(),
    }
}

//! The precision lab: what becomes of small updates.

use yew::prelude::*;

use super::language::{Language, Message};

/// What the view is drawn from.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The language shown.
    pub language: Language,
}

/// The lab.
#[component]
pub fn PrecisionLab(props: &Props) -> Html {
    html! { <p>{ props.language.say(Message::WhyMasterWeights) }</p> }
}

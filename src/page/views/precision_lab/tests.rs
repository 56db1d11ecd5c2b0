//! The view after something was done in it.

use vram_ledger::words::Language;
use yew::prelude::*;

use super::state::{Action, Field};
use super::{Lab, PrecisionLab};
use crate::page::tests;

#[derive(Clone, PartialEq, Properties)]
struct Props {
    language: Language,
    actions: Vec<Action>,
}

/// The view after some actions.
#[component]
fn Shown(props: &Props) -> Html {
    let lab = use_reducer(|| {
        use yew::Reducible;
        let start = std::rc::Rc::new(Lab::default());
        (*props.actions.iter().cloned().fold(start, Lab::reduce)).clone()
    });
    html! { <PrecisionLab {lab} language={props.language} theme={None} /> }
}

#[test]
fn with_a_copy_and_a_refusal() {
    let actions = vec![
        Action::Master(vram_ledger::numerics::Master::Fp32),
        Action::Typed(Field::Update, "abc".into()),
        Action::Entered(Field::Update),
    ];
    tests::snapshot("lab-refusal", &tests::text_of::<Shown>(Props { language: Language::English, actions }));
}

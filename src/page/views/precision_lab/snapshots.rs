//! The view as text, in both languages.

use vram_ledger::words::Language;
use yew::ServerRenderer;
use yew::prelude::*;

use super::state::{Action, Field};
use super::{Lab, PrecisionLab};

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

fn snapshot(name: &str, actions: &[Action]) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    for language in Language::ALL {
        let props = Props { language, actions: actions.to_vec() };
        let html = runtime.block_on(ServerRenderer::<Shown>::with_props(move || props).hydratable(false).render());
        insta::assert_snapshot!(format!("{name}-{}", language.short()), html.replace("><", ">\n<"));
    }
}

#[test]
fn the_opening_setup() {
    snapshot("lab", &[]);
}

#[test]
fn with_a_copy_and_a_refusal() {
    snapshot(
        "lab-refusal",
        &[
            Action::Master(vram_ledger::numerics::Master::Fp32),
            Action::Typed(Field::Update, "abc".into()),
            Action::Entered(Field::Update),
        ],
    );
}

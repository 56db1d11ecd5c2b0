//! The views that nobody needs before the first answer. They are a module of their own (`src/bin/views.rs`), fetched
//! when one of them is first chosen: the page that answers stays small, however many views there come to be.
//!
//! That module is told what to show and answers for itself: it is handed the question as a link and the settings as a
//! query, and asks the same ledger. It stands beside the page's own root in the document, because events of one yew
//! module must not pass through the root of another.

use std::cell::RefCell;
use std::rc::Rc;

use vram_ledger::link;
use web_sys::Element;
use yew::AppHandle;
use yew::prelude::*;

use super::language::Language;
use super::precision_lab::{Lab, PrecisionLab};
use super::scaling::Scaling;
use super::settings::{Settings, View};
use super::state::{Action, Start, State};
use super::{Page, communication, comparison, share, tabs};

/// What the views are drawn from.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The question, and the settings with the view that is chosen.
    pub start: Start,
}

/// The panel of the chosen view.
#[component]
pub fn Views(props: &Props) -> Html {
    let state = use_reducer(|| State::start(props.start.clone()));
    // Kept here, so that the lab is found again as it was left.
    let lab = use_reducer(Lab::default);
    let dispatch = state.dispatcher();
    use_effect_with(props.start.clone(), move |start| dispatch.dispatch(Action::Opened(Box::new(start.clone()))));
    let page = Page { state, bar_width: 0.0 };
    tabs::panel(page.state.settings.view, view(&page, lab))
}

fn view(page: &Page, lab: UseReducerHandle<Lab>) -> Html {
    let settings = &page.state.settings;
    match settings.view {
        // The first module draws the ledger itself.
        View::Ledger => Html::default(),
        View::Communication => communication::view(page),
        View::Scaling => html! {
            <Scaling
                scenario={page.state.scenario.clone()} gpu={page.short_gpu_name()} language={page.language()}
                unit={settings.unit} theme={settings.theme}
            />
        },
        View::PrecisionLab => html! { <PrecisionLab {lab} language={page.language()} theme={settings.theme} /> },
        View::Compare => comparison::view(page),
        View::Share => share::view(page),
    }
}

thread_local! {
    static SHOWN: RefCell<Option<AppHandle<Views>>> = const { RefCell::new(None) };
}

/// Shows a view in `root`: `question` is what stands behind `#` in a link, `query` what stands behind `?`.
pub fn show(root: Element, question: &str, query: &str) {
    // Both were written by the page, which reads them back as they were.
    let (settings, _) = Settings::in_language(Language::default()).read(query);
    let start = Start { question: link::decode(question).map(Rc::new), settings };
    SHOWN.with_borrow_mut(|shown| match shown {
        Some(handle) => handle.update(Props { start }),
        None => *shown = Some(yew::Renderer::<Views>::with_root_and_props(root, Props { start }).render()),
    });
}

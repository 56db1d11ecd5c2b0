//! The views below the card and what else waits for the first answer. Nothing here is called but through [`VIEWS`], so
//! that all of it is one file, which the page fetches after its first answer, however many views there come to be.

mod advice;
mod communication;
mod comparison;
mod curve;
mod explanation;
mod ledger;
mod plan;
mod precision_lab;
mod scaling;
mod selectable_bar;
mod serving;
mod share;
mod stacked_bars;
mod stages;
mod step_line;
mod table;
mod timeline;

use vram_ledger::answer::Half;
use vram_ledger::refusal::FieldError;
use vram_ledger::words::Language;
use yew::prelude::*;

use crate::page::context::Page;
use crate::page::context::settings::View;
use crate::page::context::state::{Refusal, State};
use crate::page::controls;
use crate::page::fields::Control;
use plan::use_search;
use precision_lab::{Lab, PrecisionLab};
use scaling::Scaling;

/// What the first file calls.
pub struct Views {
    /// The chosen view.
    pub chosen: fn(&Page) -> Html,
    /// The field that searches the models; until somebody types it shows the name of the one that is chosen.
    pub model_search: fn(&Page, String) -> Html,
    /// The settings of a group of controls, by its place among them.
    pub group: fn(&Page, usize) -> Html,
    /// The cheapest advice on a half.
    pub cheapest_advice: fn(&Page, Half) -> Html,
    /// The other advice.
    pub other_ways: fn(&Page) -> Html,
    /// Where the time of a step goes.
    pub step: fn(&Page) -> Html,
    /// Where the number that was chosen comes from.
    pub explanation: fn(&Page) -> Html,
    /// A refused field in words.
    pub field_error: fn(Language, &FieldError) -> String,
    /// Why what was entered into a control was not taken, in words.
    pub refusal: fn(&Refusal, Language, &str, Control) -> String,
}

/// The one there is.
pub static VIEWS: Views = Views {
    chosen,
    model_search: controls::search,
    group: controls::group,
    cheapest_advice: advice::cheapest,
    other_ways: advice::other_ways,
    step: step_line::step_line,
    explanation: explanation::panel,
    field_error: Language::field_error,
    refusal: Refusal::text,
};

#[derive(Properties)]
struct Props {
    state: UseReducerHandle<State>,
}

/// The views are drawn anew whenever the page is, which is when its state has changed.
impl PartialEq for Props {
    fn eq(&self, _: &Props) -> bool {
        false
    }
}

fn chosen(page: &Page) -> Html {
    html! { <Chosen state={page.state.clone()} /> }
}

/// The chosen view. A component, so that the lab and a pasted log are found again as they were left.
#[component]
fn Chosen(props: &Props) -> Html {
    let lab = use_reducer(Lab::default);
    let looking = use_state(|| None);
    let pasted = use_state(AttrValue::default);
    // Kept while other views are looked at: a search goes on meanwhile.
    let search = use_search();
    let page = Page::without_bars(props.state.clone());
    let settings = &page.state.settings;
    match settings.view {
        View::Ledger => ledger::view(&page),
        View::Serving => serving::view(&page, &pasted),
        View::Timeline => timeline::view(&page, &looking),
        View::Stages => stages::view(&page, &looking),
        View::Communication => communication::view(&page),
        View::Scaling => html! {
            <Scaling
                scenario={page.state.scenario.clone()} gpu={page.short_gpu_name()} language={page.language()}
                unit={settings.unit} theme={settings.theme}
            />
        },
        View::PrecisionLab => html! { <PrecisionLab {lab} language={page.language()} theme={settings.theme} /> },
        View::Plan => plan::view(&page, &search),
        View::Compare => comparison::view(&page),
        View::Share => share::view(&page),
    }
}

//! The views below the card, and what else waits for the first answer: it is fetched as one part, however many views
//! there come to be. A view is a folder here, a row of [`LIST`], its texts in every language, and its styles.

mod communication;
mod comparison;
mod ledger;
mod pieces;
mod plan;
mod precision_lab;
mod scaling;
mod serving;
mod share;
mod stages;
mod timeline;

use vram_ledger::text;
use vram_ledger::words::{Language, Text};
use yew::prelude::*;

use crate::page::context::Page;
use crate::page::context::later::Views;
use crate::page::context::settings::Tab;
use crate::page::controls;
use crate::page::fields::Refusal;
use pieces::selectable_bar::Looking;
use pieces::{advice, explanation, step_line};
use plan::{Search, use_search};
use precision_lab::{Lab, PrecisionLab};
use scaling::Scaling;

/// A view.
struct View {
    tab: Tab,
    draw: fn(&Page, &Kept) -> Html,
}

/// What is found again as it was left when another view has been looked at.
struct Kept {
    lab: UseReducerHandle<Lab>,
    looking: Looking,
    pasted: UseStateHandle<AttrValue>,
    /// A search goes on meanwhile.
    search: UseReducerHandle<Search>,
}

const fn view(id: &'static str, name: Text, draw: fn(&Page, &Kept) -> Html) -> View {
    View { tab: Tab { id, name, in_header: false }, draw }
}

const fn in_header(view: View) -> View {
    View { tab: Tab { in_header: true, ..view.tab }, ..view }
}

/// Every view, in the order of the tabs. The first is shown where nothing else is asked for, and explains the account
/// that is selected in the card.
const LIST: [View; 10] = [
    view("ledger", text!(ledger::NAME), |page, _| ledger::view(page)),
    view("serving", text!(serving::NAME), |page, kept| serving::view(page, &kept.pasted)),
    view("timeline", text!(timeline::NAME), |page, kept| timeline::view(page, &kept.looking)),
    view("stages", text!(stages::NAME), |page, kept| stages::view(page, &kept.looking)),
    view("communication", text!(communication::NAME), |page, _| communication::view(page)),
    view("scaling", text!(scaling::NAME), |page, _| {
        let settings = &page.state.settings;
        html! {
            <Scaling
                scenario={page.state.scenario.clone()} gpu={page.short_gpu_name()} language={page.language()}
                unit={settings.unit} theme={settings.theme}
            />
        }
    }),
    view("precision", text!(precision_lab::NAME), |page, kept| {
        html! {
            <PrecisionLab lab={kept.lab.clone()} language={page.language()} theme={page.state.settings.theme} />
        }
    }),
    view("plan", text!(plan::NAME), |page, kept| plan::view(page, &kept.search)),
    view("compare", text!(comparison::NAME), |page, _| comparison::view(page)),
    in_header(view("share", text!(share::NAME), |page, _| share::view(page))),
];

/// Their tabs. Who reads these alone does not load what draws.
pub static TABS: [Tab; LIST.len()] = {
    let mut tabs = [LIST[0].tab; LIST.len()];
    let mut index = 1;
    while index < LIST.len() {
        tabs[index] = LIST[index].tab;
        index += 1;
    }
    tabs
};

/// What comes after the first answer.
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

#[derive(PartialEq, Properties)]
struct Props {
    page: Page,
}

fn chosen(page: &Page) -> Html {
    html! { <Chosen page={page.clone()} /> }
}

/// The chosen view. A component, so that it can keep what is found again.
#[component]
fn Chosen(props: &Props) -> Html {
    let kept = Kept {
        lab: use_reducer(Lab::default),
        looking: use_state(|| None),
        pasted: use_state(AttrValue::default),
        search: use_search(),
    };
    let page = &props.page;
    (LIST[page.state.settings.view].draw)(page, &kept)
}

//! The page as a whole, and how it takes the place of the first paint.

use vram_ledger::text;
use web_sys::Element;
use yew::prelude::*;

use super::{address, card, document, header, tabs};
use crate::page::borders::{self, Later};
use crate::page::context::Page;
use crate::page::context::state::{Start, State};
use crate::page::controls;

/// What the page starts from.
#[derive(Clone, Properties)]
pub struct Props {
    /// What the address asks for.
    pub start: Start,
    /// What the page is drawn into and what it then takes the place of; none where it is drawn to text.
    #[prop_or_default]
    pub place: Option<Place>,
}

/// The page is made once.
impl PartialEq for Props {
    fn eq(&self, _: &Props) -> bool {
        true
    }
}

/// What the page is drawn into, and the first paint whose place it takes.
#[derive(Clone)]
pub struct Place {
    live: Element,
    first_paint: Element,
}

impl Place {
    /// Puts the page where the first paint was, under the same id. Drawing may take several frames; were the first
    /// paint cleared before it is done, everything would jump.
    fn take(&self) {
        self.live.set_id(&self.first_paint.id());
        // A place is taken once, while the first paint is still in the document.
        let _ = self.first_paint.replace_with_with_node_1(&self.live);
        if let Some(root) = gloo::utils::document().document_element() {
            // Says to the style sheet, and to whoever waits for it, that the page answers. The name is valid.
            let _ = root.set_attribute("data-app", "ready");
        }
    }
}

/// The page.
#[component]
pub fn App(props: &Props) -> Html {
    let state = use_reducer(|| State::start(props.start.clone()));
    let place = props.place.clone();
    use_effect_with((), move |()| {
        if let Some(place) = place {
            place.take();
        }
    });
    address::use_address(&state);
    document::use_document(&state.settings);
    let bars = use_node_ref();
    let bar_width = document::use_width(&bars);
    document::use_in_sight(state.selected, "explanation");
    let later = borders::use_views(state.settings.view);
    let page = Page { state, bar_width, later };
    if page.state.settings.embed { embedded(&page, &bars) } else { whole(&page, &bars) }
}

fn whole(page: &Page, bars: &NodeRef) -> Html {
    html! {
        <>
        { header::header(page) }
        <main>
            { refused_link(page) }
            <div class="workbench">
                { controls::workbench(page) }
                { card::card(page, bars) }
            </div>
            { tabs::tabs(page) }
        </main>
        </>
    }
}

/// Bars, sliders and verdict alone. A frame is a document of its own, so it has a heading, if only for those who listen.
fn embedded(page: &Page, bars: &NodeRef) -> Html {
    html! {
        <main class="embedded">
            <h1 class="spoken">{ page.say(text!(head::PRODUCT_NAME)) }</h1>
            { refused_link(page) }
            <div class="workbench">
                { card::card(page, bars) }
                { controls::workbench(page) }
            </div>
            if let Later::Here(views) = page.later { { (views.explanation)(page) } }
        </main>
    }
}

fn refused_link(page: &Page) -> Html {
    let Some(error) = &page.state.refused_link else { return Html::default() };
    html! {
        <p class="error" role="alert">
            { page.say(text!(head::LINK_REFUSED)) }{ " " }{ page.field_error(error) }
        </p>
    }
}

/// Puts the page in place of what the document shows until then.
pub fn mount() {
    let document = gloo::utils::document();
    let (Some(first_paint), Ok(live)) = (document.get_element_by_id("app"), document.create_element("div")) else {
        return;
    };
    let place = Place { live: live.clone(), first_paint };
    wasm_bindgen_futures::spawn_local(async {
        let start = address::read().await;
        yew::Renderer::<App>::with_root_and_props(live, Props { start, place: Some(place) }).render();
    });
}

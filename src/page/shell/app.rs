//! The page as a whole, and how it takes the place of the first paint.

use vram_ledger::text;
use wasm_bindgen_futures::spawn_local;
use web_sys::Element;
use yew::prelude::*;

use super::{address, card, document, header, tabs};
use crate::page::context::later::{Fetching, Later, NotFetched};
use crate::page::context::settings::Tab;
use crate::page::context::state::{Start, State};
use crate::page::context::{Once, Page};
use crate::page::controls;

/// What the page starts from. It is made once.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// All of it.
    pub given: Once<Given>,
}

/// What a page is given.
pub struct Given {
    /// What the address asks for.
    pub start: Start,
    /// What is here of what comes after the first answer.
    pub later: Later,
    /// Fetches it.
    pub fetch: fn() -> Fetching,
    /// What the page is drawn into and what it then takes the place of; none where it is drawn to text.
    pub place: Option<Place>,
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
    let given = &props.given;
    let state = use_reducer(|| State::start(given.start.clone()));
    let place = given.place.clone();
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
    let later = use_later(given.later, given.fetch, state.settings.view);
    let page = Page { state, bar_width, later };
    if page.state.settings.embed { embedded(&page, &bars) } else { whole(&page, &bars) }
}

/// What is here of what comes later. It is fetched once the page stands; choosing another view tries again where that
/// failed.
#[hook]
fn use_later(at_first: Later, fetch: fn() -> Fetching, view: usize) -> Later {
    let later = use_state(|| at_first);
    let known = later.clone();
    use_effect_with(view, move |_| {
        if !matches!(*known, Later::Here(_)) {
            spawn_local(async move {
                known.set(fetch().await.map_or_else(|NotFetched| Later::Failed, Later::Here));
            });
        }
    });
    *later
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

/// That the link could not be followed, and why.
pub fn refused_link(page: &Page) -> Html {
    let Some(error) = &page.state.refused_link else { return Html::default() };
    html! {
        <p class="error" role="alert">
            { page.say(text!(head::LINK_REFUSED)) }{ " " }{ page.field_error(error) }
        </p>
    }
}

/// Puts a page with these views in place of what the document shows until then.
pub fn mount(tabs: &'static [Tab], fetch: fn() -> Fetching) {
    let document = gloo::utils::document();
    let (Some(first_paint), Ok(live)) = (document.get_element_by_id("app"), document.create_element("div")) else {
        return;
    };
    let place = Place { live: live.clone(), first_paint };
    spawn_local(async move {
        let start = address::read(tabs).await;
        let given = Once::new(Given { start, later: Later::OnItsWay, fetch, place: Some(place) });
        yew::Renderer::<App>::with_root_and_props(live, Props { given }).render();
    });
}

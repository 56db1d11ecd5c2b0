//! The page: it shows what the ledger answers, and turns what people do into questions.
//!
//! State flows one way: an [`Action`](state::Action) makes a new [`State`], and everything is drawn from that. Most of
//! the page is plain functions from [`Page`] to `Html`; components are only where something is kept or watched.

mod address;
mod advice;
mod card;
mod communication;
mod comparison;
mod controls;
mod core;
mod curve;
mod document;
mod edit;
mod explanation;
mod format;
mod header;
mod ladder;
mod language;
mod later;
mod ledger_table;
mod looking;
mod parts;
mod plan;
mod precision_lab;
mod quantity;
mod rows;
mod scaling;
mod serving;
mod settings;
mod share;
#[cfg(all(test, feature = "ssr"))]
mod snapshots;
mod stacked;
mod stages;
mod state;
mod step_line;
mod table;
mod tabs;
mod text;
mod timeline;
mod views;
mod waiting;

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};
use yew::prelude::*;

use controls::Control;
use language::{Language, Message, Text};
use later::Later;
use parts::paragraph;
use state::{Action, Refusal, Start, State};
use views::Views;
use vram_ledger::scenario::FieldError;

/// What everything is drawn from.
struct Page {
    state: UseReducerHandle<State>,
    /// Width of the bars in pixels.
    bar_width: f64,
    /// What came after the first answer.
    later: Later,
}

impl Page {
    /// For what stands below the bars and is itself what came later.
    fn without_bars(state: UseReducerHandle<State>) -> Page {
        Page { state, bar_width: 0.0, later: Later::Here(&views::VIEWS) }
    }

    fn language(&self) -> Language {
        self.state.settings.language
    }

    fn say(&self, text: impl Text) -> &'static str {
        self.language().say(text)
    }

    fn fill(&self, text: impl Text, parts: &[&str]) -> String {
        self.language().fill(text, parts)
    }

    /// What `draw` makes of what comes after the first answer; before that, or where it did not come, that is said.
    fn once_here(&self, draw: impl FnOnce(&'static Views) -> Html) -> Html {
        match self.later {
            Later::Here(views) => draw(views),
            Later::OnTheirWay => paragraph("note", self.say(Message::ViewOnItsWay)),
            Later::Failed => paragraph("error", self.say(Message::ViewFailed)),
        }
    }

    /// A refused field in words, as soon as there are words for it.
    fn field_error(&self, error: &FieldError) -> String {
        match self.later {
            Later::Here(views) => (views.field_error)(self.language(), error),
            Later::OnTheirWay | Later::Failed => error.field.to_string(),
        }
    }

    /// Why what was entered into a control was not taken, as soon as there are words for it.
    fn refusal(&self, refusal: &Refusal, text: &str, control: Control) -> String {
        match self.later {
            Later::Here(views) => (views.refusal)(self.language(), refusal, text, control),
            Later::OnTheirWay | Later::Failed => text.to_owned(),
        }
    }

    /// A callback that makes something happen.
    fn act<E>(&self, action: Action) -> Callback<E> {
        let dispatch = self.state.dispatcher();
        Callback::from(move |_| dispatch.dispatch(action.clone()))
    }

    /// So many GPUs, in words.
    fn gpus(&self, count: f64) -> String {
        self.language().gpus(count)
    }

    /// The GPU by its full name.
    fn gpu_name(&self) -> String {
        self.state.answer.gpu_name().unwrap_or(self.say(Message::ThisGpu)).to_owned()
    }

    /// The GPU without its size, which the sentence says itself.
    fn short_gpu_name(&self) -> String {
        let name = self.gpu_name();
        let words: Vec<&str> = name.split(' ').collect();
        let size = words.iter().position(|word| *word == "GB").map_or(words.len(), |unit| unit - 1);
        // What a row says in brackets, as "(per GPU)", is for the list and not for a sentence.
        let end = words.iter().position(|word| word.starts_with('(')).unwrap_or(words.len()).min(size);
        words[..end].join(" ").trim_end_matches(',').to_owned()
    }
}

fn input_value(event: &InputEvent) -> String {
    event.target_unchecked_into::<HtmlInputElement>().value()
}

fn text_area_value(event: &InputEvent) -> String {
    event.target_unchecked_into::<HtmlTextAreaElement>().value()
}

fn select_value(event: &Event) -> String {
    event.target_unchecked_into::<HtmlSelectElement>().value()
}

/// Moves the focus to the element of that id.
fn focus(id: &str) {
    if let Some(element) = gloo::utils::document().get_element_by_id(id) {
        // SVG elements have the same method; nothing depends on whether they can take the focus.
        let _ = element.unchecked_into::<HtmlElement>().focus();
    }
}

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
    let later = later::use_views(state.settings.view);
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
            <h1 class="spoken">{ page.say(Message::ProductName) }</h1>
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
            { page.say(Message::LinkRefused) }{ " " }{ page.field_error(error) }
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

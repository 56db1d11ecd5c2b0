//! The page as text: what its tests share.
//!
//! A snapshot holds a component or a view, in English; that Chinese has every text, and that it fits, is a test of its
//! own ([`languages`]).

mod first_paint;
mod languages;
mod shell;
mod views;

use std::rc::Rc;

use serde_json::Value;
use vram_ledger::scenario::Scenario;
use vram_ledger::words::Language;
use yew::prelude::*;
use yew::{BaseComponent, LocalServerRenderer};

use super::context::later::Later;
use super::context::settings::Settings;
use super::context::state::{Start, State};
use super::context::{Once, Page};
use super::fetch_views;
use super::shell::app::{App, Given, Props};
use super::views::{TABS, VIEWS};

/// A component as it stands before anybody has touched it.
pub fn text_of<C: BaseComponent>(props: C::Properties) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let text = LocalServerRenderer::<C>::with_props(props).hydratable(false).render();
    tokio::task::LocalSet::new().block_on(&runtime, text)
}

/// The whole page.
fn whole(start: Start) -> String {
    text_of::<App>(Props {
        given: Once::new(Given { start, later: Later::Here(&VIEWS), fetch: fetch_views, place: None }),
    })
}

/// A page with everything on it that comes later.
pub fn page(state: UseReducerHandle<State>) -> Page {
    Page { state, bar_width: 1154.0, later: Later::Here(&VIEWS) }
}

/// What draws a part of a page.
type Draw = Box<dyn Fn(&Page) -> Html>;

#[derive(PartialEq, Properties)]
struct DrawnProps {
    state: Once<State>,
    draw: Once<Draw>,
}

#[component]
fn Drawn(props: &DrawnProps) -> Html {
    let state = use_reducer(|| State::clone(&props.state));
    (props.draw)(&page(state))
}

/// What is drawn of the page in a state.
fn drawn(state: State, draw: impl Fn(&Page) -> Html + 'static) -> String {
    text_of::<Drawn>(DrawnProps { state: Once::new(state), draw: Once::new(Box::new(draw)) })
}

/// A question of the schema.
pub fn asked(value: Value) -> Scenario {
    Scenario::from_value(&value).expect("a question of the schema")
}

/// Settings with nothing chosen but the language.
pub fn settings(language: Language) -> Settings {
    Settings::in_language(language, &TABS)
}

/// A visit that asks a question.
pub fn start(scenario: Scenario, language: Language) -> Start {
    Start { question: Ok(Rc::new(scenario)), settings: settings(language) }
}

/// Accepts or refuses what is drawn in English. One element a line, so that a difference is seen where it is.
pub fn snapshot(name: &str, html: &str) {
    assert!(!html.contains(" style="), "a style attribute does nothing under the page's content policy");
    insta::assert_snapshot!(name, without_areas(&without_lists(html)).replace("><", ">\n<"));
}

/// A page without the options of its select boxes that are not chosen: the lists are the catalogue's, and make up most
/// of the text.
fn without_lists(html: &str) -> String {
    let mut short = String::new();
    let mut rest = html;
    while let Some(start) = rest.find("<optgroup").into_iter().chain(rest.find("<option")).min() {
        short.push_str(&rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag ends") + 1;
        if rest[start..].starts_with("<optgroup") {
            rest = &rest[end..];
            continue;
        }
        let after = end + rest[end..].find("</option>").expect("an option ends") + "</option>".len();
        if rest[start..end].contains("selected") {
            short.push_str(&rest[start..after]);
        }
        rest = &rest[after..];
    }
    (short + rest).replace("</optgroup>", "")
}

/// A page with the first line alone of what is to be copied: a report is as long as everything else together, and has
/// tests of its own.
fn without_areas(html: &str) -> String {
    const END: &str = "</textarea>";
    let (areas, last) = html.rsplit_once(END).map_or((None, html), |(areas, last)| (Some(areas), last));
    let short = |piece: &str| {
        let (before, area) = piece.split_at(piece.rfind("<textarea").expect("an area begins"));
        format!("{before}{}{END}", area.lines().next().unwrap_or_default())
    };
    areas.into_iter().flat_map(|areas| areas.split(END)).map(short).collect::<String>() + last
}

/// A page without what is in parts that are closed.
fn without_closed_parts(html: &str) -> String {
    const END: &str = "</details>";
    let mut short = String::new();
    let mut rest = html;
    while let Some(start) = rest.find("</summary>") {
        let start = start + "</summary>".len();
        short.push_str(&rest[..start]);
        let mut end = start;
        let mut depth = 1;
        while depth > 0 {
            let closes = end + rest[end..].find(END).expect("a part ends");
            let opens = rest[end..closes].matches("<details").count();
            depth += opens;
            depth -= 1;
            end = closes + END.len();
        }
        rest = &rest[end - END.len()..];
    }
    short + rest
}

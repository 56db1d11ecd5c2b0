//! The address bar: the question behind `#`, the page's settings behind `?`.
//!
//! Everything here that touches the browser is called from effects and events only, so that the page renders without one.

use std::cell::RefCell;
use std::rc::Rc;

use vram_ledger::refusal::FieldError;
use vram_ledger::scenario::Scenario;
use vram_ledger::words::Language;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use crate::page::borders::text;
use crate::page::context::Once;
use crate::page::context::settings::{Settings, Tab};
use crate::page::context::state::{Action, Start, State, opening};
use crate::page::fields::Control;

/// Milliseconds within which changes by the same control share one step of the history.
const ONE_GESTURE: f64 = 1000.0;

/// What the address asks for, on a page with these views. Without a hash that is the opening question.
pub async fn read(tabs: &'static [Tab]) -> Start {
    let location = gloo::utils::window().location();
    let usual = Settings::in_language(browser_language(), tabs);
    let (settings, refused) = usual.read(&location.search().unwrap_or_default());
    let hash = location.hash().unwrap_or_default();
    let question = match refused {
        Some(refused) => Err(refused),
        None => question_of(&hash).await.map(Rc::new),
    };
    Start { question, settings }
}

async fn question_of(hash: &str) -> Result<Scenario, FieldError> {
    if matches!(hash, "" | "#") { Ok(opening()) } else { text::decode(hash.to_owned()).await? }
}

/// The language the browser asks for.
fn browser_language() -> Language {
    let tag = gloo::utils::window().navigator().language();
    tag.and_then(|tag| Language::from_tag(&tag)).unwrap_or_default()
}

/// What the address holds, and the change that was written last.
#[derive(Default)]
struct Written {
    /// The question that the address gave last.
    read: Option<Rc<Scenario>>,
    /// The question that it holds now; none where it holds none that could be followed.
    holds: Option<Rc<Scenario>>,
    by: Option<Control>,
    at: f64,
    /// Counts the changes, so that of two that are on their way the later one stays.
    turn: u32,
}

/// Follows the address, and writes it after every change that is done.
#[hook]
pub fn use_address(state: &UseReducerHandle<State>) {
    let (dispatch, tabs) = (state.dispatcher(), state.settings.tabs);
    use_effect_with((), move |()| {
        let listeners = ["popstate", "hashchange"].map(|event| {
            let dispatch = dispatch.clone();
            gloo::events::EventListener::new(&gloo::utils::window(), event, move |_| {
                let dispatch = dispatch.clone();
                spawn_local(async move { dispatch.dispatch(Action::Opened(Box::new(read(tabs).await))) });
            })
        });
        move || drop(listeners)
    });

    let written = use_mut_ref(Written::default);
    let by = state.changed_by;
    let read = state.in_address.clone();
    let waits = state.sliding || state.refused_link.is_some();
    // Every change makes a new question.
    let asked = Once::from(&state.scenario);
    use_effect_with((asked, state.settings.clone(), waits), move |(scenario, settings, waits)| {
        let mut now = written.borrow_mut();
        let same_reading = match (&now.read, &read) {
            (Some(before), Some(read)) => Rc::ptr_eq(before, read),
            (None, None) => true,
            _ => false,
        };
        if !same_reading {
            (now.read, now.holds) = (read.clone(), read);
        }
        now.turn += 1;
        if !*waits {
            write(scenario, settings, by, &mut now, &written);
        }
    });
}

fn write(
    scenario: &Rc<Scenario>,
    settings: &Settings,
    by: Option<Control>,
    now: &mut Written,
    written: &Rc<RefCell<Written>>,
) {
    let query = settings.query(Some(browser_language()));
    if now.holds.as_ref().is_some_and(|held| Rc::ptr_eq(held, scenario)) {
        rewrite(&query);
        return;
    }
    let at = js_sys::Date::now();
    let same_gesture = by.is_some() && by == now.by && at - now.at < ONE_GESTURE;
    // An embedded page leaves the history of the page around it alone.
    let replaces = same_gesture || settings.embed;
    let (scenario, written, turn) = (Rc::clone(scenario), Rc::clone(written), now.turn);
    let holds = now.holds.clone();
    spawn_local(async move {
        // The page works without a link to it; the next change tries again.
        let Ok(hash) = text::hash_unless_held(holds, Rc::clone(&scenario)).await else { return };
        let mut now = written.borrow_mut();
        if now.turn != turn {
            return;
        }
        match hash {
            None => rewrite(&query),
            Some(hash) => {
                put(&format!("{query}{hash}"), replaces);
                (now.by, now.at) = (by, at);
            }
        }
        now.holds = Some(scenario);
    });
}

/// Makes this the query of the address; its hash stays.
fn rewrite(query: &str) {
    let location = gloo::utils::window().location();
    if location.search().unwrap_or_default() != query {
        put(&format!("{query}{}", location.hash().unwrap_or_default()), true);
    }
}

/// Makes this the address, in the present step of the history or in one of its own.
fn put(query_and_hash: &str, replaces: bool) {
    let window = gloo::utils::window();
    let url = window.location().pathname().unwrap_or_default() + query_and_hash;
    let Ok(history) = window.history() else { return };
    // Where a browser forbids either call (a page opened from a file, too many calls), the address stays behind and
    // nothing else is lost.
    let _ = if replaces {
        history.replace_state_with_url(&JsValue::NULL, "", Some(&url))
    } else {
        history.push_state_with_url(&JsValue::NULL, "", Some(&url))
    };
}

//! The address bar: the question behind `#`, the page's settings behind `?`.
//!
//! Everything here that touches the browser is called from effects and events only, so that the page renders without one.

use std::cell::RefCell;
use std::rc::Rc;

use vram_ledger::refusal::FieldError;
use vram_ledger::scenario::Scenario;
use vram_ledger::words::Language;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use crate::page::borders;
use crate::page::borders::question_text;
use crate::page::context::settings::Settings;
use crate::page::context::state::{Action, Start, State, opening};
use crate::page::fields::Control;

/// Milliseconds within which changes by the same control share one step of the history.
const ONE_GESTURE: f64 = 1000.0;

/// What the address asks for. Without a hash that is the opening question.
pub async fn read() -> Start {
    let location = gloo::utils::window().location();
    let (settings, refused) = Settings::in_language(browser_language()).read(&location.search().unwrap_or_default());
    let hash = location.hash().unwrap_or_default();
    let question = match refused {
        Some(refused) => Err(refused),
        None => question_of(&hash).await.map(Rc::new),
    };
    Start { question, settings }
}

async fn question_of(hash: &str) -> Result<Scenario, FieldError> {
    if matches!(hash, "" | "#") { Ok(opening()) } else { (borders::text().await?.decode)(hash) }
}

/// The language the browser asks for.
fn browser_language() -> Language {
    let tag = gloo::utils::window().navigator().language();
    tag.and_then(|tag| Language::from_tag(&tag)).unwrap_or_default()
}

/// The address of a question with these settings, for a view. The language is named, for whoever opens it.
pub fn link(scenario: &Scenario, settings: &Settings) -> String {
    let base = if cfg!(target_arch = "wasm32") {
        let location = gloo::utils::window().location();
        location.origin().unwrap_or_default() + &location.pathname().unwrap_or_default()
    } else {
        String::new()
    };
    format!("{base}{}{}", settings.query(None), question_text::hash(scenario))
}

/// Copies a text; where the browser does not let a page do that, selects it in its field instead and answers `false`.
pub fn copy(field: &str, text: &str) -> bool {
    let window = gloo::utils::window();
    let clipboard = js_sys::Reflect::get(&window.navigator(), &JsValue::from_str("clipboard"));
    if clipboard.is_ok_and(|clipboard| clipboard.is_object()) {
        // The browser may still refuse; the text stays in its field in any case.
        let _ = window.navigator().clipboard().write_text(text);
        return true;
    }
    if let Some(field) = gloo::utils::document().get_element_by_id(field) {
        field.unchecked_into::<web_sys::HtmlTextAreaElement>().select();
    }
    false
}

/// The question as it was asked: every change makes a new one.
struct Asked(Rc<Scenario>);

impl PartialEq for Asked {
    fn eq(&self, other: &Asked) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
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
    let dispatch = state.dispatcher();
    use_effect_with((), move |()| {
        let listeners = ["popstate", "hashchange"].map(|event| {
            let dispatch = dispatch.clone();
            gloo::events::EventListener::new(&gloo::utils::window(), event, move |_| {
                let dispatch = dispatch.clone();
                spawn_local(async move { dispatch.dispatch(Action::Opened(Box::new(read().await))) });
            })
        });
        move || drop(listeners)
    });

    let written = use_mut_ref(Written::default);
    let by = state.changed_by;
    let read = state.in_address.clone();
    let waits = state.sliding || state.refused_link.is_some();
    let asked = Asked(Rc::clone(&state.scenario));
    use_effect_with((asked, state.settings.clone(), waits), move |(Asked(scenario), settings, waits)| {
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
    spawn_local(async move {
        // The page works without a link to it; the next change tries again.
        let Ok(text) = borders::text().await else { return };
        let mut now = written.borrow_mut();
        if now.turn != turn {
            return;
        }
        // However the present address is written: if it asks the same, it stays as it is.
        let same_question = now.holds.as_ref().is_some_and(|held| (text.same)(held, &scenario));
        if same_question {
            rewrite(&query);
        } else {
            put(&format!("{query}{}", (text.hash)(&scenario)), replaces);
            (now.by, now.at) = (by, at);
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

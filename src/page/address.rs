//! The address bar: the question behind `#`, the page's settings behind `?`.
//!
//! Everything here that touches the browser is called from effects and events only, so that the page renders without one.

use std::rc::Rc;

use vram_ledger::link;
use vram_ledger::scenario::Scenario;
use wasm_bindgen::{JsCast, JsValue};
use yew::prelude::*;

use super::controls::Control;
use super::language::Language;
use super::settings::Settings;
use super::state::{Action, Start, State, opening};

/// Milliseconds within which changes by the same control share one step of the history.
const ONE_GESTURE: f64 = 1000.0;

/// What the address asks for. Without a hash that is the opening question.
pub fn read() -> Start {
    let location = gloo::utils::window().location();
    let (settings, refused) = Settings::in_language(browser_language()).read(&location.search().unwrap_or_default());
    let hash = location.hash().unwrap_or_default();
    let question = match refused {
        Some(refused) => Err(refused),
        None => question_of(&hash).map(Rc::new),
    };
    Start { question, settings }
}

fn question_of(hash: &str) -> Result<Scenario, vram_ledger::scenario::FieldError> {
    if matches!(hash, "" | "#") { Ok(opening()) } else { link::decode(hash) }
}

/// The hash of a question, `#` included; empty for the opening one.
fn hash_of(scenario: &Scenario) -> String {
    if *scenario == opening() { String::new() } else { format!("#{}", link::encode(scenario)) }
}

/// The language the browser asks for.
fn browser_language() -> Language {
    let tag = gloo::utils::window().navigator().language();
    tag.and_then(|tag| Language::from_tag(&tag)).unwrap_or_default()
}

/// The address of a question with these settings. The language is named, for whoever opens it.
pub fn link(scenario: &Scenario, settings: &Settings) -> String {
    let base = if cfg!(target_arch = "wasm32") {
        let location = gloo::utils::window().location();
        location.origin().unwrap_or_default() + &location.pathname().unwrap_or_default()
    } else {
        String::new()
    };
    format!("{base}{}{}", settings.query(None), hash_of(scenario))
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

/// The change that was written last.
#[derive(Default)]
struct Written {
    by: Option<Control>,
    at: f64,
}

/// Follows the address, and writes it after every change that is done.
#[hook]
pub fn use_address(state: &UseReducerHandle<State>) {
    let dispatch = state.dispatcher();
    use_effect_with((), move |()| {
        let listeners = ["popstate", "hashchange"].map(|event| {
            let dispatch = dispatch.clone();
            gloo::events::EventListener::new(&gloo::utils::window(), event, move |_| {
                dispatch.dispatch(Action::Opened(Box::new(read())));
            })
        });
        move || drop(listeners)
    });

    let written = use_mut_ref(Written::default);
    let by = state.changed_by;
    let waits = state.sliding || state.refused_link.is_some();
    use_effect_with((Rc::clone(&state.scenario), state.settings.clone(), waits), move |(scenario, settings, waits)| {
        if !waits {
            write(scenario, settings, by, &mut written.borrow_mut());
        }
    });
}

fn write(scenario: &Scenario, settings: &Settings, by: Option<Control>, written: &mut Written) {
    let window = gloo::utils::window();
    let location = window.location();
    let hash = location.hash().unwrap_or_default();
    let query = settings.query(Some(browser_language()));
    // However the present address is written: if it asks the same, it stays as it is.
    let same_question = question_of(&hash).is_ok_and(|asked| asked == *scenario);
    if same_question && location.search().unwrap_or_default() == query {
        return;
    }
    let hash = if same_question { hash } else { hash_of(scenario) };
    let url = format!("{}{query}{hash}", location.pathname().unwrap_or_default());
    let now = js_sys::Date::now();
    let same_gesture = by.is_some() && by == written.by && now - written.at < ONE_GESTURE;
    let Ok(history) = window.history() else { return };
    // An embedded page leaves the history of the page around it alone. Where a browser forbids either call (a page
    // opened from a file, too many calls), the address stays behind and nothing else is lost.
    let _ = if same_question || same_gesture || settings.embed {
        history.replace_state_with_url(&JsValue::NULL, "", Some(&url))
    } else {
        history.push_state_with_url(&JsValue::NULL, "", Some(&url))
    };
    if !same_question {
        *written = Written { by, at: now };
    }
}

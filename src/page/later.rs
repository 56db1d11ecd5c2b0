//! Fetching the module of the views and telling it what to show.

use std::rc::Rc;

use js_sys::Promise;
use vram_ledger::link;
use vram_ledger::scenario::Scenario;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::Element;
use yew::prelude::*;

use super::language::Message;
use super::settings::{Settings, View};

/// The element beside the page's own root in which the views are drawn.
const ROOT: &str = "views";

#[wasm_bindgen]
extern "C" {
    /// Fetches the module of the views, once; `static/boot.js` has it, which knows the module's address.
    #[wasm_bindgen(js_name = loadViews, catch)]
    fn load_views() -> Result<Promise, JsValue>;

    /// The module of the views.
    type Views;

    /// See `views::show`.
    #[wasm_bindgen(method, catch)]
    fn show(this: &Views, root: Element, question: &str, query: &str) -> Result<(), JsValue>;
}

/// Keeps the chosen view in step with the page, if it is one of the later module.
#[hook]
pub fn use_later_view(scenario: &Rc<Scenario>, settings: &Settings) {
    // Only the newest wish counts: while the module is on its way, others may follow.
    let newest = use_mut_ref(|| 0_u32);
    use_effect_with((Rc::clone(scenario), settings.clone()), move |(scenario, settings)| {
        let Some(root) = gloo::utils::document().get_element_by_id(ROOT) else { return };
        let here = settings.view == View::Ledger || settings.embed;
        // The names of attributes are valid, so setting them cannot fail.
        let _ = root.toggle_attribute_with_force("hidden", here);
        if here {
            return;
        }
        let _ = root.set_attribute("aria-label", settings.language.say(settings.view.name()));
        let wish = *newest.borrow() + 1;
        *newest.borrow_mut() = wish;
        let (question, query) = (link::encode(scenario), settings.query(None));
        let (newest, language) = (Rc::clone(&newest), settings.language);
        spawn_local(async move {
            if root.child_element_count() == 0 {
                root.set_text_content(Some(language.say(Message::ViewOnItsWay)));
            }
            let module = match load_views() {
                Ok(promise) => JsFuture::from(promise).await,
                Err(error) => Err(error),
            };
            if *newest.borrow() != wish {
                return;
            }
            let shown = module.and_then(|module| {
                if root.child_element_count() == 0 {
                    root.set_text_content(None);
                }
                module.unchecked_into::<Views>().show(root.clone(), &question, &query)
            });
            if shown.is_err() {
                root.set_text_content(Some(language.say(Message::ViewFailed)));
            }
        });
    });
}

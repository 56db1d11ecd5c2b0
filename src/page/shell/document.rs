//! What the page does to the document around it: language, theme, the size of its bars, the height of its frame.

use js_sys::{Object, Reflect};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{Element, ResizeObserver};
use yew::prelude::*;

use crate::page::context::settings::Settings;

/// Keeps the attributes of the root element in step with the settings, which the style sheet reads, and tells the page
/// around an embedded one how high it has become.
#[hook]
pub fn use_document(settings: &Settings) {
    let now = (settings.language.tag(), settings.theme, settings.embed);
    use_effect_with(now, |(language, theme, embed)| {
        let root = gloo::utils::document().document_element();
        let watch = root.and_then(|root| {
            // These names are valid, so setting them cannot fail.
            let _ = root.set_attribute("lang", language);
            let _ = match theme {
                Some(theme) => root.set_attribute("data-theme", theme.id()),
                None => root.remove_attribute("data-theme"),
            };
            let _ = root.toggle_attribute_with_force("data-embed", *embed);
            if *embed { Watch::new(&root.clone(), move || tell_height(&root)) } else { None }
        });
        move || drop(watch)
    });
}

/// The width of the bars before they are measured: that of the page at its widest.
const WIDEST: f64 = 1154.0;

/// The width of an element in pixels, followed as it changes.
#[hook]
pub fn use_width(element: &NodeRef) -> f64 {
    let width = use_state_eq(|| WIDEST);
    let (element, measured) = (element.clone(), width.clone());
    use_effect_with((), move |()| {
        let watch = element.cast::<Element>().and_then(|element| {
            Watch::new(&element.clone(), move || {
                let width = element.get_bounding_client_rect().width();
                // Hidden, as when printing another view, it has none; the last one is kept.
                if width > 0.0 {
                    measured.set(width.round());
                }
            })
        });
        move || drop(watch)
    });
    *width
}

/// Brings the element of that id into sight whenever `cause` changes, if it is out of it: on a wide screen it stands
/// beside what was chosen and nothing moves.
#[hook]
pub fn use_in_sight<T: PartialEq + 'static>(cause: T, id: &'static str) {
    let first = use_mut_ref(|| true);
    use_effect_with(cause, move |_| {
        if first.replace(false) {
            return;
        }
        let Some(element) = gloo::utils::document().get_element_by_id(id) else { return };
        let height = gloo::utils::window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or_default();
        let place = element.get_bounding_client_rect();
        if place.top() > height - LEAST_IN_SIGHT || place.bottom() < LEAST_IN_SIGHT {
            element.scroll_into_view();
        }
    });
}

/// Pixels of an element that have to be seen for it to be in sight.
const LEAST_IN_SIGHT: f64 = 80.0;

fn tell_height(root: &Element) {
    let message = Object::new();
    let height = root.get_bounding_client_rect().height().ceil();
    for (key, value) in [
        ("type", JsValue::from_str("vram-ledger/resize")),
        ("v", JsValue::from_f64(1.0)),
        ("height", JsValue::from_f64(height)),
    ] {
        // A plain object takes any property.
        let _ = Reflect::set(&message, &JsValue::from_str(key), &value);
    }
    if let Ok(Some(parent)) = gloo::utils::window().parent() {
        // The height is nobody's secret, and who the parent is cannot be known.
        let _ = parent.post_message(&message, "*");
    }
}

/// Calls back whenever an element's size changes, until it is dropped.
struct Watch {
    observer: ResizeObserver,
    _callback: Closure<dyn FnMut()>,
}

impl Watch {
    fn new(element: &Element, callback: impl FnMut() + 'static) -> Option<Watch> {
        let callback = Closure::<dyn FnMut()>::new(callback);
        let observer = ResizeObserver::new(callback.as_ref().unchecked_ref()).ok()?;
        observer.observe(element);
        Some(Watch { observer, _callback: callback })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

//! Taking it elsewhere: the link, the embedded page, the numbers as data.

use vram_ledger::scenario::Scenario;
use vram_ledger::text;
use wasm_bindgen::{JsCast, JsValue};
use yew::prelude::*;

use crate::page::context::Page;
use crate::page::context::question_text;
use crate::page::context::settings::Settings;

/// The view.
pub fn view(page: &Page) -> Html {
    let (scenario, settings) = (&page.state.scenario, &page.state.settings);
    // Who follows the link wants to see what is shared, not this view.
    let mut linked = settings.clone();
    linked.view = 0;
    let address = link(scenario, &linked);
    let mut embedded = linked;
    embedded.embed = true;
    let snippet = embed_snippet(&link(scenario, &embedded), page.say(text!(head::PRODUCT_NAME)));
    let question = format!("{:#}", scenario.to_value());
    let report = serde_json::to_value(page.state.answer.report());
    let report = report.map(|report| format!("{report:#}")).unwrap_or_default();
    let (copy, copied) = (page.say(text!(share::COPY)), page.say(text!(share::COPIED)));
    let texts = [
        ("share-link", text!(share::LINK), address, 2),
        ("share-embed", text!(share::EMBED), snippet, 9),
        ("share-question", text!(share::SCENARIO), question, 6),
        ("share-report", text!(share::REPORT), report, 12),
    ];
    html! {
        <div class="share">
            { for texts.into_iter().map(|(id, label, text, rows)| html! {
                <Copyable {id} label={page.say(label)} {copy} {copied} {text} {rows} />
            }) }
        </div>
    }
}

/// The lines an author pastes: the frame, and a listener that gives it the height it asks for.
fn embed_snippet(address: &str, title: &str) -> String {
    let address = address.replace('&', "&amp;");
    format!(
        "<iframe class=\"vram-ledger\" title=\"{title}\" src=\"{address}\" width=\"100%\" height=\"480\" loading=\"lazy\"></iframe>\n\
         <script>\n\
         addEventListener(\"message\", (event) => {{\n\
         \x20 if (event.data?.type !== \"vram-ledger/resize\") return;\n\
         \x20 for (const frame of document.querySelectorAll(\"iframe.vram-ledger\"))\n\
         \x20   if (frame.contentWindow === event.source) frame.height = event.data.height;\n\
         }});\n\
         </script>"
    )
}

#[derive(PartialEq, Properties)]
struct CopyableProps {
    id: AttrValue,
    label: AttrValue,
    copy: AttrValue,
    copied: AttrValue,
    text: AttrValue,
    rows: u32,
}

/// A text to be copied, selected where the browser does not let the page copy it.
#[component]
fn Copyable(props: &CopyableProps) -> Html {
    let copied = use_state(|| None::<AttrValue>);
    let done = copied.as_ref() == Some(&props.text);
    let onclick = {
        let (id, text, copied) = (props.id.clone(), props.text.clone(), copied.clone());
        Callback::from(move |_: MouseEvent| {
            if copy(&id, &text) {
                copied.set(Some(text.clone()));
            }
        })
    };
    html! {
        <div class="copyable">
            <div class="head">
                <label for={props.id.clone()}>{ &props.label }</label>
                <button type="button" {onclick}>{ if done { &props.copied } else { &props.copy } }</button>
            </div>
            <textarea id={props.id.clone()} readonly=true rows={props.rows.to_string()} value={props.text.clone()} spellcheck="false" />
        </div>
    }
}

/// The address of a question with these settings, for a view. The language is named, for whoever opens it.
fn link(scenario: &Scenario, settings: &Settings) -> String {
    let base = if cfg!(target_arch = "wasm32") {
        let location = gloo::utils::window().location();
        location.origin().unwrap_or_default() + &location.pathname().unwrap_or_default()
    } else {
        String::new()
    };
    format!("{base}{}{}", settings.query(None), question_text::hash(scenario))
}

/// Copies a text; where the browser does not let a page do that, selects it in its field instead and answers `false`.
fn copy(field: &str, text: &str) -> bool {
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

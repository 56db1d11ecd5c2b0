//! The head of the page: name, and the choices that belong to the page rather than to the question.

use vram_ledger::text;
use vram_ledger::words::{Language, Text};
use yew::prelude::*;

use crate::page::context::Page;
use crate::page::context::elements::{button, toggle};
use crate::page::context::settings::{Settings, Theme};
use crate::page::context::state::Action;
use crate::page::format::MemoryUnit;

/// The header.
pub fn header(page: &Page) -> Html {
    let settings = &page.state.settings;
    // One function for all choices, so that it is compiled once.
    let change = |change: &dyn Fn(&mut Settings)| page.with_settings(change);
    let languages = Language::ALL.map(|language| {
        let action = change(&|settings| settings.language = language);
        (language.own_name(), Some(language.tag()), settings.language == language, action)
    });
    let units = [MemoryUnit::Gigabytes, MemoryUnit::Gibibytes].map(|unit| {
        let action = change(&|settings| settings.unit = unit);
        (unit.sign(), None, settings.unit == unit, action)
    });
    let themes = Theme::ALL.map(|theme| {
        let name = page.say(match theme {
            Theme::Light => text!(head::LIGHT),
            Theme::Dark => text!(head::DARK),
        });
        let chosen = settings.theme == Some(theme);
        // Pressed again, the choice is the system's once more.
        let action = change(&|settings| settings.theme = (!chosen).then_some(theme));
        (name, None, chosen, action)
    });
    let places = settings.tabs.iter().enumerate().filter(|(_, tab)| tab.in_header);
    html! {
        <header class="header">
            <h1>{ page.say(text!(head::PRODUCT_NAME)) }</h1>
            <p class="tagline">{ page.say(text!(head::TAGLINE)) }</p>
            <div class="choices">
                { pair(page, text!(head::LANGUAGE_CHOICE), &languages) }
                { pair(page, text!(head::UNIT_CHOICE), &units) }
                { pair(page, text!(head::THEME_CHOICE), &themes) }
                { for places.map(|(view, tab)| {
                    button(page, Some("choice"), page.say(tab.name), change(&|settings| settings.view = view))
                }) }
            </div>
        </header>
    }
}

/// Choices that exclude one another: text, its language where that is another, whether chosen, what choosing does.
fn pair(page: &Page, name: Text, choices: &[(&'static str, Option<&'static str>, bool, Action)]) -> Html {
    html! {
        <div class="choice-pair" role="group" aria-label={page.say(name)}>
            { for choices.iter().map(|(text, lang, chosen, action)| {
                // Only the names of languages are in another language than the page.
                let text = html! { <span lang={*lang}>{ *text }</span> };
                toggle(page, "choice", *chosen, text, action.clone())
            }) }
        </div>
    }
}

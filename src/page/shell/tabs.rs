//! The views below the card, as tabs.

use vram_ledger::text;
use yew::prelude::*;

use crate::page::context::elements::truth;
use crate::page::context::settings::Tab;
use crate::page::context::{Page, focus};

impl Tab {
    fn tab_id(&self) -> String {
        format!("tab-{}", self.id)
    }

    fn panel_id(&self) -> String {
        format!("panel-{}", self.id)
    }
}

/// The row of tabs and the chosen view.
pub fn tabs(page: &Page) -> Html {
    let settings = &page.state.settings;
    let chosen = settings.tab();
    html! {
        <section class="views" aria-label={page.say(text!(views::VIEWS))}>
            <div class="tabs" role="tablist" aria-label={page.say(text!(views::VIEWS))}>
                { for (0..settings.tabs.len()).map(|index| tab(page, index)) }
            </div>
            <div class="panel" role="tabpanel" id={chosen.panel_id()} tabindex="0" aria-labelledby={chosen.tab_id()}>
                { page.once_here(|views| (views.chosen)(page)) }
            </div>
        </section>
    }
}

fn tab(page: &Page, index: usize) -> Html {
    let tabs = page.state.settings.tabs;
    let (tab, chosen) = (&tabs[index], page.state.settings.view == index);
    // The arrow keys choose as they go, which is what tabs do whose panels are there at once.
    let keyed = page.clone();
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        let last = tabs.len() - 1;
        let to = match event.key().as_str() {
            "ArrowLeft" => index.checked_sub(1).unwrap_or(last),
            "ArrowRight" => (index + 1) % tabs.len(),
            "Home" => 0,
            "End" => last,
            _ => return,
        };
        event.prevent_default();
        keyed.state.dispatch(keyed.with_settings(|settings| settings.view = to));
        focus(&tabs[to].tab_id());
    });
    html! {
        <button
            type="button" role="tab" id={tab.tab_id()} class="tab" aria-selected={truth(chosen)}
            aria-controls={tab.panel_id()} tabindex={if chosen { "0" } else { "-1" }}
            onclick={page.act(page.with_settings(|settings| settings.view = index))} {onkeydown}
        >
            { page.say(tab.name) }
        </button>
    }
}

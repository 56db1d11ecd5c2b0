//! The views below the card, as tabs.

use vram_ledger::text;
use vram_ledger::words::Text;
use yew::prelude::*;

use crate::page::context::elements::truth;
use crate::page::context::settings::View;
use crate::page::context::state::Action;
use crate::page::context::{Page, focus};

impl View {
    /// What its tab says.
    pub fn name(self) -> Text {
        match self {
            View::Ledger => text!(ledger::NAME),
            View::Serving => text!(serving::NAME),
            View::Timeline => text!(timeline::NAME),
            View::Stages => text!(stages::NAME),
            View::Communication => text!(communication::NAME),
            View::Scaling => text!(scaling::NAME),
            View::PrecisionLab => text!(precision_lab::NAME),
            View::Plan => text!(plan::NAME),
            View::Compare => text!(comparison::NAME),
            View::Share => text!(share::NAME),
        }
    }

    fn tab_id(self) -> String {
        format!("tab-{}", self.id())
    }

    fn panel_id(self) -> String {
        format!("panel-{}", self.id())
    }

    fn action(self, page: &Page) -> Action {
        let mut settings = page.state.settings.clone();
        settings.view = self;
        Action::Set(settings)
    }
}

/// The row of tabs and the chosen view.
pub fn tabs(page: &Page) -> Html {
    let chosen = page.state.settings.view;
    html! {
        <section class="views" aria-label={page.say(text!(views::VIEWS))}>
            <div class="tabs" role="tablist" aria-label={page.say(text!(views::VIEWS))}>
                { for View::ALL.iter().enumerate().map(|(index, view)| tab(page, index, *view, *view == chosen)) }
            </div>
            <div class="panel" role="tabpanel" id={chosen.panel_id()} tabindex="0" aria-labelledby={chosen.tab_id()}>
                { page.once_here(|views| (views.chosen)(page)) }
            </div>
        </section>
    }
}

fn tab(page: &Page, index: usize, view: View, chosen: bool) -> Html {
    // The arrow keys choose as they go, which is what tabs do whose panels are there at once.
    let actions = View::ALL.map(|view| view.action(page));
    let dispatch = page.state.dispatcher();
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        let last = View::ALL.len() - 1;
        let to = match event.key().as_str() {
            "ArrowLeft" => index.checked_sub(1).unwrap_or(last),
            "ArrowRight" => (index + 1) % View::ALL.len(),
            "Home" => 0,
            "End" => last,
            _ => return,
        };
        event.prevent_default();
        dispatch.dispatch(actions[to].clone());
        focus(&View::ALL[to].tab_id());
    });
    html! {
        <button
            type="button" role="tab" id={view.tab_id()} class="tab" aria-selected={truth(chosen)}
            aria-controls={view.panel_id()} tabindex={if chosen { "0" } else { "-1" }}
            onclick={page.act(view.action(page))} {onkeydown}
        >
            { page.say(view.name()) }
        </button>
    }
}

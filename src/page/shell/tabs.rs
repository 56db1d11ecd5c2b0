//! The views below the card, as tabs.

use yew::prelude::*;

use crate::page::context::elements::truth;
use crate::page::context::settings::View;
use crate::page::context::state::Action;
use crate::page::context::{Page, focus};
use crate::page::language::Message;

impl View {
    /// What its tab says.
    pub fn name(self) -> Message {
        match self {
            View::Ledger => Message::TabLedger,
            View::Serving => Message::TabServing,
            View::Timeline => Message::TabTimeline,
            View::Stages => Message::TabStages,
            View::Communication => Message::TabCommunication,
            View::Scaling => Message::TabScaling,
            View::PrecisionLab => Message::TabPrecisionLab,
            View::Plan => Message::TabPlan,
            View::Compare => Message::TabCompare,
            View::Share => Message::TabShare,
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
        <section class="views" aria-label={page.say(Message::Views)}>
            <div class="tabs" role="tablist" aria-label={page.say(Message::Views)}>
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

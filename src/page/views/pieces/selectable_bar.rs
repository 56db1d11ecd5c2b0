//! Parts of bars that open the explanation of their bytes: chosen with mouse, touch or keyboard.

use vram_ledger::answer::Phase;
use vram_ledger::ledger::{Account, Entry};
use vram_ledger::text;
use vram_ledger::units::Bytes;
use yew::prelude::*;

use crate::page::context::elements::{paragraph, truth};
use crate::page::context::segments::Segment;
use crate::page::context::{Page, focus};
use crate::page::views::pieces::{explanation, stacked_bars};

/// An account of a stage in a phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Looked {
    /// Index of the stage.
    pub stage: usize,
    /// The phase.
    pub phase: Phase,
    /// The account.
    pub account: Account,
}

impl Looked {
    fn id(self) -> String {
        format!("part-{}-{}-{}", self.stage, self.phase as u8, self.account.name())
    }
}

/// What is looked at, as it is kept.
pub type Looking = UseStateHandle<Option<Looked>>;

/// A bar whose parts can be chosen.
#[derive(Clone, Copy)]
pub struct Bar<'a> {
    /// What is looked at.
    pub looking: &'a Looking,
    /// The stage it is of.
    pub stage: usize,
    /// The phase it is of.
    pub phase: Phase,
    /// Its parts.
    pub segments: &'a [Segment],
}

impl Bar<'_> {
    fn of(&self, account: Account) -> Looked {
        Looked { stage: self.stage, phase: self.phase, account }
    }

    /// The part of that index, around what is drawn of it, which says no more than its name. A bar is one stop for the tab key; arrow keys go from part to
    /// part.
    pub fn part(self, page: &Page, index: usize, drawn: Html) -> Html {
        let segment = &self.segments[index];
        let here = self.of(segment.account);
        let chosen = **self.looking == Some(here);
        let stop = self.segments.iter().position(|segment| **self.looking == Some(self.of(segment.account)));
        let all: Vec<Looked> = self.segments.iter().map(|segment| self.of(segment.account)).collect();
        let keep = self.looking.clone();
        let onkeydown = Callback::from(move |event: KeyboardEvent| {
            let to = match event.key().as_str() {
                "ArrowLeft" | "ArrowDown" => index.saturating_sub(1),
                "ArrowRight" | "ArrowUp" => (index + 1).min(all.len() - 1),
                "Home" => 0,
                "End" => all.len() - 1,
                "Enter" | " " => index,
                _ => return,
            };
            event.prevent_default();
            keep.set(Some(all[to]));
            focus(&all[to].id());
        });
        let keep = self.looking.clone();
        html! {
            <g
                id={here.id()} class={format!("segment {}", segment.account.name())} role="button"
                tabindex={if index == stop.unwrap_or(0) { "0" } else { "-1" }} aria-pressed={truth(chosen)}
                aria-label={stacked_bars::named(page, segment.account, segment.bytes)}
                onclick={Callback::from(move |_| keep.set(Some(here)))} {onkeydown}
            >
                { drawn }
            </g>
        }
    }
}

/// The explanation of what is looked at: `entries` are those of its bar, `title` what it is with the bytes of its account.
/// Where nothing of the bars is looked at, how to do so.
pub fn explained(
    page: &Page,
    looking: &Looking,
    entries: impl FnOnce(Looked) -> Vec<Entry>,
    title: impl FnOnce(Looked, &str) -> String,
) -> Html {
    let chosen = (**looking).map(|looked| (looked, entries(looked)));
    let of_account = |(looked, entries): &(Looked, Vec<Entry>)| -> Vec<Entry> {
        entries.iter().filter(|entry| entry.account == looked.account).copied().collect()
    };
    let found = chosen.as_ref().map(|chosen| (chosen.0, of_account(chosen))).filter(|(_, entries)| !entries.is_empty());
    let content = match found {
        None => paragraph("note", page.say(text!(phases::CHOOSE_SEGMENT))),
        Some((looked, entries)) => {
            let total: Bytes = entries.iter().map(|entry| entry.bytes).sum();
            let title = title(looked, &page.state.settings.unit.amount(total));
            let entries: Vec<&Entry> = entries.iter().collect();
            explanation::of(page, looked.account, title, &entries)
        }
    };
    html! { <div aria-live="polite">{ content }</div> }
}

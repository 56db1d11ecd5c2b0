//! What the drawings of stages and of phases have in common: a scale that shows the capacity where it is near, what the
//! colours are, and the same in words.

use vram_ledger::ledger::{Account, Accounts};
use vram_ledger::text;
use vram_ledger::units::Bytes;
use yew::prelude::*;

use crate::page::context::Page;
use crate::page::context::elements::{paragraph, span, swatch};
use crate::page::context::segments;

/// A scale on which what is drawn finds room, and the capacity of the GPU where that is not far beyond it.
#[derive(Clone, Copy)]
pub struct Scale {
    /// Bytes at the end.
    pub end: Bytes,
    /// Bytes one GPU offers.
    pub capacity: Bytes,
}

/// A capacity this many times what is drawn would make everything too small to read.
const TOO_FAR: f64 = 5.0;

impl Scale {
    /// A scale for amounts up to `largest`.
    pub fn of(page: &Page, largest: Bytes) -> Scale {
        let capacity = page.state.answer.settled().cluster.gpu.capacity;
        let far = capacity.get() > TOO_FAR * largest.get();
        let end = if far || largest > capacity { largest } else { capacity };
        Scale { end: segments::scale(end, page.state.settings.unit.bytes()), capacity }
    }

    /// Where an amount stands, as a share of the scale; none beyond its end.
    pub fn at(self, bytes: Bytes) -> Option<f64> {
        let at = bytes.get() / self.end.get();
        (at <= 1.0).then_some(at)
    }

    /// What the line of capacity is, or that it is too far off to be drawn.
    pub fn capacity_in_words(self, page: &Page) -> String {
        let unit = page.state.settings.unit;
        let [capacity, end] = [self.capacity, self.end].map(|bytes| unit.amount(bytes));
        match self.at(self.capacity) {
            Some(_) => page.fill(text!(phases::CAPACITY_LINE), &[&page.short_gpu_name(), &capacity]),
            None => page.fill(text!(phases::CAPACITY_BEYOND), &[&end, &page.short_gpu_name(), &capacity]),
        }
    }
}

/// What the colours stand for: every account that any of the bars shows.
pub fn legend<'a>(page: &Page, bars: impl Iterator<Item = &'a Accounts> + Clone) -> Html {
    html! {
        <p class="keys">
            { for shown(bars).map(|account| html! {
                <span class="part">{ swatch(account.name()) }{ page.language().account(account) }</span>
            }) }
        </p>
    }
}

/// The accounts that any of them holds.
pub fn shown<'a>(bars: impl Iterator<Item = &'a Accounts> + Clone) -> impl Iterator<Item = Account> {
    Account::ALL.into_iter().filter(move |account| bars.clone().any(|bar| bar[*account] > Bytes::ZERO))
}

/// An account with its amount.
pub fn named(page: &Page, account: Account, bytes: Bytes) -> String {
    format!("{} {}", page.language().account(account), page.state.settings.unit.amount(bytes))
}

/// A line of a drawing and what it is.
pub fn line_key(class: &'static str, text: String) -> Html {
    html! {
        <span class="part">
            <svg class="dash" width="22" height="10" aria-hidden="true"><line {class} x1="0" x2="22" y1="5" y2="5" /></svg>
            { span("quiet", text) }
        </span>
    }
}

/// Said instead of a view of training where nothing can be trained.
pub fn no_training(page: &Page) -> Html {
    paragraph("note", page.say(text!(phases::NOTHING_TRAINED)))
}

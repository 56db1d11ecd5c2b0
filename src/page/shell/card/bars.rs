//! The two stacked bars, on one scale with the line of what a GPU holds.
//!
//! Drawn as SVG with its geometry in attributes: it prints, it scales, and it needs no style of its own.

use vram_ledger::answer::Half;
use vram_ledger::ledger::{Account, Accounts};
use vram_ledger::text;
use vram_ledger::units::Bytes;
use yew::prelude::*;

use crate::page::context::elements::{swatch, toggle, truth};
use crate::page::context::segments::{Labels, PADDING, Segment, place_labels, scale, segments};
use crate::page::context::state::{Action, Selection};
use crate::page::context::{Page, focus};
use crate::page::format;

/// Height of a bar in pixels.
const HEIGHT: f64 = 34.0;

/// What both bars share.
#[derive(Clone, Copy)]
pub struct Scale {
    /// Bytes at the right end.
    pub end: Bytes,
    /// Bytes one GPU offers.
    pub capacity: Bytes,
}

impl Scale {
    /// A scale on which both halves and the capacity find room.
    pub fn of(page: &Page) -> Scale {
        let memory = page.state.answer.memory();
        let capacity = page.state.answer.settled().cluster.gpu.capacity;
        let training = memory.training.as_ref().map_or(Bytes::ZERO, |half| half.peak.device_bytes);
        let inference = memory.inference.as_ref().map_or(Bytes::ZERO, |half| half.peak.device_bytes);
        let largest = [training, inference].into_iter().fold(capacity, |a, b| if a > b { a } else { b });
        Scale { end: scale(largest, page.state.settings.unit.bytes()), capacity }
    }

    /// Where the line of capacity stands, in shares of the scale.
    pub fn capacity_at(self) -> f64 {
        self.capacity.get() / self.end.get()
    }
}

/// One bar.
pub fn bar(page: &Page, half: Half, accounts: &Accounts, scale: Scale) -> Html {
    let (bar, texts, labels) = labelled(page, accounts, scale);
    let selected = page.state.selected.filter(|selection| selection.half == half).map(|selection| selection.account);
    // One stop for the tab key; the arrow keys go from segment to segment.
    let stop = bar.iter().position(|segment| Some(segment.account) == selected).unwrap_or(0);
    let end = bar.last().map_or(0.0, |last| last.start + last.length);
    let capacity = format::of_width(scale.capacity_at());
    let name = page.language().half(half);
    html! {
        <svg class="bar" height={format::trimmed(HEIGHT)} role="group" aria-label={page.fill(text!(card::BAR_OF), &[name])}>
            { for bar.iter().enumerate().map(|(index, segment)| {
                let inside = labels.inside.contains(&index).then(|| texts[index].as_str());
                one(page, half, &bar, index, inside, Some(segment.account) == selected, index == stop)
            }) }
            { beside(&labels, &texts, end) }
            <line class="capacity" x1={capacity.clone()} x2={capacity} y1="-5" y2="37" />
        </svg>
    }
}

/// Name and amount, without the unit that the total has.
fn label(page: &Page, account: Account, bytes: Bytes) -> String {
    format!("{} {}", page.language().account(account), page.state.settings.unit.figure(bytes))
}

fn id(half: Half, account: Account) -> String {
    let half = match half {
        Half::Training => "training",
        Half::Inference => "inference",
    };
    format!("bar-{half}-{}", account.name())
}

fn one(
    page: &Page,
    half: Half,
    bar: &[Segment],
    index: usize,
    inside: Option<&str>,
    selected: bool,
    stop: bool,
) -> Html {
    let Segment { account, bytes, start, length } = bar[index];
    let total: f64 = bar.iter().map(|segment| segment.length).sum();
    let name = format!(
        "{}: {} {}, {}",
        page.language().half(half),
        page.language().account(account),
        page.state.settings.unit.amount(bytes),
        format::percent(length / total),
    );
    let accounts: Vec<Account> = bar.iter().map(|segment| segment.account).collect();
    let dispatch = page.state.dispatcher();
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        let to = match event.key().as_str() {
            "ArrowLeft" => index.saturating_sub(1),
            "ArrowRight" => (index + 1).min(accounts.len() - 1),
            "Home" => 0,
            "End" => accounts.len() - 1,
            "Enter" | " " => index,
            _ => return,
        };
        event.prevent_default();
        dispatch.dispatch(Action::Selected(Selection { half, account: accounts[to] }));
        focus(&id(half, accounts[to]));
    });
    let x = format::of_width(start);
    html! {
        <g
            id={id(half, account)} class={format!("segment {}", account.name())} role="button"
            tabindex={if stop { "0" } else { "-1" }} aria-pressed={truth(selected)} aria-label={name}
            onclick={page.act(Action::Selected(Selection { half, account }))} {onkeydown}
        >
            <rect x={x.clone()} width={format::of_width(length)} height={format::trimmed(HEIGHT)} />
            if let Some(text) = inside {
                <text {x} dx={format::trimmed(PADDING)} y="21" aria-hidden="true">{ text.to_owned() }</text>
            }
        </g>
    }
}

/// Labels of segments too narrow for them, to the right of the bar.
fn beside(labels: &Labels, texts: &[String], end: f64) -> Html {
    let alone = labels.beside.len() == 1;
    let lines = labels.beside.iter().enumerate().map(|(line, index)| {
        let y = if alone { 21 } else { 14 + 16 * line };
        html! {
            <text class="beside" x={format::of_width(end)} dx={format::trimmed(PADDING)} y={y.to_string()} aria-hidden="true">
                { &texts[*index] }
            </text>
        }
    });
    lines.collect()
}

/// Accounts of a half whose labels find room neither in the bar nor beside it.
pub fn unlabelled(page: &Page, half: Half, accounts: &Accounts, scale: Scale) -> Html {
    let (bar, _, labels) = labelled(page, accounts, scale);
    if labels.below.is_empty() {
        return Html::default();
    }
    html! {
        <span class="of-half">
            <strong>{ page.language().half(half) }</strong>
            { for labels.below.iter().map(|index| key(page, half, &bar[*index])) }
        </span>
    }
}

/// The segments of a bar, their labels, and where those go.
fn labelled(page: &Page, accounts: &Accounts, scale: Scale) -> (Vec<Segment>, Vec<String>, Labels) {
    let bar = segments(accounts, scale.end);
    let texts: Vec<String> = bar.iter().map(|segment| label(page, segment.account, segment.bytes)).collect();
    let labels = place_labels(&bar, &texts, page.bar_width, Some(scale.capacity_at()));
    (bar, texts, labels)
}

/// An account as a button with its colour, name and amount.
pub fn key(page: &Page, half: Half, segment: &Segment) -> Html {
    let selection = Selection { half, account: segment.account };
    let content = html! { <>{ swatch(segment.account.name()) }{ label(page, segment.account, segment.bytes) }</> };
    toggle(page, "key", page.state.selected == Some(selection), content, Action::Selected(selection))
}

/// What the line of capacity is, under it.
pub fn capacity_label(page: &Page, scale: Scale) -> Html {
    let at = scale.capacity_at();
    // Near an end of the scale the text hangs to one side of the line, so that it is not cut off.
    let anchor = match at {
        at if at < 0.12 => "start",
        at if at > 0.88 => "end",
        _ => "middle",
    };
    let amount = page.state.settings.unit.amount(scale.capacity);
    html! {
        <svg class="capacity-label" height="16">
            <text x={format::of_width(at)} y="13" text-anchor={anchor}>
                { page.fill(text!(card::GPU_SHOWS), &[&page.short_gpu_name(), &amount]) }
            </text>
        </svg>
    }
}

//! A slider over a ladder, with the exact value beside it.
//!
//! The browser's own range input does keys, touch and assistive technology; it moves over the indices of the ladder.

use vram_ledger::scenario::{Cluster, GpuChoice, Patch, SettingId};
use vram_ledger::text;
use yew::prelude::*;

use super::choice;
use super::field::{self, Empty, field};
use crate::page::answer::gpus as gpu_ladder;
use crate::page::context::state::Action;
use crate::page::context::{Page, input_value};
use crate::page::fields::notches;
use crate::page::fields::{Control, Kind};
use crate::page::format;

/// What a slider moves over and what a notch means.
pub struct Track<'a> {
    /// The notch it stands at.
    pub at: usize,
    /// Number of notches.
    pub notches: usize,
    /// What is read out at the present value.
    pub value_text: String,
    /// Labels under the track, each at its notch.
    pub ticks: Vec<(usize, String)>,
    /// The changes that a notch stands for, and how refused ones are written.
    pub changes: Box<dyn Fn(usize) -> (Patch, String) + 'a>,
}

/// A slider with its label, its exact entry and what is wrong with it.
pub fn slider(page: &Page, control: Control, exact: Html, track: Track<'static>) -> Html {
    let id = control.id();
    let dispatch = page.state.dispatcher();
    let changes = track.changes;
    let oninput = Callback::from(move |event: InputEvent| {
        let Ok(notch) = input_value(&event).parse() else { return };
        let (changes, shown) = changes(notch);
        dispatch.dispatch(Action::Change { by: control, changes, shown, sliding: true });
    });
    let last = track.notches - 1;
    html! {
        <div class="control">
            <div class="head">
                <label id={format!("{id}-label")} for={id}>{ control.label(page.language()) }</label>
                { exact }
            </div>
            <input
                type="range" min="0" max={last.to_string()} step="1" value={track.at.to_string()}
                id={format!("{id}-slider")}
                aria-labelledby={format!("{id}-label")} aria-valuetext={track.value_text}
                {oninput} onchange={page.act(Action::Released)}
            />
            { ticks(&track.ticks, last) }
            { field::error(page, control) }
        </div>
    }
}

/// Labels under a track. The drawing is as wide as the way of the thumb's middle.
fn ticks(ticks: &[(usize, String)], last: usize) -> Html {
    html! {
        <svg class="ticks" aria-hidden="true">
            { for ticks.iter().map(|(notch, text)| {
                let at = format::of_width(*notch as f64 / last as f64);
                html! { <text x={at} y="11">{ text }</text> }
            }) }
        </svg>
    }
}

/// A slider over a ladder of numbers.
fn over_numbers(
    page: &Page,
    control: Control,
    notches: &'static [f64],
    ticks: Vec<(usize, String)>,
    read_out: fn(&Page, f64) -> String,
) -> Html {
    let Kind::Number(quantity) = control.kind() else { return Html::default() };
    // A half that cannot be answered has no value of its own; the slider then rests at what was given, if anything was.
    let given = || control.given_number(&page.state.scenario);
    let value = control.number_in(&page.state.answer).or_else(given).unwrap_or(notches[0]);
    let track = Track {
        at: notches::nearest(notches, value),
        notches: notches.len(),
        value_text: read_out(page, value),
        ticks,
        changes: Box::new(move |notch| {
            let value = notches.get(notch).copied();
            let shown = value.map(|value| field::shown(value, quantity)).unwrap_or_default();
            (control.number(value), shown)
        }),
    };
    slider(page, control, field(page, control, Empty::Never), track)
}

/// Parameters of the model.
pub fn parameters(page: &Page) -> Html {
    let ticks = ["0.1B", "1B", "10B", "100B", "1T"];
    let ticks = ticks.iter().enumerate().map(|(index, text)| (index * 12, (*text).to_owned())).collect();
    over_numbers(page, Control::Parameters, &notches::PARAMETERS, ticks, |_, value| format::parameters(value))
}

/// GPUs, over which ZeRO shares out the state.
pub fn gpus(page: &Page) -> Html {
    let ticks = (0..=12).step_by(3).map(|index| (index, format::grouped(notches::GPUS[index]))).collect();
    over_numbers(page, SettingId::Gpus.into(), &notches::GPUS, ticks, Page::gpus)
}

/// Tokens of a training sequence and of a served context.
pub fn sequence(page: &Page) -> Html {
    let ticks = [0, 3, 6, 10, 13].map(|index| (index, format::tokens_tick(notches::TOKENS[index])));
    over_numbers(page, Control::Sequence, &notches::TOKENS, ticks.to_vec(), |page, value| {
        page.fill(text!(amounts::TOKENS), &[&format::grouped(value)])
    })
}

/// The GPU, over the catalogue in order of memory.
pub fn gpu(page: &Page) -> Html {
    let all = gpu_ladder();
    let now = &page.state.answer.settled().cluster.gpu;
    let capacity = now.capacity.get();
    let at = all.iter().position(|gpu| gpu.id == now.id).unwrap_or_else(|| {
        let capacities: Vec<f64> = all.iter().map(|gpu| gpu.capacity_bytes() as f64).collect();
        notches::nearest(&capacities, capacity)
    });
    let last = all.len() - 1;
    let ticks = (0..=4)
        .map(|quarter| {
            let notch = quarter * last / 4;
            let unit = if quarter == 0 || quarter == 4 { " GB" } else { "" };
            (notch, format::trimmed(all[notch].memory_vendor_gb) + unit)
        })
        .collect();
    let track = Track {
        at,
        notches: all.len(),
        value_text: page.gpu_name(),
        ticks,
        changes: Box::new(|notch| {
            let id = gpu_ladder().get(notch).map_or("", |gpu| gpu.id);
            (Cluster::gpu.to(GpuChoice::Catalogue(id.to_owned())).into(), id.to_owned())
        }),
    };
    slider(page, SettingId::Gpu.into(), choice::gpu(page), track)
}

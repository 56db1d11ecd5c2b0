//! The precision slider: the format served, and the training recipe where there is one in that format.

use vram_ledger::names::{Name, WeightFormat};
use vram_ledger::scenario::{Patch, SettingId};
use yew::prelude::*;
use yew::virtual_dom::VList;

use super::choice;
use super::slider::{self, Track};
use crate::page::context::Page;
use crate::page::fields::Control;

/// One stop of the slider.
struct Stop {
    name: &'static str,
    /// The format served; the opening one is left out of the question.
    weights: Option<WeightFormat>,
    /// The training recipe; without one the framework's own stays.
    recipe: Option<&'static str>,
}

const STOPS: [Stop; 6] = [
    Stop { name: "FP32", weights: Some(WeightFormat::Fp32), recipe: Some("fp32") },
    Stop { name: "BF16", weights: None, recipe: None },
    Stop { name: "FP16", weights: Some(WeightFormat::Fp16), recipe: Some("fp16-mixed") },
    Stop { name: "FP8", weights: Some(WeightFormat::Fp8), recipe: Some("fp8-mixed") },
    Stop { name: "INT8", weights: Some(WeightFormat::Int8), recipe: None },
    Stop { name: "INT4", weights: Some(WeightFormat::Int4G128), recipe: None },
];

/// From this stop on the formats are integers, in which nothing is trained.
const FIRST_INTEGER: usize = 4;

fn changes(stop: &Stop) -> Patch {
    let weights = Control::from(SettingId::Weights).choice(stop.weights.map_or("", Name::name));
    Patch(weights.into_iter().chain(Control::from(SettingId::Recipe).choice(stop.recipe.unwrap_or_default())).collect())
}

/// The stop nearest to the format served.
fn at(format: WeightFormat) -> usize {
    use WeightFormat::*;
    match format {
        Fp32 => 0,
        Bf16 => 1,
        Fp16 | GgufF16 => 2,
        Fp8 | Fp8Block => 3,
        Int8 | GgufQ8_0 | GgufQ6K => 4,
        Int4G128 | GptqG128 | GptqG32 | Nf4 | Nf4Dq | Mxfp4 | Nvfp4 | GgufQ5KM | GgufQ5KS | GgufQ4KM | GgufQ4KS
        | GgufQ4_0 | GgufQ3KL | GgufQ3KM | GgufQ2K => 5,
    }
}

fn served(page: &Page) -> WeightFormat {
    page.state.scenario.inference.as_ref().and_then(|half| half.weights).unwrap_or(WeightFormat::Bf16)
}

/// Whether integers are served, so that training keeps a format of its own.
pub fn serves_integers(page: &Page) -> bool {
    at(served(page)) >= FIRST_INTEGER
}

/// The slider.
pub fn slider(page: &Page) -> Html {
    let served = served(page);
    let at = at(served);
    // A format that is not itself a stop is named in full.
    let is_stop = STOPS.iter().any(|stop| stop.weights.unwrap_or(WeightFormat::Bf16) == served);
    let mut options = VList::new();
    for (index, stop) in STOPS.iter().enumerate() {
        options.add_child(choice::option(stop.name, stop.name, is_stop && index == at));
    }
    if !is_stop {
        options.add_child(choice::option("", served.name(), true));
    }
    let exact = choice::chooser(page, Control::Precision, if is_stop { STOPS[at].name } else { "" }, options, |name| {
        STOPS.iter().find(|stop| stop.name == name).map(changes).unwrap_or_default()
    });
    let track = Track {
        at,
        notches: STOPS.len(),
        value_text: if is_stop { STOPS[at].name } else { served.name() }.to_owned(),
        ticks: STOPS.iter().enumerate().map(|(index, stop)| (index, stop.name.to_owned())).collect(),
        changes: Box::new(|notch| {
            STOPS.get(notch).map(|stop| (changes(stop), stop.name.to_owned())).unwrap_or_default()
        }),
    };
    slider::slider(page, Control::Precision, exact, track)
}

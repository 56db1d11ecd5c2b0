//! Whether a half fits, in words.

use vram_ledger::answer::{Half, Peak};
use vram_ledger::text;
use vram_ledger::units::Bytes;
use yew::prelude::*;

use crate::page::answer::Answer;
use crate::page::context::Page;
use crate::page::context::elements::span;
use crate::page::context::later::Later;
use crate::page::format;

/// What the verdict needs of either half.
#[derive(Clone, Copy)]
pub struct Verdict {
    half: Half,
    peak: Peak,
    capacity: Bytes,
    fits: bool,
    /// Tokens the cache could hold, when serving.
    cache_tokens: Option<f64>,
}

impl Verdict {
    /// The verdict on a half, where it has an answer.
    pub fn of(answer: &Answer, half: Half) -> Option<Verdict> {
        match half {
            Half::Training => answer.memory().training.as_ref().map(|training| Verdict {
                half,
                peak: training.peak,
                capacity: training.capacity_bytes,
                fits: training.fits,
                cache_tokens: None,
            }),
            Half::Inference => answer.memory().inference.as_ref().map(|inference| Verdict {
                half,
                peak: inference.peak,
                capacity: inference.capacity_bytes,
                fits: inference.fits,
                cache_tokens: Some(inference.kv_capacity_tokens),
            }),
        }
    }

    /// The verdict in words.
    fn text(&self, page: &Page, answer: &Answer) -> String {
        let cluster = &answer.settled().cluster;
        let needed = self.peak.device_bytes + cluster.reserve();
        let amount = |bytes| page.state.settings.unit.amount(bytes);
        let gpu = page.short_gpu_name();
        if !self.fits {
            return page.fill(text!(card::TOO_MUCH), &[&amount(needed - self.capacity), &gpu]);
        }
        page.fill(text!(card::FITS), &[&gpu, &amount(self.capacity - needed)])
    }

    /// How many tokens the cache could hold, where something is served that fits.
    fn room(&self, page: &Page) -> Option<String> {
        let tokens = self.cache_tokens.filter(|_| self.fits)?;
        Some(page.fill(text!(card::ROOM_FOR_CACHE), &[&format::grouped(tokens)]))
    }
}

/// Name, size and verdict of a half in a line, with the cheapest advice.
pub fn line(page: &Page, half: Half) -> Html {
    let name = page.language().half(half);
    let Some(verdict) = Verdict::of(&page.state.answer, half) else {
        return html! { <div class="verdict"><h2>{ name }</h2></div> };
    };
    let class = if verdict.fits { "fits" } else { "short" };
    html! {
        <div class="verdict">
            <h2>{ name }</h2>
            <strong class="total">{ page.state.settings.unit.amount(verdict.peak.device_bytes) }</strong>
            if page.state.answer.settled().cluster.gpus > 1 { { span("quiet", page.say(text!(card::PER_GPU))) } }
            { span(class, verdict.text(page, &page.state.answer)) }
            if let Some(room) = verdict.room(page) { { span("quiet room", room) } }
            if let Later::Here(views) = page.later { { (views.cheapest_advice)(page, half) } }
        </div>
    }
}

/// Both verdicts for those who listen, said once a change is done.
pub fn spoken(page: &Page) -> Html {
    let answer = &page.state.settled;
    let texts: Vec<String> = [Half::Inference, Half::Training]
        .into_iter()
        .filter_map(|half| {
            let verdict = Verdict::of(answer, half)?;
            let size = page.state.settings.unit.amount(verdict.peak.device_bytes);
            Some(format!("{}: {size}, {}.", page.language().half(verdict.half), verdict.text(page, answer)))
        })
        .collect();
    html! { <p class="spoken" role="status">{ texts.join(" ") }</p> }
}

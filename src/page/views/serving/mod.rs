//! Serving: how far it goes and what binds, the same model under each engine, what the cache grows by, and what the
//! engine logs.

mod answers;
mod engines;
mod growth;
mod logs;
mod sources;

use vram_ledger::insight::EngineFigures;
use vram_ledger::text;
use vram_ledger::words::Language;
use yew::prelude::*;

use crate::page::context::Page;
use crate::page::context::elements::paragraph;

/// The view. `pasted` is the log that somebody pasted, which stays while other views are looked at.
pub fn view(page: &Page, pasted: &UseStateHandle<AttrValue>) -> Html {
    let answer = &page.state.answer;
    let (Some(memory), Some(deployment), Some(searched)) =
        (&answer.memory().inference, answer.settled().deployment(), &answer.searched().inference)
    else {
        return paragraph("note", page.say(text!(serving::NOTHING_SERVED)));
    };
    let plan = deployment.plan;
    let figures = EngineFigures::of(deployment);
    html! {
        <div class="serving">
            { answers::answers(page, memory, searched, plan, &figures) }
            { engines::side_by_side(page) }
            { growth::growth(page, plan, figures.pool) }
            { logs::logs(page, searched, plan, pasted) }
            { sources::part(page) }
        </div>
    }
}

/// A count of requests, which may be fractional: vLLM divides its pool by one request.
fn requests(count: f64) -> String {
    if count >= 100.0 || count.fract() == 0.0 {
        crate::page::format::grouped(count.floor())
    } else {
        crate::page::format::trimmed(count)
    }
}

/// A number of requests in words.
fn requests_in_words(page: &Page, count: u64) -> String {
    match count {
        1 => page.say(text!(amounts::ONE_REQUEST)).to_owned(),
        _ => page.fill(text!(amounts::REQUESTS), &[&crate::page::format::grouped(count as f64)]),
    }
}

/// A path of the question as people read it: the field alone.
fn field(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// Text that the catalogue has in English only.
fn english(page: &Page, text: &str) -> Html {
    let lang = (page.language() != Language::English).then_some("en");
    html! { <span {lang}>{ text.to_owned() }</span> }
}

//! What people come for: whether it fits and by how much, how long, how many, on how few, what binds, what would help.

use vram_ledger::advice::{Lever, Tried, levers};
use vram_ledger::answer::InferenceReport;
use vram_ledger::hardware::{CapacityBasis, find_accelerator};
use vram_ledger::insight::EngineFigures;
use vram_ledger::ledger::Account;
use vram_ledger::plan::InferencePlan;
use vram_ledger::units::{Bytes, GIB, MIB};
use yew::prelude::*;

use super::requests;
use crate::page::context::Page;
use crate::page::context::elements::{apply, paragraph};
use crate::page::format;
use crate::page::language::{ServingText, ViewText};

/// The answers, each under its question.
pub fn answers(page: &Page, report: &InferenceReport, plan: &InferencePlan, figures: &EngineFigures) -> Html {
    let found = levers(&page.state.scenario);
    let fewest = report.minimum_gpus.map(|gpus| page.gpus(gpus as f64));
    let rows = [
        (ServingText::FitsTerm, Html::from(fits(page, report))),
        (ServingText::ContextTerm, Html::from(longest(page, report, plan))),
        (ServingText::RequestsTerm, Html::from(most(page, report, plan))),
        (ServingText::FewestTerm, Html::from(fewest.unwrap_or_else(|| page.say(ServingText::NoNumber).to_owned()))),
        (ServingText::BindsTerm, Html::from(binds(page, figures, report, plan))),
        (
            ServingText::BuysTerm,
            found.first().map_or_else(|| Html::from(page.say(ServingText::NothingBuys)), |first| change(page, first)),
        ),
    ];
    html! {
        <>
        <dl class="answers">
            { for rows.into_iter().map(|(term, answer)| html! { <div><dt>{ page.say(term) }</dt><dd>{ answer }</dd></div> }) }
        </dl>
        if found.len() > 1 {
            <details>
                <summary>{ page.say(ServingText::OtherChanges) }</summary>
                <ul>{ for found.iter().skip(1).map(|tried| html! { <li>{ change(page, tried) }</li> }) }</ul>
            </details>
        }
        { capacity(page) }
        </>
    }
}

fn fits(page: &Page, report: &InferenceReport) -> String {
    let unit = page.state.settings.unit;
    let cluster = &page.state.answer.settled.cluster;
    let needed = report.needed_bytes + cluster.reserve;
    let [needed_text, capacity] = [needed, report.capacity_bytes].map(|bytes| unit.amount(bytes));
    let gpu = page.short_gpu_name();
    if report.fits {
        let spare = unit.amount(report.capacity_bytes - needed);
        page.fill(ServingText::FitsBy, &[&spare, &needed_text, &capacity, &gpu])
    } else {
        let short = unit.amount(needed - report.capacity_bytes);
        page.fill(ServingText::ShortBy, &[&short, &needed_text, &capacity, &gpu])
    }
}

fn longest(page: &Page, report: &InferenceReport, plan: &InferencePlan) -> String {
    let memory = report.maximum_context;
    let by_memory = format::grouped(memory);
    let text = match page.state.answer.report.model.maximum_positions {
        None => page.fill(ServingText::ContextNoLimit, &[&by_memory]),
        Some(limit) => {
            let text = if memory < limit as f64 { ServingText::ContextByMemory } else { ServingText::ContextByModel };
            page.fill(text, &[&by_memory, &format::grouped(limit as f64)])
        }
    };
    let others = page.fill(ServingText::AtRequests, &[&format::grouped(plan.concurrency as f64)]);
    if plan.concurrency > 1 { format!("{text} ({others})") } else { text }
}

fn most(page: &Page, report: &InferenceReport, plan: &InferencePlan) -> String {
    let context = format::grouped(plan.context as f64);
    if report.maximum_concurrency < 1.0 {
        return page.fill(ServingText::NotOne, &[&context]);
    }
    page.fill(ServingText::RequestsOf, &[&requests(report.maximum_concurrency), &context])
}

/// The largest part of the GPU, which is what there must be less of.
fn binds(page: &Page, figures: &EngineFigures, report: &InferenceReport, plan: &InferencePlan) -> String {
    let unit = page.state.settings.unit;
    let amount = |bytes| unit.amount(bytes);
    let capacity = amount(report.capacity_bytes);
    let part = |name: &str, bytes: Bytes| {
        page.fill(ServingText::PartBinds, &[name, &amount(bytes), &capacity, &amount(figures.pool)])
    };
    match figures.binding() {
        Some(Account::Slack) => part(page.say(ServingText::KeptFree), figures.kept_free),
        Some(account) => part(page.language().account(account), report.accounts[account]),
        None => {
            let each = Bytes::whole(report.accounts[Account::KvCache].get() / plan.requests() as f64);
            let context = format::grouped(plan.context as f64);
            page.fill(ServingText::CacheBinds, &[&amount(figures.pool), &capacity, &context, &amount(each)])
        }
    }
}

/// A change, what it buys, and the button that makes it.
fn change(page: &Page, tried: &Tried) -> Html {
    let name = lever(page, tried.lever);
    let [before, after] = tried.requests;
    let text = if after >= 1.0 {
        page.fill(ServingText::Buys, &[&name, &requests(after), &requests(before)])
    } else {
        page.fill(ServingText::BuysBytes, &[&name, &page.state.settings.unit.amount(tried.saved)])
    };
    html! {
        <>
            { text }{ " " }
            { apply(page, Some(page.fill(ViewText::ApplyThis, &[&name])), tried.scenario.clone()) }
        </>
    }
}

fn lever(page: &Page, lever: Lever) -> String {
    let language = page.language();
    let (text, value) = match lever {
        Lever::Weights(format) => (ServingText::LeverWeights, language.weight_format(format).to_owned()),
        Lever::Cache(format) => (ServingText::LeverCache, language.cache_format(format).to_owned()),
        Lever::Tensor(ranks) => (ServingText::LeverTensor, ranks.to_string()),
        Lever::Sequences(count) => (ServingText::LeverSequences, format::grouped(count as f64)),
        Lever::Fraction(fraction) => (ServingText::LeverFraction, format::trimmed(fraction)),
        Lever::ByRequest => (ServingText::LeverByRequest, String::new()),
        Lever::Latent => (ServingText::LeverLatent, String::new()),
        Lever::Windows => (ServingText::LeverWindows, String::new()),
    };
    page.fill(text, &[&value])
}

/// Why a card has less than it is sold with.
fn capacity(page: &Page) -> Html {
    let Some(gpu) = find_accelerator(&page.state.answer.settled.cluster.gpu.id) else { return Html::default() };
    let unit = page.state.settings.unit;
    let sold = format!("{} GB", format::trimmed(gpu.memory_vendor_gb));
    let tool = gpu.memory_tool_mib.unwrap_or_default();
    let framework = gpu.memory_torch_gib.unwrap_or_default();
    let name = page.short_gpu_name();
    let [tool_mib, framework_gib] = [format::grouped(tool), format::trimmed(framework)];
    let [tool, framework] = [tool * MIB, framework * GIB].map(|bytes| unit.amount(Bytes::whole(bytes)));
    let text = match (gpu.capacity_basis(), gpu.memory_tool_mib) {
        (CapacityBasis::Framework, Some(_)) => {
            page.fill(ServingText::CardIsSmaller, &[&name, &sold, &tool_mib, &tool, &framework_gib, &framework])
        }
        (CapacityBasis::Tool, _) => page.fill(ServingText::CardByTool, &[&name, &sold, &tool_mib, &tool]),
        (CapacityBasis::Framework, None) => {
            page.fill(ServingText::CardByFramework, &[&name, &sold, &framework_gib, &framework])
        }
        (CapacityBasis::Vendor, _) => page.fill(ServingText::CardBySale, &[&name, &sold]),
    };
    paragraph("note", text)
}

//! What people come for: whether it fits and by how much, how long, how many, on how few, what binds, what would help.

use vram_ledger::advice::{Lever, levers};
use vram_ledger::estimate::{InferenceMemory, InferenceSearched};
use vram_ledger::hardware::{CapacityBasis, find_accelerator};
use vram_ledger::insight::EngineFigures;
use vram_ledger::ledger::Account;
use vram_ledger::plan::InferencePlan;
use vram_ledger::scenario::{Change, Inference};
use vram_ledger::text;
use vram_ledger::units::{Bytes, GIB, MIB};
use yew::prelude::*;

use super::requests;
use crate::page::context::Page;
use crate::page::context::elements::{apply, paragraph};
use crate::page::format;

/// The answers, each under its question.
pub fn answers(
    page: &Page,
    memory: &InferenceMemory,
    searched: &InferenceSearched,
    plan: &InferencePlan,
    figures: &EngineFigures,
) -> Html {
    let found = levers(page.state.answer.asked());
    let fewest = searched.minimum_gpus.map(|gpus| page.gpus(gpus as f64));
    let rows = [
        (text!(serving::FITS_TERM), Html::from(fits(page, memory))),
        (text!(serving::CONTEXT_TERM), Html::from(longest(page, searched, plan))),
        (text!(serving::REQUESTS_TERM), Html::from(most(page, searched, plan))),
        (
            text!(serving::FEWEST_TERM),
            Html::from(fewest.unwrap_or_else(|| page.say(text!(serving::NO_NUMBER)).to_owned())),
        ),
        (text!(serving::BINDS_TERM), Html::from(binds(page, figures, memory, plan))),
        (
            text!(serving::BUYS_TERM),
            found
                .first()
                .map_or_else(|| Html::from(page.say(text!(serving::NOTHING_BUYS))), |first| change(page, first)),
        ),
    ];
    html! {
        <>
        <dl class="answers">
            { for rows.into_iter().map(|(term, answer)| html! { <div><dt>{ page.say(term) }</dt><dd>{ answer }</dd></div> }) }
        </dl>
        if found.len() > 1 {
            <details>
                <summary>{ page.say(text!(serving::OTHER_CHANGES)) }</summary>
                <ul>{ for found.iter().skip(1).map(|tried| html! { <li>{ change(page, tried) }</li> }) }</ul>
            </details>
        }
        { capacity(page) }
        </>
    }
}

fn fits(page: &Page, memory: &InferenceMemory) -> String {
    let unit = page.state.settings.unit;
    let cluster = &page.state.answer.settled().cluster;
    let needed = memory.needed_bytes + cluster.reserve();
    let [needed_text, capacity] = [needed, memory.capacity_bytes].map(|bytes| unit.amount(bytes));
    let gpu = page.short_gpu_name();
    if memory.fits {
        let spare = unit.amount(memory.capacity_bytes - needed);
        page.fill(text!(serving::FITS_BY), &[&spare, &needed_text, &capacity, &gpu])
    } else {
        let short = unit.amount(needed - memory.capacity_bytes);
        page.fill(text!(serving::SHORT_BY), &[&short, &needed_text, &capacity, &gpu])
    }
}

fn longest(page: &Page, searched: &InferenceSearched, plan: &InferencePlan) -> String {
    let memory = searched.maximum_context;
    let by_memory = format::grouped(memory);
    let text = match page.state.answer.memory().model.maximum_positions {
        None => page.fill(text!(serving::CONTEXT_NO_LIMIT), &[&by_memory]),
        Some(limit) => {
            let text = if memory < limit as f64 {
                text!(serving::CONTEXT_BY_MEMORY)
            } else {
                text!(serving::CONTEXT_BY_MODEL)
            };
            page.fill(text, &[&by_memory, &format::grouped(limit as f64)])
        }
    };
    let others = page.fill(text!(serving::AT_REQUESTS), &[&format::grouped(plan.concurrency as f64)]);
    if plan.concurrency > 1 { format!("{text} ({others})") } else { text }
}

fn most(page: &Page, searched: &InferenceSearched, plan: &InferencePlan) -> String {
    let context = format::grouped(plan.context as f64);
    if searched.maximum_concurrency < 1.0 {
        return page.fill(text!(serving::NOT_ONE), &[&context]);
    }
    page.fill(text!(serving::REQUESTS_OF), &[&requests(searched.maximum_concurrency), &context])
}

/// The largest part of the GPU, which is what there must be less of.
fn binds(page: &Page, figures: &EngineFigures, memory: &InferenceMemory, plan: &InferencePlan) -> String {
    let unit = page.state.settings.unit;
    let amount = |bytes| unit.amount(bytes);
    let capacity = amount(memory.capacity_bytes);
    let part = |name: &str, bytes: Bytes| {
        page.fill(text!(serving::PART_BINDS), &[name, &amount(bytes), &capacity, &amount(figures.pool)])
    };
    match figures.binding() {
        Some(Account::Slack) => part(page.say(text!(serving::KEPT_FREE)), figures.kept_free),
        Some(account) => part(page.language().account(account), memory.accounts[account]),
        None => {
            let each = Bytes::whole(memory.accounts[Account::KvCache].get() / plan.requests() as f64);
            let context = format::grouped(plan.context as f64);
            page.fill(text!(serving::CACHE_BINDS), &[&amount(figures.pool), &capacity, &context, &amount(each)])
        }
    }
}

/// A change, what it buys, and the button that makes it.
fn change(page: &Page, lever: &Lever) -> Html {
    let name = name_of(page, &lever.change);
    let [before, after] = lever.requests;
    let text = if after >= 1.0 {
        page.fill(text!(serving::BUYS), &[&name, &requests(after), &requests(before)])
    } else {
        page.fill(text!(serving::BUYS_BYTES), &[&name, &page.state.settings.unit.amount(lever.saved)])
    };
    html! {
        <>
            { text }{ " " }
            { apply(page, Some(page.fill(text!(advice::APPLY_THIS), &[&name])), lever.scenario.clone()) }
        </>
    }
}

/// What a change does for serving.
fn name_of(page: &Page, change: &Change) -> String {
    let language = page.language();
    let (text, value) = match change {
        Change::Weights(_, Some(format)) => (text!(serving::LEVER_WEIGHTS), language.weight_format(*format).to_owned()),
        Change::Cache(_, Some(format)) => (text!(serving::LEVER_CACHE), language.cache_format(*format).to_owned()),
        Change::Number(setting, Some(ranks)) if *setting == Inference::tensor => {
            (text!(serving::LEVER_TENSOR), format::grouped(ranks.0))
        }
        Change::Number(setting, Some(count)) if *setting == Inference::max_sequences => {
            (text!(serving::LEVER_SEQUENCES), format::grouped(count.0))
        }
        Change::Number(setting, Some(fraction)) if *setting == Inference::memory_fraction => {
            (text!(serving::LEVER_FRACTION), format::trimmed(fraction.0))
        }
        Change::Switch(setting, Some(true)) if *setting == Inference::data_parallel_attention => {
            (text!(serving::LEVER_BY_REQUEST), String::new())
        }
        Change::Switch(setting, None) if *setting == Inference::swa_full => {
            (text!(serving::LEVER_WINDOWS), String::new())
        }
        Change::LatentCache(..) => (text!(serving::LEVER_LATENT), String::new()),
        other => return language.change(other),
    };
    page.fill(text, &[&value])
}

/// Why a card has less than it is sold with.
fn capacity(page: &Page) -> Html {
    let Some(gpu) = find_accelerator(&page.state.answer.settled().cluster.gpu.id) else { return Html::default() };
    let unit = page.state.settings.unit;
    let sold = format!("{} GB", format::trimmed(gpu.memory_vendor_gb));
    let tool = gpu.memory_tool_mib.unwrap_or_default();
    let framework = gpu.memory_torch_gib.unwrap_or_default();
    let name = page.short_gpu_name();
    let [tool_mib, framework_gib] = [format::grouped(tool), format::trimmed(framework)];
    let [tool, framework] = [tool * MIB, framework * GIB].map(|bytes| unit.amount(Bytes::whole(bytes)));
    let text = match (gpu.capacity_basis(), gpu.memory_tool_mib) {
        (CapacityBasis::Framework, Some(_)) => {
            page.fill(text!(serving::CARD_IS_SMALLER), &[&name, &sold, &tool_mib, &tool, &framework_gib, &framework])
        }
        (CapacityBasis::Tool, _) => page.fill(text!(serving::CARD_BY_TOOL), &[&name, &sold, &tool_mib, &tool]),
        (CapacityBasis::Framework, None) => {
            page.fill(text!(serving::CARD_BY_FRAMEWORK), &[&name, &sold, &framework_gib, &framework])
        }
        (CapacityBasis::Vendor, _) => page.fill(text!(serving::CARD_BY_SALE), &[&name, &sold]),
    };
    paragraph("note", text)
}

//! Where a number comes from: formula, working, meaning, symbols, source.

use vram_ledger::answer::Half;
use vram_ledger::ledger::{Account, Entry, explain};
use vram_ledger::text;
use vram_ledger::units::Bytes;
use yew::prelude::*;

use crate::page::context::Page;
use crate::page::context::elements::paragraph;
use crate::page::context::state::Selection;

/// The explanation of the chosen account.
pub fn panel(page: &Page) -> Html {
    let Some(Selection { half, account }) = page.state.selected else { return Html::default() };
    let answer = &page.state.answer;
    let entries: &[Entry] = match half {
        Half::Training => answer.training_entries(),
        Half::Inference => answer.memory().inference.as_ref().map_or(&[], |half| &half.entries),
    };
    let entries: Vec<&Entry> = entries.iter().filter(|entry| entry.account == account).collect();
    let total: Bytes = entries.iter().map(|entry| entry.bytes).sum();
    let title = page.fill(
        text!(ledger::EXPLANATION_TITLE),
        &[page.language().account(account), &page.state.settings.unit.amount(total), page.language().half(half)],
    );
    html! { <div id="explanation">{ of(page, account, title, &entries) }</div> }
}

/// The explanation of `entries`, which are all of one account, under a title.
pub fn of(page: &Page, account: Account, title: String, entries: &[&Entry]) -> Html {
    html! {
        <aside class={format!("explanation {}", account.name())} aria-label={page.say(text!(ledger::EXPLANATION))}>
            <h3>{ title }</h3>
            if entries.is_empty() { <p>{ page.say(text!(ledger::ACCOUNT_IS_EMPTY)) }</p> }
            { match entries {
                [entry] => one(page, entry),
                several => several.iter().map(|entry| html! {
                    <details>
                        <summary>
                            { page.language().rule(entry.rule) }{ " " }
                            <strong>{ page.state.settings.unit.amount(entry.bytes) }</strong>
                        </summary>
                        { one(page, entry) }
                    </details>
                }).collect(),
            } }
        </aside>
    }
}

/// One entry.
fn one(page: &Page, entry: &Entry) -> Html {
    let text = explain(entry);
    let bytes = crate::page::format::grouped(entry.bytes.get());
    html! {
        <>
        <p class="formula">{ formula(&text.formula) }</p>
        { paragraph("formula", format!("= {}", text.working)) }
        { paragraph("formula", format!("= {bytes} B = {}", page.state.settings.unit.amount(entry.bytes))) }
        <p>{ page.language().rule(entry.rule) }</p>
        <dl class="symbols">
            { for text.terms.iter().map(|term| html! {
                <div>
                    <dt>{ formula(term.symbol.sign()) }{ " = " }{ &term.value }</dt>
                    <dd>{ page.language().symbol(term.symbol) }</dd>
                </div>
            }) }
        </dl>
        { paragraph("basis", page.language().basis_with_meaning(entry.rule.basis())) }
        { paragraph("source", page.fill(text!(ledger::RULE_AND_SOURCE), &[text.rule, text.source])) }
        </>
    }
}

/// A formula with its indices set low: what follows an underscore belongs to the sign before it.
pub fn formula(text: &str) -> Html {
    let mut parts = text.split('_');
    let mut html = vec![Html::from(parts.next().unwrap_or_default())];
    for part in parts {
        let end = part.find([' ', ')']).unwrap_or(part.len());
        let (index, rest) = part.split_at(end);
        html.push(html! { <sub>{ index.to_owned() }</sub> });
        html.push(Html::from(rest));
    }
    html.into_iter().collect()
}

//! The Ledger: the accounts of both halves in a table, what they are made of, and the explanation of the chosen one.

use vram_ledger::answer::Half;
use vram_ledger::ledger::{Account, Accounts, Basis, Entry, Symbol};
use vram_ledger::text;
use vram_ledger::units::Bytes;
use yew::prelude::*;

use crate::page::context::Page;
use crate::page::context::elements::{paragraph, swatch, toggle};
use crate::page::context::state::{Action, Selection};
use crate::page::format;
use crate::page::views::pieces::explanation;
use crate::page::views::pieces::table::{Numbers, cell, head, row_head, scrolling};

/// The view.
pub fn view(page: &Page) -> Html {
    html! {
        <div class="two-columns">
            <div>
                { table(page) }
                { every_entry(page) }
            </div>
            { explanation::panel(page) }
        </div>
    }
}

fn table(page: &Page) -> Html {
    let answer = &page.state.answer;
    let none = Accounts::default();
    let inference = answer.memory().inference.as_ref().map_or(&none, |half| &half.accounts);
    let training = answer.training_accounts().unwrap_or(&none);
    let unit = page.state.settings.unit;
    let columns = [
        (page.say(text!(ledger::ACCOUNT_COLUMN)), Numbers::No),
        (page.say(text!(card::INFERENCE)), Numbers::Yes),
        (page.say(text!(card::TRAINING)), Numbers::Yes),
        (page.say(text!(ledger::BYTES_A_PARAMETER)), Numbers::Yes),
        (page.say(text!(ledger::SHARE_OF_TRAINING)), Numbers::Yes),
    ];
    let rows = Account::ALL
        .into_iter()
        .filter(|account| inference[*account] > Bytes::ZERO || training[*account] > Bytes::ZERO)
        .map(|account| row(page, account, inference[account], training[account], training.total()));
    html! {
        <table class="ledger">
            <caption>{ page.fill(text!(ledger::CAPTION), &[unit.sign()]) }</caption>
            { head(&columns) }
            <tbody>{ for rows }</tbody>
            <tfoot>
                <tr>
                    { row_head(page.say(text!(ledger::TOTAL))) }
                    { cell(unit.figure(inference.total()), Numbers::Yes) }
                    { cell(unit.figure(training.total()), Numbers::Yes) }
                    <td colspan="2"></td>
                </tr>
            </tfoot>
        </table>
    }
}

fn row(page: &Page, account: Account, inference: Bytes, training: Bytes, total: Bytes) -> Html {
    let half = if training > Bytes::ZERO { Half::Training } else { Half::Inference };
    let selection = Selection { half, account };
    let selected = page.state.selected.filter(|selected| selected.account == account);
    let unit = page.state.settings.unit;
    let amount = |half: Half, bytes: Bytes| {
        let chosen = selected.is_some_and(|selected| selected.half == half);
        let text = if bytes > Bytes::ZERO { unit.figure(bytes) } else { "–".to_owned() };
        html! {
            <td
                class={if chosen { "number chosen" } else { "number" }}
                onclick={(bytes > Bytes::ZERO).then(|| page.act(Action::Selected(Selection { half, account })))}
            >
                { text }
            </td>
        }
    };
    let share = if training > Bytes::ZERO { format::percent(training.get() / total.get()) } else { String::new() };
    let name = html! { <>{ swatch(account.name()) }{ page.language().account(account) }</> };
    html! {
        <tr class={selected.is_some().then_some("selected")}>
            <th scope="row">
                { toggle(page, "row", selected.is_some(), name, Action::Selected(selection)) }
            </th>
            { amount(Half::Inference, inference) }
            { amount(Half::Training, training) }
            { cell(bytes_a_parameter(page, account), Numbers::Yes) }
            { cell(share, Numbers::Yes) }
        </tr>
    }
}

/// What the account's rule was given as bytes a parameter, if it has such a term.
fn bytes_a_parameter(page: &Page, account: Account) -> String {
    let term = |entry: &Entry| {
        let index = entry.rule.symbols().iter().position(|symbol| *symbol == Symbol::BytesPerParameter)?;
        Some(format::trimmed(entry.terms()[index]))
    };
    let entries = page.state.answer.training_entries();
    entries.iter().filter(|entry| entry.account == account).find_map(term).unwrap_or_default()
}

/// Every entry of both halves.
fn every_entry(page: &Page) -> Html {
    let answer = &page.state.answer;
    let inference: &[Entry] = answer.memory().inference.as_ref().map_or(&[], |half| &half.entries);
    let halves = [(Half::Inference, inference), (Half::Training, answer.training_entries())];
    let columns = [
        (page.say(text!(ledger::ACCOUNT_COLUMN)), Numbers::No),
        (page.say(text!(ledger::RULE_COLUMN)), Numbers::No),
        (page.say(text!(basis::COLUMN)), Numbers::No),
        (page.say(text!(ledger::BYTES_COLUMN)), Numbers::Yes),
    ];
    let name = page.say(text!(ledger::EVERY_ENTRY));
    let table = html! {
        <table>
            { head(&columns) }
            { for halves.iter().map(|(half, entries)| html! {
                <tbody>
                    <tr><th scope="rowgroup" colspan="4">{ page.language().half(*half) }</th></tr>
                    { for entries.iter().map(|entry| html! {
                        <tr>
                            { cell(page.language().account(entry.account), Numbers::No) }
                            { cell(entry.rule.id(), Numbers::No) }
                            { cell(page.language().basis(entry.rule.basis()), Numbers::No) }
                            { cell(format::grouped(entry.bytes.get()), Numbers::Yes) }
                        </tr>
                    }) }
                </tbody>
            }) }
        </table>
    };
    html! {
        <details>
            <summary>{ name }</summary>
            { scrolling(name, table) }
            { for Basis::ALL.iter().map(|basis| paragraph("note", page.language().basis_with_meaning(*basis))) }
        </details>
    }
}

//! The same model under each engine, on one scale of figures, with what its budget is taken of in words.

use std::rc::Rc;

use vram_ledger::engines::Budget;
use vram_ledger::insight::{EngineFigures, UnderEngine, engines};
use vram_ledger::names::Engine;
use vram_ledger::scenario::SettingId;
use vram_ledger::text;
use vram_ledger::units::Bytes;
use vram_ledger::words::Text;
use yew::prelude::*;

use super::{field, requests};
use crate::page::context::Page;
use crate::page::context::elements::{paragraph, toggle};
use crate::page::context::state::Action;
use crate::page::format;
use crate::page::views::pieces::table::{Numbers, cell, head, scrolling};

const COLUMNS: [(Text, Numbers); 10] = [
    (text!(engines::ENGINE_COLUMN), Numbers::No),
    (text!(engines::WEIGHTS_COLUMN), Numbers::Yes),
    (text!(engines::POOL_COLUMN), Numbers::Yes),
    (text!(engines::WORKSPACE_COLUMN), Numbers::Yes),
    (text!(engines::RUNTIME_COLUMN), Numbers::Yes),
    (text!(engines::KEPT_COLUMN), Numbers::Yes),
    (text!(engines::TOKENS_COLUMN), Numbers::Yes),
    (text!(engines::MOST_COLUMN), Numbers::Yes),
    (text!(engines::LONGEST_COLUMN), Numbers::Yes),
    (text!(engines::BUDGET_COLUMN), Numbers::No),
];

/// The table, and what it gave up of the question to ask it of every engine.
pub fn side_by_side(page: &Page) -> Html {
    let all = engines(&page.state.scenario);
    let asked = page.state.scenario.inference.as_ref().and_then(|half| half.engine);
    let unit = page.state.settings.unit;
    let columns = COLUMNS.map(|(name, numbers)| (page.say(name), numbers));
    let table = html! {
        <table class="engines">
            <caption>{ page.fill(text!(engines::CAPTION), &[unit.sign()]) }</caption>
            { head(&columns) }
            <tbody>{ for all.iter().map(|one| row(page, one, asked == Some(one.engine))) }</tbody>
        </table>
    };
    html! {
        <section>
            <h3>{ page.say(text!(engines::TITLE)) }</h3>
            { scrolling(page.say(text!(engines::TITLE)), table) }
            { paragraph("note", page.say(text!(engines::TAKE_ENGINE))) }
            { for all.iter().filter(|one| !one.given_up.is_empty()).map(|one| {
                let fields: Vec<&str> = one.given_up.iter().map(|path| field(path)).collect();
                let fields = fields.join(page.say(text!(amounts::LIST_COMMA)));
                paragraph("note", page.fill(text!(engines::GIVEN_UP), &[page.language().engine(one.engine), &fields]))
            }) }
        </section>
    }
}

fn row(page: &Page, one: &UnderEngine, chosen: bool) -> Html {
    let name = Html::from(page.language().engine(one.engine));
    let take = Action::Advised(Rc::new(one.scenario.clone()));
    html! {
        <tr class={chosen.then_some("selected")}>
            <th scope="row">{ toggle(page, "row take", chosen, name, take) }</th>
            { match &one.figures {
                Ok(figures) => figures_of(page, figures, one.engine),
                Err(error) => html! { <td colspan="9" class="error">{ page.field_error(error) }</td> },
            } }
        </tr>
    }
}

fn figures_of(page: &Page, figures: &EngineFigures, engine: Engine) -> Html {
    let unit = page.state.settings.unit;
    let bytes = [figures.weights, figures.pool, figures.workspace, figures.runtime, figures.kept_free];
    let amount = |bytes: Bytes| if bytes > Bytes::ZERO { unit.figure(bytes) } else { "–".to_owned() };
    let most = if figures.fits || figures.most_requests >= 1.0 {
        requests(figures.most_requests)
    } else {
        page.say(text!(engines::DOES_NOT_FIT)).to_owned()
    };
    let counts = [format::grouped(figures.tokens), most, format::grouped(figures.longest_context)];
    html! {
        <>
            { for bytes.into_iter().map(|bytes| cell(amount(bytes), Numbers::Yes)) }
            { for counts.into_iter().map(|count| cell(count, Numbers::Yes)) }
            { cell(budget(page, figures, engine), Numbers::No) }
        </>
    }
}

/// Of what the engine's fraction is the fraction.
fn budget(page: &Page, figures: &EngineFigures, engine: Engine) -> String {
    let fraction = format!("{:.2}", figures.fraction);
    let given = page.state.scenario.inference.as_ref().is_some_and(|half| half.kv_cache_bytes.is_some());
    match figures.budget {
        _ if given && engine.has(SettingId::CacheBytes) => page.say(text!(engines::BUDGET_GIVEN)).to_owned(),
        Budget::Free => page.say(text!(engines::BUDGET_FREE)).to_owned(),
        Budget::Device => page.fill(text!(engines::BUDGET_DEVICE), &[&fraction]),
        Budget::Static => page.fill(text!(engines::BUDGET_STATIC), &[&fraction]),
        Budget::Loaded => page.fill(text!(engines::BUDGET_LOADED), &[&fraction]),
        Budget::Rest => page.fill(text!(engines::BUDGET_REST), &[&fraction]),
    }
}

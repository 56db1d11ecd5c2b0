//! The cache against context, a curve for each kind of layer, with the table of its numbers.

use vram_ledger::answer::LayerKind;
use vram_ledger::chart::{Axis, Chart, Line, Marker, Point, Spread, Tint};
use vram_ledger::inference::{self, Growth};
use vram_ledger::plan::InferencePlan;
use vram_ledger::text;
use vram_ledger::units::Bytes;
use yew::prelude::*;

use super::requests_in_words;
use crate::page::context::Page;
use crate::page::format;
use crate::page::views::pieces::curve::{self, Curve, Picture};
use crate::page::views::pieces::table::{Numbers, cell, scrolling};

/// Colour and dash of each kind: told apart without colour as well.
fn look(kind: LayerKind) -> (Tint, Option<(f64, f64)>) {
    match kind {
        LayerKind::Full => (Tint::Fourth, None),
        LayerKind::Windowed => (Tint::Second, Some((8.0, 3.0))),
        LayerKind::Latent => (Tint::Third, None),
        LayerKind::Linear => (Tint::First, Some((2.0, 3.0))),
    }
}

/// The section. `pool` is what there is for the cache.
pub fn growth(page: &Page, plan: &InferencePlan, pool: Bytes) -> Html {
    let rows = inference::growth(&page.state.answer.settled().model, plan);
    let kinds: Vec<LayerKind> = LayerKind::ALL
        .into_iter()
        .filter(|kind| rows.last().is_some_and(|row| row.kinds.iter().any(|part| part.kind == *kind)))
        .collect();
    let lesson = match kinds[..] {
        [LayerKind::Full] => text!(cache_growth::ONLY_FULL),
        [LayerKind::Latent] => text!(cache_growth::ONLY_LATENT),
        _ => text!(cache_growth::MIXED_KINDS),
    };
    let unit = page.state.settings.unit;
    let point = |row: &Growth| {
        let amount = unit.any_amount(Bytes::whole(row.total()));
        page.fill(text!(cache_growth::POINT), &[&format::grouped(row.context as f64), &amount])
    };
    let comma = page.say(text!(amounts::LIST_COMMA));
    let points: Vec<String> = rows.iter().map(point).collect();
    let words = page.fill(text!(cache_growth::WORDS), &[&points.join(comma)]);
    html! {
        <section>
            <Curve
                picture={Picture::new(picture(page, plan, &rows, &kinds, pool))} title={page.say(text!(cache_growth::TITLE))}
                {words} language={page.language()} theme={page.state.settings.theme}
            />
            <p>{ page.say(lesson) }</p>
            { table(page, plan, &rows, &kinds) }
        </section>
    }
}

fn picture(page: &Page, plan: &InferencePlan, rows: &[Growth], kinds: &[LayerKind], pool: Bytes) -> Chart {
    let unit = page.state.settings.unit;
    let in_unit = |bytes: f64| bytes / unit.bytes();
    let line = |name: &str, (tint, dash), width, of: &dyn Fn(&Growth) -> f64| Line {
        name: name.to_owned(),
        tint,
        width,
        dash,
        at: rows.iter().map(|row| (row.context as f64, in_unit(of(row)))).collect(),
    };
    let mut lines: Vec<Line> = kinds
        .iter()
        .map(|kind| line(page.language().layer_kind(*kind), look(*kind), 2.0, &|row| row.of(*kind)))
        .collect();
    if kinds.len() > 1 {
        lines.push(line(page.say(text!(cache_growth::ALL_KINDS)), (Tint::Text, None), 1.5, &Growth::total));
    }
    let now = rows.iter().filter(|row| row.context == plan.context).map(|row| {
        let amount = unit.any_amount(Bytes::whole(row.total()));
        Point {
            at: (row.context as f64, in_unit(row.total())),
            label: page.language().fill(text!(scaling::NOW), &[&amount]),
            tint: Tint::Now,
        }
    });
    Chart {
        x: Axis {
            spread: Spread::Log2,
            label: page.say(text!(cache_growth::CONTEXT)).to_owned(),
            min: None,
            max: None,
            write: format::grouped,
        },
        y: Axis {
            spread: Spread::Log10,
            label: page.fill(text!(cache_growth::AXIS), &[unit.sign()]),
            min: None,
            max: None,
            write: curve::amount,
        },
        lines,
        points: now.collect(),
        marker: (pool > Bytes::ZERO).then(|| Marker {
            y: in_unit(pool.get()),
            label: page.fill(text!(cache_growth::POOL), &[&unit.amount(pool)]),
            tint: Tint::Limit,
        }),
    }
}

fn table(page: &Page, plan: &InferencePlan, rows: &[Growth], kinds: &[LayerKind]) -> Html {
    let unit = page.state.settings.unit;
    let layers = |kind: LayerKind| {
        let count = rows.first().and_then(|row| row.kinds.iter().find(|part| part.kind == kind));
        let count = count.map_or(0.0, |part| part.layers);
        page.fill(text!(cache_growth::LAYERS), &[page.language().layer_kind(kind), &format::trimmed(count)])
    };
    let amount = |bytes: f64| unit.figure(Bytes::whole(bytes));
    let head = |text: String| html! { <th scope="col" class="number">{ text }</th> };
    let name = page.fill(text!(cache_growth::CAPTION), &[&requests_in_words(page, plan.requests()), unit.sign()]);
    let table = html! {
        <table class="growth">
            <caption>{ name }</caption>
            <thead>
                <tr>
                    { head(page.say(text!(cache_growth::TOKENS_OF)).to_owned()) }
                    { for kinds.iter().map(|kind| head(layers(*kind))) }
                    if kinds.len() > 1 { { head(page.say(text!(cache_growth::ALL_KINDS)).to_owned()) } }
                </tr>
            </thead>
            <tbody>
                { for rows.iter().map(|row| html! {
                    <tr class={(row.context == plan.context).then_some("selected")}>
                        <th scope="row" class="number">{ format::grouped(row.context as f64) }</th>
                        { for kinds.iter().map(|kind| cell(amount(row.of(*kind)), Numbers::Yes)) }
                        if kinds.len() > 1 { { cell(amount(row.total()), Numbers::Yes) } }
                    </tr>
                }) }
            </tbody>
        </table>
    };
    scrolling(page.say(text!(cache_growth::TITLE)), table)
}

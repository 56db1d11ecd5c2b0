//! The page as text, in both languages, and the first paint that is made from it.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use serde_json::{Value, json};
use vram_ledger::scenario::Scenario;
use vram_ledger::words::Language;
use yew::{BaseComponent, LocalServerRenderer, UseReducerHandle};

use crate::page::borders::views::fetch;
use crate::page::context::later::Later;
use crate::page::context::settings::Settings;
use crate::page::context::state::{Start, State, opening};
use crate::page::context::{Once, Page};
use crate::page::shell::app::{App, Given, Props};
use crate::page::views::{TABS, VIEWS};

/// A component as it stands before anybody has touched it.
pub fn text_of<C: BaseComponent>(props: C::Properties) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let text = LocalServerRenderer::<C>::with_props(props).hydratable(false).render();
    tokio::task::LocalSet::new().block_on(&runtime, text)
}

/// Settings with nothing chosen but the language.
pub fn settings(language: Language) -> Settings {
    Settings::in_language(language, &TABS)
}

/// A page with everything on it that comes later.
pub fn page(state: UseReducerHandle<State>) -> Page {
    Page { state, bar_width: 1154.0, later: Later::Here(&VIEWS) }
}

fn rendered(start: Start) -> String {
    text_of::<App>(Props { given: Once::new(Given { start, later: Later::Here(&VIEWS), fetch, place: None }) })
}

/// The page without the options of its select boxes that are not chosen: the lists are the catalogue's, and make up most
/// of the text.
fn without_lists(html: &str) -> String {
    let mut short = String::new();
    let mut rest = html;
    while let Some(start) = rest.find("<optgroup").into_iter().chain(rest.find("<option")).min() {
        short.push_str(&rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag ends") + 1;
        if rest[start..].starts_with("<optgroup") {
            rest = &rest[end..];
            continue;
        }
        let after = end + rest[end..].find("</option>").expect("an option ends") + "</option>".len();
        if rest[start..end].contains("selected") {
            short.push_str(&rest[start..after]);
        }
        rest = &rest[after..];
    }
    (short + rest).replace("</optgroup>", "")
}

/// The page without what is in parts that are closed: before the page answers, nothing in them would.
fn without_closed_parts(html: &str) -> String {
    const END: &str = "</details>";
    let mut short = String::new();
    let mut rest = html;
    while let Some(start) = rest.find("</summary>") {
        let start = start + "</summary>".len();
        short.push_str(&rest[..start]);
        let mut end = start;
        let mut depth = 1;
        while depth > 0 {
            let closes = end + rest[end..].find(END).expect("a part ends");
            let opens = rest[end..closes].matches("<details").count();
            depth += opens;
            depth -= 1;
            end = closes + END.len();
        }
        rest = &rest[end - END.len()..];
    }
    short + rest
}

/// One element a line, so that a difference is seen where it is.
fn lines(html: &str) -> String {
    without_lists(html).replace("><", ">\n<")
}

fn asked(value: Value) -> Scenario {
    Scenario::from_value(&value).expect("a question of the schema")
}

fn snapshot(name: &str, change: impl Fn(Language) -> Start) {
    snapshot_of(name, |language| rendered(change(language)));
}

fn snapshot_of(name: &str, html: impl Fn(Language) -> String) {
    for language in Language::ALL {
        let html = html(language);
        assert!(!html.contains(" style="), "a style attribute does nothing under the page's content policy");
        insta::assert_snapshot!(format!("{name}-{}", language.short()), lines(&html));
    }
}

fn start(scenario: Scenario, language: Language) -> Start {
    Start { question: Ok(Rc::new(scenario)), settings: settings(language) }
}

#[test]
fn opening_state() {
    snapshot("opening", |language| start(opening(), language));
}

#[test]
fn eight_shards() {
    let question = json!({"model": "llama-3.1-8b", "cluster": {"gpus": 8}, "training": {"sharding": "zero3"}});
    snapshot("eight-shards", |language| start(asked(question.clone()), language));
}

#[test]
fn does_not_fit() {
    let question = json!({"model": {"parameters": 7e10}, "cluster": {"gpu": "rtx-4090"}});
    snapshot("does-not-fit", |language| start(asked(question.clone()), language));
}

#[test]
fn refused_link() {
    let refused = Scenario::from_value(&json!({"training": {"sharding": "zero4"}})).expect_err("no such stage");
    snapshot("refused-link", |language| Start { question: Err(refused.clone()), settings: settings(language) });
}

#[test]
fn embedded() {
    snapshot("embedded", |language| {
        let (settings, refused) = self::settings(language).read("embed=1&view=bars");
        assert_eq!(refused, None);
        Start { question: Ok(Rc::new(opening())), settings }
    });
}

/// Views beyond the ledger; those with curves have tests of their own.
#[test]
fn later_views() {
    let question =
        json!({"model": "llama-3.1-8b", "cluster": {"gpus": 16}, "training": {"sharding": "zero3", "tensor": 2}});
    for view in ["communication", "compare"] {
        snapshot(view, |language| {
            let (settings, _) = self::settings(language).read(&format!("view={view}"));
            Start { question: Ok(Rc::new(asked(question.clone()))), settings }
        });
    }
}

/// The views of what is held when and where: with a pipeline, and without one.
#[test]
fn stages_and_phases() {
    let pipeline = json!({
        "model": "llama-3.1-8b", "framework": "megatron-core", "cluster": {"gpus": 4},
        "training": {"pipeline": 4, "global_batch": 8, "schedule": "1f1b"},
    });
    let whole = json!({"model": "llama-3.1-8b"});
    for (name, question, view) in [
        ("stages", &pipeline, "stages"),
        ("one-stage", &whole, "stages"),
        ("timeline", &pipeline, "timeline"),
        ("timeline-one-stage", &whole, "timeline"),
    ] {
        snapshot_of(name, |language| {
            let (settings, _) = self::settings(language).read(&format!("view={view}"));
            let html = rendered(Start { question: Ok(Rc::new(asked(question.clone()))), settings });
            // The rest of the page stands in the other snapshots.
            html[html.find("role=\"tabpanel\"").expect("a view")..].to_owned()
        });
    }
}

/// Serving under an engine with a budget, with layers of two kinds.
#[test]
fn serving() {
    let question =
        json!({"model": "gemma-2-9b", "cluster": {"gpus": 2}, "inference": {"engine": "vllm", "concurrency": 8}});
    snapshot_of("serving", |language| {
        let (settings, _) = self::settings(language).read("view=serving");
        let html = rendered(Start { question: Ok(Rc::new(asked(question.clone()))), settings });
        html[html.find("role=\"tabpanel\"").expect("a view")..].to_owned()
    });
}

/// `static/first-paint.html` is the opening state; `UPDATE=1` writes it anew.
#[test]
fn first_paint() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/first-paint.html");
    let html = without_closed_parts(&without_lists(&rendered(start(opening(), Language::English)))) + "\n";
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &html).expect("the first paint can be written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == html,
        "static/first-paint.html is not the opening state; UPDATE=1 cargo test --features ssr --bin vram-ledger first_paint"
    );
}

//! The page as text, in both languages, and the first paint that is made from it.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use vram_ledger::scenario::Scenario;
use yew::ServerRenderer;

use super::language::Language;
use super::settings::Settings;
use super::state::{Start, opening};
use super::{App, Props};

/// The page as it stands before anybody has touched it.
fn rendered(start: Start) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let page = ServerRenderer::<App>::with_props(move || Props { start: start.clone(), place: None })
        .hydratable(false)
        .render();
    runtime.block_on(page)
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

/// One element a line, so that a difference is seen where it is.
fn lines(html: &str) -> String {
    without_lists(html).replace("><", ">\n<")
}

fn asked(value: Value) -> Scenario {
    Scenario::from_value(&value).expect("a question of the schema")
}

fn snapshot(name: &str, change: impl Fn(Language) -> Start) {
    for language in Language::ALL {
        let html = rendered(change(language));
        assert!(!html.contains(" style="), "a style attribute does nothing under the page's content policy");
        insta::assert_snapshot!(format!("{name}-{}", language.short()), lines(&html));
    }
}

fn start(scenario: Scenario, language: Language) -> Start {
    Start { question: Ok(scenario), settings: Settings::in_language(language) }
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
    snapshot("refused-link", |language| Start {
        question: Err(refused.clone()),
        settings: Settings::in_language(language),
    });
}

#[test]
fn embedded() {
    snapshot("embedded", |language| {
        let (settings, refused) = Settings::in_language(language).read("embed=1&view=bars");
        assert_eq!(refused, None);
        Start { question: Ok(opening()), settings }
    });
}

/// `static/first-paint.html` is the opening state; `UPDATE=1` writes it anew.
#[test]
fn first_paint() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/first-paint.html");
    let html = without_lists(&rendered(start(opening(), Language::English))) + "\n";
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &html).expect("the first paint can be written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == html,
        "static/first-paint.html is not the opening state; UPDATE=1 cargo test --features ssr --bin vram-ledger first_paint"
    );
}

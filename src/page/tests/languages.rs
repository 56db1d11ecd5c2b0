//! Every text is there in every language, and fits where the English one does.

use std::rc::Rc;

use serde_json::{Value, json};
use vram_ledger::scenario::Scenario;
use vram_ledger::words::Language;

use super::views::{pipeline, view};
use super::{asked, settings, start, whole};
use crate::page::context::segments::text_width;
use crate::page::context::state::{Start, opening};
use crate::page::views::TABS;

/// Elements that say nothing when they are empty.
const NAMED: [&str; 10] = ["button", "label", "summary", "h1", "h2", "h3", "caption", "figcaption", "option", "legend"];

/// Elements whose text stands in one line.
const ONE_LINE: [&str; 3] = ["button", "summary", "label"];

/// Attributes that are read out.
const READ_OUT: [&str; 2] = [" aria-label=\"", " title=\""];

/// Pixels that a text in one line may be wider than the English one, which is what there is room for everywhere.
const ROOM: f64 = 26.0;

/// An element and the text in it, or an attribute that is read out.
#[derive(Debug)]
struct Said {
    element: String,
    text: String,
    /// Whether it is marked as being in another language than the page.
    marked: bool,
}

/// Everything a page says, in order.
fn said(html: &str) -> Vec<Said> {
    let mut all = Vec::new();
    // Open elements: the name, whether it is marked, where its text goes.
    let mut open: Vec<(String, bool, usize)> = Vec::new();
    for piece in html.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag ends");
        if tag.starts_with('/') {
            open.pop();
        } else {
            let element = tag.split([' ', '/']).next().unwrap_or_default().to_owned();
            let marked = tag.contains(" lang=") || open.last().is_some_and(|parent| parent.1);
            for attribute in READ_OUT {
                if let Some((_, value)) = tag.split_once(attribute) {
                    let text = value.split('"').next().unwrap_or_default().to_owned();
                    all.push(Said { element: "attribute".to_owned(), text, marked });
                }
            }
            all.push(Said { element: element.clone(), text: String::new(), marked });
            if !tag.ends_with('/') && !["input", "progress"].contains(&element.as_str()) {
                open.push((element, marked, all.len() - 1));
            }
        }
        if let Some((element, _, place)) = open.last()
            && element != "textarea"
        {
            all[*place].text.push_str(text);
        }
        // What stands in an element inside a named one counts for both.
        if let [.., parent, _] = &open[..]
            && NAMED.contains(&parent.0.as_str())
        {
            all[parent.2].text.push_str(text);
        }
    }
    all
}

/// Several English words in a row, which no name of a thing is.
fn english(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split(' ').collect();
    let plain = |word: &&str| word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase());
    words.windows(3).find(|three| three.iter().all(plain)).map(|three| three.join(" "))
}

/// Pages that between them show every text of the shell and the views.
fn pages(language: Language) -> Vec<(String, String)> {
    let mut pages = vec![
        ("opening".to_owned(), whole(start(opening(), language))),
        ("does not fit".to_owned(), {
            whole(start(asked(json!({"model": {"parameters": 7e10}, "cluster": {"gpu": "rtx-4090"}})), language))
        }),
        ("refused link".to_owned(), {
            let refused = Scenario::from_value(&json!({"training": {"sharding": "zero4"}})).expect_err("no such stage");
            whole(Start { question: Err(refused), settings: settings(language) })
        }),
        ("embedded".to_owned(), {
            let (settings, _) = settings(language).read("embed=1");
            whole(Start { question: Ok(Rc::new(opening())), settings })
        }),
    ];
    let questions: [(&str, Value); 3] = [
        ("pipeline", pipeline()),
        ("one GPU", json!({"model": "llama-3.1-8b"})),
        (
            "mixture",
            json!({
                "model": "deepseek-v3", "cluster": {"gpus": 256},
                "framework": "megatron-core", "training": {"tensor": 8, "expert": 8, "pipeline": 4, "sharding": "zero1", "global_batch": 256},
                "inference": {"engine": "sglang", "tensor": 16},
            }),
        ),
    ];
    for (name, question) in questions {
        pages.extend(TABS.iter().map(|tab| (format!("{} of {name}", tab.id), view(tab.id, &question, language))));
    }
    pages
}

#[test]
fn every_text_is_there_and_fits() {
    let mut faults = Vec::new();
    for ((page, english_page), (_, other_page)) in pages(Language::English).iter().zip(&pages(Language::Chinese)) {
        let [in_english, in_other] = [english_page, other_page].map(|html| said(html));
        let elements = |all: &[Said]| all.iter().map(|said| said.element.clone()).collect::<Vec<_>>();
        if elements(&in_english) != elements(&in_other) {
            faults.push(format!("{page}: other elements"));
            continue;
        }
        for (usual, other) in in_english.iter().zip(&in_other) {
            let named = NAMED.contains(&other.element.as_str()) || other.element == "attribute";
            if named && (usual.text.trim().is_empty() || other.text.trim().is_empty()) {
                faults.push(format!("{page}: {} says nothing beside {:?}", other.element, usual.text));
            }
            if !other.marked
                && let Some(words) = english(&other.text)
            {
                faults.push(format!("{page}: {words:?} is English"));
            }
            let one_line = ONE_LINE.contains(&other.element.as_str());
            if one_line && text_width(&other.text) > text_width(&usual.text) + ROOM {
                faults.push(format!("{page}: {:?} is wider than {:?}", other.text, usual.text));
            }
        }
    }
    faults.sort();
    faults.dedup();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

//! The languages held against one another, by reading their files: a constant that nothing uses is held too.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::*;

/// The folder of each language.
const FOLDERS: [&str; Language::ALL.len()] = ["en", "zh"];

/// The texts of a file, in its order.
struct File {
    /// The constants by their names.
    texts: Vec<(String, String)>,
    /// The functions.
    functions: Vec<String>,
}

fn words() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/words")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a language by their subject.
fn files(folder: &str) -> BTreeMap<String, File> {
    let entries = std::fs::read_dir(words().join(folder)).expect("a folder for each language");
    entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let subject = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (subject, file(&read(&path)))
        })
        .collect()
}

fn file(source: &str) -> File {
    let texts = source.split("\npub const ").skip(1).map(|item| {
        let (name, rest) = item.split_once(": &str =").expect("a text");
        let literal = rest.trim_start().split("\";").next().and_then(|literal| literal.strip_prefix('"'));
        (name.to_owned(), literal.expect("a literal").replace("\\\"", "\""))
    });
    let functions = source.split("\npub fn ").skip(1).filter_map(|item| Some(item.split_once('(')?.0.to_owned()));
    File { texts: texts.collect(), functions: functions.collect() }
}

fn places(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|piece| Some(piece.split_once('}')?.0)).collect()
}

fn is_chinese(text: &str) -> bool {
    text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c))
}

#[test]
fn every_language_has_the_same_texts_with_the_same_places() {
    let [english, chinese] = FOLDERS.map(files);
    assert!(english.keys().eq(chinese.keys()), "the languages have other subjects");
    for (subject, english) in &english {
        let chinese = &chinese[subject];
        let names = |file: &File| file.texts.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        assert_eq!(names(english), names(chinese), "{subject}");
        assert_eq!(english.functions, chinese.functions, "{subject}");
        for ((name, english), (_, chinese)) in english.texts.iter().zip(&chinese.texts) {
            assert!(!english.trim().is_empty() && !chinese.trim().is_empty(), "{subject}::{name} is empty");
            assert_eq!(places(english), places(chinese), "{subject}::{name}");
            for (index, place) in places(english).into_iter().enumerate() {
                assert_eq!(place, index.to_string(), "{subject}::{name} leaves out a place");
            }
            // What is the same in both is a name, or punctuation that some places stand between.
            assert!(!is_chinese(english), "{subject}::{name} is not English");
            assert!(is_chinese(chinese) || names_alone(english, chinese), "{subject}::{name} is not Chinese");
        }
    }
}

/// Whether a text has nothing to translate but its punctuation.
fn names_alone(english: &str, chinese: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).collect::<String>();
    letters(english) == letters(chinese)
}

#[test]
fn every_text_is_used() {
    fn sources(folder: &Path, all: &mut String) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                sources(&path, all);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                all.push_str(&read(&path));
            }
        }
    }
    let mut all = String::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
    let used: BTreeSet<&str> =
        all.split("text!(").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.trim())).collect();
    for (subject, file) in files(FOLDERS[0]) {
        let own = read(&words().join(FOLDERS[0]).join(format!("{subject}.rs")));
        for (name, _) in &file.texts {
            let named = used.contains(format!("{subject}::{name}").as_str());
            assert!(named || own.matches(name.as_str()).count() > 1, "{subject}::{name} is used nowhere");
        }
    }
}

#[test]
fn what_is_explained_in_chinese_is_chinese() {
    for rule in Rule::ALL {
        assert!(is_chinese(Language::Chinese.rule(*rule)), "{rule:?}");
        assert!(!is_chinese(Language::English.rule(*rule)), "{rule:?}");
    }
    for symbol in Symbol::ALL {
        assert!(is_chinese(Language::Chinese.symbol(*symbol)), "{symbol:?}");
    }
    for account in Account::ALL {
        assert!(is_chinese(Language::Chinese.account(account)), "{account:?}");
    }
    for basis in Basis::ALL {
        assert!(is_chinese(Language::Chinese.basis_meaning(basis)), "{basis:?}");
    }
}

#[test]
fn refusals_are_said_in_both_languages() {
    use crate::refusal::{DivisionRule, Expected, Given, LinkProblem};
    let rules = DivisionRule::ALL.map(|rule| Problem::Needed { rule, other: 8 });
    let expected = [Expected::List, Expected::Boolean, Expected::Number, Expected::Gpu, Expected::Model];
    let kinds = expected.map(|expected| Problem::Kind { given: Given::Object, expected });
    let links = [LinkProblem::NotPairs, LinkProblem::Twice, LinkProblem::Percent].map(Problem::Link);
    for problem in rules.iter().chain(&kinds).chain(&links) {
        let [english, chinese] = Language::ALL.map(|language| language.problem(problem));
        assert!(!is_chinese(&english) && is_chinese(&chinese), "{english}: {chinese}");
    }
}

#[test]
fn rules_of_thumb_have_the_same_places_in_every_language() {
    for rule in Heuristic::ALL {
        let [english, chinese] = Language::ALL.map(|language| language.rule_of_thumb(*rule));
        assert_eq!(places(english), places(chinese), "{rule:?}");
        assert!(is_chinese(chinese) && !is_chinese(english), "{rule:?}");
        let [english, chinese] = Language::ALL.map(|language| language.rule_of_thumb_but(*rule));
        assert_eq!(english.is_some(), chinese.is_some(), "{rule:?}");
        assert!(chinese.is_none_or(is_chinese), "{rule:?}");
    }
}

#[test]
fn templates_are_filled_in_any_order() {
    assert_eq!(fill("{1} of {0}; {0}", &["a", "b"]), "b of a; a");
    assert_eq!(fill("none", &["a"]), "none");
}

#[test]
fn tags_are_read_by_their_language() {
    assert_eq!(Language::from_tag("zh-Hans-CN"), Some(Language::Chinese));
    assert_eq!(Language::from_tag("EN_gb"), Some(Language::English));
    assert_eq!(Language::from_tag("fr"), None);
}

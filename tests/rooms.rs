//! Which room of the library may import which: only one below it. And what loads first does not name a view.
//!
//! Read from the text of src/: every `use`, every path in the middle of a line, and `text!`, which is a path into the
//! texts. A room is a module of src/lib.rs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms, from the top down. A room may import those of lower rows, and of its own row those that do not import it
/// in turn, on any way.
const ORDER: &[&[&str]] = &[
    // The JSON document; and what the page has below it besides.
    &["report", "link", "chart"],
    // Searches and conclusions over estimates.
    &["planner", "advice", "insight"],
    // The question and its plan together, then memory, times and searches.
    &["estimate"],
    // From a scenario to a plan.
    &["resolve"],
    // Functions of a plan.
    &["training", "inference", "communication", "time"],
    // What the values of settings are called.
    &["labels"],
    // Everything known of one engine, of one model family.
    &["engines", "families"],
    // The texts, in both languages.
    &["words"],
    // The vocabulary of answers.
    &["answer"],
    // The vocabulary of what is computed from.
    &["plan"],
    // The question, a row a setting.
    &["scenario"],
    // Everything known of one framework, of one optimiser: rows that the question names.
    &["frameworks", "optimizers"],
    // Names, dimensions, catalogues, rules.
    &["names", "weight_formats", "model", "hardware", "ledger", "numerics"],
    // How a question is read and refused, whatever it is about; quantities, arithmetic, the files of catalogues.
    &["schema", "refusal", "units", "divisors", "root_finding", "catalogue", "small"],
];

/// The rooms of the page, from the top down. The two at the top do not import each other.
const PAGE: &[&str] =
    &["views", "shell", "controls", "borders", "context", "fields", "answer", "format", "typed_number"];

/// The page's folder of what loads first, and the module of what comes later.
const SHELL: &str = "src/page/shell";
const VIEWS: &str = "src/page/views";

#[test]
fn imports_point_down() {
    let rooms = rooms();
    let row_of = |room: &str| ORDER.iter().position(|row| row.contains(&room));
    let mut refused: Vec<String> = rooms
        .iter()
        .filter(|room| row_of(room).is_none())
        .map(|room| format!("src/lib.rs: the room {room} stands in no row of the order"))
        .collect();

    let mut sideways: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (file, module) in library_files() {
        let Some(from) = module.first().cloned() else { continue };
        for import in imports(&file, &module) {
            let Some(to) = import.path.first().filter(|to| **to != from && rooms.contains(*to)) else { continue };
            let (Some(upper), Some(lower)) = (row_of(&from), row_of(to)) else { continue };
            if lower < upper {
                refused.push(format!("{import}: the room {from} imports {to}, which stands above it"));
            } else if lower == upper {
                let of_room = sideways.entry(from.clone()).or_default();
                of_room.entry(to.clone()).or_insert_with(|| import.to_string());
            }
        }
    }
    refused.extend(circles(&sideways));
    refused.dedup();
    assert!(refused.is_empty(), "{} against the order:\n{}", refused.len(), refused.join("\n"));
}

#[test]
fn what_loads_first_names_no_view() {
    let views: BTreeSet<String> = fs::read_dir(VIEWS)
        .unwrap_or_else(|error| panic!("{VIEWS}: {error}"))
        .map(|entry| entry.expect("a file").path())
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .filter(|name| name != "mod")
        .collect();
    let mut refused = Vec::new();
    let files = rust_files(Path::new(SHELL));
    assert!(!files.is_empty(), "{SHELL} holds what loads first");
    for file in files {
        for import in imports(&file, &module_of(&file)) {
            if let [page, folder, view, ..] = import.path.as_slice()
                && page == "page"
                && folder == "views"
                && views.contains(view)
            {
                refused.push(format!("{import}: the shell names the view {view}, and would load it with itself"));
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn imports_of_the_page_point_down() {
    let row_of = |room: &str| PAGE.iter().position(|known| *known == room);
    let mut refused = Vec::new();
    for file in rust_files(Path::new("src/page")) {
        let module = module_of(&file);
        let Some(from) = module.get(1).filter(|room| *room != "tests" && !file.ends_with("tests.rs")) else { continue };
        let Some(upper) = row_of(from) else {
            refused.push(format!("{}: the room {from} stands in no row of the order", file.display()));
            continue;
        };
        for import in imports(&file, &module) {
            let [page, to, ..] = import.path.as_slice() else { continue };
            let above = page == "page" && row_of(to).is_some_and(|row| row < upper);
            if above || (from == "views" && to == "shell") {
                refused.push(format!("{import}: {from} imports {to}"));
            }
        }
    }
    assert!(refused.is_empty(), "{} against the order:\n{}", refused.len(), refused.join("\n"));
}

/// Each pair of rooms of a row that reach each other, with the import that closes the circle.
fn circles(sideways: &BTreeMap<String, BTreeMap<String, String>>) -> Vec<String> {
    let reaches = |from: &str, wanted: &str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from.to_owned()]);
        while let Some(room) = open.pop() {
            if room == wanted {
                return true;
            }
            if seen.insert(room.clone()) {
                open.extend(sideways.get(&room).into_iter().flat_map(|imported| imported.keys().cloned()));
            }
        }
        false
    };
    let pairs = sideways.iter().flat_map(|(from, imported)| imported.iter().map(move |(to, at)| (from, to, at)));
    pairs
        .filter(|(from, to, _)| reaches(to, from))
        .map(|(from, to, at)| format!("{at}: the room {from} imports {to}, which imports {from} in turn"))
        .collect()
}

/// The modules of src/lib.rs.
fn rooms() -> BTreeSet<String> {
    let text = fs::read_to_string("src/lib.rs").expect("src/lib.rs");
    let words = text.lines().filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod "));
    words.map(|word| word.trim_end_matches([';', ' ', '{']).to_owned()).collect()
}

/// The files of the library and the modules they are.
fn library_files() -> Vec<(PathBuf, Vec<String>)> {
    let is_program =
        |module: &[String]| module.first().is_some_and(|first| ["main", "page", "bin"].contains(&&**first));
    let files = rust_files(Path::new("src")).into_iter().map(|file| {
        let module = module_of(&file);
        (file, module)
    });
    files.filter(|(_, module)| !is_program(module)).collect()
}

/// Every Rust file of a folder and its folders, in the order of their names.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("a file").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The module that a file of src/ is, from the root of its program or library.
fn module_of(file: &Path) -> Vec<String> {
    let path = file.strip_prefix("src").expect("a file of src").with_extension("");
    let mut module: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if module.last().is_some_and(|last| last == "mod") || module == ["lib"] || module == ["main"] {
        module.pop();
    }
    module
}

/// A path that a file names.
struct Import {
    file: PathBuf,
    line: usize,
    /// From the root of the file's own program or library.
    path: Vec<String>,
}

impl fmt::Display for Import {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line)
    }
}

/// The paths of a file that begin with `crate::` or `super::`, and `text!`.
fn imports(file: &Path, module: &[String]) -> Vec<Import> {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let tokens = tokens(&text);
    let word = |at: usize| tokens.get(at).map_or("", |(token, _)| token.as_str());
    let mut found = Vec::new();
    let mut add = |line: usize, path: Vec<String>| found.push(Import { file: file.to_owned(), line, path });
    // The modules written inside this file that stand open, each with the depth of its braces.
    let (mut inner, mut depth): (Vec<(String, usize)>, usize) = (Vec::new(), 0);
    let mut at = 0;
    while at < tokens.len() {
        let line = tokens[at].1;
        match word(at) {
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                if inner.last().is_some_and(|(_, opened)| *opened == depth) {
                    inner.pop();
                }
            }
            "mod" if word(at + 2) == "{" => inner.push((word(at + 1).to_owned(), depth)),
            "text" if word(at + 1) == "!" && word(at + 2) != "{" => add(line, vec!["words".to_owned()]),
            "crate" | "super" if word(at + 1) == "::" && word(at.wrapping_sub(1)) != "::" => {
                let mut base: Vec<String> = Vec::new();
                if word(at) == "super" {
                    base.extend(module.iter().cloned().chain(inner.iter().map(|(name, _)| name.clone())));
                    while word(at) == "super" && word(at + 1) == "::" {
                        base.pop();
                        at += 2;
                    }
                } else {
                    at += 2;
                }
                at = tree(&tokens, at, &base, &mut |line, path| add(line, path));
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Reads the rest of a path, which may branch in braces, and answers where it ends.
fn tree(tokens: &[(String, usize)], mut at: usize, base: &[String], add: &mut impl FnMut(usize, Vec<String>)) -> usize {
    let word = |at: usize| tokens.get(at).map_or("", |(token, _)| token.as_str());
    let line = tokens.get(at).map_or(0, |(_, line)| *line);
    let mut path = base.to_vec();
    while word(at).starts_with(|c: char| c.is_alphanumeric() || c == '_') {
        if word(at) != "self" {
            path.push(word(at).to_owned());
        }
        at += 1;
        if word(at) != "::" {
            break;
        }
        at += 1;
    }
    if word(at) == "{" && word(at.wrapping_sub(1)) == "::" {
        at += 1;
        while at < tokens.len() && word(at) != "}" {
            at = if word(at) == "," { at + 1 } else { tree(tokens, at, &path, add).max(at + 1) };
        }
        return at + 1;
    }
    add(line, path);
    at
}

/// The words and signs of a Rust text with their lines, without comments and what stands in quotes.
fn tokens(text: &str) -> Vec<(String, usize)> {
    let characters: Vec<char> = text.chars().collect();
    let next = |at: usize| characters.get(at).copied().unwrap_or('\0');
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut at, mut line, mut tokens) = (0, 1, Vec::new());
    while at < characters.len() {
        let start = at;
        match next(at) {
            '/' if next(at + 1) == '/' => {
                while at < characters.len() && next(at) != '\n' {
                    at += 1;
                }
            }
            '/' if next(at + 1) == '*' => {
                while at < characters.len() && !(next(at) == '*' && next(at + 1) == '/') {
                    at += 1;
                }
                at += 2;
            }
            'r' if next(at + 1) == '"' || (next(at + 1) == '#' && matches!(next(at + 2), '"' | '#')) => {
                let hashes = (1..).take_while(|ahead| next(at + ahead) == '#').count();
                at += hashes + 2;
                let closes = |at: usize| next(at) == '"' && (1..=hashes).all(|ahead| next(at + ahead) == '#');
                while at < characters.len() && !closes(at) {
                    at += 1;
                }
                at += hashes + 1;
            }
            '"' => {
                at += 1;
                while at < characters.len() && next(at) != '"' {
                    at += if next(at) == '\\' { 2 } else { 1 };
                }
                at += 1;
            }
            // A character, and not a lifetime.
            '\'' if next(at + 1) == '\\' => {
                at += 3;
                while at < characters.len() && next(at) != '\'' {
                    at += 1;
                }
                at += 1;
            }
            '\'' if next(at + 2) == '\'' => at += 3,
            c if is_word(c) => {
                while is_word(next(at)) {
                    at += 1;
                }
                tokens.push((characters[start..at].iter().collect(), line));
            }
            ':' if next(at + 1) == ':' => {
                at += 2;
                tokens.push(("::".to_owned(), line));
            }
            c => {
                at += 1;
                if !c.is_whitespace() {
                    tokens.push((c.to_string(), line));
                }
            }
        }
        line += characters[start..at.min(characters.len())].iter().filter(|c| **c == '\n').count();
    }
    tokens
}

#[test]
fn reads_every_form_of_a_path() {
    let text = r##"
//! crate::comment
use crate::{time::{self, x::Y}, plan::Plan};
use super::other::{A, B};
fn f<'a>(x: &'a str) -> char { let s = "crate::text"; let r = r#"crate::"raw""#; '"'; crate::units::Bytes(1); 'x' }
mod tests { use super::*; use super::super::near; }
pub(crate) fn g() -> &'static str { pub(in crate::advice) text!(gpus::NAME) }
"##;
    let folder = std::env::temp_dir().join(format!("rooms-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("text.rs");
    fs::write(&file, text).expect("a file");
    let module = ["room".to_owned(), "part".to_owned()];
    let paths: Vec<(usize, String)> =
        imports(&file, &module).into_iter().map(|import| (import.line, import.path.join("::"))).collect();
    fs::remove_dir_all(&folder).expect("the folder goes");
    let expected = [
        (3, "time"),
        (3, "time::x::Y"),
        (3, "plan::Plan"),
        (4, "room::other::A"),
        (4, "room::other::B"),
        (5, "units::Bytes"),
        (6, "room::part"),
        (6, "room::near"),
        (7, "advice"),
        (7, "words"),
    ];
    assert_eq!(paths, expected.map(|(line, path)| (line, path.to_owned())));
}

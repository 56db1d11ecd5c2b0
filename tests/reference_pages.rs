//! The reference pages, and the figures that the ledger counts with, are written from the code and the catalogues and stay
//! what those say: `UPDATE=1 cargo test --test reference_pages` writes them anew.

use std::fmt::Write;
use std::path::Path;

use vram_ledger::families::{FAMILIES, model_rows};
use vram_ledger::hardware::{accelerator_rows, link_rows};
use vram_ledger::ledger::{Basis, Rule, Symbol};
use vram_ledger::names::Name;
use vram_ledger::words::Language;

#[track_caller]
fn is_fresh(file: &str, content: impl AsRef<[u8]>) {
    let content = content.as_ref();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
    }
    let stands = std::fs::read(&path).unwrap_or_default();
    assert!(stands == content, "{file} is not what the code says: run `UPDATE=1 cargo test --test reference_pages`");
}

fn words(basis: Basis) -> String {
    basis.name().replace('_', " ")
}

#[test]
fn rules() {
    let mut page = String::from(
        "# The rules of the ledger\n\nWritten from `src/ledger/rules.rs` and `src/ledger/symbols.rs`. Each formula stands \
         there once, with the code that evaluates it.\n\nHow sure a figure is:\n\n",
    );
    for basis in Basis::ALL {
        writeln!(page, "- {}: {}.", words(basis), Language::English.basis_meaning(basis)).unwrap();
    }
    page.push_str("\n| rule | formula | basis | what it is | source |\n|---|---|---|---|---|\n");
    for rule in Rule::ALL {
        let formula = rule.formula().replace("( ", "(").replace(" )", ")");
        let (basis, meaning, source) = (words(rule.basis()), Language::English.rule(*rule), rule.source());
        writeln!(page, "| `{}` | {formula} | {basis} | {meaning} | {source} |", rule.id()).unwrap();
    }
    page.push_str("\n## Symbols\n\n| symbol | meaning |\n|---|---|\n");
    for symbol in Symbol::ALL {
        writeln!(page, "| {} | {} |", symbol.sign(), Language::English.symbol(*symbol)).unwrap();
    }
    is_fresh("docs/rules.md", &page);
}

#[test]
fn catalogues() {
    let mut page = String::from(
        "# The catalogues\n\n## Models\n\n| id | parameters | the published count against that | cache, bytes a token (bf16) | sources |\n|---|---|---|---|---|\n",
    );
    for row in model_rows() {
        let sources: Vec<&str> = row.sources().collect();
        let mut cache = row.kv_bytes_per_token.to_string();
        if let Some(bytes) = row.indexer_bytes_per_token {
            write!(cache, "; indexer {bytes}").unwrap();
        }
        if let Some(bytes) = row.state_bytes_per_sequence {
            write!(cache, "; {bytes} a sequence").unwrap();
        }
        let difference = Language::English.differences(&row.difference);
        writeln!(page, "| `{}` | {} | {difference} | {cache} | {} |", row.id, row.parameters, sources.join("; "))
            .unwrap();
    }
    page.push_str("\n## Model families\n\nA `config.json` of one of these is read as its own code does.\n\n| family | `model_type` |\n|---|---|\n");
    for family in FAMILIES {
        let types: Vec<String> = family.model_types.iter().map(|model_type| format!("`{model_type}`")).collect();
        writeln!(page, "| {} | {} |", family.name, types.join(", ")).unwrap();
    }
    page.push_str("\n## Accelerators\n\nThe capacity is what the framework sees where that is known, else what the vendor's tool prints, else what is sold.\n\n| id | generation | capacity, bytes | from | bytes a second | sources |\n|---|---|---|---|---|---|\n");
    for row in accelerator_rows() {
        let sources: Vec<String> = row.sources().map(|(source, figures)| format!("{source}: {figures}")).collect();
        writeln!(
            page,
            "| `{}` | {} | {} | {:?} | {} | {} |",
            row.id,
            row.generation.name(),
            row.capacity_bytes(),
            row.capacity_basis(),
            row.bandwidth,
            sources.join("; ")
        )
        .unwrap();
    }
    page.push_str("\n## Links\n\n| id | bytes a second, one way | achieved share | sources |\n|---|---|---|---|\n");
    for row in link_rows() {
        let sources: Vec<&str> = row.sources().collect();
        let share = row.achieved_share.map_or("–".to_owned(), |share| share.to_string());
        writeln!(page, "| `{}` | {} | {share} | {} |", row.id, row.bandwidth, sources.join("; ")).unwrap();
    }
    is_fresh("docs/catalogues.md", &page);
}

/// The figures alone, as bytes: nobody who opens a page reads the rest.
#[track_caller]
fn facts_are_fresh(file: &str, facts: &impl serde::Serialize) {
    is_fresh(file, postcard::to_allocvec(facts).unwrap());
}

#[test]
fn facts() {
    let models: Vec<_> = model_rows().iter().map(|row| &row.model).collect();
    facts_are_fresh("src/model/catalogue.postcard", &models);
    let accelerators: Vec<_> = accelerator_rows().iter().map(|row| &row.figures).collect();
    facts_are_fresh("src/hardware/accelerators.postcard", &accelerators);
    let links: Vec<_> = link_rows().iter().map(|row| &row.figures).collect();
    facts_are_fresh("src/hardware/links.postcard", &links);
}

#[test]
fn every_rule_has_its_own_name_and_every_symbol_its_own_sign() {
    let mut names: Vec<&str> = Rule::ALL.iter().map(|rule| rule.id()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Rule::ALL.len());
    let mut signs: Vec<&str> = Symbol::ALL.iter().map(|symbol| symbol.sign()).collect();
    signs.sort_unstable();
    signs.dedup();
    assert_eq!(signs.len(), Symbol::ALL.len());
    for symbol in Symbol::ALL {
        assert!(Rule::ALL.iter().any(|rule| rule.symbols().contains(symbol)), "no rule uses {}", symbol.sign());
    }
}

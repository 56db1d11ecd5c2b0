//! Every test of the project, one suite after the other, each by the runner it was written for.

use crate::{
    Result, page,
    shell::{self, AtPath, cargo, output, run, say},
    tools,
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

/// How a suite ended.
enum Outcome {
    Passed,
    /// What could be checked passed; the rest, and why it could not be.
    NotChecked(String),
    Failed(String),
}

struct Suite {
    name: &'static str,
    about: &'static str,
    /// The suite whose result this one tests; it is not run where that one failed.
    after: Option<&'static str>,
    run: fn() -> Result<Outcome>,
}

const fn suite(name: &'static str, about: &'static str, run: fn() -> Result<Outcome>) -> Suite {
    Suite { name, about, after: None, run }
}

/// Quick refusals first, and what needs the built page last.
const SUITES: &[Suite] = &[
    suite("fmt", "the formatting of the Rust code", fmt),
    suite("clippy", "lints, natively and for the browser", clippy),
    suite("core", "the core: unit, case, property and documentation tests", core),
    suite("components", "snapshots of the page's components", components),
    suite("build", "the page builds", build),
    Suite { after: Some("build"), ..suite("budget", "what must load before the page answers", budget) },
    Suite { after: Some("build"), ..suite("browser", "the page in a real browser", browser) },
    suite("deny", "licences, sources and known faults of dependencies", deny),
];

/// The names that `cargo xtask test` takes.
pub fn names() -> Vec<&'static str> {
    SUITES.iter().map(|suite| suite.name).collect()
}

/// Runs the suites named, or all; fails if one of them does, but not before the others have run.
pub fn test(wanted: &[&str]) -> Result {
    if let Some(unknown) = wanted.iter().find(|name| !names().contains(name)) {
        return Err(format!("there is no suite {unknown}; the suites are {}", names().join(", ")));
    }
    let chosen = SUITES.iter().filter(|suite| wanted.is_empty() || wanted.contains(&suite.name));

    let mut results: Vec<(&Suite, Outcome, Duration)> = Vec::new();
    for suite in chosen {
        println!();
        say(format!("{}: {}", suite.name, suite.about));
        let start = Instant::now();
        let failed_before = results
            .iter()
            .find(|(earlier, outcome, _)| Some(earlier.name) == suite.after && matches!(outcome, Outcome::Failed(_)));
        let outcome = match failed_before {
            Some((earlier, ..)) => Outcome::Failed(format!("not run, because {} failed", earlier.name)),
            None => (suite.run)().unwrap_or_else(Outcome::Failed),
        };
        if let Outcome::Failed(reason) = &outcome {
            println!("{} failed: {reason}", suite.name);
        }
        results.push((suite, outcome, start.elapsed()));
    }
    summarise(&results)
}

fn summarise(results: &[(&Suite, Outcome, Duration)]) -> Result {
    println!();
    say("summary");
    let mut not_checked = Vec::new();
    for (suite, outcome, time) in results {
        let (word, reason) = match outcome {
            Outcome::Passed => ("passed", ""),
            Outcome::NotChecked(what) => {
                not_checked.push(what.as_str());
                ("passed", "")
            }
            Outcome::Failed(reason) => ("FAILED", reason.lines().next().unwrap_or_default()),
        };
        println!("  {:<11} {word:<8} {:>5} s  {reason}", suite.name, time.as_secs());
    }
    let failed = results.iter().filter(|(_, outcome, _)| matches!(outcome, Outcome::Failed(_))).count();
    let mut closing = format!("{} suites passed, {failed} failed", results.len() - failed);
    if !not_checked.is_empty() {
        closing = format!("{closing}; not checked: {}", not_checked.join(", "));
    }
    println!("{closing}");
    if failed == 0 { Ok(()) } else { Err(closing) }
}

/// Runs the checks of a suite whose runner has no closing line, all of them, and closes with one.
fn tally(checks: &mut [Command]) -> Result<Outcome> {
    let failures: Vec<String> = checks.iter_mut().filter_map(|check| run(check).err()).collect();
    println!("{} passed, {} failed", checks.len() - failures.len(), failures.len());
    if failures.is_empty() { Ok(Outcome::Passed) } else { Err(failures.join("; ")) }
}

fn fmt() -> Result<Outcome> {
    tools::rust_components()?;
    let mut check = cargo();
    check.args(["fmt", "--all", "--check"]);
    tally(&mut [check])
}

fn clippy() -> Result<Outcome> {
    tools::rust_components()?;
    tools::wasm_target()?;
    let clippy = |arguments: &[&str]| {
        let mut command = cargo();
        command.args(["clippy", "--quiet"]).args(arguments).args(["--", "--deny", "warnings"]);
        command
    };
    tally(&mut [
        clippy(&["--workspace", "--all-targets", "--features", "page,ssr"]),
        clippy(&["--target", "wasm32-unknown-unknown", "--bins", "--features", "page"]),
    ])
}

fn core() -> Result<Outcome> {
    run(cargo().args(["test", "--workspace"]).env("INSTA_UPDATE", "no")).map(|()| Outcome::Passed)
}

fn components() -> Result<Outcome> {
    // A snapshot that changed is a failure; `cargo insta review`, or INSTA_UPDATE=always without this command, accepts it.
    run(cargo().args(["test", "--features", "ssr", "--bin", "vram-ledger"]).env("INSTA_UPDATE", "no"))
        .map(|()| Outcome::Passed)
}

fn build() -> Result<Outcome> {
    let outcome = page::build();
    let failed = usize::from(outcome.is_err());
    println!("{} passed, {failed} failed", 1 - failed);
    outcome.map(|()| Outcome::Passed)
}

fn budget() -> Result<Outcome> {
    tools::node()?;
    need_the_page()?;
    node_tests("tests/budget", &mut Command::new("node"))
}

fn browser() -> Result<Outcome> {
    node_tests("tests/browser", &mut browser_runner()?)
}

/// Takes the README's picture anew, from the page as it is built now.
pub fn picture() -> Result {
    page::build()?;
    let mut node = browser_runner()?;
    run(node.env("UPDATE_PICTURES", "1").args(NODE_OPTIONS).arg("tests/browser/picture.test.mjs"))
}

/// Node with everything the browser tests ask for.
fn browser_runner() -> Result<Command> {
    let chromium = tools::chromium()?;
    tools::fonts();
    let packages = tools::test_packages()?;
    need_the_page()?;
    let mut node = Command::new("node");
    node.env("CHROME_PATH", chromium).env("VRAM_LEDGER_TEST_PACKAGES", packages);
    Ok(node)
}

/// A suite asked for by name tests the page that is there, and builds it only where there is none.
fn need_the_page() -> Result {
    if Path::new("dist/index.html").exists() { Ok(()) } else { page::build() }
}

/// A browser that hangs must not hang the tests. The limit counts for a file as a whole.
const NODE_OPTIONS: &[&str] = &["--test", "--test-reporter=spec", "--test-timeout=600000"];

/// Runs every `*.test.mjs` of a folder. The files are named one by one because Node's releases disagree on what a
/// folder means.
fn node_tests(folder: &str, node: &mut Command) -> Result<Outcome> {
    let folder = shell::root().join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .at("read", &folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.to_string_lossy().ends_with(".test.mjs"))
        .collect();
    files.sort();
    if files.is_empty() {
        return Err(format!("{} holds no test", folder.display()));
    }
    run(node.args(NODE_OPTIONS).args(files)).map(|()| Outcome::Passed)
}

/// What deny.toml accepts, and whether a fault of a dependency is known.
///
/// The lists of known faults are kept elsewhere than the dependencies: where they are out of reach, the suite says so
/// and holds the rest.
fn deny() -> Result<Outcome> {
    let program = tools::cargo_deny()?;
    let deny = |arguments: &[&str]| {
        let mut command = Command::new(&program);
        command.args(["--workspace"]).args(arguments);
        command
    };
    let mut checks = vec![deny(&["check", "bans", "licenses", "sources"])];
    let mut not_checked = Vec::new();
    say("fetching the advisories on crates");
    if output(&mut deny(&["fetch", "db"])).is_some() {
        checks.push(deny(&["check", "--disable-fetch", "advisories"]));
    } else {
        not_checked.push("advisories (database not in reach)");
    }
    tools::node()?;
    say("asking npm for the advisories on packages");
    let audit = ["audit", "--package-lock-only"];
    // It fails for a fault it found and for a registry that does not answer; only the second names an endpoint.
    let answer = Command::new("npm").args(audit).output().map_err(|error| format!("npm cannot be run: {error}"))?;
    if String::from_utf8_lossy(&answer.stderr).contains("audit endpoint") {
        not_checked.push("npm audit (not in reach)");
    } else {
        let mut npm = Command::new("npm");
        npm.args(audit);
        checks.push(npm);
    }
    match (tally(&mut checks)?, not_checked.as_slice()) {
        (Outcome::Passed, [_, ..]) => Ok(Outcome::NotChecked(not_checked.join(", "))),
        (outcome, _) => Ok(outcome),
    }
}

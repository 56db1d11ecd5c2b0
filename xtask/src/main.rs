//! The project's own commands: build and serve the page, run every test, and install what either takes.
//!
//! Only the standard library is used, so that the first `cargo xtask` on a new machine starts at once.

mod after_trunk;
mod cache;
mod hash;
mod page;
mod shell;
mod suites;
mod tools;

use std::process::ExitCode;

/// What went wrong, in words that say what to do about it.
type Result<T = ()> = std::result::Result<T, String>;

const HELP: &str = "\
usage: cargo xtask <command>

  serve [--port N] [--address IP]   build the page, serve it and print its address; rebuilds on every change
  build                             build the static page into dist/
  test [SUITE…]                     run every test, or only the suites named
  picture                           take the README's picture anew: docs/page.png
  setup                             install what the other commands need, and nothing else

suites, in their order: ";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = std::env::set_current_dir(shell::root())
        .map_err(|error| format!("cannot enter {}: {error}", shell::root().display()))
        .and_then(|()| run(&arguments));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("\nerror: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result {
    match arguments {
        ["serve", options @ ..] => page::serve(&page::ServeOptions::parse(options)?),
        ["build"] => page::build(),
        ["test", names @ ..] => suites::test(names),
        ["picture"] => suites::picture(),
        ["setup"] => tools::everything(),
        // Not for people: Trunk's hook, and a part of `serve`.
        ["after-trunk"] => after_trunk::run_hook(),
        ["announce", address] => page::announce(address),
        [] | ["help" | "--help" | "-h", ..] => {
            println!("{HELP}{}", suites::names().join(", "));
            Ok(())
        }
        _ => Err(format!("unknown command: {}\n\n{HELP}{}", arguments.join(" "), suites::names().join(", "))),
    }
}

//! Reads one scenario from standard input and prints its report; with `--lines` reads one scenario a line and prints
//! one report, or `{"error": {"field", "message"}}`, a line.

use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;

use serde::Serialize;
use vram_ledger::estimate;
use vram_ledger::refusal::FieldError;
use vram_ledger::report::Report;
use vram_ledger::scenario::Scenario;

/// What stands in place of a report.
#[derive(Serialize)]
struct Refusal {
    error: FieldError,
}

fn answer(text: &str) -> Result<Report, Refusal> {
    Scenario::from_json(text).and_then(|scenario| estimate(&scenario)).map_err(|error| Refusal { error })
}

fn print(out: &mut impl Write, answer: &Result<Report, Refusal>, pretty: bool) -> io::Result<()> {
    match (answer, pretty) {
        (Ok(report), true) => serde_json::to_writer_pretty(&mut *out, report)?,
        (Ok(report), false) => serde_json::to_writer(&mut *out, report)?,
        (Err(refusal), _) => serde_json::to_writer(&mut *out, refusal)?,
    }
    writeln!(out)
}

fn main() -> io::Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let lines = arguments.iter().any(|argument| argument == "--lines");
    if let Some(unknown) = arguments.iter().find(|argument| *argument != "--lines") {
        eprintln!("unknown argument {unknown}; allowed: --lines");
        return Ok(ExitCode::from(2));
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    if lines {
        for line in io::stdin().lock().lines() {
            let line = line?;
            if !line.trim().is_empty() {
                print(&mut out, &answer(&line), false)?;
            }
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = String::new();
    io::stdin().lock().read_to_string(&mut text)?;
    let answer = answer(&text);
    print(&mut out, &answer, true)?;
    Ok(if answer.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

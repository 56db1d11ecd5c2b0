//! Reads one scenario from standard input and prints the fastest layouts to train it by, and the same question backwards;
//! `--all-schedules` tries ZB1P, ZBV and DualPipe as well, `--plans-only` leaves the backwards answers out.

use std::io::{self, Read, Write};
use std::process::ExitCode;

use serde::Serialize;
use vram_ledger::Scenario;
use vram_ledger::planner::{
    Counts, Hiding, Limits, Plan, Planner, Reason, Schedules, fewest_gpus, hiding_bandwidth, limits, longest_sequence,
    reasons,
};
use vram_ledger::refusal::FieldError;

/// What is printed.
#[derive(Serialize)]
struct Answer {
    counts: Counts,
    plans: Vec<Plan>,
    /// Why the first beats the second.
    why_the_first: Vec<Reason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    backwards: Option<Backwards>,
    /// Why something was left out, the first of it; where there is no plan at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<FieldError>,
}

#[derive(Serialize)]
struct Backwards {
    fewest_gpus: Option<Plan>,
    longest_sequence: Option<Plan>,
    /// How far the scenario's own layout goes.
    limits: Option<Limits>,
    hiding_bandwidth: Option<Hiding>,
}

/// What stands in place of an answer.
#[derive(Serialize)]
struct Refusal {
    error: FieldError,
}

fn answer(text: &str, schedules: Schedules, plans_only: bool) -> Result<Answer, FieldError> {
    let scenario = Scenario::from_json(text)?;
    let mut planner = Planner::new(&scenario, schedules)?;
    while !planner.advance(1 << 16).is_complete() {}
    let plans = planner.plans().to_vec();
    let backwards = if plans_only {
        None
    } else {
        Some(Backwards {
            fewest_gpus: fewest_gpus(&scenario, schedules)?,
            longest_sequence: longest_sequence(&scenario, schedules)?,
            limits: limits(&scenario)?,
            hiding_bandwidth: hiding_bandwidth(&scenario)?,
        })
    };
    Ok(Answer {
        counts: planner.counts(),
        why_the_first: plans.first().zip(plans.get(1)).map_or(Vec::new(), |(first, second)| reasons(first, second)),
        refusal: planner.refusal().filter(|_| plans.is_empty()).cloned(),
        plans,
        backwards,
    })
}

fn main() -> io::Result<ExitCode> {
    let (mut schedules, mut plans_only) = (Schedules::Common, false);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--all-schedules" => schedules = Schedules::All,
            "--plans-only" => plans_only = true,
            unknown => {
                eprintln!("unknown argument {unknown}; allowed: --all-schedules, --plans-only");
                return Ok(ExitCode::from(2));
            }
        }
    }
    let mut text = String::new();
    io::stdin().lock().read_to_string(&mut text)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    let answer = answer(&text, schedules, plans_only);
    match &answer {
        Ok(answer) => serde_json::to_writer_pretty(&mut out, answer)?,
        Err(error) => serde_json::to_writer_pretty(&mut out, &Refusal { error: error.clone() })?,
    }
    writeln!(out)?;
    Ok(if answer.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

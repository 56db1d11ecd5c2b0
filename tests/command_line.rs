//! The command lines that README.md shows: what they print, how they end, and what stands in place of a report.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

/// The scenario of README.md.
const SCENARIO: &str =
    r#"{"model": "llama-3.1-8b", "cluster": {"gpu": "h100-sxm-80gb", "gpus": 8}, "training": {"sharding": "zero3"}}"#;

/// Runs an example program as README.md does, but as the tests are built, and with `input` for its scenario.
fn run(example: &str, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["run", "--quiet", "--example", example, "--"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("cargo runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A program that refuses its arguments ends without reading.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&printed(output)).expect("one JSON document")
}

#[test]
fn the_readme_shows_these_commands_and_this_scenario() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("README.md");
    let commands: Vec<&str> = readme.lines().map(str::trim).filter(|line| line.starts_with("cargo run")).collect();
    assert_eq!(
        commands,
        [
            "cargo run --release --example estimate < scenario.json",
            "cargo run --release --example estimate -- --lines < scenarios.jsonl",
            "cargo run --release --example plan < scenario.json",
        ],
        "each of them is run below"
    );
    assert!(readme.contains(SCENARIO));
}

#[test]
fn a_scenario_is_answered_with_its_report() {
    let output = run("estimate", &[], SCENARIO);
    assert!(output.status.success());
    let report = json(&output);
    assert_eq!(report["model"]["parameters"], json!(8_030_261_248_u64));
    assert_eq!(report["training"]["data_parallel"], json!(8));
    // 16 bytes a parameter over 8 GPUs.
    assert_eq!(report["training"]["stages"][0]["state"]["total"], json!(16_060_522_496_u64));
}

#[test]
fn a_refusal_names_the_field_and_what_is_allowed() {
    let output = run("estimate", &[], r#"{"cluster": {"gpus": 0}}"#);
    assert_eq!(output.status.code(), Some(1));
    let message = "given 0; allowed: a whole number from 1 to 1048576";
    assert_eq!(json(&output), json!({"error": {"field": "cluster.gpus", "message": message}}));
}

#[test]
fn lines_are_answered_one_by_one() {
    let input = format!("{SCENARIO}\n\n{{\"cluster\": {{\"gpus\": 0}}}}\nnot JSON\n{{\"sequence\": 1}}\n{{}}\n");
    let output = run("estimate", &["--lines"], &input);
    assert!(output.status.success(), "a refusal of one line does not end the others");
    let lines: Vec<Value> = printed(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 5, "one answer for each line that is not empty");
    let fields: Vec<&Value> = lines.iter().map(|line| &line["error"]["field"]).collect();
    assert_eq!(fields, [&Value::Null, &json!("cluster.gpus"), &json!(""), &json!("sequence"), &Value::Null]);
    assert!(lines[1..4].iter().all(|line| line["error"]["message"].is_string()));
    assert!(lines[0]["training"].is_object() && lines[4]["inference"].is_object());
}

#[test]
fn plans_are_printed_fastest_first() {
    let output = run("plan", &[], SCENARIO);
    assert!(output.status.success());
    let answer = json(&output);
    let seconds: Vec<f64> = answer["plans"]
        .as_array()
        .expect("plans")
        .iter()
        .map(|plan| plan["step"]["seconds"].as_f64().expect("the time of a step"))
        .collect();
    assert!(!seconds.is_empty() && seconds.is_sorted(), "{seconds:?}");
    assert!(answer["plans"].as_array().expect("plans").iter().all(|plan| plan["patch"].is_object()));
    assert!(answer["backwards"]["fewest_gpus"].is_object());

    let plans_only = json(&run("plan", &["--plans-only"], SCENARIO));
    assert_eq!(plans_only["plans"], answer["plans"]);
    assert!(plans_only.get("backwards").is_none());

    let considered = |answer: &Value| answer["counts"]["considered"].as_u64().expect("a count");
    let all = json(&run("plan", &["--all-schedules", "--plans-only"], SCENARIO));
    assert!(considered(&all) > considered(&answer));
}

#[test]
fn no_plan_without_an_answerable_scenario() {
    let output = run("plan", &[], r#"{"cluster": {"gpus": 0}}"#);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(json(&output)["error"]["field"], json!("cluster.gpus"));
}

#[test]
fn unknown_arguments_are_refused() {
    for (example, allowed) in [("estimate", "--lines"), ("plan", "--all-schedules, --plans-only")] {
        let output = run(example, &["--fast"], SCENARIO);
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.trim().ends_with(&format!("unknown argument --fast; allowed: {allowed}")), "{said}");
        assert!(output.stdout.is_empty());
    }
}

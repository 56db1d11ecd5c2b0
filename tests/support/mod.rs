//! What several test files share: reading cases, picking numbers from a report, and the invariants of every report.

#![allow(dead_code, reason = "each test file uses its own part")]

use serde_json::Value;
use vram_ledger::estimate;
use vram_ledger::ledger::Account;
use vram_ledger::refusal::FieldError;
use vram_ledger::report::Report;
use vram_ledger::scenario::Scenario;
use vram_ledger::units::Bytes;

/// One line of a case file.
pub struct Case {
    pub id: String,
    pub about: String,
    pub scenario: Value,
    pub minus: Option<Value>,
    pub quantity: Vec<String>,
    pub over: Vec<String>,
    pub expected: Value,
    pub tolerance: f64,
}

/// The cases of a file of `tests/cases`.
pub fn cases(file: &str) -> Vec<Case> {
    let path = format!("{}/tests/cases/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("the case file is part of the project");
    text.lines().filter(|line| !line.trim().is_empty()).map(case).collect()
}

fn case(line: &str) -> Case {
    let value: Value = serde_json::from_str(line).expect("a case is a line of JSON");
    let texts = |key: &str| -> Vec<String> {
        value[key].as_array().into_iter().flatten().map(|text| text.as_str().unwrap().to_owned()).collect()
    };
    Case {
        id: value["id"].as_str().unwrap().to_owned(),
        about: value["about"].as_str().unwrap().to_owned(),
        scenario: value["scenario"].clone(),
        minus: value.get("minus").cloned(),
        quantity: texts("quantity"),
        over: texts("over"),
        expected: value["expected"].clone(),
        tolerance: value["tolerance"].as_f64().unwrap(),
    }
}

impl Case {
    /// The number the case asks for, or the refusal of its scenario.
    pub fn answer(&self) -> Result<f64, FieldError> {
        let report = |value: &Value| -> Result<Value, FieldError> {
            let report = answered(&Scenario::from_value(value)?)?;
            let half_error = match self.quantity[0].split('/').nth(1) {
                Some("training") => report.training_error.clone(),
                Some("inference") => report.inference_error.clone(),
                _ => None,
            };
            half_error.map_or_else(|| Ok(serde_json::to_value(&report).unwrap()), Err)
        };
        let first = report(&self.scenario)?;
        let mut answer = sum_at(&first, &self.quantity);
        if let Some(minus) = &self.minus {
            answer -= sum_at(&report(minus)?, &self.quantity);
        }
        if !self.over.is_empty() {
            answer /= sum_at(&first, &self.over);
        }
        Ok(answer)
    }

    /// Whether `answer` is what the case expects.
    pub fn holds(&self, answer: f64) -> bool {
        let expected = as_number(&self.expected).expect("cases expect numbers");
        let off = if expected == 0.0 { answer } else { (answer - expected) / expected };
        off.abs() <= self.tolerance.max(1e-9)
    }
}

/// The sum of the numbers at `pointers`. A segment `{key=text,…}` sums over the entries of a list that match.
pub fn sum_at(report: &Value, pointers: &[String]) -> f64 {
    pointers.iter().map(|pointer| pick(report, &pointer.split('/').skip(1).collect::<Vec<_>>())).sum()
}

/// A number, or a yes or no as 1 or 0.
fn as_number(value: &Value) -> Option<f64> {
    value.as_f64().or(value.as_bool().map(|yes| f64::from(u8::from(yes))))
}

fn pick(value: &Value, keys: &[&str]) -> f64 {
    let Some((key, rest)) = keys.split_first() else {
        return as_number(value).unwrap_or_else(|| panic!("{value} is no number"));
    };
    if let Some(wanted) = key.strip_prefix('{') {
        let wanted: Vec<(&str, &str)> =
            wanted.trim_end_matches('}').split(',').map(|pair| pair.split_once('=').unwrap()).collect();
        let matches = |entry: &&Value| wanted.iter().all(|(field, text)| entry[field].as_str() == Some(text));
        return value.as_array().unwrap().iter().filter(matches).map(|entry| pick(entry, rest)).sum();
    }
    let next = key.parse::<usize>().map_or(&value[key], |index| &value[index]);
    assert!(!next.is_null(), "nothing at {key}");
    pick(next, rest)
}

/// The report of a scenario, with every invariant checked on the way: each example test is a property test too.
#[track_caller]
pub fn answered(scenario: &Scenario) -> Result<Report, FieldError> {
    let report = estimate(scenario)?;
    check_invariants(scenario, &report);
    Ok(report)
}

/// The report of a scenario written as JSON.
#[track_caller]
pub fn report_of(json: &str) -> Report {
    let scenario = Scenario::from_json(json).unwrap_or_else(|error| panic!("{error}"));
    answered(&scenario).unwrap_or_else(|error| panic!("{error}"))
}

/// Equal to the byte as far as bytes are exact (2^53, 9 PB on one GPU); beyond that, to the last digit of a float.
#[track_caller]
fn same(a: Bytes, b: Bytes, why: &str) {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let exact = a.get().max(b.get()) < EXACT;
    assert!(if exact { a == b } else { (a.get() / b.get() - 1.0).abs() < 1e-14 }, "{why}: {a:?} and {b:?}");
}

/// What holds for every report.
#[track_caller]
pub fn check_invariants(scenario: &Scenario, report: &Report) {
    assert_eq!(
        Scenario::from_value(&scenario.to_value()).as_ref(),
        Ok(scenario),
        "writing and reading changes nothing"
    );
    all_numbers_are_finite(&serde_json::to_value(report).unwrap());
    assert_eq!(report.training.is_none(), report.training_error.is_some());
    assert_eq!(report.inference.is_none(), report.inference_error.is_some());
    if let Some(training) = &report.training {
        for stage in &training.stages {
            let entries: Bytes = stage.entries.iter().map(|entry| entry.bytes).sum();
            same(stage.accounts.total(), entries, "entries add up to the accounts");
            let outside = |account| matches!(account, Account::Runtime | Account::Slack);
            let held = stage.entries.iter().filter(|entry| !outside(entry.account)).map(|entry| entry.bytes);
            same(held.sum(), stage.peak_bytes, "accounts without runtime and slack add up to the peak");
            let largest =
                stage.phases.iter().map(|phase| phase.bytes).fold(Bytes::ZERO, |a, b| if b > a { b } else { a });
            same(stage.peak_bytes, largest, "the peak is the largest phase");
            for phase in &stage.phases {
                same(phase.accounts.total(), phase.bytes, "the accounts of a phase add up to it");
                let alike = |(account, bytes): (Account, Bytes)| outside(account) || bytes == stage.accounts[account];
                assert!(phase.phase != stage.peak_phase || phase.accounts.iter().all(alike), "the peak is its phase");
            }
        }
        let largest = training.stages.iter().all(|stage| stage.peak_bytes <= training.peak.active_bytes);
        assert!(largest, "no stage has a larger peak than the one named");
        let stage = &training.stages[training.peak.stage];
        same(training.peak.active_bytes, stage.peak_bytes, "the peak is that of its stage");
        same(training.peak.device_bytes, stage.accounts.total(), "the device shows everything");
        assert!(training.peak.low_bytes <= training.peak.device_bytes);
        assert!(training.peak.device_bytes <= training.peak.high_bytes);
        assert!((0.0..=1.0).contains(&training.step.waiting_share));
        let parts = training.step.compute_seconds.0
            + training.step.exposed_communication_seconds.0
            + training.step.bubble_seconds.0
            + training.step.optimizer_seconds.0;
        assert!((parts - training.step.seconds.0).abs() <= 1e-9 * parts, "the parts of a step add up");
        for line in &training.traffic {
            assert!(line.exposed_seconds <= line.seconds, "no more is exposed than is sent: {line:?}");
        }
    }
    if let Some(inference) = &report.inference {
        let entries: Bytes = inference.entries.iter().map(|entry| entry.bytes).sum();
        same(inference.accounts.total(), entries, "entries add up to the accounts");
        same(inference.peak.device_bytes, entries, "the device shows all that is held");
        let tensors = entries - inference.accounts[Account::Runtime];
        same(inference.peak.active_bytes, tensors, "the peak is all that tensors hold");
        let given = scenario.inference.as_ref();
        let asked = given.and_then(|given| given.concurrency).map_or(1.0, |number| number.0);
        if inference.fits {
            // Less than a block may fit where a whole one does not; none is larger than this.
            const LARGEST_BLOCK: f64 = 4096.0;
            let context = given.and_then(|given| given.context).map_or(4096.0, |number| number.0);
            assert!(inference.maximum_context + LARGEST_BLOCK > context, "{context} tokens fit");
            assert!(inference.maximum_concurrency >= asked, "{asked} fit, {} at most", inference.maximum_concurrency);
        } else if given.is_none_or(|given| given.kv_cache_bytes.is_none()) {
            let most = (inference.maximum_concurrency / inference.replicas as f64).floor();
            assert!(most < (asked / inference.replicas as f64).ceil(), "{asked} do not fit, {most} a replica at most");
        }
    }
}

/// Nothing in a report is negative but the price of advice that makes things faster or takes memory for it, and nothing is NaN or infinite:
/// JSON has no words for those, so they would come out as null where a number belongs.
fn all_numbers_are_finite(report: &Value) {
    fn walk(value: &Value, path: &str) {
        match value {
            Value::Object(map) => map.iter().for_each(|(key, value)| walk(value, &format!("{path}/{key}"))),
            Value::Array(list) => {
                list.iter().enumerate().for_each(|(index, value)| walk(value, &format!("{path}/{index}")));
            }
            Value::Number(number) => {
                let may_be_negative = path.ends_with("/seconds_cost") || path.ends_with("/bytes_saved");
                assert!(may_be_negative || number.as_f64().unwrap() >= 0.0, "{path} is {number}");
            }
            Value::Null => assert!(MAY_BE_NULL.iter().any(|end| path.ends_with(end)), "{path} is null"),
            Value::Bool(_) | Value::String(_) => {}
        }
    }
    walk(report, "");
}

/// What a report may leave open.
const MAY_BE_NULL: [&str; 10] = [
    "/training",
    "/inference",
    "/run",
    "/minimum_gpus",
    "/maximum_positions",
    "/checkpoint/seconds",
    "/checkpoint/interval_seconds",
    "/checkpoint/overhead",
    "/gap/state_bytes_per_parameter",
    "/gap/training_over_inference",
];

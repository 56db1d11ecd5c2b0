//! The measured cases: what others measured, each with the tolerance within which an answer is good. An answer outside it is
//! a question about the model of the framework, so not every case holds; how many do, and how far off the middle one is,
//! must not get worse.

mod support;

use support::{Case, cases};

/// Relative errors of a file's cases; a case that has no answer, or the wrong one of two, is wholly wrong.
fn errors(cases: &[Case]) -> Vec<f64> {
    let error = |case: &Case| match (case.answer(), case.expected.as_f64()) {
        (Ok(answer), Some(expected)) => answer / expected - 1.0,
        (Ok(answer), None) if case.holds(answer) => 0.0,
        _ => 1.0,
    };
    cases.iter().map(error).collect()
}

/// At least `share` of the cases are within their tolerance, and half of them within `median`.
#[track_caller]
fn hold(file: &str, share: f64, median: f64) {
    let cases = cases(&format!("measured/{file}"));
    let errors = errors(&cases);
    let missed: Vec<String> = cases
        .iter()
        .zip(&errors)
        .filter(|(case, error)| error.abs() > case.tolerance)
        .map(|(case, error)| {
            format!("{}: {:+.1} % of {:.0} % allowed ({})", case.id, 100.0 * error, 100.0 * case.tolerance, case.about)
        })
        .collect();
    let mut sizes: Vec<f64> = errors.iter().map(|error| error.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    let middle = sizes[sizes.len() / 2];
    let within = 1.0 - missed.len() as f64 / cases.len() as f64;
    println!(
        "{file}: {:.1} % of {} within tolerance, median error {:.2} %",
        100.0 * within,
        cases.len(),
        100.0 * middle
    );
    assert!(within >= share && middle <= median, "{within:.3}, {middle:.4}; missed:\n{}", missed.join("\n"));
}

#[test]
fn training() {
    hold("training.jsonl", 0.94, 0.020);
}

#[test]
fn communication() {
    hold("communication.jsonl", 0.82, 0.050);
}

#[test]
fn inference() {
    hold("inference.jsonl", 1.0, 0.010);
}

/// Eight runs on A100 (Korthikanti et al. 2022, table 5): another calculator is 3.65 % off on average.
#[test]
fn korthikantis_runs() {
    let ids = ["T-01", "T-02a", "T-03", "T-04a", "T-05a", "T-05b", "T-07a", "T-07b"];
    let runs: Vec<Case> =
        cases("measured/communication.jsonl").into_iter().filter(|case| ids.contains(&case.id.as_str())).collect();
    assert_eq!(runs.len(), ids.len());
    let mean = errors(&runs).iter().map(|error| error.abs()).sum::<f64>() / runs.len() as f64;
    assert!(mean <= 0.0365, "{mean}");
}

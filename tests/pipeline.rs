//! Pipelines by hand: what each stage holds, how much of it is in flight, and what is refused.

mod support;

use support::report_of;
use vram_ledger::answer::{Group, StageReport};
use vram_ledger::ledger::Account;
use vram_ledger::report::TrainingReport;

/// Llama-3.1-8B on eight GPUs as four stages, eight micro-batches each.
fn training(layout: &str) -> TrainingReport {
    let json = format!(
        r#"{{"model":"llama-3.1-8b","cluster":{{"gpus":8}},"training":{{"pipeline":4,"global_batch":16,{layout}}}}}"#
    );
    let report = report_of(&json);
    report.training.unwrap_or_else(|| panic!("{json}: {:?}", report.training_error))
}

fn refusal(layout: &str) -> String {
    let json = format!(r#"{{"model":"llama-3.1-8b","cluster":{{"gpus":8}},"training":{{{layout}}}}}"#);
    report_of(&json).training_error.unwrap_or_else(|| panic!("{json} was answered")).to_string()
}

/// Bytes one layer keeps for one micro-batch of 4,096 tokens: 8h + 4q + 4kv + 6f + 4a.
const LAYER: f64 = 4096.0 * (8.0 * 4096.0 + 4.0 * 4096.0 + 4.0 * 1024.0 + 6.0 * 14336.0 + 4.0 * 32.0);
const BLOCK: f64 = 218_112_000.0;
const TABLE: f64 = 128_256.0 * 4096.0;

/// Layers that each stage keeps, one for each micro-batch.
fn kept(report: &TrainingReport) -> Vec<f64> {
    report.stages.iter().map(|stage| stage.accounts[Account::Activations].get() / LAYER).collect()
}

fn parameters(report: &TrainingReport) -> Vec<f64> {
    report.stages.iter().map(|stage| stage.parameters).collect()
}

#[test]
fn each_schedule_keeps_what_it_has_in_flight() {
    // Eight layers a stage; with two chunks four each, in groups of four micro-batches.
    let layers = |schedule: &str| kept(&training(&format!(r#""schedule":"{schedule}""#)));
    assert_eq!(layers("1f1b"), [32.0, 24.0, 16.0, 8.0]);
    assert_eq!(layers("gpipe"), [64.0; 4]);
    assert_eq!(layers("zb1p"), [32.0; 4]);
    assert_eq!(layers("zb2p"), [64.0; 4]);
    assert_eq!(layers("zbv"), [32.0; 4]);
    assert_eq!(layers("dualpipe"), [40.0; 4]);
    let interleaved = training(r#""schedule":"interleaved","virtual_stages":2"#);
    assert_eq!(kept(&interleaved), [44.0, 36.0, 28.0, 20.0]);
}

#[test]
fn few_micro_batches_are_all_in_flight() {
    let layers = |global_batch: u64| -> f64 {
        let json = format!(
            r#"{{"model":"llama-3.1-8b","cluster":{{"gpus":8}},"training":{{"pipeline":4,"global_batch":{global_batch}}}}}"#
        );
        kept(&report_of(&json).training.unwrap()).iter().sum()
    };
    assert_eq!([2, 4, 6, 8, 16].map(layers), [32.0, 56.0, 72.0, 80.0, 80.0]);
}

#[test]
fn the_ends_lie_on_the_first_and_last_stage() {
    let (middle, norm) = (8.0 * BLOCK, 4096.0);
    let plain = parameters(&training(r#""schedule":"1f1b""#));
    assert_eq!(plain, [middle + TABLE, middle, middle, middle + TABLE + norm]);
    let v = parameters(&training(r#""schedule":"zbv""#));
    assert_eq!(v, [middle + 2.0 * TABLE + norm, middle, middle, middle]);
    let both = parameters(&training(r#""schedule":"dualpipe""#));
    let end = 2.0 * (middle + TABLE) + norm;
    assert_eq!(both, [end, 2.0 * middle, 2.0 * middle, end]);

    let losses = |layout: &str| -> Vec<f64> {
        training(layout).stages.iter().map(|stage| stage.accounts[Account::Loss].get()).collect()
    };
    let logits = 4096.0 * 128_256.0;
    assert_eq!(losses(r#""loss":"eager""#), [0.0, 0.0, 0.0, 12.0 * logits]);
    // Seven other micro-batches wait with their fp32 log-softmax.
    assert_eq!(losses(r#""loss":"eager","schedule":"gpipe""#), [0.0, 0.0, 0.0, (12.0 + 7.0 * 4.0) * logits]);
}

#[test]
fn a_tied_matrix_is_held_at_both_ends() {
    let report = report_of(r#"{"model":"llama-3.2-1b","cluster":{"gpus":2},"training":{"pipeline":2}}"#);
    let training = report.training.unwrap();
    let stages = parameters(&training);
    assert_eq!(stages[1] - stages[0], 2048.0, "the final norm");
    assert_eq!(stages[0] + stages[1], 1_235_814_400.0 + 128_256.0 * 2048.0);
    // Both copies take the sum of their gradients: one all-reduce between two ranks.
    let between: f64 = training
        .traffic
        .iter()
        .filter(|line| line.group == Group::Pipeline && line.size == 2 && line.calls == 1.0)
        .map(|line| line.bytes.get())
        .sum();
    assert_eq!(between, 2.0 * 4096.0 * 2048.0 + 2.0 * 128_256.0 * 2048.0);
}

#[test]
fn uneven_stages_are_as_given() {
    let report = training(r#""layers_per_stage":[6,12,6,8]"#);
    assert_eq!(kept(&report), [24.0, 36.0, 12.0, 8.0]);
    assert_eq!(parameters(&report)[1..3], [12.0 * BLOCK, 6.0 * BLOCK]);
    // All wait for the slowest stage: twelve layers take longer than eight and the head, which is worth 1.6 of them.
    let even = training(r#""recompute":"none""#);
    let slower = report.step.compute_seconds.0 / even.step.compute_seconds.0;
    assert!(slower > 1.1 && slower < 12.0 / 9.0, "{slower}");
    // Nine layers in two chunks are five and four, of which seven and four are in flight.
    let chunks = training(r#""layers_per_stage":[9,9,7,7],"schedule":"interleaved","virtual_stages":2"#);
    assert_eq!(kept(&chunks)[0], 7.0 * 5.0 + 4.0 * 4.0);
}

#[test]
fn a_stage_says_what_part_of_the_model_it_has() {
    let report = training(r#""layers_per_stage":[6,8,9,9]"#);
    let says = report.stages.iter().map(|stage| (stage.layers, stage.layers_in_flight, stage.embedding, stage.head));
    assert_eq!(
        says.collect::<Vec<_>>(),
        [(6.0, 24.0, true, false), (8.0, 24.0, false, false), (9.0, 18.0, false, false), (9.0, 9.0, false, true)]
    );
    assert!(report.stages.iter().map(|stage| stage.layers_in_flight).eq(kept(&report)));
    // With DualPipe each GPU has a stage from either end, in a V the first one has both ends.
    let both = training(r#""schedule":"dualpipe""#);
    assert_eq!((both.stages[0].layers, both.stages[0].layers_in_flight), (16.0, 8.0 * 5.0));
    assert!([0, 3].iter().all(|index| both.stages[*index].embedding && both.stages[*index].head));
    let v = training(r#""schedule":"zbv","virtual_stages":2"#);
    assert_eq!(v.stages.iter().map(|stage| stage.head).collect::<Vec<_>>(), [true, false, false, false]);
}

#[test]
fn the_peak_is_on_the_largest_stage_and_the_fewest_gpus_hold_it() {
    let first = training(r#""recompute":"none""#);
    assert_eq!(first.peak.stage, 0);
    let last = training(r#""recompute":"full","loss":"eager""#);
    assert_eq!(last.peak.stage, 3);
    for report in [first, last] {
        let largest = |stage: &StageReport| stage.peak_bytes <= report.peak.active_bytes;
        assert!(report.stages.iter().all(largest));
        assert!(report.minimum_gpus.unwrap().is_multiple_of(4));
    }
    // Thirteen billion in four stages of 16 bytes a parameter: no data-parallel rank is needed.
    let report = report_of(
        r#"{"model":"llama-2-13b","cluster":{"gpus":4},"training":{"pipeline":4,"global_batch":8,"recompute":"full"}}"#,
    );
    let training = report.training.unwrap();
    assert_eq!((training.data_parallel, training.fits, training.minimum_gpus), (1, true, Some(4)));
    assert_eq!(training.checkpoint.bytes.get(), 14.0 * 13_015_864_320.0);
    assert_eq!(report.gap.state_bytes_per_parameter, Some(16.0));
}

#[test]
fn stages_send_what_they_computed() {
    let activations = |layout: &str| -> f64 {
        let lines = training(layout).traffic;
        let pipeline = lines.iter().filter(|line| line.group == Group::Pipeline);
        pipeline.map(|line| line.bytes.get()).sum::<f64>() / (2.0 * 4096.0 * 4096.0)
    };
    // The slowest stage is the last, with the head: it sends a gradient for each of eight micro-batches.
    assert_eq!(activations(r#""schedule":"1f1b""#), 8.0);
    assert_eq!(activations(r#""schedule":"interleaved","virtual_stages":2"#), 24.0);
    // In a V the first stage has both ends of the model.
    assert_eq!(activations(r#""schedule":"zbv""#), 16.0);
}

#[test]
fn layouts_that_no_schedule_runs_are_refused() {
    for (layout, message) in [
        (
            r#""pipeline":8,"schedule":"zbv","layers_per_stage":[4,4,4,4,4,4,4,5]"#,
            "training.layers_per_stage: given 33; allowed: numbers that add up to the 32 layers of the model",
        ),
        (
            r#""pipeline":2,"layers_per_stage":[8,8,16]"#,
            "training.layers_per_stage: given 3; allowed: one number for each of the 2 stages",
        ),
        (
            r#""pipeline":4,"schedule":"interleaved","virtual_stages":3"#,
            "training.virtual_stages: given 3; allowed: stages × chunks a stage must divide the 32 layers, unless \
             layers_per_stage is given; nearest: 2, 4",
        ),
        (
            r#""pipeline":4,"schedule":"interleaved""#,
            "training.virtual_stages: missing; allowed: a number from 2 to 32",
        ),
        (
            r#""pipeline":4,"schedule":"interleaved","virtual_stages":10,"layers_per_stage":[9,8,8,7]"#,
            "training.virtual_stages: given 10; allowed: a whole number from 2 to 9",
        ),
        (
            r#""pipeline":4,"virtual_stages":2"#,
            "training.virtual_stages: given 2; allowed: 1 with schedule \"1f1b\"; \"interleaved\" has more chunks",
        ),
        (
            r#""pipeline":4,"schedule":"interleaved","virtual_stages":2,"global_batch":12"#,
            "training.global_batch: given 12; allowed: a multiple of data-parallel size × micro-batch × stages = 8 \
             (interleaving sends groups); nearest: 8, 16",
        ),
        (
            r#""pipeline":4,"schedule":"dualpipe","global_batch":12"#,
            "training.global_batch: given 12; allowed: an even multiple of data-parallel size × micro-batch, at least \
             16 (dualpipe has two ends); nearest: 16",
        ),
        (
            r#""pipeline":1,"schedule":"dualpipe""#,
            "training.pipeline: given 1; allowed: an even number: dualpipe sends micro-batches from both ends; \
             nearest: 2",
        ),
        (
            r#""pipeline":5"#,
            "cluster.gpus: given 8; allowed: a multiple of tensor × pipeline × context = 5 (what is left over is data \
             parallel); nearest: 5, 10",
        ),
        (
            r#""pipeline":8,"tensor":3"#,
            "training.tensor: given 3; allowed: a divisor of the 32 attention heads; nearest: 1",
        ),
    ] {
        assert_eq!(refusal(layout), message, "{layout}");
    }
    // What is said to work does: 61 layers share out among no even number of stages, and chunks are two at least.
    for (layout, message) in [
        (
            r#""pipeline":3,"schedule":"dualpipe""#,
            "training.pipeline: given 3; allowed: an even number: dualpipe sends micro-batches from both ends",
        ),
        (
            r#""schedule":"interleaved","virtual_stages":3"#,
            "training.virtual_stages: given 3; allowed: stages × chunks a stage must divide the 61 layers, unless \
             layers_per_stage is given; nearest: 61",
        ),
    ] {
        let json = format!(r#"{{"model":"deepseek-v3","cluster":{{"gpus":3}},"training":{{{layout}}}}}"#);
        assert_eq!(report_of(&json).training_error.unwrap().to_string(), message);
    }
    let report = report_of(r#"{"model":"llama-3.1-8b","cluster":{"gpus":5},"training":{"pipeline":5}}"#);
    assert_eq!(
        report.training_error.unwrap().to_string(),
        "training.pipeline: given 5; allowed: a divisor of the 32 layers, unless layers_per_stage says what each stage \
         holds; nearest: 1"
    );
}

#[test]
fn the_bubble_waits_for_collectives_too() {
    let json = r#"{"model":"llama-3.1-8b","cluster":{"gpus":8},"training":{"pipeline":4,"tensor":2,"global_batch":8}}"#;
    let report = report_of(json).training.unwrap();
    let tensor = report.traffic.iter().filter(|line| line.group == Group::Tensor);
    let waiting: f64 = tensor.map(|line| line.exposed_seconds.0).sum();
    let expected = (report.step.compute_seconds.0 + waiting) * 3.0 / 8.0;
    assert!(waiting > 0.0 && (report.step.bubble_seconds.0 / expected - 1.0).abs() < 1e-12);
}

#[test]
fn deepspeed_takes_zero1_at_most_in_a_pipeline() {
    let state = |layout: &str| {
        let json = format!(
            r#"{{"framework":"deepspeed","model":"llama-3.1-8b","cluster":{{"gpus":8}},"training":{{"pipeline":2{layout}}}}}"#
        );
        report_of(&json).training.unwrap().stages[0].state
    };
    assert_eq!(state(""), state(r#","sharding":"zero1""#));
    assert_ne!(state(""), state(r#","sharding":"zero2""#));
}

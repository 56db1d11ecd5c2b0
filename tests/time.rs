//! The time of a step, its conventions, the bill and the checkpoints, by numbers worked out by hand.

mod support;

use serde_json::{Value, json};
use vram_ledger::answer::{Collective, Group};
use vram_ledger::report::TrainingReport;
use vram_ledger::scenario::Scenario;

fn training(question: &Value) -> TrainingReport {
    let scenario = Scenario::from_value(question).expect("a question of the schema");
    support::answered(&scenario).expect("an answer").training.expect("a training half")
}

fn close(got: f64, expected: f64, tolerance: f64) {
    assert!((got / expected - 1.0).abs() <= tolerance, "{got}, not {expected}");
}

#[test]
fn conventions_count_what_they_say() {
    let flops = |model: &str, convention: &str| {
        let question = json!({"model": model, "training": {"sequence": 8192, "flops_convention": convention}});
        training(&question).step.model_flops_per_token
    };
    let (all, embedding, attention) = (8_030_261_248.0, 128_256.0 * 4096.0, 12.0 * 32.0 * 4096.0 * 8192.0);
    assert_eq!(flops("llama-3.1-8b", "palm"), 6.0 * all + attention);
    assert_eq!(flops("llama-3.1-8b", "llm-foundry"), 6.0 * all + attention);
    assert_eq!(flops("llama-3.1-8b", "torchtitan"), 6.0 * (all - embedding) + attention);
    assert_eq!(flops("llama-3.1-8b", "nemo"), 6.0 * (all - embedding) + attention / 2.0);
    // As torchtitan's, but for the 65 norms, which are no matrices.
    assert_eq!(flops("llama-3.1-8b", "megatron"), 6.0 * (all - embedding - 65.0 * 4096.0) + attention);
    // The published figures of the three, in 10^9.
    for (convention, published) in [("torchtitan", 57.91), ("nemo", 51.47), ("llm-foundry", 61.06)] {
        close(flops("llama-3.1-8b", convention) / 1e9, published, 5e-4);
    }
    // All experts, or those that a token meets.
    let (palm, foundry) = (flops("mixtral-8x7b", "palm"), flops("mixtral-8x7b", "llm-foundry"));
    assert!(foundry > 3.0 * palm, "{foundry} against {palm}");
}

#[test]
fn the_convention_changes_the_utilisation_and_not_the_time() {
    let step = |convention: &str| {
        training(&json!({"model": "llama-3.1-8b", "training": {"flops_convention": convention}})).step
    };
    let (palm, nemo) = (step("palm"), step("nemo"));
    assert_eq!(palm.seconds, nemo.seconds);
    assert_eq!(palm.hfu, nemo.hfu);
    close(nemo.mfu / palm.mfu, nemo.model_flops_per_token / palm.model_flops_per_token, 1e-12);
}

/// 7e9 parameters over 64 GPUs: 14 GB in bf16.
fn zeropp(parts: &[&str]) -> TrainingReport {
    training(&json!({"cluster": {"gpus": 64}, "training": {"sharding": "zero3", "zeropp": parts}}))
}

#[test]
fn zeropp_sends_a_quarter_across_nodes() {
    let ring = 63.0 / 64.0;
    let sent = |half: &TrainingReport, across: bool| -> f64 {
        let lines =
            half.traffic.iter().filter(|line| line.group == Group::Data && (line.link == "ib-ndr-400") == across);
        lines.map(|line| line.bytes.get()).sum()
    };
    let plain = zeropp(&[]);
    assert_eq!(sent(&plain, true), 42e9 * ring);
    let all = zeropp(&["quantized_weights", "quantized_gradients", "secondary_partition"]);
    // Half for forward, none for backward, a quarter for gradients.
    assert_eq!(sent(&all, true), 10.5e9 * ring);
    // Backward gathers 8 bits among the eight of a node.
    assert_eq!(sent(&all, false), 7e9 * 7.0 / 8.0);
    let gradients = all.traffic.iter().find(|line| line.collective == Collective::AllToAll).expect("an exchange");
    assert_eq!(gradients.bytes.get(), 3.5e9 * ring);
    // The copy of a node, in 16 bits over its eight GPUs.
    let held = |half: &TrainingReport| half.peak.active_bytes.get();
    assert_eq!(held(&zeropp(&["secondary_partition"])) - held(&plain), 14e9 / 8.0);
    assert!(all.step.exposed_communication_seconds.0 <= plain.step.exposed_communication_seconds.0);
}

#[test]
fn overlapped_tensor_collectives_wait_as_much_less() {
    let exposed = |overlap: f64| -> f64 {
        let half = training(&json!({"model": "llama-3.1-8b", "cluster": {"gpus": 8},
            "training": {"tensor": 8, "tensor_overlap": overlap}}));
        half.traffic.iter().filter(|line| line.group == Group::Tensor).map(|line| line.exposed_seconds.0).sum()
    };
    let all = exposed(0.0);
    assert!(all > 0.0);
    close(exposed(0.75), 0.25 * all, 1e-12);
    assert_eq!(exposed(1.0), 0.0);
}

#[test]
fn a_run_takes_its_tokens_at_the_pace_of_a_step() {
    let half = training(&json!({"cluster": {"gpus": 16, "price_per_gpu_hour": 2.5},
        "training": {"sharding": "zero3", "tokens": 1e12, "packing": 0.5}}));
    let run = half.run.expect("a token budget was given");
    // 16 sequences of 4,096 tokens a step, of which half are none.
    let steps = 1e12 / (16.0 * 4096.0 * 0.5);
    close(run.seconds.0, steps * half.step.seconds.0, 1e-12);
    close(run.gpu_hours, run.seconds.0 * 16.0 / 3600.0, 1e-12);
    close(run.cost.expect("a price was given"), 2.5 * run.gpu_hours, 1e-12);
    let late = half.step.high_seconds.0 / half.step.seconds.0;
    assert!(late > 1.0);
    close(run.high_seconds.0, late * run.seconds.0, 1e-12);
    close(run.high_cost.expect("a price was given"), late * run.cost.unwrap(), 1e-12);
    assert_eq!(training(&json!({})).run, None);
}

#[test]
fn the_band_widens_with_the_gpus_and_to_one_side() {
    let late = |gpus: u64| {
        let step = training(&json!({"cluster": {"gpus": gpus}, "training": {"sharding": "zero3"}})).step;
        step.high_seconds.0 / step.seconds.0
    };
    assert!(1.0 < late(8) && late(8) < late(512) && late(512) < late(16_384) && late(16_384) < 1.5);
}

#[test]
fn checkpoints_are_written_as_often_as_failures_ask_for() {
    // 419 failures in 54 days on 16,384 GPUs (Llama 3, arXiv 2407.21783, section 3.3.4): 3.093 hours between two.
    let hours = 54.0 * 24.0 / 419.0 * 16_384.0;
    // 7e9 parameters at 14 bytes are 98 GB, and take 30 s.
    let half =
        training(&json!({"cluster": {"gpus": 16_384, "gpu_mtbf_hours": hours, "storage_bandwidth": 98e9 / 30.0},
        "training": {"sharding": "zero3"}}));
    let checkpoint = half.checkpoint;
    assert_eq!(checkpoint.bytes.get(), 98e9);
    close(checkpoint.seconds.unwrap().0, 30.0, 1e-12);
    close(checkpoint.interval_seconds.unwrap().0, 817.0, 1e-3);
    close(checkpoint.overhead.unwrap(), 0.0734, 1e-3);
    let without = training(&json!({"cluster": {"storage_bandwidth": 98e9}})).checkpoint;
    assert_eq!((without.seconds.map(|seconds| seconds.0), without.interval_seconds), (Some(1.0), None));
}

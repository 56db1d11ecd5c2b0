//! Rules of the field: each is triggered by what it is about and by nothing else, and what it proposes does what it says.

mod support;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use vram_ledger::advice::Hint;
use vram_ledger::answer::{AdviceId, Half, Heuristic};
use vram_ledger::report::{Report, TrainingReport};
use vram_ledger::scenario::{Cluster, Scenario};

fn asked(question: &Value) -> (Scenario, Report) {
    let scenario = Scenario::from_value(question).expect("a question of the schema");
    let report = support::answered(&scenario).expect("an answer");
    (scenario, report)
}

/// A layout that goes against each rule.
fn against() -> Vec<(Heuristic, Value)> {
    let h100 =
        |gpus: u64, training: Value| json!({"model": "llama-3.1-70b", "cluster": {"gpus": gpus}, "training": training});
    vec![
        (Heuristic::TensorInNode, h100(64, json!({"tensor": 16}))),
        (
            Heuristic::TensorTooNarrow,
            json!({"model": "llama-2-13b", "cluster": {"gpus": 8}, "training": {"tensor": 8, "global_batch": 64}}),
        ),
        (
            Heuristic::TensorForASmallModel,
            json!({"model": "llama-3.2-1b", "cluster": {"gpus": 8}, "training": {"tensor": 8, "micro_batch": 8, "global_batch": 64}}),
        ),
        (Heuristic::PipelineBubble, h100(32, json!({"pipeline": 8, "tensor": 4, "global_batch": 8}))),
        (
            Heuristic::ShardedPipeline,
            h100(128, json!({"pipeline": 8, "tensor": 8, "sharding": "zero3", "global_batch": 64})),
        ),
        (
            Heuristic::ShardingExposed,
            json!({"model": "llama-3.1-8b", "cluster": {"gpus": 64, "network": "roce-100"},
                "training": {"sharding": "zero3", "sequence": 512}}),
        ),
        (
            Heuristic::AccumulatedSharding,
            json!({"model": "llama-3.1-8b", "cluster": {"gpus": 64, "network": "roce-100"},
                "training": {"sharding": "zero3", "sequence": 512, "global_batch": 512}}),
        ),
        (
            Heuristic::ShardWithinNode,
            json!({"model": "llama-3.2-3b", "cluster": {"gpus": 512, "network": "efa-p5"},
                "training": {"sharding": "zero3", "sequence": 1024}}),
        ),
        (
            Heuristic::LongRing,
            json!({"model": "llama-3.1-8b", "cluster": {"gpus": 4096, "network": "efa-p5"},
                "training": {"sharding": "zero3", "sequence": 1024}}),
        ),
        (
            Heuristic::RecomputesTooMuch,
            json!({"model": "llama-3.2-1b", "training": {"recompute": "full", "sequence": 1024}}),
        ),
        (
            Heuristic::SelectiveInstead,
            json!({"model": "llama-3.2-1b",
                "training": {"recompute": "full", "attention": "eager", "sequence": 8192, "loss": "fused_linear"}}),
        ),
        (
            Heuristic::ExpertsInNode,
            json!({"model": "qwen3-30b-a3b", "cluster": {"gpus": 64}, "training": {"expert": 32}}),
        ),
        (Heuristic::ContextForLength, h100(8, json!({"sequence": 131_072, "tensor": 8}))),
        (
            Heuristic::PairOfAMesh,
            json!({"model": "llama-3.1-8b", "cluster": {"gpu": "mi300x", "gpus": 2}, "training": {"tensor": 2}}),
        ),
        (
            Heuristic::GradientsIn16Bits,
            json!({"model": "llama-3.1-8b", "cluster": {"gpus": 128}, "training": {"sharding": "zero3"}}),
        ),
        (
            Heuristic::CheckpointTooSlow,
            json!({"model": "llama-3.1-70b", "training": {"sharding": "zero3"},
                "cluster": {"gpus": 1024, "gpu_mtbf_hours": 10_000, "storage_bandwidth": 1e9}}),
        ),
        (Heuristic::ServingWaits, json!({"model": "llama-3.2-1b", "cluster": {"gpus": 8}, "inference": {"tensor": 8}})),
    ]
}

#[test]
fn every_rule_has_a_layout_that_goes_against_it() {
    let layouts: BTreeMap<&str, Value> = against().into_iter().map(|(rule, layout)| (rule.id(), layout)).collect();
    let mut silent = Vec::new();
    for rule in Heuristic::ALL {
        let layout = layouts.get(rule.id()).unwrap_or_else(|| panic!("no layout goes against {}", rule.id()));
        let (_, report) = asked(layout);
        let hint = report.hints.iter().find(|hint| hint.rule == *rule);
        match hint {
            None => silent.push((rule.id(), report.hints.iter().map(|hint| hint.rule.id()).collect::<Vec<_>>())),
            Some(hint) => {
                let because = hint.because();
                assert!(!because.contains(['{', '}']), "{because}");
                assert!(!rule.source().is_empty());
            }
        }
    }
    assert!(silent.is_empty(), "{silent:#?}");
}

/// Seconds of a step and its sequences, as far as throughput tells them.
fn step_of_micro_batches(half: &TrainingReport) -> (f64, f64) {
    let step = &half.step;
    (step.seconds.0, step.seconds.0 * step.tokens_per_second_per_gpu)
}

#[test]
fn what_a_hint_proposes_does_what_it_says() {
    let mut proposed = 0;
    for (_, layout) in against() {
        let (scenario, report) = asked(&layout);
        for Hint { rule, half, patch, bytes_saved, seconds_cost, .. } in &report.hints {
            if patch.0.is_empty() {
                continue;
            }
            proposed += 1;
            let then = support::answered(&patch.applied(&scenario)).expect("an answer");
            let [before, after] = [&report, &then].map(|report| match half {
                Half::Training => {
                    let half = report.training.as_ref().expect("a training half");
                    (half.step.seconds.0, half.peak.device_bytes.get(), half.fits)
                }
                Half::Inference => {
                    let half = report.inference.as_ref().expect("a serving half");
                    (half.decode_seconds.0, half.peak.device_bytes.get(), half.fits)
                }
            });
            // Of the sequences of a step as it is, whatever the micro-batches with the change.
            let [now, then] = [&report, &then].map(|report| report.training.as_ref().map(step_of_micro_batches));
            let promised = match (half, now, then) {
                (Half::Training, Some((seconds, sequences)), Some((later, others))) => {
                    later * sequences / others - seconds
                }
                _ => after.0 - before.0,
            };
            assert!((promised - seconds_cost.0).abs() <= 1e-9 * (before.0 + seconds_cost.0.abs()), "{rule:?}");
            assert!((before.1 - after.1 - bytes_saved).abs() <= 1.0, "{rule:?}");
            assert!(after.2 || !before.2, "{rule:?} makes too large what fitted");
            assert!(*half == Half::Inference || seconds_cost.0 < 0.0, "{rule:?} makes a step no shorter");
        }
    }
    assert!(proposed >= 10, "{proposed}");
}

#[test]
fn one_gpu_with_a_small_model_breaks_no_rule() {
    let (_, report) = asked(&json!({"model": "llama-3.2-1b", "training": {"sequence": 2048}}));
    assert_eq!(report.hints, []);
}

#[test]
fn hints_stand_behind_what_makes_it_fit() {
    let (_, report) = asked(&json!({"model": "llama-3.1-70b", "cluster": {"gpus": 64}, "training": {"tensor": 16}}));
    let written = serde_json::to_value(&report).expect("a report is JSON");
    let list = written["advice"].as_array().expect("a list");
    assert_eq!(list.len(), report.advice.len() + report.hints.len());
    let hint = list.iter().find(|entry| entry["id"] == "tensor_in_node").expect("the rule");
    assert_eq!(hint["severity"], "hint");
    let because = hint["because"].as_str().expect("a text");
    assert!(because.starts_with("tensor parallelism over 16 GPUs leaves the node of 8"), "{because}");
    for key in ["patch", "bytes_saved", "seconds_cost"] {
        assert!(!hint[key].is_null(), "{key}");
    }
}

/// 16 GPUs would serve it, but a global batch of 2 over 4 tensor ranks is trained on 8 at most: no count does both.
#[test]
fn a_count_that_would_break_the_other_half_is_not_proposed() {
    let serving = json!({"context": 131_072, "concurrency": 64});
    let with = |training: Value| {
        asked(&json!({"model": "llama-3.1-8b", "cluster": {"gpus": 8}, "training": training, "inference": serving})).1
    };
    let ranks = |report: &Report| report.advice.iter().find(|advice| advice.id == AdviceId::MoreTensorRanks).cloned();
    let bound = with(json!({"tensor": 4, "global_batch": 2}));
    assert!(bound.training.is_some() && bound.inference.as_ref().is_some_and(|half| !half.fits));
    assert_eq!(ranks(&bound), None);
    let free = with(json!({"tensor": 4}));
    assert_eq!(ranks(&free).expect("a count").patch, Cluster::gpus.count(16).into());
}

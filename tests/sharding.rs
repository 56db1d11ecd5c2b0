//! Sharded training by hand: what is whole in which phase, copies of `hsdp`, DeepSpeed's limits, padding.

mod support;

use support::report_of;
use vram_ledger::communication::{Collective, Group};
use vram_ledger::ledger::Account;
use vram_ledger::report::{Phase, TrainingReport};

fn training(json: &str) -> TrainingReport {
    let report = report_of(json);
    report.training.unwrap_or_else(|| panic!("{json}: {:?}", report.training_error))
}

fn in_phase(report: &TrainingReport, phase: Phase) -> f64 {
    report.stages[0].phases.iter().find(|bytes| bytes.phase == phase).expect("every phase is there").bytes.get()
}

fn entry(report: &TrainingReport, rule: &str) -> f64 {
    report.stages[0].entries.iter().filter(|entry| entry.rule.id() == rule).map(|entry| entry.bytes.get()).sum()
}

const PARAMETERS: f64 = 8_030_261_248.0;
const BLOCK: f64 = 218_112_000.0;
const ROOT: f64 = 2.0 * 128_256.0 * 4096.0 + 4096.0;

#[test]
fn gradients_that_come_and_go_are_there_from_the_end_of_backward() {
    let by = |accumulation: u64| {
        training(&format!(
            r#"{{"model":"llama-3.1-8b","framework":"pytorch-fsdp2","cluster":{{"gpus":8}},
                "training":{{"recompute":"full","global_batch":{}}}}}"#,
            8 * accumulation
        ))
    };
    let (one, two) = (by(1), by(2));
    let gradients = 4.0 * PARAMETERS / 8.0;
    // A second micro-batch finds the gradients of the first; at the end they are there in any case.
    for phase in [Phase::Loss, Phase::Backward] {
        assert_eq!(in_phase(&two, phase) - in_phase(&one, phase), gradients, "{phase:?}");
    }
    for phase in [Phase::BackwardEnd, Phase::Optimizer] {
        assert_eq!(in_phase(&two, phase), in_phase(&one, phase), "{phase:?}");
    }
    // The update holds state and workspace; the end of backward also two layers whole, with their gradients, the two
    // ends of the model, the first layer's checkpoint and itself computed again.
    let more = in_phase(&one, Phase::BackwardEnd) - in_phase(&one, Phase::Optimizer);
    let whole = 2.0 * (2.0 * BLOCK + ROOT) + 4.0 * 2.0 * BLOCK;
    assert!(more > whole && more < whole + 2e9, "{more}");
}

#[test]
fn what_is_not_dropped_after_forward_stays_through_backward() {
    let by = |reshard: bool| {
        training(&format!(
            r#"{{"model":"llama-3.1-8b","cluster":{{"gpus":8}},
                "training":{{"sharding":"zero3","loss":"eager","reshard_after_forward":{reshard}}}}}"#
        ))
    };
    let (kept, dropped) = (by(false), by(true));
    assert_eq!(in_phase(&kept, Phase::Loss) - in_phase(&dropped, Phase::Loss), 2.0 * 31.0 * BLOCK);
    assert_eq!(in_phase(&kept, Phase::BackwardEnd) - in_phase(&dropped, Phase::BackwardEnd), 2.0 * 30.0 * BLOCK);
}

#[test]
fn a_pipeline_that_keeps_weights_whole_keeps_gradients_whole() {
    let by = |layout: &str| {
        training(&format!(
            r#"{{"model":"llama-3.1-8b","framework":"pytorch-fsdp2","cluster":{{"gpus":8}},
                "training":{{"pipeline":2,"global_batch":16,"loss":"fused_linear"{layout}}}}}"#
        ))
    };
    let whole = by("");
    let end = 128_256.0 * 4096.0;
    assert_eq!(entry(&whole, "gathered.weights"), 2.0 * (16.0 * BLOCK + end));
    assert_eq!(entry(&whole, "gathered.waiting_gradients"), 4.0 * (16.0 * BLOCK + end));
    assert_eq!(whole.stages[0].accounts[Account::Gradients].get(), 0.0);
    let gathers = |report: &TrainingReport| -> f64 {
        let lines = report.traffic.iter().filter(|line| line.collective == Collective::AllGather);
        lines.map(|line| line.bytes.get()).sum()
    };
    // Once a step, not twice a micro-batch.
    let dropped = by(r#","reshard_after_forward":true"#);
    assert_eq!(gathers(&dropped), 8.0 * gathers(&whole));
    assert_eq!(entry(&dropped, "gathered.waiting_gradients"), 0.0);
}

#[test]
fn hybrid_shards_lie_in_a_group_and_their_gradients_are_summed_over_the_copies() {
    let by = |layout: &str| {
        training(&format!(
            r#"{{"model":"llama-3.1-8b","cluster":{{"gpus":32}},"training":{{"sharding":"hsdp"{layout}}}}}"#
        ))
    };
    let report = by("");
    assert_eq!(report.stages[0].state.total.get(), 16.0 * PARAMETERS / 8.0);
    let alone = training(r#"{"model":"llama-3.1-8b","cluster":{"gpus":8},"training":{"sharding":"zero3"}}"#);
    assert_eq!(report.peak.active_bytes, alone.peak.active_bytes, "copies cost no memory");
    let sent = |group: Group| -> f64 {
        report.traffic.iter().filter(|line| line.group == group).map(|line| line.bytes.get()).sum()
    };
    assert_eq!(sent(Group::Data).round(), (3.0 * 2.0 * PARAMETERS * 7.0 / 8.0).round());
    assert_eq!(sent(Group::Replica).round(), (2.0 * 2.0 * PARAMETERS / 8.0 * 3.0 / 4.0).round());
    assert!(report.minimum_gpus.unwrap().is_multiple_of(8));
    assert_eq!(by(r#","shard_group":16"#).stages[0].state.total.get(), PARAMETERS);
    // Twelve ranks: the largest group of a node of eight that divides them is six.
    let twelve = training(r#"{"model":"llama-3.1-8b","cluster":{"gpus":12},"training":{"sharding":"hsdp"}}"#);
    assert_eq!(twelve.stages[0].state.weights.get(), (2.0 * PARAMETERS / 6.0).round());
    let refused = r#"{"cluster":{"gpus":32},"training":{"sharding":"hsdp","shard_group":12}}"#;
    assert_eq!(
        report_of(refused).training_error.unwrap().to_string(),
        "training.shard_group: given 12; allowed: a divisor of data-parallel × context ranks = 32; nearest: 8, 16"
    );
}

#[test]
fn deepspeed_works_by_limits() {
    let by = |layout: &str| {
        training(&format!(
            r#"{{"model":"llama-3.1-8b","framework":"deepspeed","cluster":{{"gpus":8}},"training":{{{layout}}}}}"#
        ))
    };
    let live = by(r#""sharding":"zero3""#);
    assert_eq!(entry(&live, "gathered.live"), 2.0 * (1e9 + 5e7));
    assert_eq!(entry(&live, "gathered.weights"), 0.0);
    assert_eq!(entry(&live, "buffers.buckets"), 2.0 * 4.0 * 5e8, "one is filled while the other travels");
    assert_eq!(entry(&by(r#""sharding":"zero2""#), "buffers.buckets"), 4.0 * 5e8);
    // A model below the limit is whole, and no more than that.
    let small = training(
        r#"{"model":"gpt2","framework":"deepspeed","cluster":{"gpus":8},"training":{"sharding":"zero3","sequence":1024}}"#,
    );
    assert_eq!(entry(&small, "gathered.live"), 2.0 * 124_439_808.0);
}

#[test]
fn padding_is_held_and_computed_and_of_no_use() {
    let by = |packing: f64| training(&format!(r#"{{"training":{{"packing":{packing}}}}}"#));
    let (all, half) = (by(1.0), by(0.5));
    assert_eq!(all.peak, half.peak);
    assert_eq!(all.step.seconds, half.step.seconds);
    assert_eq!(all.step.hfu, half.step.hfu);
    assert_eq!(all.step.mfu, 2.0 * half.step.mfu);
    assert_eq!(all.step.tokens_per_second_per_gpu, 2.0 * half.step.tokens_per_second_per_gpu);
    assert_eq!(2.0 * all.step.hardware_flops_per_token, half.step.hardware_flops_per_token);
}

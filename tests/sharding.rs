//! Sharded training by hand: what is whole in which phase, copies of `hsdp`, DeepSpeed's limits, padding.

mod support;

use support::report_of;
use vram_ledger::answer::{Collective, Group, Phase};
use vram_ledger::ledger::Account;
use vram_ledger::report::TrainingReport;

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
    assert!(by(r#","shard_group":8"#).minimum_gpus.unwrap().is_multiple_of(8));
    // Where no group is given it is as large as there are GPUs, up to a node.
    let fewest = report.minimum_gpus.unwrap();
    let fits = |gpus: u64| {
        let json =
            format!(r#"{{"model":"llama-3.1-8b","cluster":{{"gpus":{gpus}}},"training":{{"sharding":"hsdp"}}}}"#);
        training(&json).fits
    };
    assert!(fewest < 8 && fits(fewest) && !fits(fewest - 1));
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
    assert_eq!(entry(&live, "buffers.buckets"), 2.0 * 2.0 * 5e8, "one is filled while the other travels");
    assert_eq!(entry(&by(r#""sharding":"zero2""#), "buffers.buckets"), 2.0 * 5e8);
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

#[test]
fn a_group_shares_out_what_a_gpu_holds_and_not_what_the_model_is() {
    let by = |sharding: &str| {
        let json = format!(r#"{{"cluster":{{"gpus":8}},"training":{{"sharding":"{sharding}","shard_group":4}}}}"#);
        let report = report_of(&json);
        (report.gap.state_bytes_per_parameter.unwrap(), report.training.unwrap().checkpoint.bytes.get())
    };
    assert_eq!(by("hsdp"), (16.0, 14.0 * 7e9));
    assert_eq!(by("hsdp"), by("zero3"));
}

#[test]
fn groups_have_every_expert_equally_often() {
    // Four ranks hold all experts of Mixtral. A group of two holds half of them once, one of eight all of them twice.
    let experts = 45_097_156_608.0;
    let state = |gpus: u64, group: &str| {
        let json = format!(
            r#"{{"model":"mixtral-8x7b","cluster":{{"gpus":{gpus}}},
                "training":{{"sharding":"hsdp","expert":4{group}}}}}"#
        );
        report_of(&json)
    };
    let weights =
        |group: u64| state(16, &format!(r#","shard_group":{group}"#)).training.unwrap().stages[0].state.weights;
    let rest = 1_605_636_096.0;
    assert_eq!(weights(2).get(), 2.0 * (rest / 2.0 + experts / 4.0));
    assert_eq!(weights(8).get(), 2.0 * (rest / 8.0 + experts / 8.0));
    let refused = state(12, r#","shard_group":6"#).training_error.unwrap();
    assert_eq!(
        refused.to_string(),
        "training.shard_group: given 6; allowed: a divisor of data-parallel × context ranks = 12; nearest: 4, 12"
    );
    // Where none is given it is what a node and the experts allow.
    assert_eq!(state(12, "").training.unwrap().stages[0].state.weights.get(), 2.0 * (rest / 4.0 + experts / 4.0));
}

#[test]
fn the_fewest_gpus_hold_groups_and_experts_as_they_lie() {
    let fewest = |json: &str| report_of(json).training.unwrap().minimum_gpus;
    // A node is only as large as there are GPUs: one is enough for GPT-2, whatever shares one copy elsewhere.
    assert_eq!(fewest(r#"{"model":"gpt2","cluster":{"gpus":16},"training":{"sharding":"hsdp"}}"#), Some(1));
    assert_eq!(
        fewest(r#"{"model":"gpt2","cluster":{"gpus":16},"training":{"sharding":"hsdp","shard_group":4}}"#),
        Some(4)
    );
    // Ranks that hold all experts once gather none of them; those that hold them twice do.
    let spread = |gpus: u64| {
        let json = format!(
            r#"{{"model":"mixtral-8x7b","cluster":{{"gpus":{gpus}}},"training":{{"sharding":"zero3","expert":8}}}}"#
        );
        report_of(&json).training.unwrap()
    };
    let gathered = |gpus: u64| spread(gpus).stages[0].accounts[Account::GatheredWeights].get();
    assert!(gathered(16) > gathered(8));
    assert!(spread(64).minimum_gpus.is_some_and(|gpus| gpus % 8 == 0 && spread(gpus).fits && !spread(gpus - 8).fits));
}

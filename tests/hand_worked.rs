//! Numbers worked out by hand, where no published case holds the rule.

mod support;

use support::report_of;
use vram_ledger::ledger::Account;
use vram_ledger::report::{Report, TrainingReport};
use vram_ledger::units::Bytes;

fn training(json: &str) -> TrainingReport {
    report_of(json).training.expect("a training half")
}

fn state_per_parameter(optimizer: &str) -> f64 {
    let report: Report = report_of(&format!(r#"{{"model":"llama-3.1-8b","training":{{"optimizer":"{optimizer}"}}}}"#));
    report.gap.state_bytes_per_parameter.unwrap()
}

#[test]
fn the_gap_and_the_checkpoint_follow_the_optimizer() {
    assert_eq!(state_per_parameter("adamw"), 16.0);
    assert_eq!(state_per_parameter("lion"), 12.0);
    assert_eq!(state_per_parameter("sgd"), 8.0);
    // Two moments of one byte with an fp32 scale for 256 parameters; the norms of 4,096 elements are large enough.
    assert!((state_per_parameter("adamw-8bit") - (8.0 + 2.0 * (1.0 + 4.0 / 256.0))).abs() < 1e-6);
    // A byte or two a thousand parameters for rows and columns.
    assert!((8.0..8.01).contains(&state_per_parameter("adafactor")));
    // Muon: one moment for 6,979,321,856 parameters of hidden matrices, two for the other 1,050,939,392.
    let muon = 8.0 + (4.0 * 6_979_321_856.0 + 8.0 * 1_050_939_392.0) / 8_030_261_248.0;
    assert!((state_per_parameter("muon") - muon).abs() < 1e-9);
    let checkpoint = training(r#"{"model":{"parameters":7e9},"training":{"optimizer":"sgd"}}"#).checkpoint.bytes;
    assert_eq!(checkpoint, Bytes::whole(6.0 * 7e9), "weights and master weights");
}

#[test]
fn fp32_activations_are_twice_as_large() {
    let kept = |recipe: &str| {
        training(&format!(r#"{{"training":{{"recipe":"{recipe}","attention":"eager"}}}}"#)).stages[0].accounts
    };
    let (half, full) = (kept("bf16-mixed"), kept("fp32"));
    for account in [Account::Activations, Account::EdgeActivations, Account::Loss] {
        assert_eq!(full[account].get(), 2.0 * half[account].get(), "{account:?}");
    }
}

#[test]
fn a_layer_norm_of_plain_modules_keeps_no_fp32_copy() {
    // 32h + 4a a token and layer, as with fused kernels: GPT-2 has a plain MLP and LayerNorm.
    let kept = |kernels: &str| {
        training(&format!(r#"{{"model":"gpt2","training":{{"kernels":"{kernels}","sequence":1024}}}}"#)).stages[0]
            .accounts[Account::Activations]
    };
    assert_eq!(kept("eager"), kept("fused"));
    assert_eq!(kept("fused"), Bytes::whole((32.0 * 768.0 + 4.0 * 12.0) * 1024.0 * 12.0));
}

#[test]
fn data_overlap_is_the_share_that_may_hide() {
    let exposed = |overlap: f64| {
        let report = training(&format!(
            r#"{{"cluster":{{"gpus":8}},"training":{{"sharding":"zero3","global_batch":64,"data_overlap":{overlap}}}}}"#
        ));
        let all: f64 = report.traffic.iter().map(|line| line.seconds.0).sum();
        report.step.exposed_communication_seconds.0 / all
    };
    assert!((exposed(0.0) - 1.0).abs() < 1e-12);
    assert!(exposed(0.5) >= 0.5);
    assert!(exposed(1.0) < exposed(0.5));
}

#[test]
fn a_node_with_one_rank_has_one_card() {
    let seconds = |gpus: u64| -> f64 {
        let report = training(&format!(r#"{{"cluster":{{"gpus":{gpus}}},"training":{{"sharding":"none"}}}}"#));
        report.traffic.iter().map(|line| line.seconds.0).sum()
    };
    // Sixteen ranks share eight cards on either side; the ninth has only its own.
    assert!(seconds(9) > 6.0 * seconds(16));
}

#[test]
fn a_window_bounds_what_attention_computes() {
    let flops = |sequence: u64| {
        let json = format!(r#"{{"model":"mistral-7b-v0.1","training":{{"sequence":{sequence}}}}}"#);
        training(&json).step.hardware_flops_per_token
    };
    // Far beyond the window of 4,096 every token sees the whole of it, twice the average up to there:
    // 4·q a layer and key, 3.5 times over forward and flash attention's backward.
    let window = 4.0 * 4096.0 * 32.0 * 3.5 * 4096.0;
    let (at, beyond) = (flops(4096), flops(1 << 22));
    assert!(((beyond - at) / (0.5 * window) - 1.0).abs() < 1e-3, "{at} {beyond}");
}

#[test]
fn serving_waits_for_its_all_reduces() {
    let decode =
        |link: &str| report_of(&format!(r#"{{"cluster":{{"gpus":8{link}}}}}"#)).inference.unwrap().decode_seconds.0;
    let slow = decode(r#","link":{"bandwidth":1e6,"latency":0,"efficiency":1}"#);
    let fast = decode(r#","link":{"bandwidth":1e15,"latency":0,"efficiency":1}"#);
    // 65 all-reduces of 8,192 bytes, of which each GPU sends 2·7/8.
    assert!((slow - fast - 65.0 * 8192.0 * 1.75 / 1e6).abs() < 1e-6, "{slow} {fast}");
}

#[test]
fn key_and_value_biases_are_copied_with_their_heads() {
    let weights = |tensor: u64| {
        let json = format!(r#"{{"model":"qwen2.5-1.5b","cluster":{{"gpus":4}},"inference":{{"tensor":{tensor}}}}}"#);
        report_of(&json).inference.unwrap().accounts[Account::Weights].get()
    };
    // Two key-value heads of 128 on four ranks: each rank holds one, so half of K and V instead of a quarter.
    let (layers, kv, hidden) = (28.0, 256.0, 1536.0);
    let split_evenly = |ranks: f64| {
        let norms = (2.0 * layers + 1.0) * hidden;
        2.0 * ((1_543_714_304.0 - norms) / ranks + norms)
    };
    let copies = 2.0 * 2.0 * layers * (kv * hidden + kv) / 4.0;
    assert_eq!(weights(4), split_evenly(4.0) + copies);
    assert_eq!(weights(1), 2.0 * 1_543_714_304.0);
}

#[test]
fn higher_stages_are_proposed_and_the_reserve_counts() {
    let report = report_of(
        r#"{"framework":"deepspeed","model":{"parameters":2e9},"cluster":{"gpus":8,"gpu":"rtx-4090","reserve_bytes":5e9}}"#,
    );
    for advice in &report.advice {
        assert!(advice.short.get() > 0.0);
        let lowered = advice.patch.0.iter().any(|change| {
            matches!(change, vram_ledger::advice::Change::Sharding(stage)
                if matches!(stage, vram_ledger::scenario::Sharding::None | vram_ledger::scenario::Sharding::Zero1))
        });
        assert!(!lowered, "{:?} shares out less than zero2", advice.patch);
    }
}

//! Context parallelism by hand: tokens, buffers, shards, traffic, and what is refused.

mod support;

use support::report_of;
use vram_ledger::answer::{Collective, Group};
use vram_ledger::ledger::Account;
use vram_ledger::report::TrainingReport;

/// Llama-3.1-8B with sequences of 32,768 over four context and two data-parallel ranks.
fn training(layout: &str) -> TrainingReport {
    let json = format!(
        r#"{{"model":"llama-3.1-8b","cluster":{{"gpus":8}},
            "training":{{"context":4,"sequence":32768,"global_batch":2{layout}}}}}"#
    );
    let report = report_of(&json);
    report.training.unwrap_or_else(|| panic!("{json}: {:?}", report.training_error))
}

const TOKENS: f64 = 8192.0;
/// Elements of keys and values a token.
const KEYS_VALUES: f64 = 2.0 * 1024.0;

fn account(report: &TrainingReport, account: Account) -> f64 {
    report.stages[0].accounts[account].get()
}

fn sent(report: &TrainingReport, collective: Collective) -> f64 {
    let lines = report.traffic.iter().filter(|line| line.group == Group::Context && line.collective == collective);
    lines.map(|line| line.bytes.get()).sum()
}

#[test]
fn each_rank_keeps_its_own_tokens() {
    let report = training("");
    assert_eq!((report.data_parallel, report.gradient_accumulation), (2, 1));
    let a_token = 8.0 * 4096.0 + 4.0 * 4096.0 + 4.0 * 1024.0 + 6.0 * 14336.0 + 4.0 * 32.0;
    assert_eq!(account(&report, Account::Activations), TOKENS * 32.0 * a_token);
    // With an all-to-all attention's output is kept by heads and by tokens.
    let exchanged = training(r#","context_method":"ulysses""#);
    assert_eq!(account(&exchanged, Account::Activations), TOKENS * 32.0 * (a_token + 2.0 * 4096.0));
}

#[test]
fn attention_takes_in_what_other_ranks_have() {
    // A loss in many chunks, so that the peak is in backward.
    let buffers = |method: &str| {
        let layout = format!(r#","context_method":"{method}","loss":"fused_linear","loss_chunks":1000"#);
        account(&training(&layout), Account::CommunicationBuffers)
    };
    assert_eq!(buffers("ring"), 2.0 * 2.0 * TOKENS * KEYS_VALUES);
    assert_eq!(buffers("all_gather"), 4.0 * 2.0 * TOKENS * KEYS_VALUES);
    assert_eq!(buffers("ulysses"), 2.0 * TOKENS * (4096.0 + KEYS_VALUES));
}

#[test]
fn rings_and_gathers_send_as_much() {
    // Three blocks a layer in forward, and as many of keys and values and of their gradients in backward.
    let blocks = 3.0 * 32.0 * 2.0 * TOKENS * KEYS_VALUES;
    assert_eq!(sent(&training(""), Collective::SendRecv), 3.0 * blocks);
    let gathered = training(r#","context_method":"all_gather""#);
    assert_eq!(sent(&gathered, Collective::AllGather), 2.0 * blocks);
    assert_eq!(sent(&gathered, Collective::ReduceScatter), blocks);
    let exchanged = training(r#","context_method":"ulysses""#);
    let heads = 0.75 * 32.0 * 2.0 * TOKENS * (2.0 * 4096.0 + KEYS_VALUES);
    assert_eq!(sent(&exchanged, Collective::AllToAll), 2.0 * heads);
    // Recomputation repeats what forward sends.
    assert_eq!(sent(&training(r#","recompute":"full""#), Collective::SendRecv), 4.0 * blocks);
}

#[test]
fn shards_lie_over_data_and_context_ranks() {
    let report = training(r#","sharding":"zero3""#);
    assert_eq!(report.stages[0].state.total.get(), 2.0 * 8_030_261_248.0);
    let gathers = report.traffic.iter().filter(|line| line.group == Group::Data);
    assert!(gathers.clone().all(|line| line.size == 8) && gathers.count() == 3);
    assert!(report.minimum_gpus.unwrap().is_multiple_of(4));
}

#[test]
fn what_does_not_split_is_refused() {
    let refusal = |model: &str, layout: &str| {
        let json = format!(r#"{{"model":"{model}","cluster":{{"gpus":24}},"training":{{{layout}}}}}"#);
        report_of(&json).training_error.unwrap_or_else(|| panic!("{json} was answered")).to_string()
    };
    assert_eq!(
        refusal("llama-3.1-8b", r#""context":3,"context_method":"ulysses""#),
        "training.context: given 3; allowed: what, times the tensor ranks, divides the 32 attention heads, as ulysses \
         splits them; nearest: 2, 4"
    );
    assert_eq!(
        refusal("llama-3.1-8b", r#""context":3,"tensor":2,"sequence":1000"#),
        "training.sequence: given 1000; allowed: a multiple of 6, the context ranks (times the tensor ranks that split \
         it further); nearest: 996, 1002"
    );
    assert_eq!(
        refusal("llama-3.1-8b", r#""context":5,"pipeline":2"#),
        "cluster.gpus: given 24; allowed: a multiple of tensor × pipeline × context = 10 (what is left over is data \
         parallel); nearest: 20, 30"
    );
}

#[test]
fn a_ring_hides_by_itself() {
    let exposed = |layout: &str, group: Group| -> f64 {
        let lines = training(layout).traffic;
        lines.iter().filter(|line| line.group == group).map(|line| line.exposed_seconds.0 / line.seconds.0).sum()
    };
    let apart = r#","data_overlap":0"#;
    assert_eq!(exposed(apart, Group::Context), exposed("", Group::Context));
    assert!(exposed(apart, Group::Context) < 0.1 && exposed(apart, Group::Data) == 1.0);
    assert_eq!(exposed(r#","context_method":"ulysses""#, Group::Context), 1.0);
}

//! Every rule of the ledger is held by a published case or by numbers worked out by hand.

mod support;

use std::collections::BTreeSet;

use support::{cases, report_of};
use vram_ledger::ledger::{Entry, Rule};
use vram_ledger::report::Report;
use vram_ledger::scenario::Scenario;

/// The entries of a report: of every stage at its peak, of the host, and of serving.
fn entries(report: &Report) -> impl Iterator<Item = &Entry> {
    let training = report.training.iter();
    let trained =
        training.flat_map(|half| half.stages.iter().flat_map(|stage| &stage.entries).chain(&half.host_entries));
    trained.chain(report.inference.iter().flat_map(|half| &half.entries))
}

/// Llama 3.1 8B: hidden size, keys, MLP, vocabulary, layers.
const H: f64 = 4096.0;
const KV: f64 = 1024.0;
const F: f64 = 14_336.0;
const V: f64 = 128_256.0;
const L: f64 = 32.0;
const ALL: f64 = 8_030_261_248.0;
/// Its matrices of attention and MLP, of all layers and of one with its norms.
const LINEAR: f64 = 6_979_321_856.0;
const BLOCK: f64 = 218_112_000.0;
/// Its embedding, head and final norm.
const ROOT: f64 = 2.0 * V * H + H;
/// Tokens of a sequence.
const T: f64 = 4096.0;

/// A scenario that holds a rule, and the bytes of all its entries by that rule.
#[rustfmt::skip]
const WORKED: &[(Rule, &str, f64)] = &[
    // The embedding, or the head, in 16 bits.
    (Rule::LargestGradient, r#"{"model":"llama-3.1-8b","training":{"optimizer_in_backward":true}}"#, 2.0 * V * H),
    // The square root of the second moment, of all parameters at once.
    (Rule::StepTemporaries,
     r#"{"model":"llama-3.1-8b","framework":"hf-trainer","training":{"optimizer_step":"foreach","sequence":16}}"#, 4.0 * ALL),
    // All weights in 16 bits over the eight GPUs of a node.
    (Rule::SecondaryPartition,
     r#"{"model":"llama-3.1-8b","cluster":{"gpus":64},"training":{"sharding":"zero3","zeropp":["secondary_partition"]}}"#,
     2.0 * ALL / 8.0),
    // 4 bits, an 8-bit scale for 64 weights and an fp32 one for 256 of those.
    (Rule::FrozenQuantised, r#"{"model":"llama-3.1-8b","training":{"adapter":{"kind":"qlora"}}}"#,
     (4.0 + 8.0 / 64.0 + 32.0 / 16_384.0) / 8.0 * LINEAR),
    (Rule::FrozenRest, r#"{"model":"llama-3.1-8b","training":{"adapter":{"kind":"qlora"}}}"#, 2.0 * (ALL - LINEAR)),
    // Rows and columns of query and output, key and value, three matrices of the MLP, embedding and head; 65 norms.
    // Of each of 32 layers four matrices whose longer side is H and three of F, with one number each; two tables and 65 norms
    // whole; both moments in fp32.
    (Rule::MomentsOneDimension, r#"{"model":"llama-3.1-8b","training":{"optimizer":"apollo-mini"}}"#,
     2.0 * 4.0 * (L * (4.0 * H + 3.0 * F) + 7.0 * L + 2.0 * V * H + 65.0 * H)),
    (Rule::VarianceFactored, r#"{"model":"llama-3.1-8b","training":{"optimizer":"adafactor"}}"#,
     4.0 * (L * (4.0 * H + 2.0 * (H + KV) + 3.0 * (H + F)) + 2.0 * (V + H) + 65.0 * H)),
    // Half of the layers and one end, in fp32 as they travel, wait for the second micro-batch.
    (Rule::WaitingGradients,
     r#"{"model":"llama-3.1-8b","framework":"pytorch-fsdp2","cluster":{"gpus":4},
         "training":{"pipeline":2,"global_batch":4,"recompute":"full","loss":"fused"}}"#,
     4.0 * (L * BLOCK + ROOT)),
    // DeepSpeed keeps up to 1e9 parameters whole and has 5e7 more on the way.
    (Rule::LiveParameters,
     r#"{"model":"llama-3.1-8b","framework":"deepspeed","cluster":{"gpus":8},"training":{"sharding":"zero3"}}"#,
     2.0 * 1.05e9),
    // Gate, up or down at a time.
    (Rule::Dequantised,
     r#"{"model":"llama-3.1-8b","training":{"adapter":{"kind":"qlora"},"recompute":"full","sequence":1024}}"#, 2.0 * F * H),
    // Gradients of 2 bytes, as the parameters have, in a bucket of 5e8.
    (Rule::Buckets, r#"{"model":"llama-3.1-8b","framework":"deepspeed","cluster":{"gpus":8}}"#, 2.0 * 5e8),
    // Two blocks of keys and values of a quarter of the tokens.
    (Rule::ContextBuffers,
     r#"{"model":"llama-3.1-8b","cluster":{"gpus":4},"training":{"context":4,"sequence":16384,"loss":"fused_linear","loss_chunks":1000}}"#,
     2.0 * 2.0 * T * 2.0 * KV),
    // 36 layers of 32 query and 8 key heads of 128.
    (Rule::HeadNormInputs, r#"{"model":"qwen3-8b"}"#, 2.0 * T * 40.0 * 128.0 * 36.0),
    // Two experts of each token.
    (Rule::ExpertOutputs, r#"{"model":"mixtral-8x7b","training":{"kernels":"eager"}}"#, 2.0 * T * 2.0 * H * L),
    // A mask of one byte and a result of two: of query, key and value, and of attention's output.
    (Rule::AdapterDropout, r#"{"model":"llama-3.1-8b","training":{"adapter":{"dropout":0.1}}}"#, 3.0 * T * 4.0 * H * L),
    // Query, value, the MLP's gate, and its down projection.
    (Rule::ProductOutputs, r#"{"model":"llama-3.1-8b","training":{"recompute":"selective_ops"}}"#,
     2.0 * T * (H + KV + F + H) * L),
    // One layer's tensors beside all gradients, where those come only then: 16h + 4q + 4kv + 8f + 4a.
    (Rule::FirstLayer, r#"{"model":"llama-3.1-8b","framework":"hf-trainer","training":{"sequence":16}}"#,
     16.0 * (20.0 * H + 4.0 * KV + 8.0 * F + 4.0 * 32.0)),
    // Three of four micro-batches, each with its logits in 16 bits.
    (Rule::LossWaiting,
     r#"{"model":"llama-3.1-8b","cluster":{"gpus":2},"training":{"pipeline":2,"schedule":"gpipe","global_batch":4}}"#,
     2.0 * T * 3.0 * V),
    // The loss is the peak while its chunk of logits is larger than what backward works on.
    (Rule::LossHiddenGradient, r#"{"model":"llama-3.1-8b","training":{"loss":"fused_linear"}}"#, 2.0 * T * H),
    // Of each of 64 state spaces: input, gate and result of 5120, a narrow step of 160, four times 16 of the state; and a state
    // of two numbers, 5120 × 16 times, in 2048 tokens.
    (Rule::FurtherKept, r#"{"model":"mamba-2.8b"}"#, T * 64.0 * (2.0 * (3.0 * 5120.0 + 160.0 + 64.0) + 4.0 * 80.0)),
    // 64 queries and a key of 128, the input of the key's norm and 64 weights, of 61 layers and one that predicts.
    (Rule::IndexerHidden, r#"{"model":"deepseek-v3.2"}"#, 2.0 * T * (64.0 * 128.0 + 2.0 * 128.0 + 64.0) * 62.0),
    // The embedding of 1024 elements a token.
    (Rule::EmbeddingNorm, r#"{"model":"bloom-560m"}"#, 2.0 * T * 1024.0),
    // A key of 128 bytes and a scale of 4.
    (Rule::IndexerCache, r#"{"model":"deepseek-v3.2"}"#, 132.0 * T * 61.0),
    // 512 elements of a byte, four fp32 scales, 64 elements of two bytes.
    (Rule::MixedLatentCache, r#"{"model":"deepseek-v3.2","inference":{"engine":"vllm","kv":"fp8"}}"#, 656.0 * T * 61.0),
    (Rule::AllToAll, r#"{"model":"mixtral-8x7b","framework":"megatron-core","cluster":{"gpus":8},"training":{"expert":8}}"#,
     3.28e9),
    // An fp32 scale for each row of query, key, value, output, gate, up and down.
    (Rule::ServedScales, r#"{"model":"llama-3.1-8b","inference":{"weights":"int8"}}"#,
     4.0 * L * (3.0 * H + 2.0 * KV + 2.0 * F)),
    // Scores in fp32 and in 16 bits, of one layer's 32 heads.
    (Rule::PrefillScores, r#"{"model":"llama-3.1-8b","inference":{"attention":"eager","prefill_chunk":512}}"#,
     6.0 * 512.0 * T * 32.0),
];

#[test]
fn worked_rules_give_what_was_worked_out() {
    let mut missed = Vec::new();
    for (rule, scenario, expected) in WORKED {
        let report = report_of(scenario);
        let bytes: f64 = entries(&report).filter(|entry| entry.rule == *rule).map(|entry| entry.bytes.get()).sum();
        if bytes != expected.round() {
            missed.push(format!("{}: {bytes}, not {expected}, in {scenario}", rule.id()));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn every_rule_is_held_by_a_case_or_worked_out() {
    let mut held: BTreeSet<&str> = WORKED.iter().map(|(rule, ..)| rule.id()).collect();
    for case in ["training.jsonl", "communication.jsonl", "inference.jsonl"].into_iter().flat_map(cases) {
        for scenario in [Some(case.scenario), case.minus].into_iter().flatten() {
            let report = Scenario::from_value(&scenario).and_then(|scenario| support::answered(&scenario));
            held.extend(report.iter().flat_map(entries).map(|entry| entry.rule.id()));
        }
    }
    let missing: Vec<&str> = Rule::ALL.iter().map(|rule| rule.id()).filter(|id| !held.contains(id)).collect();
    assert!(missing.is_empty(), "no case and no worked number holds {missing:?}");
}

/// Evaluates what a formula says, part by part: the text that explains a number, held against the code that makes it.
struct Formula<'a> {
    parts: std::iter::Peekable<std::str::Split<'a, char>>,
    rule: Rule,
    terms: &'a [f64],
}

impl Formula<'_> {
    fn sum(&mut self) -> f64 {
        let mut value = self.product();
        while let Some(sign) = self.parts.next_if(|part| matches!(*part, "+" | "-")) {
            let next = self.product();
            value += if sign == "+" { next } else { -next };
        }
        value
    }

    fn product(&mut self) -> f64 {
        let mut value = self.factor();
        while let Some(sign) = self.parts.next_if(|part| matches!(*part, "·" | "÷")) {
            let next = self.factor();
            if sign == "·" { value *= next } else { value /= next }
        }
        value
    }

    fn factor(&mut self) -> f64 {
        let part = self.parts.next().expect("a formula does not end with a sign");
        if part == "(" {
            let value = self.sum();
            assert_eq!(self.parts.next(), Some(")"));
            return value;
        }
        let symbol = self.rule.symbols().iter().position(|symbol| symbol.sign() == part);
        symbol.map_or_else(|| part.parse().expect("a number or a symbol of the rule"), |index| self.terms[index])
    }
}

#[test]
fn formulas_say_what_is_computed_and_use_every_symbol() {
    const TERMS: [f64; 8] = [3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0, 23.0];
    for rule in Rule::ALL.iter().copied() {
        let terms = &TERMS[..rule.symbols().len()];
        let mut formula = Formula { parts: rule.formula().split(' ').peekable(), rule, terms };
        let (said, computed) = (formula.sum(), rule.evaluate(terms));
        assert!(formula.parts.next().is_none() && (said / computed - 1.0).abs() < 1e-12, "{}: {said}", rule.id());
        for symbol in rule.symbols() {
            assert!(rule.formula().split(' ').any(|part| part == symbol.sign()), "{} {}", rule.id(), symbol.sign());
        }
        assert!(!rule.source().is_empty());
    }
}

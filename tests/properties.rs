//! What must hold for every scenario, tried on random ones.

mod support;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use serde_json::{Value, json};
use support::answered;
use vram_ledger::answer::{StageReport, StateBytes};
use vram_ledger::frameworks::Framework;
use vram_ledger::ledger::Account;
use vram_ledger::model::find;
use vram_ledger::names::{
    Attention, CacheFormat, ContextMethod, Engine, Kernels, LatentCache, Loss, Name, Offload, OptimizerStep,
    RecipeName, Recompute, Schedule, WeightFormat,
};
use vram_ledger::optimizers::Optimizer;
use vram_ledger::report::Report;
use vram_ledger::resolve::resolve;
use vram_ledger::scenario::Scenario;

const MODELS: [&str; 11] = [
    "llama-3.1-8b",
    "llama-2-13b",
    "qwen2.5-7b",
    "mistral-7b-v0.1",
    "mixtral-8x7b",
    "gpt2",
    "gemma-2-9b",
    "pythia-6.9b",
    "qwen3-30b-a3b",
    "deepseek-v2",
    "deepseek-v3",
];

fn any_model() -> impl Strategy<Value = Value> {
    prop_oneof![
        proptest::sample::select(MODELS.to_vec()).prop_map(Value::from),
        (7.0f64..13.0).prop_map(|exponent| json!({"parameters": 10f64.powf(exponent).round()})),
    ]
}

fn any_of<T: Name + std::fmt::Debug>() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(T::NAMES.to_vec())
}

fn one_of(values: &[&'static str]) -> impl Strategy<Value = &'static str> {
    proptest::sample::select(values.to_vec())
}

/// GPUs in all, and ranks of each kind but data-parallel ones: powers of two.
#[derive(Clone, Copy, Debug)]
struct Ranks {
    gpus: u64,
    tensor: u64,
    pipeline: u64,
    context: u64,
}

/// Model, framework, machines.
fn any_machine() -> impl Strategy<Value = (Value, Ranks)> {
    let gpus = one_of(&["h100-sxm-80gb", "a100-sxm-40gb", "rtx-4090", "mi300x", "b200-sxm-180gb"]);
    let some = || prop_oneof![Just(0u32), 1u32..4];
    let ranks = (0u32..11, 0u32..4, some(), some());
    (any_model(), any_of::<Framework>(), gpus, ranks).prop_map(|(model, framework, gpu, ranks)| {
        let (gpus, tensor, pipeline, context) = ranks;
        let scenario = json!({"model": model, "framework": framework, "cluster": {"gpu": gpu, "gpus": 1u64 << gpus}});
        let tensor = tensor.min(gpus);
        let pipeline = pipeline.min(gpus - tensor);
        let context = context.min(gpus - tensor - pipeline);
        let ranks = Ranks { gpus: 1 << gpus, tensor: 1 << tensor, pipeline: 1 << pipeline, context: 1 << context };
        (scenario, ranks)
    })
}

/// What training stores and keeps.
fn any_training() -> impl Strategy<Value = Value> {
    let stored = (any_of::<RecipeName>(), any_of::<Optimizer>(), one_of(&["none", "zero1", "zero2", "zero3", "hsdp"]));
    let kept = (any_of::<Recompute>(), any_of::<Attention>(), any_of::<Kernels>(), any_of::<Loss>());
    let switches = (any::<bool>(), any::<bool>(), proptest::sample::select(vec![0.0, 0.1]));
    // What only some layouts allow is asked for seldom enough to leave most scenarios their training half.
    let seldom = || proptest::bool::weighted(0.2);
    let offload = prop_oneof![4 => Just("none"), 1 => any_of::<Offload>()];
    let moved = (offload, any::<bool>(), seldom(), any::<bool>());
    let experts = (prop_oneof![2 => Just(0u32), 1 => 0u32..6], prop_oneof![3 => Just(0u32), 1 => 0u32..3], one_load());
    let group = prop_oneof![2 => Just(Value::Null), 1 => (0u32..4).prop_map(|power| Value::from(1u64 << power))];
    let some_layers = prop_oneof![2 => Just(Value::Null), 1 => (0u64..4).prop_map(Value::from)];
    let step =
        (prop_oneof![3 => Just("fused"), 1 => any_of::<OptimizerStep>()], proptest::sample::select(vec![1.0, 0.7]));
    (stored, kept, switches, moved, experts, any_adapter(), (group, some_layers, step)).prop_map(
        |(
            (recipe, optimizer, sharding),
            (recompute, attention, kernels, loss),
            (split, reshard, dropout),
            (offload, paged, at_once, activations),
            (expert, inside, load),
            adapter,
            (group, some_layers, (step, packing)),
        )| {
            // Some have a kernel of their own.
            let fused = Optimizer::from_name(optimizer).is_some_and(|optimizer| optimizer.row().update.is_none());
            let step = if fused { "fused" } else { step };
            let recomputed = if recompute == "none" { Value::Null } else { some_layers };
            json!({
                "shard_group": group, "recompute_layers": recomputed,
                "recipe": recipe, "optimizer": optimizer, "sharding": sharding, "recompute": recompute,
                "attention": attention, "kernels": kernels, "loss": loss, "sequence_parallel": split,
                "reshard_after_forward": reshard, "dropout": dropout, "offload": offload, "paged_optimizer": paged,
                "optimizer_step": step, "packing": packing, "optimizer_in_backward": at_once, "activation_offload": activations, "expert": 1u64 << expert,
                "expert_tensor": 1u64 << inside, "expert_imbalance": load, "adapter": adapter,
            })
        },
    )
}

fn one_load() -> impl Strategy<Value = f64> {
    proptest::sample::select(vec![1.0, 1.3])
}

fn any_adapter() -> impl Strategy<Value = Value> {
    let some = (one_of(&["lora", "qlora"]), 1u64..128, one_of(&["attention", "all_linear"]), any::<bool>()).prop_map(
        |(kind, rank, targets, dropout)| {
            json!({"kind": kind, "rank": rank, "targets": targets, "dropout": if dropout { 0.1 } else { 0.0 }})
        },
    );
    prop_oneof![2 => Just(Value::Null), 1 => some]
}

/// A way to serve: what the engine has not is left out.
fn any_serving() -> impl Strategy<Value = Value> {
    let formats = (
        any_of::<WeightFormat>(),
        one_of(&["bf16", "fp16", "fp8", "int8", "int4"]),
        one_of(&["bf16", "fp16", "q8_0", "q5_1", "q4_0", "iq4_nl", "q8_kv"]),
    );
    let stages = prop_oneof![2 => Just(Value::Null), 1 => (0u32..3).prop_map(|power| Value::from(1u64 << power))];
    let split = (stages, prop_oneof![3 => Just(0u32), 1 => 0u32..4], any::<bool>());
    let ways = (any_of::<Engine>(), any_of::<Attention>(), 0u64..4, any::<bool>(), any::<bool>(), 0u64..4);
    (formats, split, ways).prop_map(
        |((weights, kv, cells), (pipeline, expert, by_request), (engine, attention, draft, one, two, prefix))| {
            let paged = !["llama.cpp", "transformers"].contains(&engine);
            let known = Engine::from_name(engine).unwrap();
            let weights = if known.loads(WeightFormat::from_name(weights).unwrap()) { weights } else { "bf16" };
            let kv = if engine == "llama.cpp" { cells } else { kv };
            let kv = if known.caches_in(CacheFormat::from_name(kv).unwrap()) { kv } else { "bf16" };
            let mut serving = json!({"engine": engine, "weights": weights, "attention": attention,
                "pipeline": pipeline, "draft_tokens": draft, "kv": kv});
            if paged {
                serving["expert"] = (1u64 << expert).into();
                serving["data_parallel_attention"] = by_request.into();
                serving["shared_prefix"] = prefix.into();
            } else if engine == "llama.cpp" {
                serving["kv_unified"] = one.into();
                serving["swa_full"] = two.into();
            }
            serving
        },
    )
}

/// A scenario whose every field is in range; its layout may still be impossible.
fn any_scenario() -> impl Strategy<Value = Value> {
    let sizes = (3u32..18, 1u64..9, 1u64..5, 1u64..100);
    (any_machine(), any_training(), (any_of::<Schedule>(), any_of::<ContextMethod>()), any_serving(), sizes).prop_map(
        |(
            (mut scenario, Ranks { gpus, tensor, pipeline, context }),
            mut training,
            (schedule, method),
            serving,
            (sequence, micro_batch, accumulation, requests),
        )| {
            let sequence = 1u64 << sequence;
            training["tensor"] = tensor.into();
            training["pipeline"] = pipeline.into();
            training["context"] = context.into();
            training["context_method"] = method.into();
            if pipeline > 1 {
                training["schedule"] = schedule.into();
                training["virtual_stages"] =
                    if ["interleaved", "zbv"].contains(&schedule) { 2.into() } else { 1.into() };
            }
            // Uneven stages, where so many layers can be cut so.
            let shape = scenario["model"].as_str().and_then(find).map(|row| &row.architecture);
            let layers = shape.map_or(0, |shape| shape.layers);
            if pipeline > 1 && layers > 2 * pipeline && requests % 2 == 0 {
                let least = layers / pipeline;
                let mut stages = vec![least; pipeline as usize];
                stages[0] = least - 1;
                stages[pipeline as usize - 1] += layers - pipeline * least + 1;
                training["layers_per_stage"] = stages.into();
            }
            // Enough micro-batches for every schedule, or few.
            let micro_batches = if accumulation > 2 { accumulation * 2 * pipeline } else { accumulation };
            if shape.is_none_or(|shape| shape.experts.is_none()) {
                training["expert"] = 1.into();
                training["expert_tensor"] = 1.into();
            }
            if training["offload"] == "optimizer_and_parameters" {
                training["sharding"] = "zero3".into();
            }
            training["sequence"] = sequence.into();
            training["micro_batch"] = micro_batch.into();
            training["global_batch"] = (micro_batch * micro_batches * (gpus / tensor / pipeline / context)).into();
            scenario["training"] = training;
            scenario["inference"] = serving;
            scenario["inference"]["context"] = sequence.into();
            scenario["inference"]["concurrency"] = requests.into();
            scenario
        },
    )
}

fn report(scenario: &Value) -> Report {
    let scenario = Scenario::from_value(scenario).expect("the scenario is in range");
    answered(&scenario).expect("the scenario is in range")
}

fn with(scenario: &Value, part: &str, field: &str, value: impl Into<Value>) -> Value {
    let mut changed = scenario.clone();
    changed[part][field] = value.into();
    changed
}

fn active(report: &Report) -> Option<f64> {
    report.training.as_ref().map(|training| training.peak.active_bytes.get())
}

fn state(report: &Report) -> Option<f64> {
    report.training.as_ref().map(|training| training.stages[0].state.total.get())
}

fn stages(report: &Report) -> &[StageReport] {
    report.training.as_ref().map_or(&[], |training| &training.stages)
}

/// Weights, gradients, master weights and moments.
fn parts(state: &StateBytes) -> [f64; 5] {
    [state.weights, state.gradients, state.master_weights, state.momentum, state.variance].map(|bytes| bytes.get())
}

fn served(report: &Report) -> Option<f64> {
    report.inference.as_ref().map(|inference| inference.peak.active_bytes.get())
}

/// Both there, and the second not larger than the first but for a byte of rounding an entry.
fn not_more(first: Option<f64>, second: Option<f64>) -> bool {
    const ROUNDING: f64 = 32.0;
    first.zip(second).is_none_or(|(first, second)| second <= first + ROUNDING)
}

/// What holds for every scenario holds for nothing where none of them gets there.
#[test]
fn random_scenarios_reach_every_kind_of_training() {
    type Kind = (&'static str, fn(&Value) -> bool);
    const KINDS: [Kind; 16] = [
        ("hsdp in groups", |s| s["sharding"] == "hsdp" && s["shard_group"].as_u64() > Some(1)),
        ("hsdp in nodes", |s| s["sharding"] == "hsdp" && s["shard_group"].is_null()),
        ("pipeline", |s| s["pipeline"].as_u64() > Some(1)),
        ("interleaved", |s| s["schedule"] == "interleaved"),
        ("zbv", |s| s["schedule"] == "zbv"),
        ("dualpipe", |s| s["schedule"] == "dualpipe"),
        ("uneven stages", |s| s["layers_per_stage"].is_array()),
        ("context", |s| s["context"].as_u64() > Some(1)),
        ("ulysses", |s| s["context"].as_u64() > Some(1) && s["context_method"] == "ulysses"),
        ("expert", |s| s["expert"].as_u64() > Some(1)),
        ("expert and pipeline", |s| s["expert"].as_u64() > Some(1) && s["pipeline"].as_u64() > Some(1)),
        ("expert_tensor", |s| s["expert_tensor"].as_u64() > Some(1)),
        ("qlora", |s| s["adapter"]["kind"] == "qlora"),
        ("optimizer offloaded", |s| s["offload"] == "optimizer"),
        ("parameters offloaded", |s| s["offload"] == "optimizer_and_parameters"),
        ("some layers recomputed", |s| s["recompute_layers"].as_u64() > Some(0)),
    ];
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut kinds, mut models) = ([0; KINDS.len()], std::collections::BTreeMap::new());
    for _ in 0..4000 {
        let scenario = any_scenario().new_tree(&mut runner).unwrap().current();
        let resolved = resolve(&Scenario::from_value(&scenario).unwrap()).unwrap();
        if resolved.training.is_ok() {
            for (count, (_, is)) in kinds.iter_mut().zip(KINDS) {
                *count += u32::from(is(&scenario["training"]));
            }
            *models.entry(scenario["model"].as_str().unwrap_or("a count").to_owned()).or_insert(0) += 1;
        }
    }
    for (count, (kind, _)) in kinds.into_iter().zip(KINDS) {
        assert!(count >= 20, "{kind}: {count}");
    }
    assert!(models.len() == MODELS.len() + 1 && models.values().all(|count| *count >= 30), "{models:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Entries add up, nothing is negative, NaN or infinite, writing and reading changes nothing: see the support file.
    #[test]
    fn every_report_is_sound(scenario in any_scenario()) {
        report(&scenario);
    }

    #[test]
    fn more_shards_never_cost_more_state(scenario in any_scenario()) {
        let more = with(&scenario, "cluster", "gpus", scenario["cluster"]["gpus"].as_u64().unwrap() * 2);
        let more = with(&more, "training", "global_batch", scenario["training"]["global_batch"].as_u64().unwrap() * 2);
        prop_assert!(not_more(state(&report(&scenario)), state(&report(&more))));
    }

    #[test]
    fn a_higher_stage_never_costs_more_state(scenario in any_scenario()) {
        let reports = ["none", "zero1", "zero2", "zero3"]
            .map(|stage| report(&with(&scenario, "training", "sharding", stage)));
        for pair in reports.windows(2) {
            for (less, more) in stages(&pair[0]).iter().zip(stages(&pair[1])) {
                for (less, more) in parts(&less.state).into_iter().zip(parts(&more.state)) {
                    prop_assert!(not_more(Some(less), Some(more)));
                }
            }
        }
    }

    #[test]
    fn more_tensor_ranks_never_hold_more_state_or_weights_each(scenario in any_scenario()) {
        let scenario = with(&scenario, "training", "sharding", "none");
        let wide = with(&scenario, "cluster", "gpus", 16);
        let wide = with(&wide, "training", "global_batch", Value::Null);
        let by = |tensor: u64| report(&with(&with(&wide, "training", "tensor", tensor), "inference", "tensor", tensor));
        let reports = [1, 2, 4, 8].map(by);
        for pair in reports.windows(2) {
            prop_assert!(not_more(state(&pair[0]), state(&pair[1])));
            let weights = |report: &Report| {
                report.inference.as_ref().map(|inference| inference.accounts[Account::Weights].get())
            };
            prop_assert!(not_more(weights(&pair[0]), weights(&pair[1])));
        }
    }

    #[test]
    fn spread_experts_never_cost_more_state(scenario in any_scenario()) {
        let scenario = with(&scenario, "training", "expert_tensor", 1);
        let states = [1, 2, 4, 8].map(|ranks| state(&report(&with(&scenario, "training", "expert", ranks))));
        for pair in states.windows(2) {
            prop_assert!(not_more(pair[0], pair[1]), "{states:?}");
        }
    }

    #[test]
    fn a_small_adapter_never_costs_more_state_than_the_model(scenario in any_scenario()) {
        // Where the rest is shared out or moved away, small as they are, adapters are more than what is left of it.
        let plain = ["paged_optimizer", "optimizer_in_backward"];
        let scenario = plain.iter().fold(scenario, |scenario, field| with(&scenario, "training", field, false));
        let scenario = with(&with(&scenario, "training", "offload", "none"), "training", "sharding", "none");
        let all = state(&report(&with(&scenario, "training", "adapter", Value::Null)));
        let lora = json!({"kind": "lora", "rank": 2});
        prop_assert!(not_more(all, state(&report(&with(&scenario, "training", "adapter", lora)))));
    }

    #[test]
    fn what_moves_to_the_host_is_what_the_gpu_no_longer_has(scenario in any_scenario()) {
        let plain = ["paged_optimizer", "optimizer_in_backward", "activation_offload"];
        let scenario = plain.iter().fold(scenario, |scenario, field| with(&scenario, "training", field, false));
        let here = report(&with(&scenario, "training", "offload", "none"));
        let there = report(&with(&scenario, "training", "offload", "optimizer"));
        if let (Some(here), Some(there)) = (here.training, there.training) {
            let on_host: f64 = there.host_entries.iter().map(|entry| entry.bytes.get()).sum();
            // What lies on the host is told of the stage with the largest peak.
            let stage = there.peak.stage;
            let moved = here.stages[stage].state.total.get() - there.stages[stage].state.total.get();
            prop_assert!((moved - on_host).abs() <= 32.0 + 1e-12 * moved, "{moved} {on_host}");
            prop_assert_eq!(here.host_bytes.get(), 0.0);
        }
    }

    #[test]
    fn more_tokens_never_cost_less(scenario in any_scenario()) {
        let longer = |part, field| {
            let now = scenario[part][field].as_u64().unwrap();
            report(&with(&scenario, part, field, now * 2))
        };
        let now = report(&scenario);
        prop_assert!(not_more(active(&longer("training", "sequence")), active(&now)));
        prop_assert!(not_more(served(&longer("inference", "context")), served(&now)));
        prop_assert!(not_more(served(&longer("inference", "concurrency")), served(&now)));
    }

    #[test]
    fn more_recomputation_never_keeps_more(scenario in any_scenario()) {
        let kept = ["none", "selective", "full"].map(|mode| {
            let all_layers = with(&scenario, "training", "recompute_layers", Value::Null);
            let report = report(&with(&all_layers, "training", "recompute", mode));
            stages(&report).iter().map(|stage| stage.accounts[Account::Activations].get()).collect::<Vec<_>>()
        });
        // The accounts are those of the peak phase, which recomputation may move to one without activations.
        for pair in kept.windows(2) {
            for (less, more) in pair[0].iter().zip(&pair[1]) {
                prop_assert!(not_more(Some(*less), Some(*more)) || *less == 0.0, "{kept:?}");
            }
        }
    }

    #[test]
    fn gathered_weights_come_with_zero3_alone(scenario in any_scenario()) {
        let report = report(&scenario);
        let gathered = |stage: &StageReport| stage.accounts[Account::GatheredWeights].get() > 0.0;
        if !["zero3", "hsdp"].iter().any(|sharding| scenario["training"]["sharding"] == *sharding) {
            prop_assert!(!stages(&report).iter().any(gathered));
        }
    }

    /// The stages hold the model, but for what is really held twice: both ways of DualPipe, a tied matrix at both ends.
    #[test]
    fn stages_add_up_to_the_model(scenario in any_scenario()) {
        let whole = with(&with(&scenario, "training", "pipeline", 1), "training", "schedule", "1f1b");
        let whole = with(&with(&whole, "training", "layers_per_stage", Value::Null), "training", "recompute_layers", 0);
        let whole = report(&with(&with(&whole, "training", "virtual_stages", 1), "training", "global_batch", Value::Null));
        let split = report(&scenario);
        if let ([whole], [_, _, ..]) = (stages(&whole), stages(&split)) {
            let schedule = scenario["training"]["schedule"].as_str().unwrap();
            let copies = if schedule == "dualpipe" { 2.0 } else { 1.0 };
            let sum: f64 = stages(&split).iter().map(|stage| stage.parameters).sum();
            let more = sum - copies * whole.parameters;
            let tensor = scenario["training"]["tensor"].as_u64().unwrap();
            let table = (split.model.vocabulary.next_multiple_of(tensor) * split.model.hidden) as f64;
            let ends_meet = ["dualpipe", "zbv"].contains(&schedule);
            let resolved = resolve(&Scenario::from_value(&scenario).unwrap()).unwrap();
            let shape = resolved.model.architecture;
            let predicts = shape.prediction_layers > 0 && scenario["training"]["adapter"].is_null();
            let held_twice = if !ends_meet && (shape.tied_embeddings || predicts) { table } else { 0.0 };
            prop_assert!((more - held_twice).abs() < 1.0, "{more}");
        }
    }

    /// Shards lie over data and context ranks.
    #[test]
    fn more_context_ranks_never_hold_more_state(scenario in any_scenario()) {
        let double = |part: &str, field: &str| Value::from(scenario[part][field].as_u64().unwrap() * 2);
        let wide = with(&scenario, "cluster", "gpus", double("cluster", "gpus"));
        let wide = with(&wide, "training", "context", double("training", "context"));
        let (narrow, wide) = (report(&scenario), report(&wide));
        prop_assert!(not_more(state(&narrow), state(&wide)));
    }

    /// From two ranks of a kind on, four hold no more in any phase of any stage: one has nothing to exchange.
    #[test]
    fn more_ranks_never_hold_more_in_any_phase(
        scenario in any_scenario(),
        kind in one_of(&["data", "tensor", "context", "expert"]),
    ) {
        let number = |scenario: &Value, part: &str, field: &str| scenario[part][field].as_u64().unwrap();
        let times = |scenario: &Value, part: &str, field: &str, factor: u64| {
            with(scenario, part, field, number(scenario, part, field) * factor)
        };
        // Ranks that hold fewer experts share each among fewer: what is held for one tensor at a time grows. And experts
        // that begin to be shared out begin to be gathered; so they are shared out from the start.
        let from = if kind == "expert" { with(&scenario, "training", "optimizer_step", "fused") } else {
            let over = number(&scenario, "training", "expert") * number(&scenario, "training", "expert_tensor");
            times(&times(&scenario, "cluster", "gpus", over), "training", "global_batch", over)
        };
        let by = |factor: u64| {
            let changed = if kind == "expert" { from.clone() } else { times(&from, "cluster", "gpus", factor) };
            let field = if kind == "data" { "global_batch" } else { kind };
            report(&times(&changed, "training", field, factor))
        };
        let (two, four) = (by(2), by(4));
        for (two, four) in stages(&two).iter().zip(stages(&four)) {
            for (two, four) in two.phases.iter().zip(&four.phases) {
                prop_assert!(not_more(Some(two.bytes.get()), Some(four.bytes.get())), "{two:?} {four:?}");
            }
        }
    }

    /// The fewest GPUs are enough, and what is asked of them can be laid out.
    #[test]
    fn the_fewest_gpus_fit(scenario in any_scenario()) {
        let Some(training) = report(&scenario).training else { return Ok(()) };
        let now = scenario["cluster"]["gpus"].as_u64().unwrap();
        prop_assert!(!training.fits || training.minimum_gpus.is_some_and(|gpus| gpus <= now));
        if let Some(gpus) = training.minimum_gpus {
            let fewest = report(&with(&scenario, "cluster", "gpus", gpus)).training;
            prop_assert!(fewest.is_some_and(|training| training.fits), "{gpus}");
            // And fewer are not, of which the largest and the smallest numbers are tried.
            let ranks = |field: &str| scenario["training"][field].as_u64().unwrap();
            let step = ranks("tensor") * ranks("pipeline") * ranks("context");
            let fewer = (1..gpus / step).map(|ranks| ranks * step);
            for fewer in fewer.clone().take(3).chain(fewer.rev().take(3)) {
                let training = report(&with(&scenario, "cluster", "gpus", fewer)).training;
                prop_assert!(training.is_none_or(|training| !training.fits), "{fewer} of {gpus}");
            }
        }
    }

    /// Whatever is proposed: each half that has an answer has one with the change made.
    #[test]
    fn what_is_proposed_leaves_both_halves_answered(scenario in any_scenario()) {
        let now = report(&scenario);
        let asked = Scenario::from_value(&scenario).unwrap();
        let proposed = now.advice.iter().map(|advice| &advice.patch).chain(now.hints.iter().map(|hint| &hint.patch));
        for patch in proposed {
            let then = answered(&patch.applied(&asked)).unwrap();
            prop_assert!(now.training.is_none() || then.training.is_some(), "{patch:?}: {:?}", then.training_error);
            prop_assert!(now.inference.is_none() || then.inference.is_some(), "{patch:?}: {:?}", then.inference_error);
        }
    }

    #[test]
    fn dualpipe_holds_two_copies(scenario in any_scenario()) {
        let by = |schedule: &str| {
            let one_chunk = with(&scenario, "training", "virtual_stages", 1);
            report(&with(&one_chunk, "training", "schedule", schedule))
        };
        let (one, both) = (by("1f1b"), by("dualpipe"));
        let (one, both) = (stages(&one), stages(&both));
        for (index, stage) in both.iter().enumerate() {
            let pair = one[index].parameters + one[both.len() - 1 - index].parameters;
            // A tied matrix is at both ends already.
            let end = index == 0 || index + 1 == both.len();
            prop_assert!((stage.parameters - pair).abs() < 1.0 || end && stage.parameters < pair);
        }
    }

    #[test]
    fn quantised_weights_are_never_larger_than_bf16(scenario in any_scenario()) {
        let weights = |format: &str| {
            report(&with(&scenario, "inference", "weights", format)).inference.map(|inference| inference.weight_bytes.get())
        };
        let engine = Engine::from_name(scenario["inference"]["engine"].as_str().unwrap()).unwrap();
        let loads = |name: &str| engine.loads(WeightFormat::from_name(name).unwrap());
        let smaller = |name: &&&str| !["fp32", "bf16", "fp16", "gguf-f16"].contains(name) && loads(name);
        for format in WeightFormat::NAMES.iter().filter(smaller) {
            prop_assert!(not_more(weights("bf16"), weights(format)), "{format}");
        }
    }

    /// What is stated as the most fits, and the next step does not; of every engine.
    #[test]
    fn capacities_are_edges(scenario in any_scenario()) {
        let fits = |field: &str, value: f64| {
            report(&with(&scenario, "inference", field, value)).inference.is_some_and(|inference| inference.fits)
        };
        if let Some(now) = report(&scenario).inference {
            let serving = &scenario["inference"];
            let engine = Engine::from_name(serving["engine"].as_str().unwrap()).unwrap();
            let attention = Attention::from_name(serving["attention"].as_str().unwrap()).unwrap();
            // Slots that share their cells have no blocks of their own.
            let block = if serving["kv_unified"] == true { 1.0 } else { engine.traits().block_with(attention) as f64 };
            let prefix = scenario["inference"]["shared_prefix"].as_f64().unwrap_or(0.0);
            if now.maximum_context >= prefix.max(1.0) {
                prop_assert!(fits("context", now.maximum_context));
            }
            if now.maximum_context + block <= 67_108_864.0 {
                prop_assert!(!fits("context", now.maximum_context + block));
            }
            let replicas = now.replicas as f64;
            let most = (now.maximum_concurrency / replicas).floor() * replicas;
            if (1.0..1_048_576.0).contains(&most) {
                prop_assert!(fits("concurrency", most));
            }
            if most + 1.0 < 1_048_576.0 {
                prop_assert!(!fits("concurrency", most + 1.0));
            }
            if let Some(gpus) = now.minimum_gpus {
                let fewest = report(&with(&scenario, "cluster", "gpus", gpus)).inference;
                prop_assert!(fewest.is_some_and(|inference| inference.fits), "{gpus}");
            }
        }
    }

    /// Beyond a window, and but for whole blocks, each token and each request costs the same.
    #[test]
    fn the_cache_grows_in_a_straight_line(scenario in any_scenario(), blocks in 1u64..64, requests in 1u64..64) {
        let plain = with(&with(&scenario, "inference", "shared_prefix", Value::Null), "inference", "kv_unified", Value::Null);
        let plain = with(&plain, "inference", "data_parallel_attention", Value::Null);
        let cache = |context: u64, requests: u64| {
            let asked = with(&with(&plain, "inference", "context", context), "inference", "concurrency", requests);
            report(&asked).inference.map(|inference| (inference.replicas, inference.accounts[Account::KvCache].get()))
        };
        if let Some((replicas, one)) = cache(256 * blocks, 1) {
            let (_, many) = cache(256 * blocks, requests * replicas).unwrap();
            prop_assert!((many - one * requests as f64).abs() <= requests as f64 * 8.0, "{one} {many}");
            // Gemma 2 and Mistral have windows, whose layers stop growing.
            if !["gemma-2-9b", "mistral-7b-v0.1"].iter().any(|model| scenario["model"] == *model) {
                let (_, double) = cache(512 * blocks, 1).unwrap();
                prop_assert!((double - 2.0 * one).abs() <= 16.0, "{one} {double}");
            }
        }
    }

    #[test]
    fn expanded_latents_are_never_smaller(scenario in any_scenario()) {
        let cache = |mla: LatentCache| {
            report(&with(&scenario, "inference", "mla", mla.name())).inference.map(|inference| inference.accounts[Account::KvCache].get())
        };
        prop_assert!(not_more(cache(LatentCache::Expanded), cache(LatentCache::Latent)) || scenario["cluster"]["gpus"] != 1);
    }

    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,200}") {
        let _ = Scenario::from_json(&text).map(|scenario| answered(&scenario));
    }

    /// Any number anywhere: answered or refused, never a panic, never nonsense.
    #[test]
    fn no_number_makes_it_panic(
        scenario in any_scenario(),
        part in proptest::sample::select(vec!["cluster", "training", "inference"]),
        index in any::<proptest::sample::Index>(),
        number in prop_oneof![any::<f64>(), (0u32..40).prop_map(|power| 2f64.powi(power as i32)), -3.0..3.0],
    ) {
        let fields: Vec<String> = scenario[part].as_object().unwrap().keys().cloned().collect();
        let changed = with(&scenario, part, index.get::<String>(&fields).as_str(), number);
        if let Ok(scenario) = Scenario::from_value(&changed) {
            let _ = answered(&scenario);
        }
    }
}

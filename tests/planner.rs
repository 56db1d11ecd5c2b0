//! The planner against the estimate it must agree with: nothing that fits beats its best, and its figures are the report's.

mod support;

use proptest::prelude::*;
use serde_json::{Value, json};
use vram_ledger::estimate;
use vram_ledger::estimate::Estimate;
use vram_ledger::frameworks::Framework;
use vram_ledger::names::{Name, Recompute, Schedule, Sharding};
use vram_ledger::planner::{
    Layout, Plan, Planner, Schedules, fewest_gpus, hiding_bandwidth, limits, longest_sequence, reasons, uneven_layers,
};
use vram_ledger::resolve::resolve;
use vram_ledger::scenario::Scenario;

fn scenario(value: &Value) -> Scenario {
    Scenario::from_value(value).expect("a scenario")
}

fn planned(scenario: &Scenario, schedules: Schedules) -> Planner {
    let mut planner = Planner::new(scenario, schedules).expect("a question");
    while !planner.advance(1000).is_complete() {}
    planner
}

/// The report of a plan's scenario fits and says what the plan says.
fn holds(scenario: &Scenario, plan: &Plan) {
    let report = estimate(&plan.layout.patch().applied(scenario)).expect("a plan has an answer");
    let training = report.training.unwrap_or_else(|| panic!("{:?}: {:?}", plan.layout, report.training_error));
    assert!(training.fits, "{:?}", plan.layout);
    assert_eq!(training.step, plan.step, "{:?}", plan.layout);
    assert_eq!(training.peak.device_bytes, plan.peak, "{:?}", plan.layout);
    assert_eq!(training.data_parallel, plan.layout.data());
}

fn llama_405b() -> Scenario {
    scenario(&json!({
        "model": "llama-3.1-405b",
        "framework": "megatron-core",
        "cluster": {"gpu": "h100-sxm-80gb", "gpus": 16384},
        "training": {"sequence": 131_072, "global_batch": 128},
    }))
}

/// Llama 3 (arXiv 2407.21783, table 4): 16,384 GPUs are 8 · 16 · 16 · 8; the 4 data-parallel ranks that one printing has
/// would be half as many.
#[test]
fn the_published_row_is_one_of_them() {
    let question = llama_405b();
    let row = |gpus, data: u64| Layout {
        gpus,
        sequence: 131_072,
        global_batch: 128,
        tensor: 8,
        pipeline: 16,
        context: 16,
        expert: 1,
        schedule: Schedule::OneForwardOneBackward,
        virtual_stages: 1,
        layers_per_stage: uneven_layers(126, 16),
        sharding: Sharding::Zero1,
        recompute: Recompute::None,
        micro_batch: 128 / data / 16,
    };
    let published = row(16_384, 8);
    assert_eq!(published.data(), 8);
    let report = estimate(&published.patch().applied(&question)).expect("an answer");
    assert_eq!(report.training.expect("it divides").data_parallel, 8);
    // The same split with 4 data-parallel ranks is one of 8,192 GPUs, so no layout of 16,384 has it.
    assert_eq!(row(8_192, 4).data(), 4);
    let planner = planned(&question, Schedules::Common);
    let alike: Vec<u64> = planner
        .space()
        .cells()
        .iter()
        .filter(|cell| (cell.tensor, cell.context, cell.pipeline) == (8, 16, 16))
        .map(|cell| planner.space().layout(cell).data())
        .collect();
    assert!(!alike.is_empty() && alike.iter().all(|data| *data == 8), "{alike:?}");
    for plan in planner.plans() {
        holds(&question, plan);
    }
}

/// Experts lie on ranks that are there anyway.
#[test]
fn experts_fold_inside() {
    let question = scenario(&json!({
        "model": "qwen3-30b-a3b",
        "framework": "megatron-core",
        "cluster": {"gpus": 64},
        "training": {"global_batch": 256},
    }));
    let planner = planned(&question, Schedules::Common);
    assert!(planner.plans().iter().any(|plan| plan.layout.expert > 1));
    for plan in planner.plans() {
        let layout = &plan.layout;
        assert_eq!(layout.tensor * layout.pipeline * layout.context * layout.data(), 64);
        assert!((64 / layout.pipeline).is_multiple_of(layout.expert));
        holds(&question, plan);
    }
}

#[test]
fn slices_end_where_one_piece_does() {
    let question = scenario(&json!({
        "model": "llama-3.1-8b", "cluster": {"gpus": 16}, "training": {"global_batch": 32, "sequence": 4096},
    }));
    let whole = planned(&question, Schedules::All);
    let mut sliced = Planner::new(&question, Schedules::All).expect("a question");
    let mut before = 0;
    while !sliced.progress().is_complete() {
        let progress = sliced.advance(1);
        assert!(progress.done > before && progress.total == whole.progress().total);
        before = progress.done;
    }
    assert_eq!(sliced.plans(), whole.plans());
    let counts = whole.counts();
    let settled = counts.impossible + counts.slower + counts.too_large;
    assert_eq!(counts.considered, whole.progress().total);
    assert!(settled <= counts.considered && settled + counts.timed >= counts.considered, "{counts:?}");
    assert!(whole.plans().is_sorted_by(|a, b| a.step.seconds.0 <= b.step.seconds.0));
}

/// The parts in which two plans differ add up to their difference.
#[test]
fn reasons_add_up() {
    let question = llama_405b();
    let planner = planned(&question, Schedules::Common);
    let [first, second, ..] = planner.plans() else { panic!("several plans") };
    let saved: f64 = reasons(first, second).iter().map(|reason| reason.seconds_saved.0).sum();
    let difference = second.step.seconds.0 - first.step.seconds.0;
    assert!((saved - difference).abs() < 1e-9 * second.step.seconds.0, "{saved} {difference}");
}

#[test]
fn backwards_answers_are_edges() {
    let question = scenario(&json!({
        "model": "llama-3.1-8b", "cluster": {"gpus": 16}, "training": {"global_batch": 32, "sharding": "zero3"},
    }));
    let fewest = fewest_gpus(&question, Schedules::Common).unwrap().expect("a number of GPUs");
    holds(&question, &fewest);
    let mut fewer = question.clone();
    for gpus in 1..fewest.layout.gpus {
        fewer.cluster_mut().gpus = Some((gpus as u32).into());
        assert!(planned(&fewer, Schedules::Common).plans().is_empty(), "{gpus} GPUs");
    }
    let longest = longest_sequence(&question, Schedules::Common).unwrap().expect("a sequence");
    holds(&question, &longest);
    assert!(longest.layout.sequence >= 4096);

    let fits = |field: &str, value: u64| {
        let mut changed = question.to_value();
        changed["training"][field] = json!(value);
        estimate(&scenario(&changed)).unwrap().training.is_some_and(|training| training.fits)
    };
    let limits = limits(&question).unwrap().expect("the layout fits");
    assert!(fits("sequence", limits.sequence) && !fits("sequence", limits.sequence + 1));
    assert!(fits("micro_batch", limits.micro_batch));
    assert!([1, 2].iter().all(|size| *size <= limits.micro_batch || !fits("micro_batch", *size)));
}

/// With the bandwidth that hides it, a step takes hardly longer than with any; with a tenth less it takes longer.
#[test]
fn the_hiding_bandwidth_hides() {
    let network = |bandwidth: f64| {
        scenario(&json!({
            "model": "llama-3.1-70b",
            "cluster": {"gpus": 512, "network": {"bandwidth": bandwidth, "latency": 2e-6, "efficiency": 0.9}},
            "training": {"tensor": 8, "sharding": "zero3", "sequence": 4096},
        }))
    };
    let seconds = |bandwidth| estimate(&network(bandwidth)).unwrap().training.expect("a training half").step.seconds.0;
    let hiding = hiding_bandwidth(&network(1e9)).unwrap().expect("a training half");
    assert!(!hiding.already && hiding.bandwidth > 1e9, "{hiding:?}");
    assert_eq!(seconds(hiding.bandwidth), hiding.seconds_then.0);
    let with_any = seconds(1e18);
    assert!(seconds(hiding.bandwidth) <= 1.0101 * with_any && seconds(0.9 * hiding.bandwidth) > 1.01 * with_any);
    assert!(hiding_bandwidth(&network(1e15)).unwrap().expect("a training half").already);
}

#[test]
fn a_bad_field_is_named() {
    let refused = Planner::new(&scenario(&json!({"cluster": {"gpus": 0}})), Schedules::Common).unwrap_err();
    assert!(refused.to_string().starts_with("cluster.gpus: given 0; allowed:"), "{refused}");
    // A layout that is impossible is what the planner is asked about, not a refusal.
    let impossible = scenario(&json!({"model": "llama-3.1-8b", "cluster": {"gpus": 8}, "training": {"tensor": 3}}));
    assert!(!planned(&impossible, Schedules::Common).plans().is_empty());
    // Where nothing is possible it says why.
    let never =
        scenario(&json!({"model": "llama-3.1-8b", "training": {"optimizer": "muon", "optimizer_step": "foreach"}}));
    let planner = planned(&never, Schedules::Common);
    assert!(planner.plans().is_empty());
    assert!(planner.refusal().is_some_and(|refusal| refusal.field == "training.optimizer_step"));
}

/// Every combination of the space, each put through the estimate: the fastest that fits.
fn exhaustive(question: &Scenario, schedules: Schedules) -> Option<f64> {
    let resolved = resolve(question).expect("a question");
    let (gpus, layers) = (resolved.cluster.gpus, resolved.model.architecture.layers);
    let given = question.training.as_ref().expect("a training half");
    let number = |given: Option<vram_ledger::scenario::Number>| given.expect("given").0 as u64;
    let (sequence, global_batch) = (number(given.sequence), number(given.global_batch));
    let orders: &[Schedule] = match schedules {
        Schedules::Common => &[Schedule::OneForwardOneBackward, Schedule::Interleaved],
        Schedules::All => {
            &[Schedule::OneForwardOneBackward, Schedule::Interleaved, Schedule::Zb1p, Schedule::Zbv, Schedule::DualPipe]
        }
    };
    let most_experts = resolved.model.architecture.experts.map_or(1, |experts| experts.count.min(gpus));
    let mut fastest: Option<f64> = None;
    for tensor in 1..=gpus {
        for pipeline in (1..=gpus.min(layers)).filter(|stages| gpus.is_multiple_of(tensor * stages)) {
            for context in (1..=gpus).filter(|ranks| gpus.is_multiple_of(tensor * pipeline * ranks)) {
                for expert in 1..=most_experts {
                    for schedule in orders.iter().filter(|order| pipeline > 1 || **order == orders[0]) {
                        let chunks = if *schedule == Schedule::Interleaved { 2..=layers } else { 1..=1 };
                        for virtual_stages in
                            chunks.filter(|chunks| *chunks == 1 || layers.div_ceil(pipeline).is_multiple_of(*chunks))
                        {
                            for micro_batch in 1..=global_batch {
                                for sharding in Sharding::ALL {
                                    for recompute in Recompute::ALL {
                                        let layout = Layout {
                                            gpus,
                                            sequence,
                                            global_batch,
                                            tensor,
                                            pipeline,
                                            context,
                                            expert,
                                            schedule: *schedule,
                                            virtual_stages,
                                            layers_per_stage: uneven_layers(layers, pipeline),
                                            sharding: *sharding,
                                            recompute: *recompute,
                                            micro_batch,
                                        };
                                        let Ok(estimate) = Estimate::of(layout.patch().applied(question)) else {
                                            continue;
                                        };
                                        let fits = estimate.memory().training.as_ref().is_some_and(|half| half.fits);
                                        if let Some(times) = estimate.times().training.as_ref().filter(|_| fits) {
                                            let seconds = times.step.seconds.0;
                                            fastest = Some(fastest.map_or(seconds, |best| best.min(seconds)));
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    fastest
}

fn any_question() -> impl Strategy<Value = Value> {
    let pick = proptest::sample::select::<&'static str>;
    let machine = (
        pick(vec!["rtx-4090", "a100-sxm-40gb", "h100-sxm-80gb"]),
        proptest::sample::select(vec![1u64, 2, 3, 4, 4, 6, 8]),
        proptest::sample::select(vec![1u64, 2, 8]),
        pick(Framework::NAMES.to_vec()),
        0.0f64..0.9,
    );
    let work = (
        pick(vec!["gpt2", "llama-3.2-1b", "qwen2.5-0.5b", "qwen3-30b-a3b", "llama-3.1-8b"]),
        proptest::sample::select(vec![256u64, 1024, 3000, 8192]),
        proptest::sample::select(vec![1u64, 2, 4, 6]),
        pick(vec!["ring", "all_gather", "ulysses"]),
        proptest::sample::select(vec![None, Some("optimizer"), Some("optimizer_and_parameters")]),
        any::<[bool; 3]>(),
    );
    (machine, work).prop_map(|(machine, work)| {
        let (gpu, gpus, node, framework, reserved) = machine;
        let (model, sequence, global_batch, context_method, offload, [sequence_parallel, eager, in_backward]) = work;
        let mut question = json!({
            "model": model,
            "framework": framework,
            "cluster": {"gpu": gpu, "gpus": gpus, "gpus_per_node": node, "reserve_bytes": (reserved * 24e9).round()},
            "training": {
                "sequence": sequence, "global_batch": global_batch, "context_method": context_method,
                "sequence_parallel": sequence_parallel,
            },
        });
        let training = &mut question["training"];
        if let Some(offload) = offload {
            training["offload"] = json!(offload);
        }
        if eager {
            training["attention"] = json!("eager");
        }
        if in_backward {
            training["optimizer_in_backward"] = json!(true);
        }
        question
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    /// The planner's best is the fastest of all that fit, and every plan is what its report says.
    #[test]
    fn nothing_beats_the_best(question in any_question(), all in any::<bool>()) {
        let question = scenario(&question);
        let schedules = if all { Schedules::All } else { Schedules::Common };
        let planner = planned(&question, schedules);
        for plan in planner.plans() {
            holds(&question, plan);
        }
        let best = planner.plans().first().map(|plan| plan.step.seconds.0);
        prop_assert_eq!(best, exhaustive(&question, schedules));
    }
}

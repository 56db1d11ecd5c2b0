//! What engines log: the predicted lines read back as what they were made from, and real ones are explained.

use proptest::prelude::*;
use serde_json::{Value, json};
use vram_ledger::Scenario;
use vram_ledger::advice::levers;
use vram_ledger::answer::LogFigure;
use vram_ledger::engines::log::PredictedLine;
use vram_ledger::estimate::Asked;
use vram_ledger::inference::log::{predicted, read};
use vram_ledger::inference::{footprint, growth};
use vram_ledger::insight::log::{Adopted, Compared, NoComparison, Reason, compare};
use vram_ledger::insight::{engines, under_engine};
use vram_ledger::ledger::Account;
use vram_ledger::names::{CacheFormat, Engine, Name, WeightFormat};
use vram_ledger::resolve::resolve;
use vram_ledger::scenario::Inference;

const GIB: f64 = 1_073_741_824.0;

#[track_caller]
fn asked(value: Value) -> Scenario {
    Scenario::from_value(&value).expect("a question of the schema")
}

fn lines(scenario: &Scenario) -> Vec<PredictedLine> {
    let Ok(resolved) = resolve(scenario) else { return Vec::new() };
    let Ok(plan) = &resolved.inference else { return Vec::new() };
    let footprint = footprint(&resolved.model, plan);
    let entries = footprint.entries(plan.context as f64, plan.requests() as f64);
    predicted(&footprint, plan, &resolved.cluster, &footprint.accounts(&entries))
}

fn text(lines: &[PredictedLine]) -> String {
    lines.iter().map(|line| format!("INFO [engine.py:1] {}\n", line.text)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn predicted_lines_read_back_as_what_they_state(
        model in proptest::sample::select(vec!["llama-3.1-8b", "gemma-2-9b", "qwen3-30b-a3b", "deepseek-v3", "gpt-oss-20b", "gpt2"]),
        gpu in proptest::sample::select(vec!["h100-sxm-80gb", "rtx-4090", "mi300x", "a100-sxm-40gb"]),
        engine in proptest::sample::select(Engine::products().filter(|engine| engine.lines().is_some()).map(Name::name).collect::<Vec<_>>()),
        weights in proptest::sample::select(vec!["bf16", "fp8", "fp8-block", "int4-g128", "gguf-q4_k_m"]),
        (gpus, context, requests) in (0u32..4, 6u32..18, 1u64..300),
    ) {
        let scenario = asked(json!({
            "model": model, "cluster": {"gpu": gpu, "gpus": 1u64 << gpus},
            "inference": {"engine": engine, "weights": weights, "context": 1u64 << context, "concurrency": requests},
        }));
        let lines = lines(&scenario);
        let log = read(&text(&lines));
        if lines.is_empty() {
            prop_assert!(log.figures.is_empty());
            return Ok(());
        }
        prop_assert_eq!(log.engine.map(Name::name), Some(engine));
        let stated: Vec<_> = lines.iter().flat_map(|line| &line.figures).collect();
        prop_assert_eq!(log.figures.len(), stated.len());
        for (figure, value) in stated {
            let logged = log.figures.iter().find(|logged| logged.figure == *figure).expect("each figure is found");
            // To half of the last digit; what is far beyond what digits can say rounds as it may.
            let error = (logged.value - value).abs();
            prop_assert!(error <= 0.5001 * logged.step + 1e-9 * value.abs(), "{:?}: {} is read as {}", figure, value, logged.value);
        }
        // Held against the same question nothing differs.
        let compared = compare(&scenario, &text(&lines)).expect("a log of the question itself");
        prop_assert!(compared.adopted.is_empty(), "{:?}", compared.adopted);
        for row in &compared.rows {
            prop_assert!(matches!(row.reasons[..], [Reason::Same] | [Reason::Close]), "{:?}", row);
        }
    }

    #[test]
    fn no_text_is_too_strange_to_be_read(text in "(?s).{0,200}") {
        let _ = read(&text);
        let _ = compare(&Scenario::default(), &text);
    }
}

#[track_caller]
fn compared(scenario: Value, log: &str) -> Compared {
    compare(&asked(scenario), log).expect("a log")
}

#[track_caller]
fn reasons(compared: &Compared, figure: LogFigure) -> &[Reason] {
    &compared.rows.iter().find(|row| row.logged.figure == figure).unwrap_or_else(|| panic!("{figure:?}")).reasons
}

/// vLLM issue 21348: Qwen3-235B-A22B in FP8 on four H100 under two engines.
#[test]
fn a_published_pair_of_logs_is_explained() {
    let scenario = json!({
        "model": {
            "model_type": "qwen3_moe", "hidden_size": 4096, "intermediate_size": 12288, "num_hidden_layers": 94,
            "num_attention_heads": 64, "num_key_value_heads": 4, "head_dim": 128, "num_experts": 128,
            "num_experts_per_tok": 8, "moe_intermediate_size": 1536, "vocab_size": 151_936,
            "max_position_embeddings": 40_960, "tie_word_embeddings": false,
        },
        "cluster": {"gpus": 4},
        "inference": {"engine": "vllm", "weights": "fp8-block", "tensor": 4, "context": 40960},
    });
    let log = "Available KV cache memory: 8.11 GiB\nGPU KV cache size: 178,880 tokens";
    let vllm = compared(scenario.clone(), log);
    assert_eq!(reasons(&vllm, LogFigure::Tokens), [Reason::Follows(LogFigure::Pool)]);
    let log = "KV Cache is allocated. #tokens: 367404, K size: 8.23 GB, V size: 8.23 GB";
    let sglang = compared(scenario, log);
    assert_eq!(sglang.adopted, [Adopted::Engine(Engine::Sglang)]);
    assert_eq!(reasons(&sglang, LogFigure::Tokens), [Reason::Follows(LogFigure::Pool)]);
}

#[test]
fn slots_of_llama_cpp_are_taken_from_the_log() {
    let scenario = json!({"model": "llama-3.1-8b", "inference": {"engine": "llama.cpp", "context": 8192}});
    // Four slots of 8,192 cells: 32 layers, 8 heads of 128, keys and values in two bytes.
    let log = "llama_context: n_seq_max     = 4\nllama_context: n_ctx_seq     = 8192\n\
               llama_kv_cache:      CUDA0 KV buffer size =  4096.00 MiB\n\
               llama_kv_cache: size = 4096.00 MiB (  8192 cells,  32 layers,  4/4 seqs), K (f16): 2048.00 MiB";
    let compared = compared(scenario, log);
    assert_eq!(compared.adopted, [Adopted::Slots([4.0, 1.0])]);
    assert_eq!(reasons(&compared, LogFigure::Pool), [Reason::Same]);
    assert_eq!(reasons(&compared, LogFigure::Cells), [Reason::Same]);
}

#[test]
fn a_log_without_a_known_line_is_said_to_be_none() {
    assert_eq!(compare(&Scenario::default(), "nothing here"), Err(NoComparison::NothingKnown));
}

#[test]
fn engine_and_context_are_taken_from_the_log() {
    let log = "Available KV cache memory: 50.00 GiB\nMaximum concurrency for 8,192 tokens per request: 50.00x";
    let compared = compared(json!({"model": "llama-3.1-8b"}), log);
    assert_eq!(compared.engine, Engine::Vllm);
    assert_eq!(compared.adopted, [Adopted::Engine(Engine::Vllm), Adopted::Context([8192.0, 4096.0])]);
}

#[test]
fn other_weights_are_named_by_their_format() {
    let scenario = json!({"model": "llama-3.1-8b", "inference": {"engine": "vllm"}});
    let fp8 = asked(json!({"model": "llama-3.1-8b", "inference": {"engine": "vllm", "weights": "fp8"}}));
    let log = text(&lines(&fp8));
    let compared = compared(scenario.clone(), &log);
    assert_eq!(reasons(&compared, LogFigure::Weights), [Reason::WeightFormat(WeightFormat::Fp8)]);
    // What the weights leave is what the pool has more, and what the tokens follow from.
    let [Reason::Part(LogFigure::Weights, bytes)] = reasons(&compared, LogFigure::Pool) else {
        panic!("{:?}", reasons(&compared, LogFigure::Pool))
    };
    assert!((bytes / GIB - 6.5).abs() < 0.1, "{bytes}");
    assert_eq!(reasons(&compared, LogFigure::Tokens), [Reason::Follows(LogFigure::Pool)]);

    // Two layers more than the model has.
    let more = self::compared(scenario, "Model loading took 17.30 GiB");
    assert_eq!(reasons(&more, LogFigure::Weights), [Reason::MoreLoaded]);
}

#[test]
fn other_ranks_and_other_formats_of_the_cache_are_found() {
    let scenario = json!({"model": "llama-3.1-70b", "cluster": {"gpus": 8}, "inference": {"engine": "vllm"}});
    let four =
        asked(json!({"model": "llama-3.1-70b", "cluster": {"gpus": 8}, "inference": {"engine": "vllm", "tensor": 4}}));
    let log = text(&lines(&four));
    assert_eq!(reasons(&compared(scenario, &log), LogFigure::Weights), [Reason::Ranks(4)]);

    let scenario = json!({"model": "llama-3.1-8b", "inference": {"engine": "vllm"}});
    let fp8 = asked(json!({"model": "llama-3.1-8b", "inference": {"engine": "vllm", "kv": "fp8"}}));
    let log = text(&lines(&fp8));
    assert_eq!(reasons(&compared(scenario, &log), LogFigure::Tokens), [Reason::CacheFormat(CacheFormat::Fp8)]);
}

#[test]
fn each_engine_answers_and_says_what_it_gave_up() {
    let scenario = asked(json!({
        "model": "llama-3.1-8b",
        "inference": {"engine": "vllm", "memory_fraction": 0.8, "max_sequences": 128, "block": 32, "cuda_graphs": true},
    }));
    let all = engines(&scenario);
    assert!(all.iter().map(|one| one.engine).eq(Engine::products()));
    assert!(all[0].given_up.is_empty(), "{:?}", all[0].given_up);
    assert_eq!(all[0].figures.as_ref().expect("vLLM").fraction, 0.8);
    let llama_cpp = all.iter().find(|one| one.engine == Engine::LlamaCpp).expect("it is a product");
    let mut given_up = llama_cpp.given_up.clone();
    given_up.sort_unstable();
    assert_eq!(
        given_up,
        ["inference.block", "inference.cuda_graphs", "inference.max_sequences", "inference.memory_fraction"]
    );
    for one in &all {
        let figures = one.figures.as_ref().unwrap_or_else(|error| panic!("{}: {error}", one.engine.name()));
        assert!(figures.fits && figures.tokens > 100_000.0, "{}", one.engine.name());
        assert!(resolve(&one.scenario).is_ok());
    }
}

#[test]
fn an_engine_is_the_same_in_the_comparison_and_alone() {
    for engine in Engine::products() {
        let scenario =
            under_engine(&asked(json!({"model": "gemma-2-9b", "inference": {"concurrency": 4}})), engine).scenario;
        let report = vram_ledger::estimate(&scenario).expect("an answer").inference.expect("it is served");
        let figures = under_engine(&scenario, engine).figures.expect("an answer");
        assert_eq!(figures.weights, report.accounts[Account::Weights]);
        assert_eq!(figures.tokens, report.kv_capacity_tokens);
        assert_eq!(figures.most_requests, report.maximum_concurrency);
        assert_eq!(figures.longest_context, report.maximum_context);
    }
}

#[test]
fn the_change_that_buys_most_comes_first_and_is_what_it_says() {
    let scenario = asked(json!({"model": "llama-3.1-70b", "cluster": {"gpus": 2}, "inference": {"engine": "vllm"}}));
    let found = levers(&Asked::new(scenario.clone()).expect("a question"));
    let first = found.first().expect("70 billion parameters leave little room on two GPUs");
    assert_eq!(first.change, Inference::weights.to(WeightFormat::Int4G128));
    let report = vram_ledger::estimate(&first.scenario).expect("an answer").inference.expect("it is served");
    assert_eq!(report.maximum_concurrency, first.requests[1]);
    assert!(found.windows(2).all(|pair| pair[0].requests[1] >= pair[1].requests[1]));
}

#[test]
fn a_window_stops_growing_and_kinds_add_up_to_the_account() {
    let scenario =
        asked(json!({"model": "gemma-2-9b", "inference": {"engine": "vllm", "concurrency": 3, "context": 5000}}));
    let resolved = resolve(&scenario).expect("an answer");
    let plan = resolved.inference.as_ref().expect("a plan");
    let all = growth(&resolved.model, plan);
    let now = all.iter().find(|one| one.context == 5000).expect("the length asked for");
    let report = vram_ledger::estimate(&scenario).expect("an answer").inference.expect("it is served");
    assert_eq!(now.total(), report.accounts[Account::KvCache].get());
    assert!(all.windows(2).all(|pair| pair[0].context < pair[1].context && pair[0].total() <= pair[1].total()));
}

#[test]
fn a_log_of_two_devices_is_held_against_two_stages() {
    let two = json!({"model": "llama-3.1-8b", "cluster": {"gpus": 2}, "inference": {"engine": "llama.cpp", "weights": "gguf-q4_k_m"}});
    let log = text(&lines(&asked(two.clone())));
    let log = format!("{log}{}", log.replace("CUDA0", "CUDA1"));
    assert_eq!(reasons(&compared(two.clone(), &log), LogFigure::Weights), [Reason::Same]);
    assert_eq!(compared(two, &log).adopted, []);
    let one = json!({"model": "llama-3.1-8b", "inference": {"engine": "llama.cpp", "weights": "gguf-q4_k_m"}});
    let compared = compared(one, &log);
    assert_eq!(compared.adopted, [Adopted::Devices([2.0, 1.0])]);
    assert_eq!(reasons(&compared, LogFigure::Weights), [Reason::Same]);
}

/// lmdeploy issue 3411: an 8B model on an A100 of 80 GB has 6,214 blocks of 8 MiB, which is 49,712 MiB.
#[test]
fn older_lines_of_lmdeploy_multiply_to_the_pool() {
    let log = "[TM][INFO] [BlockManager] block_size = 8.000 MB\n[TM][INFO] [BlockManager] max_block_count = 6214\n\
               [TM][INFO] [BlockManager] chunk_size = 6214";
    let log = read(log);
    assert_eq!(log.engine, Some(Engine::LmDeploy));
    assert_eq!(log.value(LogFigure::Blocks), Some(6214.0));
    assert_eq!(log.value(LogFigure::Pool), Some(49_712.0 * 1_048_576.0));
}

//! The figures people know by heart, and a real `config.json`.

mod support;

use support::report_of;
use vram_ledger::ledger::{Account, explain};
use vram_ledger::units::Bytes;

#[test]
fn seven_billion_parameters_serve_in_14_gb_and_train_in_112() {
    let report = report_of("{}");
    let (training, inference) = (report.training.unwrap(), report.inference.unwrap());
    assert_eq!(inference.accounts[Account::Weights], Bytes::whole(14e9));
    assert_eq!(inference.weight_bytes, Bytes::whole(14e9));
    let state = training.stages[0].state;
    assert_eq!(state.weights, Bytes::whole(14e9));
    assert_eq!(state.gradients, Bytes::whole(14e9));
    assert_eq!(state.master_weights, Bytes::whole(28e9));
    assert_eq!(state.momentum, Bytes::whole(28e9));
    assert_eq!(state.variance, Bytes::whole(28e9));
    assert_eq!(state.total, Bytes::whole(112e9));
    assert_eq!(report.gap.state_bytes_per_parameter, Some(16.0));
    assert_eq!(report.gap.training_over_inference, Some(8.0));
    assert!(inference.fits && !training.fits);
    assert_eq!(training.checkpoint.bytes, Bytes::whole(98e9), "14 bytes a parameter");
}

#[test]
fn zero3_over_1_8_64_shards_keeps_112_14_and_1_75_gb() {
    for (gpus, gigabytes) in [(1, 112.0), (8, 14.0), (64, 1.75)] {
        let report = report_of(&format!(r#"{{"cluster":{{"gpus":{gpus}}},"training":{{"sharding":"zero3"}}}}"#));
        assert_eq!(report.training.unwrap().stages[0].state.total, Bytes::whole(gigabytes * 1e9));
    }
}

/// As downloaded with the model, keys that do not matter here included.
const LLAMA_3_1_8B: &str = r#"{
    "architectures": ["LlamaForCausalLM"], "attention_bias": false, "attention_dropout": 0.0,
    "bos_token_id": 128000, "eos_token_id": [128001, 128008, 128009], "hidden_act": "silu", "hidden_size": 4096,
    "initializer_range": 0.02, "intermediate_size": 14336, "max_position_embeddings": 131072, "mlp_bias": false,
    "model_type": "llama", "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8,
    "pretraining_tp": 1, "rms_norm_eps": 1e-05,
    "rope_scaling": {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192, "rope_type": "llama3"},
    "rope_theta": 500000.0, "tie_word_embeddings": false, "torch_dtype": "bfloat16",
    "transformers_version": "4.42.3", "use_cache": true, "vocab_size": 128256}"#;

#[test]
fn a_pasted_config_of_llama_3_1_8b_on_eight_h100() {
    let report = report_of(&format!(
        r#"{{"model":{LLAMA_3_1_8B},"cluster":{{"gpu":"h100-sxm-80gb","gpus":8}},"training":{{"sharding":"zero3"}}}}"#
    ));
    assert_eq!(report.model.parameters, 8_030_261_248.0);
    assert!(!report.model.assumed_shape);
    let inference = report.inference.unwrap();
    assert_eq!(inference.kv_bytes_per_token, Bytes::whole(131_072.0));
    assert_eq!((inference.tensor, inference.replicas), (8, 1));
    assert_eq!(report.training.unwrap().data_parallel, 8);
}

#[test]
fn the_same_model_from_the_catalogue_is_the_same() {
    let pasted = report_of(&format!(r#"{{"model":{LLAMA_3_1_8B}}}"#));
    let named = report_of(r#"{"model":"llama-3.1-8b"}"#);
    assert_eq!(pasted.training, named.training);
    assert_eq!(pasted.inference, named.inference);
}

#[test]
fn every_entry_explains_itself() {
    let report =
        report_of(r#"{"framework":"megatron-core","cluster":{"gpus":16},"training":{"tensor":8,"dropout":0.1}}"#);
    let (training, inference) = (report.training.unwrap(), report.inference.unwrap());
    for entry in training.stages[0].entries.iter().chain(&inference.entries) {
        let explanation = explain(entry);
        assert_eq!(explanation.terms.len(), entry.rule.symbols().len());
        assert!(!explanation.source.is_empty());
        for symbol in entry.rule.symbols() {
            let in_formula = entry.rule.formula().split(' ').any(|part| part == symbol.sign());
            assert!(in_formula, "{} does not use {}", entry.rule.id(), symbol.sign());
            let left = explanation.working.split(' ').any(|part| part.trim_matches(['(', ')']) == symbol.sign());
            assert!(!left, "{} is left in {}", symbol.sign(), explanation.working);
        }
    }
}

#[test]
fn the_working_shows_the_numbers_of_the_opening_state() {
    let report = report_of("{}");
    let stage = &report.training.unwrap().stages[0];
    let momentum = stage.entries.iter().find(|entry| entry.account == Account::Momentum).unwrap();
    let explanation = explain(momentum);
    assert_eq!(explanation.formula, "c · (Ψ_s ÷ t + Ψ_r) ÷ N");
    assert_eq!(explanation.working, "4 B · (6,999,733,760 ÷ 1 + 266,240) ÷ 1");
}

#[test]
fn advice_that_is_given_fits() {
    for json in [
        "{}",
        r#"{"model":"llama-3.1-70b","cluster":{"gpus":8}}"#,
        r#"{"model":"llama-3.1-70b","cluster":{"gpus":8},"training":{"sharding":"zero1","sequence":32768}}"#,
        r#"{"model":"llama-3.1-405b","cluster":{"gpus":64},"training":{"tensor":8,"sharding":"zero3"}}"#,
        r#"{"model":"gpt2","cluster":{"gpu":"rtx-4090"},"training":{"micro_batch":256,"sequence":1024}}"#,
    ] {
        let scenario = vram_ledger::scenario::Scenario::from_json(json).unwrap();
        let report = report_of(json);
        assert!(!report.advice.is_empty(), "no advice for {json}");
        for advice in report.advice {
            let then = support::answered(&advice.patch.applied(&scenario)).unwrap();
            let fits = match advice.half {
                vram_ledger::answer::Half::Training => then.training.unwrap().fits,
                vram_ledger::answer::Half::Inference => then.inference.unwrap().fits,
            };
            assert!(fits, "{:?} does not fit for {json}", advice.patch);
        }
    }
}

#[test]
fn the_fewest_gpus_fit_and_one_less_does_not() {
    for model in ["\"llama-3.1-8b\"", "\"llama-3.1-70b\"", "\"qwen2.5-7b\"", "{\"parameters\":3e10}"] {
        let with = |gpus: u64| {
            report_of(&format!(
                r#"{{"model":{model},"cluster":{{"gpus":{gpus}}},"training":{{"sharding":"zero3","recompute":"full"}}}}"#
            ))
        };
        let fewest = with(1).training.unwrap().minimum_gpus.expect("sharding the state makes these fit");
        assert!(fewest > 1);
        assert!(with(fewest).training.unwrap().fits, "{model} on {fewest}");
        assert!(!with(fewest - 1).training.unwrap().fits, "{model} on {}", fewest - 1);
    }
}

#[test]
fn the_longest_context_and_the_most_requests_fit_and_one_more_does_not() {
    let with = |context: f64, concurrency: f64| {
        report_of(&format!(
            r#"{{"model":"llama-3.1-8b","inference":{{"context":{context},"concurrency":{concurrency}}}}}"#
        ))
        .inference
        .unwrap()
    };
    let now = with(8192.0, 4.0);
    assert!(with(now.maximum_context, 4.0).fits);
    assert!(!with(now.maximum_context + 1.0, 4.0).fits);
    assert!(with(8192.0, now.maximum_concurrency).fits);
    assert!(!with(8192.0, now.maximum_concurrency + 1.0).fits);
}

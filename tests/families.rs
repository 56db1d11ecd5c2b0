//! Families whose layers are not Llama's: what they keep for backward and cache, worked out by hand, and how files of no
//! known family are read.

mod support;

use serde_json::{Value, json};
use support::report_of;
use vram_ledger::Bytes;
use vram_ledger::families::HfConfig;
use vram_ledger::ledger::Account;
use vram_ledger::model::{Architecture, find};
use vram_ledger::words::en::pasted_model;

/// Tokens of a sequence.
const T: f64 = 4096.0;

fn read(config: Value) -> Architecture {
    HfConfig::from_value(&config).unwrap().architecture().unwrap()
}

fn refused(config: Value) -> (String, String) {
    let error = HfConfig::from_value(&config).and_then(|config| config.architecture()).unwrap_err();
    (error.field.to_string(), error.message())
}

/// Bytes a token that all layers keep, with these settings of training.
fn kept(model: &str, settings: &str) -> f64 {
    let report = report_of(&format!(r#"{{"model":"{model}","training":{{{settings}}}}}"#));
    let stage = &report.training.expect("it can be trained").stages[0];
    stage.accounts[Account::Activations].get() / T
}

/// Bytes of the cache of one request of so many tokens.
fn cached(model: &str, context: u64, engine: &str) -> f64 {
    let inference = format!(r#"{{"context":{context},"engine":"{engine}"}}"#);
    let report = report_of(&format!(
        r#"{{"model":"{model}","cluster":{{"gpu":{{"memory_bytes":1e13,"bandwidth":1e12,"peak_flops":{{"bf16":1e15}}}}}},"inference":{inference}}}"#
    ));
    report.inference.expect("it can be served").accounts[Account::KvCache].get()
}

// Training.

#[test]
fn attention_beside_the_mlp_behind_one_norm_keeps_one_of_each() {
    // Phi-2: input and output of the norm, queries, keys and values, attention's result, and 4·h twice in the MLP.
    assert_eq!(kept("phi-2", ""), 32.0 * (28.0 * 2560.0 + 4.0 * 32.0));
    // Falcon 7B: one key and one value head of 64.
    assert_eq!(kept("falcon-7b", ""), 32.0 * (24.0 * 4544.0 + 4.0 * 64.0 + 4.0 * 71.0));
    // Falcon 180B has a norm for each of the two: one input, which both read, and two outputs.
    let (h, kv) = (14_848.0, 512.0);
    assert_eq!(kept("falcon-180b", ""), 80.0 * (26.0 * h + 4.0 * kv + 4.0 * 232.0));
}

#[test]
fn norms_without_weights_keep_an_fp32_input_alone() {
    let (h, f) = (2048.0, 8192.0);
    assert_eq!(kept("olmo-1b", ""), 16.0 * (16.0 * h + 6.0 * f + 4.0 * 16.0));
    assert_eq!(kept("olmo-1b", r#""kernels":"eager""#), 16.0 * (20.0 * h + 8.0 * f + 4.0 * 16.0));
}

#[test]
fn a_layer_of_one_block_keeps_what_that_block_does() {
    // Nemotron-H 56B: a norm before each of 118 blocks, 10 attentions, 54 state spaces, 54 plain MLPs.
    let (h, kv, f) = (8192.0, 1024.0, 32_768.0);
    let attention = 2.0 * (h + 2.0 * kv) + 2.0 * h + 4.0 * 64.0;
    // Gate, what the convolution reads (16384 and twice 8 groups of 256) and a step for each of 256 heads; the result.
    let space = 2.0 * (16_384.0 + 20_480.0 + 256.0 + 16_384.0) + 4.0 * 8.0;
    assert_eq!(kept("nemotron-h-56b", ""), 118.0 * 4.0 * h + 10.0 * attention + 54.0 * (space + 4.0 * f));
}

#[test]
fn a_thinned_out_network_keeps_less_where_it_is_thin() {
    let h = 8192.0;
    let attention = 4.0 * h + 2.0 * (h + 2.0 * 1024.0) + 2.0 * h + 4.0 * 64.0;
    let widths = 49.0 * 28_672.0 + 17_920.0 + 6.0 * 14_336.0 + 10.0 * 7168.0 + 8.0 * 5632.0 + 6.0 * 2816.0;
    let all = 49.0 * attention + 80.0 * 4.0 * h + 6.0 * widths;
    let report = kept("llama-3.3-nemotron-super-49b", "");
    assert!((report - all).abs() < 1e-3 * all / T, "{report} {all}");
}

#[test]
fn a_gated_delta_rule_keeps_what_its_chunks_need() {
    // Qwen3-Next: 12 layers of attention, 36 of linear attention, experts in all.
    let (h, q, kv) = (2048.0, 4096.0, 512.0);
    let attention = 2.0 * (q + kv) + 2.0 * (q + 2.0 * kv) + 2.0 * q + 4.0 * 16.0 + 2.0 * (q + q);
    // 8192 into the convolution; 32 heads of 128: queries, keys, values, gate, result and the same normalised; 64 of a chunk
    // and a rate for each head; six numbers in fp32.
    let linear = 2.0 * (8192.0 + 6.0 * 4096.0 + 65.0 * 32.0) + 4.0 * 6.0 * 32.0;
    let experts = 4.0 * 512.0 + 10.0 * (2.0 * h + 6.0 * 512.0) + 2.0 * h + 6.0 * 512.0;
    assert_eq!(kept("qwen3-next-80b-a3b", ""), 48.0 * (8.0 * h + experts) + 12.0 * attention + 36.0 * linear);
}

#[test]
fn layers_that_see_everything_keep_their_own_heads() {
    // Gemma 4 12B: 40 windowed layers of 16 and 8 heads of 256, 8 others of 16 and 1 of 512, whose values are their keys.
    let (h, f) = (3840.0, 15_360.0);
    let of = |q: f64, kv: f64| 2.0 * (q + kv) + 2.0 * (q + 2.0 * kv) + 2.0 * q + 4.0 * 16.0;
    let all = 48.0 * (12.0 * h + 6.0 * f) + 40.0 * (of(4096.0, 2048.0) + 2.0 * 2048.0) + 8.0 * of(8192.0, 512.0);
    assert_eq!(kept("gemma-4-12b", ""), all);
}

#[test]
fn every_model_of_the_catalogue_can_be_trained_and_keeps_its_state() {
    for row in vram_ledger::model::catalogue() {
        let report = report_of(&format!(r#"{{"model":"{}"}}"#, row.id));
        let stage = &report.training.unwrap_or_else(|| panic!("{}: {:?}", row.id, report.training_error)).stages[0];
        let trained = row.architecture.parameters() + row.architecture.prediction_parameters();
        assert_eq!(stage.state.total, Bytes::whole(16.0 * trained as f64), "{}", row.id);
    }
}

#[test]
fn experts_in_every_second_layer_are_spread_over_the_stages() {
    let maverick = |pipeline: u64| {
        format!(
            r#"{{"model":{{"model_type":"llama4","text_config":{{"model_type":"llama4_text","interleave_moe_layer_step":2,
                "num_local_experts":128,"hidden_size":5120,"num_hidden_layers":48,"num_attention_heads":40,
                "vocab_size":202048}}}},"cluster":{{"gpus":{pipeline}}},"training":{{"pipeline":{pipeline}}}}}"#
        )
    };
    let whole = report_of(&maverick(1));
    // The published checkpoint has 401,583,781,376, of which 871,932,416 see; 17 billion are met by a token.
    assert_eq!(whole.model.parameters, 400_711_848_960.0);
    assert!((17.0e9..17.5e9).contains(&whole.model.active_parameters), "{}", whole.model.active_parameters);
    let stages = report_of(&maverick(2)).training.unwrap().stages;
    let ends = 202_048.0 * 5120.0;
    assert_eq!(stages[1].parameters - stages[0].parameters, 5120.0, "the final norm");
    assert_eq!(stages[0].parameters, (whole.model.parameters - 2.0 * ends - 5120.0) / 2.0 + ends);
}

// Serving.

#[test]
fn chunked_attention_caches_a_chunk() {
    // 36 layers within chunks of 8192 tokens, 12 that see everything; 4096 bytes a token and layer.
    assert_eq!(cached("llama-4-scout", 4096, "textbook"), 48.0 * 4096.0 * 4096.0);
    assert_eq!(cached("llama-4-scout", 100_000, "textbook"), 4096.0 * (36.0 * 8192.0 + 12.0 * 100_000.0));
    // vLLM keeps the tokens of a pass beside it; its groups are of 12 layers.
    assert_eq!(cached("llama-4-scout", 100_000, "vllm"), 4096.0 * (36.0 * (8192.0 + 2048.0) + 12.0 * 100_000.0));
}

#[test]
fn an_indexer_caches_beside_the_latent_vectors() {
    assert_eq!(cached("deepseek-v3.2", 4096, "textbook"), 4096.0 * (70_272.0 + 8052.0));
    let glm = |changes: Value| {
        let mut config = json!({"model_type": "glm_moe_dsa", "hidden_size": 6144, "intermediate_size": 12288,
            "num_hidden_layers": 78, "num_attention_heads": 64, "kv_lora_rank": 512, "q_lora_rank": 2048,
            "qk_nope_head_dim": 192, "qk_rope_head_dim": 64, "v_head_dim": 256, "n_routed_experts": 256,
            "num_experts_per_tok": 8, "moe_intermediate_size": 2048, "vocab_size": 154880});
        config.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        config
    };
    // What the file leaves out its class knows.
    assert_eq!(read(glm(json!({}))).parameters(), find("glm-5").unwrap().architecture.parameters());
    let shared = read(glm(json!({"index_topk_freq": 4})));
    // Layers 0, 1, 5, 9, …, 77.
    assert_eq!(shared.indexer.unwrap().layers, 21);
    let indexer = 32 * 128 * 2048 + 128 * 6144 + 256 + 32 * 6144;
    assert_eq!(read(glm(json!({}))).parameters() - shared.parameters(), 57 * indexer);
    assert_eq!(refused(glm(json!({"indexer_types": ["full", "shared"]}))).0, "indexer_types");
    assert_eq!(refused(glm(json!({"q_lora_rank": null}))).0, "q_lora_rank");
}

#[test]
fn a_state_space_takes_the_same_for_every_length() {
    let state = 64.0 * (5120.0 * 3.0 * 2.0 + 5120.0 * 16.0 * 4.0);
    assert_eq!(cached("mamba-2.8b", 16, "textbook"), state);
    assert_eq!(cached("mamba-2.8b", 1_000_000, "textbook"), state);
    let served = report_of(r#"{"model":"mamba-2.8b"}"#).inference.unwrap();
    assert_eq!((served.kv_bytes_per_token, served.kv_capacity_tokens), (Bytes::ZERO, 0.0));
    // Mamba-2 of 64 heads of 64 in 8 groups with a state of 128: 23 layers, and 6 with two key-value heads of 128.
    let state = 23.0 * ((4096.0 + 2.0 * 8.0 * 128.0) * 3.0 * 2.0 + 64.0 * 64.0 * 128.0 * 4.0);
    assert_eq!(cached("nemotron-3-nano-30b-a3b", 4096, "textbook"), state + 4096.0 * 6144.0);
}

// Reading.

#[test]
fn a_language_model_inside_a_checkpoint_is_known_by_what_is_around_it() {
    for (outer, inner) in [("llama4", "llama-4-scout"), ("qwen3_5", "qwen3.5-9b"), ("gemma4", "gemma-4-12b")] {
        let row = vram_ledger::families::model_rows().iter().find(|row| row.id == inner).unwrap();
        let mut text = serde_json::to_value(&row.config).unwrap();
        text.as_object_mut().unwrap().remove("model_type");
        assert_eq!(read(json!({"model_type": outer, "text_config": text})), row.architecture, "{outer}");
    }
}

fn unknown() -> Value {
    json!({
        "model_type": "newcomer", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "rms_norm_eps": 1e-5,
        "tie_word_embeddings": false, "max_position_embeddings": 131072,
    })
}

#[test]
fn a_file_of_no_known_family_is_read_and_said_to_be() {
    assert_eq!(read(unknown()).parameters(), 8_030_261_248);
    let report = report_of(&json!({"model": unknown()}).to_string());
    assert_eq!(
        report.model.understood.as_ref().map(pasted_model::understood).as_deref(),
        Some(
            "\"newcomer\" is no known family; read as a Llama-like decoder; 32 layers of 4096; 32 query and 8 key-value heads \
             of 128; gated MLP of 14336; 2 RMS norms a layer, none on heads; no biases; a head of its own"
        )
    );
    assert_eq!(report_of(r#"{"model":"llama-3.1-8b"}"#).model.understood, None);
    let mut mixture = unknown();
    for (key, value) in [("num_experts", 16), ("num_experts_per_tok", 2), ("moe_intermediate_size", 1024)] {
        mixture[key] = json!(value);
    }
    assert_eq!(read(mixture).expert_layers(), 32);
}

#[test]
fn a_file_of_no_known_family_is_refused_where_it_cannot_be_right() {
    let mut config = unknown();
    for key in ["num_key_value_heads", "tie_word_embeddings", "rms_norm_eps"] {
        config.as_object_mut().unwrap().remove(key);
    }
    let (field, message) = refused(config);
    assert_eq!(field, "model_type");
    let said = "\"newcomer\" is not known, and to read it all the same these keys are missing: num_key_value_heads, \
                tie_word_embeddings, rms_norm_eps; known are llama, mistral";
    assert!(message.starts_with(said), "{message}");
    for (key, value) in [
        ("ssm_state_size", json!(128)),
        ("linear_num_value_heads", json!(32)),
        ("num_kv_shared_layers", json!(10)),
        ("hybrid_override_pattern", json!("M*")),
        ("is_encoder_decoder", json!(true)),
        ("cross_attention_layers", json!([3, 8])),
    ] {
        let mut config = unknown();
        config[key] = value;
        let (field, message) = refused(config);
        assert_eq!(field, key);
        assert_eq!(message, "is not understood of a family that is not known (\"newcomer\")");
    }
    let mut config = unknown();
    config["layer_types"] = json!(vec!["mamba"; 32]);
    assert_eq!(refused(config.clone()).0, "layer_types[0]");
    config["layer_types"] = json!(vec!["sliding_attention"; 32]);
    assert_eq!(refused(config.clone()).0, "sliding_window");
    config["sliding_window"] = json!(1024);
    config["is_encoder_decoder"] = json!(false);
    assert_eq!(read(config).window.map(|window| window.layers), Some(32));
}

#[test]
fn descriptions_of_layers_that_cannot_be_right_are_refused() {
    let nemotron = |pattern: Value| {
        json!({"model_type": "nemotron_h", "hidden_size": 2688, "num_hidden_layers": 4, "num_attention_heads": 32,
            "vocab_size": 1000, "hybrid_override_pattern": pattern})
    };
    assert_eq!(read(nemotron(json!("M-*E"))).expert_layers(), 1);
    for (pattern, said) in [(json!("M-*"), "3 layers"), (json!("M-*X"), "\"X\" is not known"), (json!(null), "missing")]
    {
        let (field, message) = refused(nemotron(pattern));
        assert_eq!(field, "hybrid_override_pattern");
        assert!(message.contains(said), "{message}");
    }
    let block =
        |group: Value, measure: Value| json!({"attention": {"n_heads_in_group": group}, "ffn": {"ffn_mult": measure}});
    let thinned = |blocks: Vec<Value>| {
        json!({"model_type": "nemotron-nas", "hidden_size": 512, "num_hidden_layers": 2, "num_attention_heads": 8,
            "vocab_size": 1000, "block_configs": blocks})
    };
    for (blocks, field) in [
        (vec![block(json!(4), json!(1.0))], "block_configs"),
        (vec![block(json!(4), json!(1.0)), block(json!(2), json!(1.0))], "block_configs.1.attention.n_heads_in_group"),
        (vec![block(json!(4), json!(1.0)), block(json!(4), json!(-1.0))], "block_configs.1.ffn.ffn_mult"),
        (vec![block(json!(3), json!(1.0)), block(json!(3), json!(1.0))], "block_configs"),
    ] {
        assert_eq!(refused(thinned(blocks)).0, field);
    }
    // Two widths, one of them in a list of its own: 512 and 768.
    let model = read(thinned(vec![block(json!(4), json!(1.0)), block(json!(4), json!(2.0))]));
    let attention = 512 * 64 * (2 * 8 + 2 * 2) + 512;
    assert_eq!(model.parameters(), 2 * (attention + 512) + 3 * 512 * (512 + 768) + 2 * 1000 * 512 + 512);
}

/// Checkpoints that are not in the catalogue, with counts that no formula here was fitted to.
#[test]
fn other_checkpoints_of_these_families_come_out_right() {
    let old_falcon = json!({"model_type": "falcon", "hidden_size": 8192, "n_layer": 60, "n_head": 128, "n_head_kv": 8,
        "new_decoder_architecture": true, "vocab_size": 65024});
    let bloom = json!({"model_type": "bloom", "n_embed": 2560, "n_layer": 30, "num_attention_heads": 32,
        "vocab_size": 250880});
    let mamba = json!({"model_type": "mamba", "hidden_size": 768, "num_hidden_layers": 24, "vocab_size": 50280,
        "time_step_rank": "auto", "use_bias": false});
    let hybrid = json!({"model_type": "nemotron_h", "hidden_size": 4480, "num_attention_heads": 40,
        "hybrid_override_pattern": "M-M-M-MM-M-M-M*-M-M-M*-M-M-M-M*-M-M-M-M*-M-MM-M-M-M-M-M-", "intermediate_size": 15680,
        "mamba_num_heads": 128, "mamba_head_dim": 80, "vocab_size": 131072});
    let internlm = json!({"model_type": "internlm2", "hidden_size": 6144, "intermediate_size": 16384,
        "num_hidden_layers": 48, "num_attention_heads": 48, "num_key_value_heads": 8, "vocab_size": 92544, "bias": false});
    let command_a = json!({"model_type": "cohere2", "hidden_size": 12288, "intermediate_size": 36864,
        "num_hidden_layers": 64, "num_attention_heads": 96, "num_key_value_heads": 8, "vocab_size": 256000});
    assert_eq!(read(command_a.clone()).window.map(|window| (window.layers, window.tokens)), Some((48, 4096)));
    for (config, parameters) in [
        (command_a, 111_057_580_032),
        (old_falcon, 41_303_293_952),
        (bloom, 3_002_557_440),
        (mamba, 129_135_360),
        (hybrid, 8_888_227_328),
        (internlm, 19_861_149_696),
    ] {
        assert_eq!(read(config.clone()).parameters(), parameters, "{config}");
    }
}

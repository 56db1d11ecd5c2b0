//! Models: parameter counts from dimensions, the catalogue, configuration files good and bad, assumed shapes.

use std::collections::HashSet;

use proptest::prelude::*;
use serde_json::{Value, json};
use vram_ledger::estimate;
use vram_ledger::families::{self, FAMILIES, HfConfig, model_rows};
use vram_ledger::model::{
    ASSUMED_SHAPE_RANGE, Architecture, BiasOf, Difference, Layers, MAXIMUM_PARAMETERS, Mlp, NormKind, Role,
    TensorGroup, Window, assumed_shape, catalogue, find,
};
use vram_ledger::words::Language;
use vram_ledger::{Bytes, Scenario};

fn read(config: Value) -> Architecture {
    HfConfig::from_value(&config).unwrap().architecture().unwrap()
}

/// The field and message with which a configuration is refused.
fn refused(config: Value) -> (String, String) {
    let error = HfConfig::from_value(&config).and_then(|config| config.architecture()).unwrap_err();
    (error.field.to_string(), error.message())
}

/// A configuration with some keys replaced; `null` removes one.
fn with(base: Value, changes: Value) -> Value {
    let mut config = base;
    for (key, value) in changes.as_object().unwrap() {
        match value {
            Value::Null => config.as_object_mut().unwrap().remove(key),
            value => config.as_object_mut().unwrap().insert(key.clone(), value.clone()),
        };
    }
    config
}

fn llama() -> Value {
    json!({
        "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 131072,
    })
}

/// The further keys of OPT and of models with layers of several kinds.
fn several_kinds() -> Value {
    json!({
        "ffn_dim": 16384, "linear_num_key_heads": 16, "linear_num_value_heads": 32, "linear_key_head_dim": 128,
        "linear_value_head_dim": 128, "linear_conv_kernel_dim": 4, "num_global_key_value_heads": 2,
        "hybrid_override_pattern": "M-*E".repeat(8), "num_nextn_predict_layers": 1, "rms_norm_eps": 1e-6,
        "attn_type_list": (0..32).map(|index| u64::from(index % 8 == 7)).collect::<Vec<_>>(), "moe_topk": 2,
        "block_configs": (0..32).map(|index| json!({
            "attention": {"no_op": index % 3 == 0, "n_heads_in_group": 4}, "ffn": {"ffn_mult": index % 5},
        })).collect::<Vec<_>>(),
    })
}

fn gpt2() -> Value {
    json!({"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "n_positions": 1024, "vocab_size": 50257})
}

/// The further keys of mixtures of experts and latent attention.
fn mixture() -> Value {
    json!({
        "num_local_experts": 8, "num_experts": 60, "n_routed_experts": 64, "num_experts_per_tok": 6,
        "moe_intermediate_size": 1408, "n_shared_experts": 2, "shared_expert_intermediate_size": 5632,
        "first_k_dense_replace": 1, "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64, "v_head_dim": 128,
    })
}

// The catalogue.

#[test]
fn every_model_has_the_parameters_its_row_states() {
    for row in model_rows() {
        let model = &row.architecture;
        assert_eq!(model.parameters(), row.parameters, "{}", row.id);
        assert_eq!(model.active_parameters(), row.active_parameters.unwrap_or(row.parameters), "{}", row.id);
        assert_eq!(row.active_parameters.is_some(), model.experts.is_some(), "{}", row.id);
    }
}

#[test]
fn every_model_has_the_cache_its_row_states() {
    for row in model_rows() {
        let model = &row.architecture;
        let scenario = Scenario::from_value(&json!({"model": row.id})).unwrap();
        let served = estimate(&scenario).unwrap().inference.unwrap();
        let is = |bytes: Bytes, stated: u64| assert_eq!(bytes, Bytes::whole(stated as f64), "{}", row.id);
        is(served.kv_bytes_per_token, row.kv_bytes_per_token);
        is(served.indexer_bytes_per_token, row.indexer_bytes_per_token.unwrap_or(0));
        if row.state_bytes_per_sequence.is_some() || model.linear.is_none() {
            is(served.state_bytes_per_sequence, row.state_bytes_per_sequence.unwrap_or(0));
        }
        // Two bytes an element.
        let elements = model.full_heads.map_or(model.kv_elements_per_layer(), |full| 2 * full.kv_heads * full.head_dim);
        let unwindowed = 2 * elements * model.full_attention_layers();
        assert_eq!(row.kv_bytes_per_token_unwindowed.unwrap_or(row.kv_bytes_per_token), unwindowed, "{}", row.id);
        assert_eq!(row.kv_bytes_per_token_unwindowed.is_some(), model.window.is_some(), "{}", row.id);
    }
}

#[test]
fn what_was_published_is_the_count_plus_the_differences_named() {
    for row in model_rows() {
        let Some(published) = row.published_parameters else { continue };
        let counted = |part: &Difference| part.count.unwrap_or_else(|| panic!("{}: {part:?}", row.id));
        let named: i64 = row.difference.iter().map(counted).sum();
        assert_eq!(row.parameters as i64 + named, published as i64, "{}", row.id);
    }
}

#[test]
fn the_text_of_a_difference_has_a_place_for_each_of_its_numbers() {
    for row in model_rows() {
        for part in &row.difference {
            for language in Language::ALL {
                let text = language.surplus(part.what);
                let places = part.of.iter().enumerate().filter(|(place, _)| text.contains(&format!("{{{place}}}")));
                assert_eq!(places.count(), text.matches('{').count(), "{}: {text}", row.id);
                assert_eq!(part.of.len(), text.matches('{').count(), "{}: {text}", row.id);
            }
        }
    }
}

#[test]
fn every_model_has_a_source_that_its_table_explains() {
    let file: Value = serde_json::from_str(include_str!("../src/model/catalogue.json")).unwrap();
    let table = file["sources"].as_object().unwrap();
    let mut used = HashSet::new();
    for (row, written) in model_rows().iter().zip(file["rows"].as_array().unwrap()) {
        let keys: Vec<_> = written["sources"].as_array().unwrap().iter().map(|key| key.as_str().unwrap()).collect();
        assert!(!keys.is_empty(), "{} has no source", row.id);
        assert_eq!(row.sources().count(), keys.len(), "{} names a source that the table lacks", row.id);
        used.extend(keys);
    }
    assert_eq!(used, table.keys().map(String::as_str).collect::<HashSet<_>>());
}

#[test]
fn ids_are_unique_and_found_and_the_first_models_are_there() {
    let ids: HashSet<_> = catalogue().iter().map(|row| row.id).collect();
    assert_eq!(ids.len(), catalogue().len());
    for row in model_rows() {
        assert_eq!(find(row.id), Some(&row.model));
        assert!(row.architecture.maximum_positions >= row.context, "{}", row.id);
    }
    for id in [
        "llama-2-7b",
        "llama-2-13b",
        "llama-2-70b",
        "llama-3.1-8b",
        "llama-3.1-70b",
        "llama-3.1-405b",
        "qwen2.5-7b",
        "qwen2.5-72b",
        "mistral-7b-v0.1",
        "mixtral-8x7b",
        "gpt2",
        "gpt-3-175b",
    ] {
        assert!(ids.contains(id), "{id} is missing");
    }
    assert!(find("llama").is_none());
}

// Mixtures and latent attention.

#[test]
fn a_qwen2_mixture_has_a_gated_shared_expert() {
    // Qwen1.5-MoE-A2.7B, counted by hand: attention with biases, 60 experts of 1408 of which 4 meet a token, a shared
    // expert of 5632 with its gate, a router.
    let model = read(json!({
        "model_type": "qwen2_moe", "hidden_size": 2048, "intermediate_size": 5632, "moe_intermediate_size": 1408,
        "shared_expert_intermediate_size": 5632, "num_experts": 60, "num_experts_per_tok": 4, "num_hidden_layers": 24,
        "num_attention_heads": 16, "num_key_value_heads": 16, "vocab_size": 151936, "tie_word_embeddings": false,
    }));
    let attention = 4 * 2048 * 2048 + 3 * 2048;
    let expert = 3 * 2048 * 1408;
    let layer = attention + 2 * 2048 + 60 * expert + 3 * 2048 * 5632 + 2048 + 60 * 2048;
    assert_eq!(model.layer_parameters(), layer);
    assert_eq!(model.parameters(), 24 * layer + 2 * 151_936 * 2048 + 2048);
    assert_eq!(model.parameters(), 14_315_784_192);
    assert_eq!(model.active_parameters(), model.parameters() - 24 * 56 * expert);
}

#[test]
fn dense_layers_of_a_mixture_are_counted_as_its_keys_say() {
    let qwen = |changes: Value| read(with(with(llama(), mixture()), with(json!({"model_type": "qwen3_moe"}), changes)));
    assert_eq!(qwen(json!({})).dense_layers(), 0);
    // Every second layer has experts, the odd indices; one of those is named dense.
    assert_eq!(qwen(json!({"decoder_sparse_step": 2})).dense_layers(), 16);
    assert_eq!(qwen(json!({"decoder_sparse_step": 2, "mlp_only_layers": [0, 1]})).dense_layers(), 17);
    let deepseek =
        |changes: Value| read(with(with(llama(), mixture()), with(json!({"model_type": "deepseek_v2"}), changes)));
    assert_eq!(deepseek(json!({})).dense_layers(), 1);
    // Indices 4, 8, …, 28.
    assert_eq!(deepseek(json!({"first_k_dense_replace": 3, "moe_layer_freq": 4})).expert_layers(), 7);
    let all_dense = deepseek(json!({"first_k_dense_replace": 32}));
    assert!(all_dense.experts.is_none() && all_dense.dense_layers() == 32);
    let config = with(with(llama(), mixture()), json!({"model_type": "qwen3_moe", "mlp_only_layers": [32]}));
    assert_eq!(refused(config).0, "mlp_only_layers");
    let config = with(with(llama(), mixture()), json!({"model_type": "deepseek_v3", "first_k_dense_replace": 33}));
    assert_eq!(refused(config).0, "first_k_dense_replace");
}

#[test]
fn latent_attention_is_counted_tensor_by_tensor() {
    // DeepSeek-V2-Lite has no narrow vector for its queries.
    let lite = json!({
        "model_type": "deepseek_v2", "hidden_size": 2048, "intermediate_size": 10944, "moe_intermediate_size": 1408,
        "num_hidden_layers": 27, "num_attention_heads": 16, "num_key_value_heads": 16, "kv_lora_rank": 512,
        "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "n_routed_experts": 64,
        "n_shared_experts": 2, "num_experts_per_tok": 6, "first_k_dense_replace": 1, "vocab_size": 102400,
    });
    let model = read(lite.clone());
    let attention = 16 * 192 * 2048 + (512 + 64) * 2048 + 512 + 16 * 256 * 512 + 2048 * 16 * 128;
    let mixture = 66 * 3 * 2048 * 1408 + 64 * 2048;
    let layers = 27 * (attention + 2 * 2048) + 3 * 2048 * 10944 + 26 * mixture;
    assert_eq!(model.parameters(), layers + 2 * 102_400 * 2048 + 2048);
    assert_eq!(model.kv_elements_per_layer(), 576);
    let compressed = read(with(lite.clone(), json!({"q_lora_rank": 1024})));
    let difference = 16 * 192 * 2048 - (1024 * 2048 + 1024 + 16 * 192 * 1024);
    assert_eq!(model.parameters() - compressed.parameters(), 27 * difference);
    assert_eq!(refused(with(lite, json!({"kv_lora_rank": null}))).0, "kv_lora_rank");
}

#[test]
fn layers_that_predict_further_tokens_are_counted_apart() {
    // The published checkpoint holds 13,463,426,304 more, its own copies of embedding and head among them.
    let model = &find("deepseek-v3").unwrap().architecture;
    assert_eq!(model.prediction_parameters(), 13_463_426_304 - 2 * 129_280 * 7168);
    assert_eq!(find("kimi-k2").unwrap().architecture.prediction_parameters(), 0);
}

// Tensors.

#[test]
fn a_pasted_llama_config_is_counted_to_the_last_parameter() {
    let text = r#"{
        "architectures": ["LlamaForCausalLM"], "attention_bias": false, "attention_dropout": 0.0, "bos_token_id": 128000,
        "eos_token_id": [128001, 128008], "hidden_act": "silu", "hidden_size": 4096, "initializer_range": 0.02,
        "intermediate_size": 14336, "max_position_embeddings": 131072, "mlp_bias": false, "model_type": "llama",
        "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8, "pretraining_tp": 1,
        "rms_norm_eps": 1e-05, "rope_scaling": {"factor": 8.0, "rope_type": "llama3"}, "rope_theta": 500000.0,
        "tie_word_embeddings": false, "torch_dtype": "bfloat16", "use_cache": true, "vocab_size": 128256
    }"#;
    let model = HfConfig::from_json(text).unwrap().architecture().unwrap();
    assert_eq!(model.parameters(), 8_030_261_248);
    assert_eq!(model.active_parameters(), 8_030_261_248);
    assert_eq!(model.embedding_parameters(), 2 * 128_256 * 4096);
    assert_eq!(model.parameters(), model.embedding_parameters() + 32 * model.layer_parameters() + 4096);
    assert_eq!(2 * model.kv_elements_per_layer() * model.layers, 131_072);
    assert_eq!((model.maximum_positions, model.window), (Some(131_072), None));
    assert_eq!(model, find("llama-3.1-8b").unwrap().architecture);
}

#[test]
fn the_tensors_of_gpt2_are_those_of_the_paper() {
    let model = read(gpt2());
    let group = |role| model.tensors(50257).filter(move |group| group.role == role).collect::<Vec<_>>();
    let one = |rows, columns, count, per_layer, role| vec![TensorGroup { role, rows, columns, count, per_layer }];
    assert_eq!(group(Role::Embedding), one(50257, 768, 1, false, Role::Embedding));
    assert_eq!(group(Role::Positions), one(1024, 768, 1, false, Role::Positions));
    assert_eq!(group(Role::MlpUp), one(3072, 768, 12, true, Role::MlpUp));
    assert_eq!(group(Role::MlpDown), one(768, 3072, 12, true, Role::MlpDown));
    assert_eq!(group(Role::Bias(BiasOf::MlpUp)), one(3072, 1, 12, true, Role::Bias(BiasOf::MlpUp)));
    // Two norms a layer and the final one, each with a bias.
    assert_eq!(
        group(Role::Norm).iter().map(|group| (group.count, group.per_layer)).collect::<Vec<_>>(),
        [(24, true), (1, false)]
    );
    assert_eq!(group(Role::Bias(BiasOf::Norm)).iter().map(|group| group.count).sum::<u64>(), 25);
    assert_eq!(group(Role::Head), []);
    // 12·h² + 13·h a layer, (V + s)·h of tables, 2·h of the final norm.
    assert_eq!(model.parameters(), 12 * (12 * 768 * 768 + 13 * 768) + (50257 + 1024) * 768 + 2 * 768);
    assert_eq!((model.norm, model.mlp, model.parallel_residual), (NormKind::LayerNorm, Mlp::Plain, false));
}

#[test]
fn a_padded_vocabulary_pads_embedding_and_head_alone() {
    let model = read(llama());
    let padded: u64 = model.tensors(128_512).map(|group| group.parameters()).sum();
    assert_eq!(padded - model.parameters(), 2 * 256 * 4096);
}

#[test]
fn routed_experts_are_split_by_expert_and_their_router_is_not() {
    let model = &find("mixtral-8x7b").unwrap().architecture;
    let routed: u64 = model.tensors(32_000).filter(|group| group.role.is_expert()).map(|g| g.parameters()).sum();
    assert_eq!(routed, 32 * 8 * 3 * 4096 * 14_336);
    assert_eq!(model.parameters() - model.active_parameters(), routed / 8 * 6);
    assert!(model.tensors(32_000).all(|group| !matches!(group.role, Role::MlpUp | Role::MlpDown)));
    let router = model.tensors(32_000).find(|group| group.role == Role::Router).unwrap();
    assert_eq!((router.rows, router.columns, router.count), (8, 4096, 32));
    assert!(!router.role.is_linear() && !router.role.split_by_tensor() && router.role.is_matrix());
}

#[test]
fn tensor_parallelism_leaves_alone_what_every_rank_needs() {
    let copied = [
        Role::Positions,
        Role::Router,
        Role::SharedGate,
        Role::Norm,
        Role::EmbeddingNorm,
        Role::Index,
        Role::IndexWeights,
        Role::HeadNorm,
        Role::LatentNorm,
        Role::Bias(BiasOf::ExpertDown),
        Role::QueryDown,
        Role::KeyValueDown,
        Role::Bias(BiasOf::Router),
        Role::Bias(BiasOf::Output),
        Role::Bias(BiasOf::MlpDown),
        Role::Bias(BiasOf::Norm),
    ];
    for row in model_rows() {
        for group in row.architecture.tensors(row.architecture.vocabulary) {
            assert_eq!(group.role.split_by_tensor(), !copied.contains(&group.role), "{:?}", group.role);
            assert_eq!(group.role.is_matrix(), group.columns > 1, "{}: {:?}", row.id, group.role);
        }
    }
}

// Families.

#[test]
fn every_family_is_known_by_its_model_types() {
    let mut seen = HashSet::new();
    for family in FAMILIES {
        for model_type in family.model_types {
            assert!(std::ptr::eq(families::find(model_type).unwrap(), family), "{model_type}");
            assert!(seen.insert(*model_type));
        }
    }
    assert!(families::find("bert").is_none());
}

#[test]
fn biases_follow_the_switches_of_the_family() {
    let extra = |config: Value, plain: Value| read(config).parameters() - read(plain).parameters();
    // Query 4096, key and value 1024 each, output 4096; gate and up 14336 each, down 4096.
    assert_eq!(extra(with(llama(), json!({"attention_bias": true})), llama()), 32 * (4096 + 2 * 1024 + 4096));
    assert_eq!(extra(with(llama(), json!({"mlp_bias": true})), llama()), 32 * (2 * 14_336 + 4096));
    assert_eq!(extra(with(llama(), json!({"model_type": "qwen2"})), llama()), 32 * (4096 + 2 * 1024));
    let qwen3 = with(llama(), json!({"model_type": "qwen3"}));
    assert_eq!(extra(qwen3.clone(), llama()), 32 * 2 * 128);
    assert_eq!(extra(with(qwen3.clone(), json!({"attention_bias": true})), qwen3), 32 * (4096 + 2 * 1024 + 4096));
    // A switch the family's class does not have.
    let mistral = with(llama(), json!({"model_type": "mistral"}));
    assert_eq!(extra(with(mistral, json!({"attention_bias": true, "mlp_bias": true})), llama()), 0);
}

#[test]
fn the_head_is_tied_where_the_family_ties_it() {
    let tied = |model_type| read(with(llama(), json!({"model_type": model_type}))).tied_embeddings;
    for model_type in ["llama", "mistral", "qwen2", "qwen3", "phi3", "gpt_neox"] {
        assert!(!tied(model_type), "{model_type}");
    }
    for model_type in ["gemma", "gemma2", "gemma3_text"] {
        assert!(tied(model_type), "{model_type}");
    }
    assert!(read(gpt2()).tied_embeddings);
    assert!(!read(with(gpt2(), json!({"tie_word_embeddings": false}))).tied_embeddings);
    assert!(read(with(llama(), json!({"tie_word_embeddings": true}))).tied_embeddings);
}

#[test]
fn missing_head_counts_and_widths_mean_what_transformers_takes_them_for() {
    let without = json!({"num_key_value_heads": null});
    assert_eq!(read(with(llama(), without.clone())).kv_heads, 32);
    assert_eq!(read(with(with(llama(), without.clone()), json!({"model_type": "mistral"}))).kv_heads, 8);
    assert_eq!(read(with(with(llama(), without), json!({"model_type": "gemma2"}))).kv_heads, 4);
    assert_eq!(read(llama()).head_dim, 128);
    assert_eq!(read(with(llama(), json!({"hidden_size": 2048}))).head_dim, 64);
    assert_eq!(read(with(llama(), json!({"hidden_size": 2048, "model_type": "qwen3"}))).head_dim, 128);
    assert_eq!(read(with(llama(), json!({"hidden_size": 2048, "model_type": "gemma"}))).head_dim, 256);
    // A head width of its own makes the projections wider or narrower than the hidden size.
    let narrow = read(with(llama(), json!({"head_dim": 64})));
    assert_eq!((narrow.query_width(), narrow.kv_width()), (2048, 512));
}

#[test]
fn gpt2_reads_its_own_names_and_the_common_ones() {
    assert_eq!(read(gpt2()).mlp_width, 4 * 768);
    assert_eq!(read(with(gpt2(), json!({"n_inner": 2048}))).mlp_width, 2048);
    assert_eq!(read(with(gpt2(), json!({"num_key_value_heads": 4}))).kv_width(), 256);
    let common = json!({
        "model_type": "gpt2", "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
        "max_position_embeddings": 1024, "vocab_size": 50257,
    });
    assert_eq!(read(common), read(gpt2()));
    let (field, message) = refused(with(gpt2(), json!({"hidden_size": 1024})));
    assert_eq!(field, "n_embd");
    assert!(message.contains("768") && message.contains("hidden_size") && message.contains("1024"), "{message}");
    assert_eq!(refused(with(gpt2(), json!({"n_positions": null}))).0, "n_positions");
}

#[test]
fn windows_are_those_of_the_family() {
    let window = |model_type: &str, changes: Value| {
        read(with(with(llama(), json!({"model_type": model_type})), changes)).window.map(|w| (w.layers, w.tokens))
    };
    assert_eq!(window("llama", json!({"sliding_window": 4096})), None);
    assert_eq!(window("mistral", json!({})), None);
    assert_eq!(window("mistral", json!({"sliding_window": 4096})), Some((32, 4096)));
    assert_eq!(window("qwen2", json!({"sliding_window": 4096, "use_sliding_window": false})), None);
    assert_eq!(window("qwen2", json!({"sliding_window": 4096})), None);
    let switched = json!({"sliding_window": 4096, "use_sliding_window": true, "max_window_layers": 20});
    assert_eq!(window("qwen2", switched), Some((12, 4096)));
    assert_eq!(window("qwen3", json!({"use_sliding_window": true, "max_window_layers": 32})), None);
    assert_eq!(window("gemma2", json!({})), Some((16, 4096)));
    assert_eq!(window("gemma3", json!({"sliding_window": 1024})), Some((27, 1024)));
    assert_eq!(window("gemma3", json!({"sliding_window": 1024, "sliding_window_pattern": 2})), Some((16, 1024)));
    // Files that transformers saved again hold the pattern under both names.
    let both = json!({"sliding_window_pattern": 4, "_sliding_window_pattern": 4});
    assert_eq!(window("gemma3", both), Some((24, 4096)));

    let mut types = vec!["sliding_attention"; 31];
    types.push("full_attention");
    assert_eq!(window("gemma2", json!({"layer_types": types})), Some((31, 4096)));
    types.pop();
    let config = with(llama(), json!({"model_type": "gemma2", "layer_types": types}));
    let (field, message) = refused(config);
    assert_eq!(field, "layer_types");
    assert!(message.contains("31") && message.contains("32"), "{message}");
    types.push("chunked_attention");
    let (field, message) = refused(with(llama(), json!({"model_type": "gemma2", "layer_types": types})));
    assert_eq!(field, "layer_types[31]");
    assert!(message.contains("chunked_attention") && message.contains("sliding_attention"), "{message}");
}

#[test]
fn the_language_model_of_a_multimodal_checkpoint_is_read() {
    // As published for Gemma 3 4B: what the class already says is left out.
    let config = json!({
        "architectures": ["Gemma3ForConditionalGeneration"], "model_type": "gemma3", "mm_tokens_per_image": 256,
        "text_config": {
            "hidden_size": 2560, "intermediate_size": 10240, "model_type": "gemma3_text", "num_hidden_layers": 34,
            "rope_scaling": {"factor": 8.0, "rope_type": "linear"}, "sliding_window": 1024,
        },
        "vision_config": {"hidden_size": 1152, "model_type": "siglip_vision_model", "num_hidden_layers": 27},
    });
    assert_eq!(read(config.clone()), find("gemma-3-4b").unwrap().architecture);
    let mut broken = config;
    broken["text_config"]["num_hidden_layers"] = json!(0);
    assert_eq!(refused(broken).0, "text_config.num_hidden_layers");

    // The family and the tied head may be said outside.
    let mut text = llama();
    text.as_object_mut().unwrap().remove("model_type");
    let outer = json!({"model_type": "llama", "tie_word_embeddings": true, "text_config": text});
    assert_eq!(read(outer), read(with(llama(), json!({"tie_word_embeddings": true}))));
}

#[test]
fn whole_numbers_may_be_written_as_floats() {
    let floats = with(llama(), json!({"hidden_size": 4096.0, "vocab_size": 1.28256e5, "head_dim": null}));
    assert_eq!(read(floats), read(llama()));
    for (value, said) in
        [(json!(4096.5), "4096.5"), (json!(-4096), "-4096"), (json!("4096"), "4096"), (json!(1e300), "1e300")]
    {
        let (field, message) = refused(with(llama(), json!({"hidden_size": value})));
        assert_eq!(field, "hidden_size");
        assert!(message.contains(said) && message.contains("whole number"), "{message}");
    }
    assert_eq!(refused(with(llama(), json!({"tie_word_embeddings": "no"}))).0, "tie_word_embeddings");
    assert_eq!(HfConfig::from_json("{").unwrap_err().field, "config");
    assert_eq!(HfConfig::from_json("[] x").unwrap_err().field, "config");
    assert_eq!(HfConfig::from_json("3").unwrap_err().field, "config");
    assert_eq!(HfConfig::from_json("[]").unwrap_err().field, "config");
}

#[test]
fn a_null_key_is_a_missing_key() {
    let text = r#"{"model_type": "llama", "hidden_size": 512, "intermediate_size": 1792, "num_hidden_layers": 2,
        "num_attention_heads": 8, "num_key_value_heads": null, "head_dim": null, "vocab_size": 32000,
        "attention_bias": null, "sliding_window": null, "layer_types": null, "text_config": null}"#;
    let model = HfConfig::from_json(text).unwrap().architecture().unwrap();
    assert_eq!((model.kv_heads, model.head_dim, model.maximum_positions), (8, 64, None));
}

#[test]
fn impossible_models_are_refused_by_name() {
    for (changes, field, said) in [
        (
            json!({"model_type": "bert"}),
            "model_type",
            "\"bert\" is not known, and to read it all the same these keys are",
        ),
        (json!({"model_type": null}), "model_type", "missing; known are llama"),
        (json!({"hidden_size": null}), "hidden_size", "missing; a whole number from 1 to 1000000 is needed"),
        (json!({"intermediate_size": null}), "intermediate_size", "missing"),
        (json!({"vocab_size": null}), "vocab_size", "missing"),
        (json!({"num_hidden_layers": 0}), "num_hidden_layers", "0 is given; allowed are 1 to 10000"),
        (json!({"num_hidden_layers": 10_001}), "num_hidden_layers", "10001 is given"),
        (json!({"num_attention_heads": 0}), "num_attention_heads", "0 is given"),
        (json!({"num_key_value_heads": 0}), "num_key_value_heads", "0 is given"),
        (json!({"num_key_value_heads": 5}), "num_key_value_heads", "5 does not divide the 32 of num_attention_heads"),
        (json!({"num_key_value_heads": 64}), "num_key_value_heads", "64 does not divide the 32"),
        (json!({"hidden_size": 4100}), "num_attention_heads", "32 does not divide the 4100 of hidden_size"),
        (json!({"head_dim": 0}), "head_dim", "0 is given"),
        (json!({"max_position_embeddings": 0}), "max_position_embeddings", "0 is given"),
        (json!({"vocab_size": u64::MAX}), "vocab_size", "18446744073709551615 is given"),
        (json!({"model_type": "mixtral"}), "num_local_experts", "missing"),
        (json!({"model_type": "mixtral", "num_local_experts": 8}), "num_experts_per_tok", "missing"),
        (
            json!({"model_type": "mixtral", "num_local_experts": 8, "num_experts_per_tok": 9}),
            "num_experts_per_tok",
            "9 is given; a token can meet at most the 8",
        ),
        (json!({"model_type": "mistral", "sliding_window": 0}), "sliding_window", "0 is given"),
        (json!({"model_type": "gemma3", "sliding_window_pattern": 0}), "sliding_window_pattern", "0 is given"),
        (
            json!({"hidden_size": 1_000_000, "intermediate_size": 10_000_000, "num_hidden_layers": 10_000,
                   "num_attention_heads": 8}),
            "config",
            "at most 10000000000000000 can be counted",
        ),
    ] {
        let (actual, message) = refused(with(llama(), changes));
        assert_eq!(actual, field, "{message}");
        assert!(message.contains(said), "{field}: {message}");
    }
    // The family's own default is named as such where it is what does not fit.
    let (field, message) =
        refused(with(llama(), json!({"model_type": "qwen2", "num_attention_heads": 16, "num_key_value_heads": null})));
    assert_eq!(field, "num_key_value_heads");
    assert!(message.contains("32 (the family's default)"), "{message}");
    // A name as long as a book does not fill the message.
    assert!(refused(json!({"model_type": "é".repeat(10_000)})).1.len() < 1500);
}

#[test]
fn what_is_understood_survives_writing_and_reading() {
    for row in model_rows() {
        let text = serde_json::to_string(&row.config).unwrap();
        assert!(!text.contains("null"), "{text}");
        assert_eq!(HfConfig::from_json(&text).unwrap(), row.config);
    }
}

/// A value of the kinds people and machines put into a JSON file.
fn any_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (0_u64..300_000).prop_map(Value::from),
        (0_u64..64).prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        Just(json!(["full_attention", "sliding_attention"])),
        Just(json!({"hidden_size": 64})),
        Just(json!(
            (0..32)
                .map(|index| if index % 3 == 0 { "full_attention" } else { "sliding_attention" })
                .collect::<Vec<_>>()
        )),
        Just(json!([{"attention": {"n_heads_in_group": 8}, "ffn": {"ffn_mult": 1.5}}])),
    ]
}

const KEYS: [&str; 104] = [
    "hidden_size",
    "intermediate_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "head_dim",
    "vocab_size",
    "max_position_embeddings",
    "tie_word_embeddings",
    "attention_bias",
    "mlp_bias",
    "sliding_window",
    "use_sliding_window",
    "max_window_layers",
    "sliding_window_pattern",
    "layer_types",
    "num_local_experts",
    "num_experts_per_tok",
    "num_experts",
    "n_routed_experts",
    "moe_intermediate_size",
    "n_shared_experts",
    "shared_expert_intermediate_size",
    "first_k_dense_replace",
    "moe_layer_freq",
    "decoder_sparse_step",
    "mlp_only_layers",
    "num_nextn_predict_layers",
    "q_lora_rank",
    "kv_lora_rank",
    "qk_nope_head_dim",
    "qk_rope_head_dim",
    "v_head_dim",
    "full_attention_interval",
    "linear_num_value_heads",
    "linear_conv_kernel_dim",
    "global_head_dim",
    "num_global_key_value_heads",
    "num_attention_heads_per_layer",
    "mlp_layer_types",
    "ffn_dim",
    "use_parallel_residual",
    "n_embd",
    "n_layer",
    "n_head",
    "n_inner",
    "n_positions",
    "attention_chunk_size",
    "attn_output_gate",
    "block_configs",
    "conv_kernel",
    "enable_moe_block",
    "expand",
    "ffn_hidden_size",
    "hidden_size_per_layer_input",
    "hybrid_override_pattern",
    "index_head_dim",
    "index_n_heads",
    "index_skip_topk_offset",
    "index_topk",
    "index_topk_freq",
    "indexer_types",
    "interleave_moe_layer_step",
    "intermediate_size_mlp",
    "layers_block_type",
    "linear_num_key_heads",
    "mamba_num_heads",
    "moe_layers",
    "multi_query",
    "n_embed",
    "n_groups",
    "n_head_kv",
    "new_decoder_architecture",
    "no_rope_layer_interval",
    "no_rope_layers",
    "num_kv_heads",
    "num_kv_shared_layers",
    "parallel_attn",
    "partial_rotary_factor",
    "qk_layernorm",
    "rms_norm_eps",
    "rope_parameters",
    "seq_length",
    "ssm_state_size",
    "state_size",
    "time_step_rank",
    "top_k_experts",
    "use_conv_bias",
    "use_double_wide_mlp",
    "use_qk_norm",
    "vocab_size_per_layer_input",
    "text_config",
    "unknown",
    "attention_out_bias",
    "attn_type_list",
    "hidden_act",
    "layer_norm_eps",
    "moe_router_enable_expert_bias",
    "moe_topk",
    "num_shared_expert",
    "num_shared_experts",
    "quantization_config",
    "use_bias",
    "use_qkv_bias",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever a file says, it is either refused by name or counted without leaving the range of numbers.
    #[test]
    fn no_file_is_too_hostile(
        family in 0..=FAMILIES.len(),
        changes in prop::collection::vec((0..KEYS.len(), any_value()), 0..8),
    ) {
        let model_type = FAMILIES.get(family).map_or("newcomer", |family| family.model_types[0]);
        let base = match model_type {
            "gpt2" => gpt2(),
            "newcomer" => with(with(llama(), mixture()), json!({"rms_norm_eps": 1e-6})),
            _ => with(with(llama(), mixture()), several_kinds()),
        };
        let mut config = with(base, json!({"model_type": model_type, "tie_word_embeddings": false}));
        for (key, value) in changes {
            config[KEYS[key]] = value;
        }
        match HfConfig::from_value(&config).and_then(|config| config.architecture()) {
            Ok(model) => {
                prop_assert!((1..=MAXIMUM_PARAMETERS).contains(&model.parameters()));
                prop_assert!(model.active_parameters() <= model.parameters());
                prop_assert!(model.embedding_parameters() < model.parameters());
                prop_assert!(model.full_attention_layers() <= model.layers);
                // Every kind of layers is as many as say that they are of it.
                for kind in [
                    Layers::Every, Layers::Attention, Layers::Window, Layers::Full, Layers::Linear, Layers::Dense,
                    Layers::Experts,
                ] {
                    let there = (0..model.layers).filter(|index| model.is_at(kind, *index)).count() as u64;
                    prop_assert!(model.layers_at(kind) == 0 || there == model.layers_at(kind), "{:?} {}", kind, there);
                }
                let windowed = model.window.map_or(0, |window| window.layers);
                prop_assert!(model.borrowing[0] <= windowed && model.borrowing[1] <= model.full_attention_layers());
                prop_assert!(model.dense_among(model.layers) == model.layers - model.expert_layers());
                prop_assert!(model.prediction_parameters() <= MAXIMUM_PARAMETERS);
                let one_kind = model.further.tensors.is_empty() && model.without_mlp == 0 && model.linear.is_none() && model.full_heads.is_none();
                let alike = one_kind && (model.expert_layers() == 0 || model.dense_layers() == 0);
                if alike {
                    let layers = model.layers * model.layer_parameters();
                    let ends = model.parameters() - model.embedding_parameters() - layers;
                    let norm = match model.norm {
                        NormKind::Rms => model.hidden,
                        NormKind::LayerNorm => 2 * model.hidden,
                        NormKind::Bare => 0,
                    };
                    let first = if model.embedding_norm { 2 * model.hidden } else { 0 };
                    prop_assert_eq!(ends, norm + first + if model.head_bias { model.vocabulary } else { 0 });
                }
            }
            Err(error) => prop_assert!(!error.field.is_empty() && !error.message().is_empty()),
        }
    }

    /// The assumed decoder has the count asked for within 1 %, and a shape that layouts can divide.
    #[test]
    fn an_assumed_shape_has_the_parameters_asked_for(
        exponent in (*ASSUMED_SHAPE_RANGE.start() as f64).log10()..=15.0_f64,
    ) {
        let asked = (10_f64.powf(exponent) as u64).clamp(*ASSUMED_SHAPE_RANGE.start(), *ASSUMED_SHAPE_RANGE.end());
        let shape = assumed_shape(asked).unwrap();
        let error = shape.parameters() as f64 / asked as f64 - 1.0;
        prop_assert!(error.abs() < 0.01, "{} is off by {}: {:?}", asked, error, shape);
        prop_assert_eq!(shape.query_width(), shape.hidden);
        prop_assert_eq!(shape.heads % shape.kv_heads, 0);
        prop_assert_eq!(shape.mlp_width % 8, 0);
        prop_assert!(shape.head_dim == 64 || shape.head_dim == 128);
        if asked >= 250_000_000 {
            prop_assert_eq!((shape.heads % 8, shape.kv_heads), (0, 8));
        }
        if asked >= 10_000_000 {
            let ratio = shape.mlp_width as f64 / shape.hidden as f64;
            prop_assert!((1.0..7.0).contains(&ratio), "{}: {:?}", asked, shape);
        }
        // The same question has the same answer, and the shape is one that a file could describe.
        prop_assert_eq!(assumed_shape(asked).unwrap(), shape);
    }
}

#[test]
fn well_known_sizes_are_given_their_well_known_shapes() {
    for (parameters, layers, hidden, heads) in [
        (1_240_000_000, 16, 2048, 32),
        (3_000_000_000, 28, 3072, 24),
        (7_000_000_000, 32, 4096, 32),
        (8_000_000_000, 32, 4096, 32),
        (13_000_000_000, 40, 5120, 40),
        (70_000_000_000, 80, 8192, 64),
        (405_000_000_000, 126, 16_384, 128),
        (1_000_000_000_000, 128, 25_600, 200),
    ] {
        let shape = assumed_shape(parameters).unwrap();
        assert_eq!((shape.layers, shape.hidden, shape.heads), (layers, hidden, heads), "{parameters}");
        assert_eq!((shape.kv_heads, shape.vocabulary), (8, 128_256));
        assert_eq!(shape.tied_embeddings, parameters < 4_000_000_000);
    }
    let small = assumed_shape(125_000_000).unwrap();
    assert_eq!((small.layers, small.hidden, small.vocabulary, small.tied_embeddings), (12, 768, 32_000, true));
}

#[test]
fn sizes_without_a_shape_are_refused() {
    for parameters in [0, 1, ASSUMED_SHAPE_RANGE.start() - 1, ASSUMED_SHAPE_RANGE.end() + 1, u64::MAX] {
        let error = assumed_shape(parameters).unwrap_err();
        assert_eq!(error.field, "parameters");
        assert_eq!(error.message(), format!("{parameters} is given; allowed are 5000000 to 1000000000000000"));
    }
    assert!(assumed_shape(*ASSUMED_SHAPE_RANGE.start()).is_ok());
    assert!(assumed_shape(*ASSUMED_SHAPE_RANGE.end()).is_ok());
}

#[test]
fn a_window_counts_only_the_layers_that_have_one() {
    let model = &find("gemma-3-27b").unwrap().architecture;
    assert_eq!(model.window, Some(Window { layers: 52, tokens: 1024, chunked: false }));
    assert_eq!(model.full_attention_layers(), 10);
}

/// Counts of transformers 5.24.0 or of the published checkpoints (../shared/catalogue/models.json says which).
#[test]
fn models_with_layers_of_several_kinds_have_their_published_counts() {
    let qwen = json!({"model_type": "qwen3_5_moe_text", "head_dim": 256, "hidden_size": 2048, "linear_conv_kernel_dim": 4,
        "linear_key_head_dim": 128, "linear_num_key_heads": 16, "linear_num_value_heads": 32,
        "linear_value_head_dim": 128, "moe_intermediate_size": 512, "num_attention_heads": 16, "num_experts": 256,
        "num_experts_per_tok": 8, "num_hidden_layers": 40, "num_key_value_heads": 2,
        "shared_expert_intermediate_size": 512, "vocab_size": 248320, "tie_word_embeddings": false});
    let model = read(qwen);
    assert_eq!((model.parameters(), model.active_parameters()), (34_660_610_688, 3_454_988_928));
    assert_eq!((model.linear_layers(), model.full_attention_layers()), (30, 10));

    let types: Vec<&str> = (1..=48).map(|n| if n % 6 == 0 { "full_attention" } else { "sliding_attention" }).collect();
    let gemma = json!({"model_type": "gemma4_text", "attention_k_eq_v": true, "global_head_dim": 512, "head_dim": 256,
        "hidden_size": 3840, "intermediate_size": 15360, "num_attention_heads": 16, "num_global_key_value_heads": 1,
        "num_hidden_layers": 48, "num_key_value_heads": 8, "sliding_window": 1024, "vocab_size": 262144,
        "layer_types": types, "hidden_size_per_layer_input": 0});
    assert_eq!(read(gemma.clone()).parameters(), 11_907_350_272);
    assert_eq!(refused(with(gemma.clone(), json!({"enable_moe_block": true}))).0, "num_experts");
    // Its class takes 256 for the missing key: a table for all layers and a norm, three matrices and a norm in each.
    let inputs = 262_144 * 48 * 256 + 256 + 48 * (3 * 256 * 3840 + 3840);
    let with_inputs = read(with(gemma.clone(), json!({"hidden_size_per_layer_input": null})));
    assert_eq!(with_inputs.parameters(), 11_907_350_272 + inputs);
    // Of the last 12 layers 2 see everything; wide MLPs there are twice as wide.
    let borrowing = json!({"num_kv_shared_layers": 12, "use_double_wide_mlp": true});
    let borrowing = read(with(gemma.clone(), borrowing));
    let keys = 10 * (2 * 8 * 256 * 3840 + 256) + 2 * (512 * 3840 + 512);
    assert_eq!(borrowing.parameters(), 11_907_350_272 - keys + 12 * 3 * 15_360 * 3840);
    assert_eq!(borrowing.borrowing, [10, 2]);
    assert_eq!(refused(with(gemma, json!({"num_kv_shared_layers": 48}))).0, "num_kv_shared_layers");

    let heads: Vec<u64> = (0..40).map(|n| if n % 4 == 0 { 48 } else { 64 }).collect();
    let kinds: Vec<&str> = (0..40).map(|n| if n == 0 { "dense" } else { "sparse" }).collect();
    let types: Vec<&str> = (0..40).map(|n| if n % 4 == 0 { "full_attention" } else { "sliding_attention" }).collect();
    let laguna = json!({"model_type": "laguna", "hidden_size": 2048, "intermediate_size": 8192,
        "moe_intermediate_size": 512, "shared_expert_intermediate_size": 512, "num_hidden_layers": 40,
        "num_attention_heads": 48, "num_key_value_heads": 8, "head_dim": 128, "num_experts": 256,
        "num_experts_per_tok": 8, "vocab_size": 100352, "sliding_window": 512, "layer_types": types,
        "num_attention_heads_per_layer": heads, "mlp_layer_types": kinds});
    assert_eq!(read(laguna).parameters(), 33_442_617_088);

    let opt = json!({"model_type": "opt", "hidden_size": 768, "ffn_dim": 3072, "num_hidden_layers": 12,
        "num_attention_heads": 12, "word_embed_proj_dim": 768, "vocab_size": 50272, "max_position_embeddings": 2048});
    assert_eq!(read(opt).parameters(), 125_239_296);
    let command_r = json!({"model_type": "cohere", "hidden_size": 12288, "intermediate_size": 33792,
        "num_hidden_layers": 64, "num_attention_heads": 96, "num_key_value_heads": 8, "vocab_size": 256000,
        "use_qk_norm": true});
    assert_eq!(read(command_r).parameters(), 103_810_674_688);
}

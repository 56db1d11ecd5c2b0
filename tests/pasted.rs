//! Pasted files of families that the catalogue has no row of: what is counted of them, what is refused, and what is said of
//! the format their weights are in.
//!
//! Counts are sums over the tensors that the modelling files of transformers make; where a checkpoint's total is published
//! it is the same number.

use serde_json::{Value, json};
use vram_ledger::families::HfConfig;
use vram_ledger::model::{Architecture, Mlp};
use vram_ledger::refusal::Problem;
use vram_ledger::words::{en, zh};
use vram_ledger::{Bytes, Report, Scenario, estimate};

fn read(config: &Value) -> Architecture {
    let keys = HfConfig::from_value(config).unwrap_or_else(|error| panic!("{config}: {error}"));
    keys.architecture().unwrap_or_else(|error| panic!("{config}: {error}"))
}

fn refused(config: &Value) -> (String, String) {
    let error = HfConfig::from_value(config).and_then(|config| config.architecture()).unwrap_err();
    (error.field.to_string(), error.message())
}

fn report(config: &Value) -> Report {
    estimate(&Scenario::from_value(&json!({ "model": config })).unwrap()).unwrap()
}

/// What was made of a file, in words.
fn understood(config: &Value) -> Option<String> {
    report(config).model.understood.as_ref().map(en::pasted_model::understood)
}

/// A configuration with the keys of another put over its own; `null` removes one.
fn with(mut config: Value, changes: &Value) -> Value {
    for (key, value) in changes.as_object().unwrap() {
        config[key] = value.clone();
    }
    config
}

/// A decoder of one kind of layers with a head of its own: layers, hidden size, MLP width, heads, vocabulary.
fn decoder(model_type: &str, [layers, hidden, width, heads, kv_heads, vocabulary]: [u64; 6], further: &Value) -> Value {
    let config = json!({
        "model_type": model_type, "num_hidden_layers": layers, "hidden_size": hidden, "intermediate_size": width,
        "num_attention_heads": heads, "num_key_value_heads": kv_heads, "vocab_size": vocabulary,
        "tie_word_embeddings": false, "rms_norm_eps": 1e-5,
    });
    with(config, further)
}

#[test]
fn mlps_without_a_gate_have_two_matrices() {
    // Apertus 8B; each of its activations has two learned numbers.
    let apertus = decoder("apertus", [32, 4096, 21_504, 32, 8, 131_072], &json!({"hidden_act": "xielu"}));
    let layer = 2 * 4096 * (4096 + 1024) + 2 * 128 + 2 * 4096 * 21_504 + 2 * 4096 + 2;
    assert_eq!(read(&apertus).parameters(), 32 * layer + 2 * 131_072 * 4096 + 4096);
    assert_eq!(read(&apertus).parameters(), 8_053_338_176);
    // AFM 4.5B and Minitron 4B.
    let arcee = json!({"head_dim": 128, "hidden_act": "relu2"});
    assert_eq!(read(&decoder("arcee", [36, 2560, 18_432, 20, 4, 128_004], &arcee)).parameters(), 4_619_184_640);
    let nemotron = json!({"head_dim": 128, "hidden_act": "relu2", "rms_norm_eps": null, "norm_eps": 1e-5});
    assert_eq!(read(&decoder("nemotron", [32, 3072, 9216, 24, 8, 256_000], &nemotron)).parameters(), 4_190_509_056);
    // BitNet b1.58 2B4T has the same activation, and a gate.
    let bitnet = json!({"hidden_act": "relu2", "tie_word_embeddings": true});
    assert_eq!(read(&decoder("bitnet", [30, 2560, 6912, 20, 5, 128_256], &bitnet)).parameters(), 2_412_820_480);
}

#[test]
fn the_activation_tells_of_an_unknown_family_whether_there_is_a_gate() {
    let of = |activation: &str| {
        decoder("newcomer", [32, 4096, 14_336, 32, 8, 128_256], &json!({ "hidden_act": activation }))
    };
    assert_eq!(read(&of("silu")).parameters(), 8_030_261_248);
    for activation in ["relu2", "xielu", "gelu_new"] {
        assert_eq!(read(&of(activation)).mlp, Mlp::Plain);
        assert_eq!(read(&of(activation)).parameters(), 8_030_261_248 - 32 * 4096 * 14_336);
        assert!(understood(&of(activation)).unwrap().contains("plain MLP of 14336"));
    }
    // Gated families have these too.
    for activation in ["gelu", "gelu_pytorch_tanh", "relu", "swish"] {
        assert_eq!(read(&of(activation)).mlp, Mlp::Gated);
    }
}

#[test]
fn biases_and_norms_are_where_a_family_has_them() {
    let glm = json!({"head_dim": 128, "attention_bias": true});
    for (config, parameters) in [
        // Seed-OSS 36B: on query, key and value, not on the output.
        (
            decoder(
                "seed_oss",
                [64, 5120, 27_648, 80, 8, 155_136],
                &json!({"head_dim": 128, "attention_bias": true, "attention_out_bias": false}),
            ),
            36_151_104_512,
        ),
        // GLM-4 9B, and that of April 2025.
        (decoder("glm", [40, 4096, 13_696, 32, 2, 151_552], &glm), 9_399_951_360),
        (decoder("glm4", [40, 4096, 13_696, 32, 2, 151_552], &glm), 9_400_279_040),
        (decoder("glm", [40, 4096, 13_696, 32, 2, 151_552], &json!({})), 9_399_951_360),
        // StableLM 3B under either name.
        (decoder("stablelm", [32, 2560, 6912, 32, 32, 50_304], &json!({"rms_norm_eps": null})), 2_795_443_200),
        (decoder("stablelm_epoch", [32, 2560, 6912, 32, 32, 50_304], &json!({"norm_eps": 1e-5})), 2_795_443_200),
        // Hunyuan 7B.
        (
            decoder("hunyuan_v1_dense", [32, 4096, 14_336, 32, 8, 128_167], &json!({"tie_word_embeddings": true})),
            32 * (2 * 4096 * 5120 + 2 * 128 + 3 * 4096 * 14_336 + 2 * 4096) + 128_167 * 4096 + 4096,
        ),
    ] {
        assert_eq!(read(&config).parameters(), parameters, "{config}");
    }
    let unknown = json!({"attention_bias": true, "attention_out_bias": false});
    let model = read(&decoder("newcomer", [32, 4096, 14_336, 32, 8, 128_256], &unknown));
    assert!(model.qkv_bias && !model.output_bias);
    assert_eq!(model.parameters(), 8_030_261_248 + 32 * (4096 + 2 * 1024));
    // The larger StableLM 2: one norm a layer, and one of its own for every head, none of them with more than a weight.
    let parallel = json!({"use_parallel_residual": true, "qk_layernorm": true});
    let model = read(&decoder("stablelm", [40, 5120, 13_824, 32, 8, 100_352], &parallel));
    let layer = 2 * 5120 * (5120 + 1280) + 5120 + 1280 + 3 * 5120 * 13_824 + 2 * 5120;
    assert_eq!(model.parameters(), 40 * layer + 2 * 100_352 * 5120 + 2 * 5120);
    assert!(model.parallel_residual);
}

#[test]
fn smollm3_has_windows_where_heads_are_not_rotated() {
    // SmolLM3 3B; its checkpoint has 3,075,098,624 parameters, the tied head once.
    let of = |further: &Value| {
        read(&with(
            decoder("smollm3", [36, 2048, 11_008, 16, 4, 128_256], &json!({"tie_word_embeddings": null})),
            further,
        ))
    };
    let model = of(&json!({"use_sliding_window": false, "sliding_window": null}));
    let layer = 2 * 2048 * (2048 + 512) + 3 * 2048 * 11_008 + 2 * 2048;
    assert_eq!(model.parameters(), 36 * layer + 128_256 * 2048 + 2048);
    assert_eq!(model.parameters(), 3_075_098_624);
    assert!(model.tied_embeddings);
    assert_eq!((model.window, model.kv_elements_per_layer()), (None, 2 * 4 * 128));
    // A window stands in every fourth layer, in those a list of 0 and 1 says do not rotate, or in those that are named.
    let windowed = |further: Value| {
        let window = of(&with(json!({"use_sliding_window": true, "sliding_window": 4096}), &further)).window;
        window.map(|window| (window.layers, window.tokens))
    };
    assert_eq!(windowed(json!({})), Some((9, 4096)));
    assert_eq!(windowed(json!({"no_rope_layer_interval": 6})), Some((6, 4096)));
    let rotating: Vec<u64> = (0..36).map(|index| u64::from(index >= 10)).collect();
    assert_eq!(windowed(json!({"no_rope_layers": rotating})), Some((10, 4096)));
    let types: Vec<&str> = (0..36).map(|n| if n < 7 { "sliding_attention" } else { "full_attention" }).collect();
    assert_eq!(windowed(json!({"layer_types": types})), Some((7, 4096)));
    assert_eq!(windowed(json!({"sliding_window": null})), None);
    // Biases where they are asked for.
    let biased = of(&json!({"attention_bias": true, "mlp_bias": true}));
    let biases = 2048 + 2 * 512 + 2048 + 2 * 11_008 + 2048;
    assert_eq!(biased.parameters(), 3_075_098_624 + 36 * biases);
}

#[test]
fn mixtures_have_their_shared_experts_and_their_corrections() {
    for (config, parameters) in [
        // Ling-mini 2.0, of a family that is not known.
        (
            decoder(
                "bailing_moe",
                [20, 2048, 5120, 16, 4, 157_184],
                &json!({
                    "head_dim": 128, "num_experts": 256, "num_experts_per_tok": 8, "num_shared_experts": 1,
                    "moe_intermediate_size": 512, "first_k_dense_replace": 1, "use_qk_norm": true, "use_bias": false,
                    "use_qkv_bias": false, "moe_router_enable_expert_bias": true, "hidden_act": "silu",
                }),
            ),
            16_255_643_392,
        ),
        // Hunyuan A13B, whose file repeats a number for each layer.
        (
            decoder(
                "hunyuan_v1_moe",
                [32, 4096, 3072, 32, 8, 128_167],
                &json!({
                    "tie_word_embeddings": true, "num_experts": 64, "moe_topk": vec![8; 32],
                    "moe_intermediate_size": vec![3072; 32], "num_shared_expert": vec![1; 32],
                }),
            ),
            80_393_183_232,
        ),
        // dots.llm1, 142 billion.
        (
            decoder(
                "dots1",
                [62, 4096, 10_944, 32, 32, 152_064],
                &json!({
                    "n_routed_experts": 128, "n_shared_experts": 2, "num_experts_per_tok": 6,
                    "moe_intermediate_size": 1408, "first_k_dense_replace": 1, "max_window_layers": 62,
                }),
            ),
            62 * (4 * 4096 * 4096 + 2 * 128 + 2 * 4096)
                + 3 * 4096 * 10_944
                + 61 * (130 * 3 * 4096 * 1408 + 128 * 4096 + 128)
                + 2 * 152_064 * 4096
                + 4096,
        ),
        // MiniMax-M2; its published total has a scale for each 128 × 128 weights besides.
        (
            decoder(
                "minimax_m2",
                [62, 3072, 1536, 48, 8, 200_064],
                &json!({"head_dim": 128, "num_local_experts": 256, "num_experts_per_tok": 8,
                    "attn_type_list": vec![1; 62]}),
            ),
            228_689_764_864,
        ),
    ] {
        assert_eq!(read(&config).parameters(), parameters, "{config}");
    }
}

#[test]
fn ernie_has_its_experts_under_names_of_its_own() {
    let of = |further: &Value| {
        let keys = json!({
            "tie_word_embeddings": true, "use_bias": false, "moe_num_experts": 64, "moe_k": 6,
            "moe_intermediate_size": 1536, "moe_num_shared_experts": 2, "moe_layer_start_index": 1,
            "moe_layer_end_index": -1, "moe_layer_interval": 1,
        });
        with(decoder("ernie4_5_moe", [28, 2560, 12_288, 20, 4, 103_424], &keys), further)
    };
    // ERNIE 4.5 21B-A3B, of which llama.cpp says 21.83 B: 27 of 28 layers have 64 routed experts and the width of two
    // shared ones, a router and a correction for each expert.
    let model = read(&of(&json!({})));
    let attention = 2 * 2560 * (2560 + 512) + 2 * 2560;
    let mixture = |experts: u64| (experts + 2) * 3 * 2560 * 1536 + 64 * 2560 + 64;
    let dense = 3 * 2560 * 12_288;
    let ends = 103_424 * 2560 + 2560;
    assert_eq!(model.parameters(), 28 * attention + dense + 27 * mixture(64) + ends);
    assert_eq!(model.parameters(), 21_825_437_888);
    assert_eq!(model.active_parameters(), 28 * attention + dense + 27 * mixture(6) + ends);
    let experts = model.experts.unwrap();
    assert_eq!((experts.dense_layers, experts.interleaved, experts.shared_width), (1, false, 3072));
    // What its class takes for missing keys is the same model.
    let missing = json!({
        "tie_word_embeddings": null, "num_key_value_heads": null, "moe_num_experts": null, "moe_k": null,
        "moe_intermediate_size": null, "moe_num_shared_experts": null, "moe_layer_start_index": null,
        "moe_layer_end_index": null, "moe_layer_interval": null,
    });
    assert_eq!(read(&of(&missing)), model);
    // Experts in layers 4 to 19 alone, in every second layer, or in none.
    let dense_layers =
        |further: Value| read(&of(&further)).experts.map(|experts| (experts.dense_layers, experts.interleaved));
    assert_eq!(dense_layers(json!({"moe_layer_start_index": 3, "moe_layer_end_index": 18})), Some((12, true)));
    assert_eq!(dense_layers(json!({"moe_layer_interval": 2})), Some((14, true)));
    assert_eq!(dense_layers(json!({"moe_layer_start_index": 28})), None);
    // Biases of every matrix but the router, and of the head; of shared experts nobody has counted them.
    let biased = json!({"use_bias": true, "moe_num_shared_experts": 0});
    let biases = 28 * (2 * 2560 + 2 * 512) + 2 * 12_288 + 2560 + 27 * 64 * (2 * 1536 + 2560) + 103_424;
    let unshared = model.parameters() - 27 * 2 * 3 * 2560 * 1536;
    assert_eq!(read(&of(&biased)).parameters(), unshared + biases);
    assert_eq!(refused(&of(&json!({"use_bias": true}))), ("use_bias".to_owned(), "allowed is false".to_owned()));
    for (key, value, said) in [
        ("moe_k", json!(65), "65 is given; a token can meet at most the 64 experts of moe_num_experts"),
        ("moe_num_experts", json!([64, 64]), "given a list; allowed: a whole number, not negative"),
        ("moe_layer_interval", json!(0), "0 is given; allowed are 1 to 10000"),
    ] {
        assert_eq!(refused(&of(&json!({ key: value }))), (key.to_owned(), said.to_owned()));
    }
}

#[test]
fn lightning_attention_has_a_state_and_no_cache() {
    // MiniMax-Text-01: every eighth of 80 layers has full attention.
    let kinds: Vec<u64> = (1..=80).map(|layer| u64::from(layer % 8 == 0)).collect();
    let further =
        json!({"head_dim": 128, "num_local_experts": 32, "num_experts_per_tok": 2, "attn_type_list": kinds.clone()});
    for model_type in ["minimax_text_01", "minimax_m1"] {
        let config = decoder(model_type, [80, 6144, 9216, 64, 8, 200_064], &further);
        assert_eq!(read(&config).parameters(), 456_089_655_296);
        let scenario = json!({"model": config, "cluster": {"gpus": 8, "gpus_per_node": 8}});
        let served = estimate(&Scenario::from_value(&scenario).unwrap()).unwrap().inference.unwrap();
        assert_eq!(served.kv_bytes_per_token, Bytes::whole(40_960.0));
        // 64 heads of 128 × 128 in fp32.
        assert_eq!(served.state_bytes_per_sequence, Bytes::whole((70 * 64 * 128 * 128 * 4) as f64));
    }
    let of = |kinds: Value| {
        let further = with(further.clone(), &json!({ "attn_type_list": kinds }));
        refused(&decoder("minimax_text_01", [80, 6144, 9216, 64, 8, 200_064], &further))
    };
    for (kinds, said) in
        [(json!(null), "missing"), (json!([0, 1]), "2 entries"), (json!(vec![2; 80]), "2 is not known")]
    {
        let (field, message) = of(kinds);
        assert_eq!(field, "attn_type_list");
        assert!(message.contains(said), "{message}");
    }
    let (field, message) = refused(&decoder("newcomer", [80, 6144, 9216, 64, 8, 200_064], &further));
    assert_eq!(field, "attn_type_list");
    assert_eq!(message, "is not understood of a family that is not known (\"newcomer\")");
}

#[test]
fn a_head_is_tied_where_the_class_says_so_and_the_file_does_not() {
    let starcoder = json!({"tie_word_embeddings": null, "rms_norm_eps": null, "use_bias": true});
    assert_eq!(read(&decoder("starcoder2", [30, 3072, 12_288, 24, 2, 49_152], &starcoder)).parameters(), 3_030_371_328);
    // What the classes of transformers take for the missing key.
    for (model_type, tied) in [
        ("llama", false),
        ("mistral", false),
        ("qwen2", false),
        ("qwen3", false),
        ("gemma", true),
        ("gemma2", true),
        ("gemma3_text", true),
        ("phi3", false),
        ("gpt_neox", false),
        ("granite", false),
        ("starcoder2", true),
        ("cohere", true),
        ("cohere2", true),
        ("phi", false),
        ("olmo", false),
        ("olmo2", false),
        ("apertus", false),
        ("arcee", false),
        ("nemotron", false),
        ("glm", false),
        ("glm4", false),
        ("stablelm", false),
        ("seed_oss", false),
        ("exaone4", false),
        ("hunyuan_v1_dense", false),
    ] {
        let config = decoder(model_type, [4, 512, 1024, 8, 4, 1000], &json!({"tie_word_embeddings": null}));
        assert_eq!(read(&config).tied_embeddings, tied, "{model_type}");
    }
}

#[test]
fn a_pattern_of_layers_is_read_as_the_number_it_says() {
    // EXAONE 4.0 32B.
    let further = json!({"head_dim": 128, "sliding_window": 4096, "sliding_window_pattern": "LLLG"});
    let model = read(&decoder("exaone4", [64, 5120, 27_392, 40, 8, 102_400], &further));
    assert_eq!(model.parameters(), 32_003_216_384);
    assert_eq!(model.window.map(|window| (window.layers, window.tokens)), Some((48, 4096)));
    let further = with(further, &json!({"sliding_window": null, "sliding_window_pattern": null}));
    assert_eq!(read(&decoder("exaone4", [64, 5120, 27_392, 40, 8, 102_400], &further)).window, None);
    let unknown = json!({"sliding_window": 4096, "sliding_window_pattern": "LLLG"});
    let model = read(&decoder("newcomer", [64, 5120, 27_392, 40, 8, 102_400], &unknown));
    assert_eq!(model.window.map(|window| window.layers), Some(48));
}

#[test]
fn a_list_of_one_number_is_read_as_that_number() {
    let even = decoder("llama", [32, 4096, 14_336, 32, 8, 128_256], &json!({"intermediate_size": vec![14_336; 32]}));
    assert_eq!(read(&even).parameters(), 8_030_261_248);
    let inner = json!({"model_type": "mistral3", "text_config": with(even, &json!({"model_type": "mistral"}))});
    assert_eq!(read(&inner).parameters(), 8_030_261_248);
    // Of a known family a list of several is a mistake.
    let uneven = json!({"intermediate_size": [14_336, 7168]});
    let (field, message) = refused(&decoder("llama", [2, 4096, 14_336, 32, 8, 128_256], &uneven));
    assert_eq!(
        (field.as_str(), message.as_str()),
        ("intermediate_size", "given a list; allowed: a whole number, not negative")
    );
}

#[test]
fn what_cannot_be_read_of_an_unknown_family_names_the_family() {
    for (model_type, key, value, given) in [
        ("mimo_v2_flash", "moe_layer_freq", json!([0, 1, 1, 1]), "a list"),
        ("hunyuan", "moe_intermediate_size", json!([3072, 1024]), "a list"),
        ("newcomer", "sliding_window_pattern", json!("LGLG"), "\"LGLG\""),
    ] {
        let config = decoder(model_type, [4, 4096, 3072, 32, 8, 128_167], &json!({ key: value }));
        let (field, message) = refused(&config);
        assert_eq!(field, key);
        let said = format!(
            "\"{model_type}\" is no known family, and what its file has under this key cannot be read yet: given {given}; \
             allowed: a whole number, not negative"
        );
        assert_eq!(message, said);
        let error = estimate(&Scenario::from_value(&json!({ "model": config })).unwrap()).unwrap_err();
        assert_eq!((error.field.as_ref(), error.message()), (format!("model.{key}").as_str(), said));
    }
    // Gemma 3n: an embedding for each layer, and more that no key tells.
    let text = json!({"intermediate_size": vec![16_384; 35], "hidden_size_per_layer_input": 256});
    let text = decoder("gemma3n_text", [35, 2048, 16_384, 8, 2, 262_400], &text);
    let (field, message) = refused(&json!({"model_type": "gemma3n", "text_config": text}));
    assert_eq!(field, "text_config.hidden_size_per_layer_input");
    assert_eq!(message, "is not understood of a family that is not known (\"gemma3n_text\")");
}

#[test]
fn layer_norms_of_an_unknown_family_are_not_taken_for_a_missing_key() {
    for key in ["layer_norm_eps", "layer_norm_epsilon", "norm_eps", "norm_epsilon"] {
        let config = decoder("newcomer", [4, 512, 1024, 8, 4, 1000], &json!({"rms_norm_eps": null, key: 1e-5}));
        let (field, message) = refused(&config);
        assert_eq!(field, key);
        assert!(message.starts_with("\"newcomer\" is no known family, and in place of rms_norm_eps"), "{message}");
    }
}

#[test]
fn a_quantised_checkpoint_is_told_which_format_matches() {
    let llama = |quantised: &Value| {
        let further = json!({ "quantization_config": quantised });
        decoder("llama", [32, 4096, 14_336, 32, 8, 128_256], &further)
    };
    let shape = "Llama; 32 layers of 4096; 32 query and 8 key-value heads of 128; gated MLP of 14336; 2 RMS norms a layer, \
                 none on heads; no biases; a head of its own";
    for (quantised, told, matching) in [
        (json!({"quant_method": "awq", "bits": 4, "group_size": 128}), "awq, 4 bits, groups of 128", "int4-g128"),
        (json!({"quant_method": "gptq", "bits": 4, "group_size": 128}), "gptq, 4 bits, groups of 128", "gptq-g128"),
        (json!({"quant_method": "gptq", "bits": 4, "group_size": 32}), "gptq, 4 bits, groups of 32", "gptq-g32"),
        (json!({"quant_method": "fp8", "weight_block_size": [128, 128]}), "fp8", "fp8-block"),
        (json!({"quant_method": "fp8"}), "fp8", "fp8"),
        (json!({"quant_method": "bitsandbytes", "load_in_4bit": true}), "bitsandbytes", "nf4"),
        (
            json!({"quant_method": "bitsandbytes", "load_in_4bit": true, "bnb_4bit_use_double_quant": true}),
            "bitsandbytes",
            "nf4-dq",
        ),
        (json!({"quant_method": "bitsandbytes", "load_in_8bit": true}), "bitsandbytes", "int8"),
        (json!({"quant_method": "mxfp4"}), "mxfp4", "mxfp4"),
        (json!({"quant_method": "modelopt", "quant_algo": "NVFP4"}), "modelopt, NVFP4", "nvfp4"),
        (
            json!({"quant_method": "compressed-tensors", "format": "float-quantized"}),
            "compressed-tensors, float-quantized",
            "fp8",
        ),
    ] {
        let said = understood(&llama(&quantised)).unwrap();
        let expected = format!(
            "The file's own weights are quantised ({told}): set inference.weights to {matching} to count them so; it is bf16 \
             unless set. {shape}"
        );
        assert_eq!(said, expected);
        // It is a value that exists, and what is counted is bf16 as long as nobody sets it.
        let config = llama(&quantised);
        Scenario::from_value(&json!({"model": config, "inference": {"weights": matching}})).unwrap();
        let bytes = report(&config).inference.unwrap().weight_bytes;
        assert_eq!(bytes, Bytes::whole(2.0 * 8_030_261_248.0));
    }
    let said = understood(&llama(&json!({"quant_method": "gptq", "bits": 3, "group_size": -1}))).unwrap();
    assert!(
        said.contains("(gptq, 3 bits, groups of -1), which no value of inference.weights matches exactly;"),
        "{said}"
    );
    assert_eq!(understood(&llama(&json!({}))), None);
    // Beside what is said of an unknown family, and from the file around a language model.
    let unknown = with(llama(&json!({"quant_method": "fp8"})), &json!({"model_type": "newcomer"}));
    let said = understood(&unknown).unwrap();
    assert!(
        said.contains("set inference.weights to fp8 ") && said.contains("\"newcomer\" is no known family"),
        "{said}"
    );
    let inner = llama(&json!(null));
    let outer =
        json!({"model_type": "newcomer", "text_config": inner, "quantization_config": {"quant_method": "mxfp4"}});
    assert!(understood(&outer).unwrap().contains("set inference.weights to mxfp4 "));
}

#[test]
fn what_is_refused_and_what_is_understood_is_said_in_chinese_too() {
    for (changes, key, said) in [
        (
            json!({"model_type": "bert", "vocab_size": null}),
            "model_type",
            "不认识“bert”；若要按通用解码器读取，还缺少：vocab_size",
        ),
        (json!({"num_hidden_layers": 10_001}), "num_hidden_layers", "给定 10001；允许 1 到 10000"),
        (json!({"hidden_size": null}), "hidden_size", "缺少此项；须为 1 到 1000000 之间的整数"),
        (json!({"num_key_value_heads": 5}), "num_key_value_heads", "5 不能整除 num_attention_heads 的 32"),
        (
            json!({"model_type": "newcomer", "mamba_d_state": 16}),
            "mamba_d_state",
            "不认识“newcomer”，无法确定此项的含义",
        ),
        (json!({"model_type": "newcomer", "num_experts": [1, 2]}), "num_experts", "其文件中此项的值暂时无法读取：给定"),
    ] {
        let config = decoder("llama", [32, 4096, 14_336, 32, 8, 128_256], &changes);
        let error = HfConfig::from_value(&config).and_then(|config| config.architecture()).unwrap_err();
        assert_eq!(error.field, key);
        let Problem::Model(problem) = &error.problem else { panic!("{error:?}") };
        let text = zh::pasted_model::refused(problem);
        assert!(text.contains(said), "{text}");
    }
    let quantised = json!({"quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 128}});
    let unknown =
        report(&decoder("newcomer", [32, 4096, 14_336, 32, 8, 128_256], &quantised)).model.understood.unwrap();
    assert_eq!(
        zh::pasted_model::understood(&unknown),
        "该文件自身的权重是量化的（awq，4 位，每组 128 个）：把 inference.weights 设为 int4-g128 即按此计算，不设则为 \
         bf16。不认识“newcomer”，按类似 Llama 的解码器读取；32 层，隐藏维度 4096；32 个查询头、8 个键值头，头宽 \
         128；门控 MLP，宽 14336；每层 2 个 RMSNorm，头上没有；没有偏置；输出层有自己的权重"
    );
}

//! Models: parameter counts from dimensions, configuration files good and bad, assumed shapes.

use proptest::prelude::*;
use vram_ledger::model::{Architecture, HfConfig, assumed_shape};

fn read(config: &str) -> Architecture {
    HfConfig::from_json(config).unwrap().architecture().unwrap()
}

const LLAMA_3_1_8B: &str = r#"{
    "architectures": ["LlamaForCausalLM"], "attention_bias": false, "attention_dropout": 0.0, "bos_token_id": 128000,
    "eos_token_id": [128001, 128008], "hidden_act": "silu", "hidden_size": 4096, "initializer_range": 0.02,
    "intermediate_size": 14336, "max_position_embeddings": 131072, "mlp_bias": false, "model_type": "llama",
    "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8, "pretraining_tp": 1,
    "rms_norm_eps": 1e-05, "rope_scaling": {"factor": 8.0, "rope_type": "llama3"}, "rope_theta": 500000.0,
    "tie_word_embeddings": false, "torch_dtype": "bfloat16", "use_cache": true, "vocab_size": 128256
}"#;

#[test]
fn a_pasted_llama_config_is_counted_to_the_last_parameter() {
    let model = read(LLAMA_3_1_8B);
    assert_eq!(model.parameters(), 8_030_261_248);
    assert_eq!(model.active_parameters(), 8_030_261_248);
    assert_eq!(model.embedding_parameters(), 2 * 128_256 * 4096);
    assert_eq!(model.parameters(), model.embedding_parameters() + 32 * model.layer_parameters() + 4096);
    // Keys and values of two bytes in every layer.
    assert_eq!(2 * model.kv_elements_per_layer() * model.layers, 131_072);
    assert_eq!(model.maximum_positions, Some(131_072));
    assert_eq!(model.window, None);
}

#[test]
fn seven_billion_parameters_are_the_well_known_shape() {
    let shape = assumed_shape(7_000_000_000).unwrap();
    assert_eq!((shape.layers, shape.hidden, shape.heads, shape.kv_heads), (32, 4096, 32, 8));
    assert_eq!((shape.vocabulary, shape.tied_embeddings), (128_256, false));
}

proptest! {
    #[test]
    fn an_assumed_shape_has_the_parameters_asked_for(exponent in 7.0_f64..15.0) {
        let asked = 10_f64.powf(exponent) as u64;
        let shape = assumed_shape(asked).unwrap();
        let error = shape.parameters() as f64 / asked as f64 - 1.0;
        prop_assert!(error.abs() < 0.01, "{asked}: {shape:?} is off by {error}");
    }
}

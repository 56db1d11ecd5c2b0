//! Pasted files of families that the catalogue has no row of: what is counted of them and what is refused.
//!
//! Counts are sums over the tensors that the modelling files of transformers make; where a checkpoint's total is published
//! it is the same number.

use serde_json::{Value, json};
use vram_ledger::model::{Architecture, HfConfig};
use vram_ledger::Scenario;

fn read(config: &Value) -> Architecture {
    let keys = HfConfig::from_value(config).unwrap_or_else(|error| panic!("{config}: {error}"));
    keys.architecture().unwrap_or_else(|error| panic!("{config}: {error}"))
}

fn refused(config: &Value) -> (String, String) {
    let error = HfConfig::from_value(config).and_then(|config| config.architecture()).unwrap_err();
    (error.field, error.message)
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
        let error = Scenario::from_value(&json!({ "model": config })).unwrap_err();
        assert_eq!((error.field.as_ref(), error.message()), (format!("model.{key}").as_str(), said));
    }
    // Gemma 3n: an embedding for each layer, and more that no key tells.
    let text = json!({"intermediate_size": vec![16_384; 35], "hidden_size_per_layer_input": 256});
    let text = decoder("gemma3n_text", [35, 2048, 16_384, 8, 2, 262_400], &text);
    let (field, message) = refused(&json!({"model_type": "gemma3n", "text_config": text}));
    assert_eq!(field, "text_config.hidden_size_per_layer_input");
    assert_eq!(message, "is not understood of a family that is not known (\"gemma3n_text\")");
}

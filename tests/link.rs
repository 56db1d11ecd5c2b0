//! Links hold a scenario without loss, and anything else typed into one is refused.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use vram_ledger::link::{decode, decode_value, encode, encode_value};
use vram_ledger::model::catalogue;
use vram_ledger::scenario::Scenario;

fn scenario(value: Value) -> Scenario {
    Scenario::from_value(&value).expect("a scenario of the schema")
}

#[test]
fn a_link_is_short_and_readable() {
    let asked = scenario(json!({
        "model": "llama-3.1-8b",
        "cluster": {"gpus": 8},
        "training": {"sharding": "zero3", "schedule": "1f1b", "dropout": 0.1}
    }));
    let link = encode(&asked);
    assert_eq!(
        link,
        "cluster.gpus=8&model=llama-3.1-8b&training.dropout=0.1&training.schedule=1f1b&training.sharding=zero3"
    );
    assert_eq!(decode(&link), Ok(asked));
}

#[test]
fn integers_may_be_written_either_way() {
    let long = decode("#model.parameters=7000000000").expect("digits");
    assert_eq!(decode("model.parameters=7e9"), Ok(long.clone()));
    assert_eq!(decode("model.parameters=7000000000.0"), Ok(long.clone()));
    assert_eq!(encode(&long), "model.parameters=7000000000");
}

#[test]
fn lists_and_configs_travel() {
    let asked = scenario(json!({
        "training": {
            "zeropp": ["quantized_weights", "secondary_partition"],
            "layers_per_stage": [8, 8, 9, 7],
            "adapter": {"kind": "lora", "rank": 16, "targets": ["q_proj", "v_proj"]}
        }
    }));
    let link = encode(&asked);
    assert!(link.is_ascii() && !link.contains([' ', '"', '<', '>', '[', ']']), "{link}");
    assert_eq!(decode(&link), Ok(asked));
}

#[test]
fn nothing_given_differs_from_no_link() {
    assert_eq!(encode(&Scenario::default()), "%7B%7D");
    assert_eq!(decode("%7B%7D"), Ok(Scenario::default()));
    assert_eq!(decode(""), Ok(Scenario::default()));
    // A part that was created and left empty is not lost either.
    let empty_part = scenario(json!({"training": {}}));
    assert_eq!(decode(&encode(&empty_part)), Ok(empty_part));
}

#[test]
fn refusals_name_the_path() {
    let refusal = |link: &str| decode(link).expect_err(link).to_string();
    for (link, words) in [
        ("cluster.gpus", &["cluster.gpus", "path=value"][..]),
        ("cluster.gpus=8&cluster.gpus=9", &["cluster.gpus", "twice"]),
        ("model=gpt2&model.parameters=7e9", &["model.parameters", "both"]),
        ("model.parameters=7e9&model=gpt2", &["model", "twice"]),
        ("training.sharding=zero4", &["training.sharding", "zero4", "zero3"]),
        ("training.colour=red", &["training.colour", "unknown field"]),
        ("model=%ZZ", &["%ZZ", "hexadecimal"]),
        ("model=%FF%FE", &["UTF-8"]),
        ("cluster.gpus=many", &["cluster.gpus", "many"]),
        ("cluster.gpus=1e999", &["cluster.gpus", "1e999"]),
        ("=7", &["unknown field"]),
    ] {
        let message = refusal(link);
        for word in words {
            assert!(message.contains(word), "{link}: {message} does not say {word}");
        }
    }
}

#[test]
fn deep_and_long_links_are_refused_without_harm() {
    assert!(decode(&format!("{}=1", vec!["a"; 200_000].join("."))).is_err());
    let refusal = decode(&format!("model={}", "[".repeat(200_000))).expect_err("no model of the catalogue");
    assert!(refusal.field == "model" && refusal.to_string().len() < 5000);
    assert!(decode(&"&".repeat(100_000)).is_ok());
}

/// Any JSON that a link may have to carry: keys and strings of any characters, lists and objects in each other.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        proptest::num::f64::NORMAL.prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[-0-9.e\\[\\]{}\",%&=#a-z+ ]{0,12}".prop_map(Value::from),
        proptest::sample::select(vec!["true", "false", "null", "8", "7e9", "1f1b", "{}", "[1]", "\"x\"", "-"])
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(any::<String>(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn any_object() -> impl Strategy<Value = Value> {
    proptest::collection::btree_map("[a-z_.%é]{0,8}", any_json(), 0..5)
        .prop_map(|map| Value::Object(map.into_iter().collect()))
}

/// Scenarios over fields of every kind the schema has.
fn any_scenario() -> impl Strategy<Value = Scenario> {
    let number = prop_oneof![(0u64..1 << 53).prop_map(|n| json!(n)), (0.0..1e15).prop_map(|n: f64| json!(n))];
    let model = prop_oneof![
        number.clone().prop_map(|n| json!({"parameters": n})),
        proptest::sample::select(catalogue()).prop_map(|row| json!(row.id)),
        Just(json!({
            "model_type": "llama", "hidden_size": 4096, "intermediate_size": 11_008, "num_hidden_layers": 32,
            "num_attention_heads": 32, "vocab_size": 32_000, "tie_word_embeddings": false
        })),
    ];
    let optional = |strategy: BoxedStrategy<Value>| proptest::option::of(strategy);
    let training = (
        optional(number.clone().boxed()),
        optional(proptest::sample::select(vec!["none", "zero1", "zero3", "hsdp"]).prop_map(Value::from).boxed()),
        optional(any::<bool>().prop_map(Value::from).boxed()),
        optional(proptest::collection::vec(0u64..100, 0..5).prop_map(Value::from).boxed()),
        optional(prop_oneof![Just(json!("fp8-mixed")), number.clone().prop_map(|n| json!({"weights": n}))].boxed()),
    );
    // Whether there is such a GPU is asked later, so that any text at all may stand there.
    let gpu = any::<String>().prop_map(Value::from);
    let cluster = (optional(number.boxed()), optional(gpu.boxed()));
    (optional(model.boxed()), cluster, training).prop_map(|(model, (gpus, gpu), training)| {
        let mut value = Map::new();
        let (sequence, sharding, sequence_parallel, layers_per_stage, recipe) = training;
        let mut half = Map::new();
        for (key, given) in [
            ("sequence", sequence),
            ("sharding", sharding),
            ("sequence_parallel", sequence_parallel),
            ("layers_per_stage", layers_per_stage),
            ("recipe", recipe),
        ] {
            half.extend(given.map(|given| (key.to_owned(), given)));
        }
        value.extend(model.map(|model| ("model".to_owned(), model)));
        let mut cluster = Map::new();
        cluster.extend(gpus.map(|gpus| ("gpus".to_owned(), gpus)));
        cluster.extend(gpu.map(|gpu| ("gpu".to_owned(), gpu)));
        value.insert("cluster".to_owned(), cluster.into());
        value.insert("training".to_owned(), half.into());
        scenario(value.into())
    })
}

proptest! {
    #[test]
    fn any_object_survives(value in any_object()) {
        prop_assert_eq!(decode_value(&encode_value(&value)), Ok(value));
    }

    #[test]
    fn scenario_to_link_to_scenario(asked in any_scenario()) {
        prop_assert_eq!(decode(&encode(&asked)), Ok(asked));
    }

    #[test]
    fn link_to_scenario_to_link(asked in any_scenario()) {
        let link = encode(&asked);
        prop_assert_eq!(encode(&decode(&link).expect("a link of our own")), link);
    }

    #[test]
    fn hostile_links_are_answered(text in any::<String>(), shaped in "(#?[a-z.]{0,20}=?[-0-9a-z%\\[\\]{}\"&.]{0,20}){0,6}") {
        let _ = decode(&text);
        let _ = decode(&shaped);
    }
}

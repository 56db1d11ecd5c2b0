//! The rows of the settings: what each says of itself is what reading, checking and settling do.

use serde_json::json;
use vram_ledger::Scenario;
use vram_ledger::model::find;
use vram_ledger::resolve::{Resolved, resolve};
use vram_ledger::scenario::{Kind, ModelChoice, Plain, SettingId};

/// The opening question, in which everything that is not absent has a value.
fn opening() -> Resolved {
    resolve(&Scenario::default()).expect("the opening question")
}

#[test]
fn paths_name_the_fields_that_are_read() {
    for (index, setting) in SettingId::ALL.iter().enumerate() {
        let path = setting.path();
        assert_eq!(*setting as usize, index, "{path}");
        assert_eq!(SettingId::from_path(path), Some(*setting));
        // A value of no kind at all is refused under the path of the row.
        let wrong = path.rsplit('.').fold(json!(-1e300), |inner, key| {
            if inner.is_object() || key != path.rsplit('.').next().unwrap() {
                json!({ key: inner })
            } else {
                json!({ key: [] })
            }
        });
        let refused = Scenario::from_value(&wrong).map(|scenario| resolve(&scenario).map(|_| ()));
        let field = match refused {
            Err(error) | Ok(Err(error)) => error.field.to_string(),
            // An empty list is a list.
            Ok(Ok(())) => path.to_owned(),
        };
        assert_eq!(field, path);
    }
}

#[test]
fn a_value_is_given_read_back_and_taken_away() {
    for setting in SettingId::ALL {
        let value = match setting.kind() {
            Kind::Number { least, most, default, .. } => Plain::Number(default.unwrap_or(least).clamp(least, most)),
            Kind::Name(names) => Plain::Name(names[names.len() - 1]),
            Kind::Switch => Plain::Switch(true),
            Kind::Own => continue,
        };
        let mut scenario = Scenario::default();
        assert_eq!(setting.given(&scenario), None);
        setting.to(value).expect("a value of its kind").apply(&mut scenario);
        assert_eq!(setting.given(&scenario), Some(value), "{}", setting.path());
        let pointer = format!("/{}", setting.path().replace('.', "/"));
        assert!(scenario.to_value().pointer(&pointer).is_some(), "{pointer}");
        setting.unset().apply(&mut scenario);
        assert_eq!(setting.given(&scenario), None);
    }
}

#[test]
fn numbers_are_held_against_the_range_of_their_row() {
    for setting in SettingId::ALL {
        let Kind::Number { least, most, whole, default, .. } = setting.kind() else { continue };
        let path = setting.path();
        assert!(default.is_none_or(|default| (least..=most).contains(&default)), "{path}");
        for outside in [least - 1.0, most * 2.0] {
            let mut scenario = Scenario::default();
            setting.to(Plain::Number(outside)).expect("a number").apply(&mut scenario);
            let message = match resolve(&scenario) {
                Err(error) => error.to_string(),
                // What only some engines have is refused for that before.
                Ok(_) => panic!("{path} takes {outside}"),
            };
            let kind = if whole { "a whole number" } else { "a number" };
            let of_range = message == format!("{path}: given {outside}; allowed: {kind} from {least} to {most}");
            assert!(of_range || message.contains("with engine"), "{message}");
        }
    }
}

#[test]
fn defaults_of_the_rows_are_what_an_empty_question_stands_for() {
    let opening = opening();
    for setting in SettingId::ALL {
        let Kind::Number { default: Some(default), .. } = setting.kind() else { continue };
        let settled = opening.value(*setting);
        // Without adapters theirs stand for nothing.
        if !setting.path().starts_with("training.adapter.") {
            assert_eq!(settled, Some(Plain::Number(default)), "{}", setting.path());
        }
    }
}

#[test]
fn a_given_value_is_the_settled_one() {
    let mut scenario = Scenario { model: find("mixtral-8x7b").map(ModelChoice::Catalogue), ..Scenario::default() };
    for (path, value) in [
        ("cluster.gpus", Plain::Number(64.0)),
        ("cluster.bandwidth_view", Plain::Name("single_nic")),
        ("training.tensor", Plain::Number(2.0)),
        ("training.expert", Plain::Number(4.0)),
        ("training.kernels", Plain::Name("compiled")),
        ("training.sequence_parallel", Plain::Switch(false)),
        ("training.adapter.rank", Plain::Number(8.0)),
        ("inference.engine", Plain::Name("vllm")),
        ("inference.memory_fraction", Plain::Number(0.5)),
        ("inference.max_sequences", Plain::Number(7.0)),
    ] {
        let setting = SettingId::from_path(path).expect("a setting");
        setting.to(value).expect("a value of its kind").apply(&mut scenario);
        assert_eq!(resolve(&scenario).expect("a question").value(setting), Some(value), "{path}");
    }
}

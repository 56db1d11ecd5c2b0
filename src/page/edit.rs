//! Changing one field of a question by the path that also names it in links and errors.

use serde_json::{Map, Value};
use vram_ledger::scenario::{FieldError, Scenario};

/// One field set to a value, or given back to its default.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// The dotted path of the field.
    pub path: &'static str,
    /// The new value; `None` takes the field out, so that its default holds again.
    pub value: Option<Value>,
}

impl Edit {
    /// Sets a field.
    pub fn set(path: &'static str, value: impl Into<Value>) -> Edit {
        Edit { path, value: Some(value.into()) }
    }

    /// Takes a field out.
    pub fn clear(path: &'static str) -> Edit {
        Edit { path, value: None }
    }
}

/// `scenario` with every edit made.
///
/// # Errors
/// A value that the schema does not have there.
pub fn edited(scenario: &Scenario, edits: &[Edit]) -> Result<Scenario, FieldError> {
    let mut value = scenario.to_value();
    for edit in edits {
        if let Value::Object(root) = &mut value {
            put(root, edit.path, edit.value.clone());
        }
    }
    Scenario::from_value(&value)
}

/// Sets or removes what stands at `path`; a part that is left without fields goes with its last one.
fn put(map: &mut Map<String, Value>, path: &str, value: Option<Value>) {
    match (path.split_once('.'), value) {
        (None, Some(value)) => {
            map.insert(path.to_owned(), value);
        }
        (None, None) => remove(map, path),
        (Some((part, rest)), value) => {
            let inner = map.entry(part).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(inner) = inner {
                put(inner, rest, value);
                if inner.is_empty() {
                    remove(map, part);
                }
            }
        }
    }
}

/// Takes a key out, by leaving it behind: a map's own removal rebalances a tree, which is far more code than a page
/// with a dozen keys has need of.
fn remove(map: &mut Map<String, Value>, gone: &str) {
    for (key, value) in std::mem::take(map) {
        if key != gone {
            map.insert(key, value);
        }
    }
}

/// What stands at `path`, if anything was given there.
pub fn given(scenario: &Scenario, path: &str) -> Option<Value> {
    let mut value = scenario.to_value();
    for part in path.split('.') {
        value = value.get_mut(part)?.take();
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_and_go() {
        let none = Scenario::default();
        let asked = edited(&none, &[Edit::set("cluster.gpus", 8), Edit::set("training.sharding", "zero3")])
            .expect("fields of the schema");
        assert_eq!(given(&asked, "cluster.gpus"), Some(8.into()));
        assert_eq!(given(&asked, "cluster.gpu"), None);
        let fewer = edited(&asked, &[Edit::clear("cluster.gpus"), Edit::clear("inference.kv")]).expect("fewer fields");
        assert_eq!(fewer.to_value(), serde_json::json!({"training": {"sharding": "zero3"}}));
    }

    #[test]
    fn what_the_schema_lacks_is_refused() {
        let error =
            edited(&Scenario::default(), &[Edit::set("training.sharding", "zero4")]).expect_err("no such stage");
        assert_eq!(error.field, "training.sharding");
    }
}

//! A change to a question: the one form in which advice, planners, comparisons and controls say what they would ask
//! instead.

use std::fmt;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{
    Adapter, AdapterTargets, Cluster, GpuChoice, Inference, LinkChoice, ModelChoice, Number, RecipeChoice, Scenario,
    SettingId, Training,
};
use crate::frameworks::Framework;
use crate::names::{
    AdapterKind, Attention, BandwidthView, CacheFormat, ComputeFormat, ContextMethod, DispatchFormat, Engine,
    FlopsConvention, Kernels, LatentCache, Loss, Offload, OptimizerStep, Recompute, ReduceFormat, Schedule, Sharding,
    WeightFormat, ZeroPlusPlus,
};
use crate::optimizers::Optimizer;
use crate::schema::Schema;

/// A field of the question, and where it stands in a scenario. Each is a constant of the part it belongs to, named as
/// the field is: `Training::tensor`.
pub struct Setting<T: 'static> {
    /// Which one it is.
    pub id: SettingId,
    /// The dotted path of the field.
    pub path: &'static str,
    pub(super) get: fn(&Scenario) -> Option<&T>,
    pub(super) slot: fn(&mut Scenario) -> &mut Option<T>,
}

impl<T> Clone for Setting<T> {
    fn clone(&self) -> Setting<T> {
        *self
    }
}

impl<T> Copy for Setting<T> {}

impl<T> PartialEq for Setting<T> {
    fn eq(&self, other: &Setting<T>) -> bool {
        self.id == other.id
    }
}

impl<T> fmt::Debug for Setting<T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.path)
    }
}

impl<T> Setting<T> {
    /// The value that `scenario` gives it.
    #[must_use]
    pub fn given(self, scenario: &Scenario) -> Option<&T> {
        (self.get)(scenario)
    }
}

impl<T: Settable> Setting<T> {
    /// The change that gives it `value`, or takes its value away so that the default stands.
    #[must_use]
    pub fn set(self, value: Option<T>) -> Change {
        T::change(self, value)
    }

    /// The change that gives it `value`.
    #[must_use]
    pub fn to(self, value: T) -> Change {
        self.set(Some(value))
    }

    /// The change that gives it back to its default.
    #[must_use]
    pub fn unset(self) -> Change {
        self.set(None)
    }
}

impl Setting<Number> {
    /// The change that gives it a count. Counts of scenarios stay far below 2^53.
    #[must_use]
    pub fn count(self, count: u64) -> Change {
        self.to(Number(count as f64))
    }
}

/// A type that a setting can have.
pub trait Settable: Sized {
    /// The change that sets `setting`.
    fn change(setting: Setting<Self>, value: Option<Self>) -> Change;
}

/// One variant for each type of value.
macro_rules! changes {
    ($($variant:ident($kind:ty)),+ $(,)?) => {
        /// One setting given another value, or, without one, given back to its default.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs, reason = "a variant is named after the type of the setting")]
        pub enum Change {
            $($variant(Setting<$kind>, Option<$kind>)),+
        }

        $(impl Settable for $kind {
            fn change(setting: Setting<$kind>, value: Option<$kind>) -> Change {
                Change::$variant(setting, value)
            }
        })+

        impl Change {
            /// The dotted path of the setting.
            #[must_use]
            pub fn path(&self) -> &'static str {
                match self { $(Change::$variant(setting, _) => setting.path),+ }
            }

            /// The new value as JSON; `null` gives the setting back to its default.
            #[must_use]
            pub fn value(&self) -> Value {
                match self { $(Change::$variant(_, value) => value.as_ref().map_or(Value::Null, Schema::write)),+ }
            }

            /// Whether `scenario` already says so.
            #[must_use]
            pub fn is_made_in(&self, scenario: &Scenario) -> bool {
                match self { $(Change::$variant(setting, value) => setting.given(scenario) == value.as_ref()),+ }
            }

            /// Makes the change.
            pub fn apply(self, scenario: &mut Scenario) {
                match self {
                    // What was never given needs no part to be taken away from.
                    $(Change::$variant(setting, None) => {
                        if setting.given(scenario).is_some() {
                            *(setting.slot)(scenario) = None;
                        }
                    })+
                    $(Change::$variant(setting, value) => *(setting.slot)(scenario) = value),+
                }
            }
        }
    };
}

changes! {
    Number(Number),
    Numbers(Vec<Number>),
    Switch(bool),
    Model(ModelChoice),
    Gpu(GpuChoice),
    Link(LinkChoice),
    Recipe(RecipeChoice),
    Adapter(Adapter),
    Targets(AdapterTargets),
    ZeroPlusPlus(Vec<ZeroPlusPlus>),
    Framework(Framework),
    BandwidthView(BandwidthView),
    Compute(ComputeFormat),
    Optimizer(Optimizer),
    OptimizerStep(OptimizerStep),
    Sharding(Sharding),
    Reduce(ReduceFormat),
    Schedule(Schedule),
    Dispatch(DispatchFormat),
    ContextMethod(ContextMethod),
    Recompute(Recompute),
    FlopsConvention(FlopsConvention),
    Attention(Attention),
    Kernels(Kernels),
    Loss(Loss),
    Offload(Offload),
    AdapterKind(AdapterKind),
    Weights(WeightFormat),
    Cache(CacheFormat),
    Engine(Engine),
    LatentCache(LatentCache),
}

/// Several changes, written as one JSON merge patch (RFC 7396).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Patch(pub Vec<Change>);

impl Patch {
    /// `scenario` with every change made. A part that is left without fields goes with its last one.
    #[must_use]
    pub fn applied(&self, scenario: &Scenario) -> Scenario {
        let mut changed = scenario.clone();
        for change in &self.0 {
            change.clone().apply(&mut changed);
        }
        if changed.cluster.as_ref().is_some_and(Cluster::is_empty) {
            changed.cluster = None;
        }
        if changed.training.as_ref().is_some_and(Training::is_empty) {
            changed.training = None;
        }
        if changed.inference.as_ref().is_some_and(Inference::is_empty) {
            changed.inference = None;
        }
        changed
    }

    /// The merge patch as JSON.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut patch = serde_json::Map::new();
        for change in &self.0 {
            let (parts, field) = change.path().rsplit_once('.').unwrap_or(("", change.path()));
            let mut at = &mut patch;
            for part in parts.split('.').filter(|part| !part.is_empty()) {
                let inner = at.entry(part).or_insert_with(|| Value::Object(serde_json::Map::new()));
                // A part that was taken away as a whole and is given fields again is an object from then on.
                if !inner.is_object() {
                    *inner = Value::Object(serde_json::Map::new());
                }
                let Value::Object(fields) = inner else { unreachable!("made an object above") };
                at = fields;
            }
            at.insert(field.to_owned(), change.value());
        }
        Value::Object(patch)
    }
}

impl From<Change> for Patch {
    fn from(change: Change) -> Patch {
        Patch(vec![change])
    }
}

impl Serialize for Patch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Value::Object(parts) = self.to_value() else { return serializer.serialize_map(Some(0))?.end() };
        let mut map = serializer.serialize_map(Some(parts.len()))?;
        for (name, value) in &parts {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn asked(value: &Value) -> Scenario {
        Scenario::from_value(value).expect("a scenario")
    }

    #[test]
    fn settings_come_and_go() {
        let patch = Patch(vec![Cluster::gpus.count(8), Training::sharding.to(Sharding::Zero3)]);
        let changed = patch.applied(&Scenario::default());
        assert_eq!(changed.to_value(), json!({"cluster": {"gpus": 8}, "training": {"sharding": "zero3"}}));
        assert!(patch.0.iter().all(|change| change.is_made_in(&changed) && !change.is_made_in(&Scenario::default())));
        let back = Patch(vec![Cluster::gpus.unset(), Inference::kv.unset(), Training::sharding.unset()]);
        assert_eq!(back.applied(&changed), Scenario::default());
        assert_eq!(
            back.to_value(),
            json!({"cluster": {"gpus": null}, "inference": {"kv": null}, "training": {"sharding": null}})
        );
    }

    #[test]
    fn an_adapter_keeps_what_is_not_changed() {
        let before = asked(&json!({"training": {"adapter": {"kind": "lora", "rank": 8}}}));
        let patch = Patch(vec![Adapter::kind.to(AdapterKind::Qlora)]);
        assert_eq!(patch.to_value(), json!({"training": {"adapter": {"kind": "qlora"}}}));
        assert_eq!(patch.applied(&before), asked(&json!({"training": {"adapter": {"kind": "qlora", "rank": 8}}})));
        // A rank taken away where there is no adapter leaves none behind.
        assert_eq!(Patch(vec![Adapter::rank.unset()]).applied(&Scenario::default()), Scenario::default());
    }
}

//! Changes that controls make to a question.

use vram_ledger::scenario::{Cluster, GpuChoice, Inference, LinkChoice, ModelChoice, Scenario, Training};

use crate::page::fields::{Control, Kind};

/// One change.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Every field of a control that takes a number; `None` gives them back to their defaults.
    Number(Control, Option<f64>),
    /// A choice, by the place of its name among the offered ones; `None` gives it back to its default.
    Choice(Control, Option<usize>),
    /// A switch.
    Switch(Control, bool),
    /// The model.
    Model(ModelChoice),
    /// The GPU, by its id.
    Gpu(String),
    /// The network between nodes, by its id.
    Network(String),
}

impl Edit {
    fn make(&self, scenario: &mut Scenario) {
        match self {
            Edit::Number(control, number) => {
                if let Kind::Number { fields, .. } = control.0.kind {
                    fields.iter().for_each(|field| (field.set)(scenario, *number));
                }
            }
            Edit::Choice(control, index) => {
                if let Kind::Choice { set, .. } = control.0.kind {
                    set(scenario, *index);
                }
            }
            Edit::Switch(control, on) => {
                if let Kind::Switch { set, .. } = control.0.kind {
                    set(scenario, *on);
                }
            }
            Edit::Model(model) => scenario.model = Some(model.clone()),
            Edit::Gpu(id) => scenario.cluster_mut().gpu = Some(GpuChoice::Catalogue(id.clone())),
            Edit::Network(id) => scenario.cluster_mut().network = Some(LinkChoice::Catalogue(id.clone())),
        }
    }
}

/// `scenario` with every edit made.
pub fn edited(scenario: &Scenario, edits: &[Edit]) -> Scenario {
    let mut scenario = scenario.clone();
    edits.iter().for_each(|edit| edit.make(&mut scenario));
    // A part that is left without fields goes with its last one.
    if scenario.cluster.as_ref().is_some_and(Cluster::is_empty) {
        scenario.cluster = None;
    }
    if scenario.training.as_ref().is_some_and(Training::is_empty) {
        scenario.training = None;
    }
    if scenario.inference.as_ref().is_some_and(Inference::is_empty) {
        scenario.inference = None;
    }
    scenario
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::page::fields::{CACHE, GPUS, SHARDING};

    #[test]
    fn fields_come_and_go() {
        let zero3 = SHARDING.choice("zero3").expect("a stage that is offered");
        let asked = edited(&Scenario::default(), &[Edit::Number(GPUS, Some(8.0)), zero3]);
        assert_eq!(asked.to_value(), json!({"cluster": {"gpus": 8}, "training": {"sharding": "zero3"}}));
        assert_eq!(GPUS.given_number(&asked), Some(8.0));
        assert_eq!(SHARDING.given_name(&asked), Some("zero3"));
        let fewer = edited(&asked, &[Edit::Number(GPUS, None), Edit::Choice(CACHE, None)]);
        assert_eq!(fewer.to_value(), json!({"training": {"sharding": "zero3"}}));
    }

    #[test]
    fn only_what_is_offered_can_be_chosen() {
        assert_eq!(SHARDING.choice("zero4"), None);
        assert_eq!(SHARDING.choice(""), Some(Edit::Choice(SHARDING, None)));
    }
}

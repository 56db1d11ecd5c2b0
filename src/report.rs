//! The answer: what one GPU holds and waits for, with the entries it is made of.

use serde::ser::{SerializeSeq, SerializeStruct};
use serde::{Serialize, Serializer};

use crate::advice::{Advice, Hint};
use crate::answer::{Gap, InferenceReport, ModelReport, TrainingReport};
use crate::refusal::FieldError;
use crate::words::en::pasted_model;

/// The answer to a scenario. A half that is impossible on its own is absent, with the reason beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The model as it was understood.
    pub model: ModelReport,
    /// The training half.
    pub training: Option<TrainingReport>,
    /// Why there is no training half.
    pub training_error: Option<FieldError>,
    /// The serving half.
    pub inference: Option<InferenceReport>,
    /// Why there is no serving half.
    pub inference_error: Option<FieldError>,
    /// What lies between the two.
    pub gap: Gap,
    /// What would make it fit, cheapest first.
    pub advice: Vec<Advice>,
    /// Rules of the field that it goes against, what helps most first.
    pub hints: Vec<Hint>,
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// What makes it fit, and behind that what makes it better: one list.
        struct All<'a>(&'a Report);
        impl Serialize for All<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let Report { advice, hints, .. } = self.0;
                let mut list = serializer.serialize_seq(Some(advice.len() + hints.len()))?;
                for advice in advice {
                    list.serialize_element(advice)?;
                }
                for hint in hints {
                    list.serialize_element(hint)?;
                }
                list.end()
            }
        }
        /// The model, and in words what was made of it.
        #[derive(Serialize)]
        struct Model<'a> {
            #[serde(flatten)]
            model: &'a ModelReport,
            #[serde(skip_serializing_if = "Option::is_none")]
            understood: Option<String>,
        }
        let understood = self.model.understood.as_ref().map(pasted_model::understood);
        let mut report = serializer.serialize_struct("Report", 7)?;
        report.serialize_field("model", &Model { model: &self.model, understood })?;
        report.serialize_field("training", &self.training)?;
        if let Some(error) = &self.training_error {
            report.serialize_field("training_error", error)?;
        }
        report.serialize_field("inference", &self.inference)?;
        if let Some(error) = &self.inference_error {
            report.serialize_field("inference_error", error)?;
        }
        report.serialize_field("gap", &self.gap)?;
        report.serialize_field("advice", &All(self))?;
        report.end()
    }
}

//! What a control sets, what it takes and what it shows: for a setting all of it follows from the setting's row.

use vram_ledger::engines::Budget;
use vram_ledger::names::{Name, RecipeName, ZeroPlusPlus};
use vram_ledger::plan::ZeroPlus;
use vram_ledger::scenario::{
    self, Change, ModelChoice, Number, Patch, Plain, Quantity, Scenario, Section, SettingId, Training,
};
use vram_ledger::text;
use vram_ledger::words::Language;

use super::{Refusal, quantity};
use crate::page::answer::Answer;

/// A control of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// That of a setting.
    Setting(SettingId),
    /// A part of ZeRO++, on or off.
    ZeroPlusPlus(ZeroPlusPlus),
    /// Parameters of a decoder whose shape is assumed.
    Parameters,
    /// The keys of a `config.json`.
    ModelConfig,
    /// The precision slider: the format served, and the training recipe.
    Precision,
    /// The sequence slider: training sequences and served contexts of the same length.
    Sequence,
}

/// What a control takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A number, typed.
    Number(Quantity),
    /// One of some names, as the question has them.
    Choice(&'static [&'static str]),
    /// On or off.
    Switch,
    /// A text with several lines.
    Text,
    /// Drawn by a module of its own.
    Own,
}

/// What an option is called whose value is an object.
const CUSTOM: &str = "{…}";

/// The settings that the sequence slider sets together.
const SEQUENCES: [SettingId; 2] = [SettingId::TrainingSequence, SettingId::ServingContext];

impl From<SettingId> for Control {
    fn from(setting: SettingId) -> Control {
        Control::Setting(setting)
    }
}

/// The controls of a section, in the order of the rows.
pub fn controls(section: Section) -> impl Iterator<Item = Control> {
    let settings = SettingId::ALL.iter().copied().filter(move |setting| setting.row().section == Some(section));
    settings.flat_map(|setting| {
        let parts = if setting == SettingId::ZeroPlusPlus { ZeroPlusPlus::ALL } else { &[] };
        let itself = parts.is_empty().then_some(Control::Setting(setting));
        itself.into_iter().chain(parts.iter().copied().map(Control::ZeroPlusPlus))
    })
}

impl Control {
    /// The dotted path of the setting, or a name of its own; also its element's id.
    pub fn id(self) -> &'static str {
        match self {
            Control::Setting(setting) => setting.path(),
            Control::ZeroPlusPlus(ZeroPlusPlus::QuantizedWeights) => "training.zeropp.quantized_weights",
            Control::ZeroPlusPlus(ZeroPlusPlus::QuantizedGradients) => "training.zeropp.quantized_gradients",
            Control::ZeroPlusPlus(ZeroPlusPlus::SecondaryPartition) => "training.zeropp.secondary_partition",
            Control::Parameters => "model.parameters",
            Control::ModelConfig => "model.config",
            Control::Precision => "precision",
            Control::Sequence => "sequence",
        }
    }

    /// What stands beside it.
    pub fn label(self, language: Language) -> &'static str {
        match self {
            Control::Setting(setting) => language.setting(setting),
            Control::ZeroPlusPlus(part) => language.zero_plus_plus(part),
            Control::Parameters => language.say(text!(settings::PARAMETERS)),
            Control::ModelConfig => language.say(text!(models::CONFIG_JSON)),
            Control::Precision => language.say(text!(settings::PRECISION)),
            Control::Sequence => language.say(text!(settings::SEQUENCE)),
        }
    }

    /// What it takes.
    pub fn kind(self) -> Kind {
        match self {
            // Of recipes the named ones are offered.
            Control::Setting(SettingId::Recipe) => Kind::Choice(RecipeName::NAMES),
            Control::Setting(setting) => match setting.kind() {
                scenario::Kind::Number { quantity, .. } => Kind::Number(quantity),
                scenario::Kind::Name(names) => Kind::Choice(names),
                scenario::Kind::Switch => Kind::Switch,
                scenario::Kind::Own => Kind::Own,
            },
            Control::ZeroPlusPlus(_) => Kind::Switch,
            Control::Parameters => Kind::Number(Quantity::Parameters),
            Control::ModelConfig => Kind::Text,
            Control::Precision => Kind::Own,
            Control::Sequence => Kind::Number(Quantity::Tokens),
        }
    }

    /// What the name at `index` among those it offers is called.
    pub fn name_text(self, language: Language, index: usize) -> &'static str {
        match self {
            Control::Setting(SettingId::Recipe) => language.recipe(RecipeName::ALL[index]),
            Control::Setting(setting) => language.value(setting, index),
            _ => "",
        }
    }

    /// What was given, if anything.
    fn given(self, scenario: &Scenario) -> Option<Plain> {
        match self {
            Control::Setting(setting) => setting.given(scenario),
            Control::ZeroPlusPlus(part) => {
                Training::zeropp.given(scenario).map(|parts| Plain::Switch(parts.contains(&part)))
            }
            Control::Parameters => match &scenario.model {
                Some(ModelChoice::Parameters(count)) => Some(Plain::Number(count.0)),
                _ => None,
            },
            Control::Sequence => SEQUENCES.iter().find_map(|setting| setting.given(scenario)),
            Control::ModelConfig | Control::Precision => None,
        }
    }

    /// The number that was given, if any.
    pub fn given_number(self, scenario: &Scenario) -> Option<f64> {
        self.given(scenario)?.number()
    }

    /// The name that was given, if any; [`CUSTOM`] where it is an object of its own.
    pub fn given_name(self, scenario: &Scenario) -> Option<&'static str> {
        let Kind::Choice(names) = self.kind() else { return None };
        match self.given(scenario)? {
            Plain::Name(given) => names.contains(&given).then_some(given),
            Plain::Number(_) | Plain::Switch(_) | Plain::Own => Some(CUSTOM),
        }
    }

    /// What holds in the answer, given or not; none where it has no plain value, or its half of the question was refused.
    pub fn value(self, answer: &Answer) -> Option<Plain> {
        let settled = answer.settled();
        match self {
            Control::Setting(SettingId::Recipe) => Some(Plain::Name(settled.profile.recipe.name())),
            Control::Setting(SettingId::MemoryFraction) => {
                // Of what is left when all else has its place nothing can be set aside.
                let memory = answer.memory().inference.as_ref();
                memory.filter(|half| half.budget != Budget::Free).map(|half| Plain::Number(half.budget_fraction))
            }
            Control::Setting(setting @ SettingId::LogitsRows) => settled.value(setting).or_else(|| {
                let plan = settled.inference.as_ref().ok()?;
                Some(Plain::Number((plan.requests() * (1 + plan.draft_tokens)) as f64))
            }),
            Control::Setting(setting) => settled.value(setting),
            Control::ZeroPlusPlus(part) => {
                let ZeroPlus { quantized_weights, quantized_gradients, secondary_partition } =
                    settled.training.as_ref().ok()?.zeropp;
                Some(Plain::Switch(match part {
                    ZeroPlusPlus::QuantizedWeights => quantized_weights,
                    ZeroPlusPlus::QuantizedGradients => quantized_gradients,
                    ZeroPlusPlus::SecondaryPartition => secondary_partition,
                }))
            }
            Control::Parameters => Some(Plain::Number(answer.memory().model.parameters)),
            // The two may differ once somebody sets them apart; the slider then shows the training's.
            Control::Sequence => SEQUENCES.iter().find_map(|setting| settled.value(*setting)),
            Control::ModelConfig | Control::Precision => None,
        }
    }

    /// The number that holds in the answer.
    pub fn number_in(self, answer: &Answer) -> Option<f64> {
        self.value(answer)?.number()
    }

    /// The changes that give a number to every setting of the control, or give them back to their defaults.
    pub fn number(self, number: Option<f64>) -> Patch {
        let settings: &[SettingId] = match &self {
            Control::Parameters => {
                let count = number.map(|count| ModelChoice::Parameters(Number(count)));
                return Scenario::model.set(count).into();
            }
            Control::Sequence => &SEQUENCES,
            Control::Setting(setting) => std::slice::from_ref(setting),
            Control::ZeroPlusPlus(_) | Control::ModelConfig | Control::Precision => &[],
        };
        let change = |setting: &SettingId| match number {
            Some(number) => setting.to(Plain::Number(number)),
            None => Some(setting.unset()),
        };
        Patch(settings.iter().filter_map(change).collect())
    }

    /// The change that gives a name, or gives the setting back to its default where the name is empty; none where it is
    /// not offered.
    pub fn choice(self, name: &str) -> Option<Change> {
        let (Control::Setting(setting), Kind::Choice(names)) = (self, self.kind()) else { return None };
        if name.is_empty() {
            // Without a kind the remainder of an adapter means nothing.
            let whole = if setting == SettingId::AdapterKind { SettingId::Adapter } else { setting };
            return Some(whole.unset());
        }
        let name = names.iter().copied().find(|known| *known == name)?;
        setting.to(Plain::Name(name))
    }

    /// The change of `scenario` that turns a switch.
    pub fn switched(self, scenario: &Scenario, on: bool) -> Option<Change> {
        match self {
            Control::ZeroPlusPlus(part) => {
                // An empty list is none at all.
                let given = Training::zeropp.given(scenario).cloned().unwrap_or_default();
                let parts: Vec<_> =
                    given.into_iter().filter(|other| *other != part).chain(on.then_some(part)).collect();
                Some(Training::zeropp.set((!parts.is_empty()).then_some(parts)))
            }
            Control::Setting(setting) => setting.to(Plain::Switch(on)),
            _ => None,
        }
    }

    /// What a typed text asks for.
    ///
    /// # Errors
    /// The text is not what the control takes.
    pub fn read(self, text: &str) -> Result<Patch, Refusal> {
        let Kind::Number(quantity) = self.kind() else { return Ok(Patch::default()) };
        if text.trim().is_empty() {
            // An emptied field goes back to its default.
            return Ok(self.number(None));
        }
        let number = quantity::parse(text, quantity).ok_or(Refusal::NotANumber)?;
        Ok(self.number(Some(number)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const GPUS: Control = Control::Setting(SettingId::Gpus);
    const SHARDING: Control = Control::Setting(SettingId::Sharding);

    #[test]
    fn fields_come_and_go() {
        let mut patch = GPUS.number(Some(8.0));
        patch.0.extend(SHARDING.choice("zero3"));
        let asked = patch.applied(&Scenario::default());
        assert_eq!(asked.to_value(), json!({"cluster": {"gpus": 8}, "training": {"sharding": "zero3"}}));
        assert_eq!(GPUS.given_number(&asked), Some(8.0));
        assert_eq!(SHARDING.given_name(&asked), Some("zero3"));
        let mut fewer = GPUS.number(None);
        fewer.0.extend(Control::from(SettingId::Cache).choice(""));
        assert_eq!(fewer.applied(&asked).to_value(), json!({"training": {"sharding": "zero3"}}));
    }

    #[test]
    fn only_what_is_offered_can_be_chosen() {
        assert_eq!(SHARDING.choice("zero4"), None);
        assert!(SHARDING.choice("").is_some_and(|change| change.value().is_null()));
    }

    #[test]
    fn every_setting_has_a_control_but_those_that_take_figures_or_correct_a_default() {
        let without: Vec<&str> = SettingId::ALL
            .iter()
            .filter(|setting| setting.row().section.is_none())
            .map(|setting| setting.path())
            .collect();
        let reasons = [
            ("cluster.link", "figures of the machine, which come with the GPU"),
            ("cluster.memory_efficiency", "corrects what is reached, for whoever measured it"),
            ("cluster.reserve_bytes", "set in links by whoever embeds the page"),
            ("training.adapter", "its parts have controls"),
            ("training.layers_per_stage", "a list"),
            ("training.mfu_ceiling", "corrects what is reached, for whoever measured it"),
            ("training.adapter.targets", "a list"),
            ("training.adapter.dropout", "changes nothing beside masks of the adapters"),
            ("training.adapter.double_quantization", "on where it can be"),
            ("inference.mfu_ceiling", "corrects what is reached, for whoever measured it"),
        ];
        assert_eq!(without, reasons.map(|(path, _)| path));
    }
}

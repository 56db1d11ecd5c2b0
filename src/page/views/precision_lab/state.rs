//! What the lab is set to, and what is being typed into it.

use std::rc::Rc;

use vram_ledger::numerics::{Experiment, Format, MAX_STEPS, Master, Rounding, experiment};
use vram_ledger::scenario::Quantity;
use vram_ledger::text;
use vram_ledger::words::{Language, Text};
use yew::Reducible;

use super::number;
use crate::page::fields::quantity::parse;

/// The settings of the experiment. They always describe one that can be run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// The weight before the first addition.
    pub weight: f64,
    /// What is added each time.
    pub update: f64,
    /// How often.
    pub additions: u64,
    /// What the weight is stored in.
    pub format: Format,
    /// How sums are rounded.
    pub rounding: Rounding,
    /// What takes the updates.
    pub master: Master,
}

impl Default for Setup {
    /// The well-known case: ten thousand updates of 1e-4 that leave a BF16 weight where it was.
    fn default() -> Setup {
        Setup {
            weight: 1.0,
            update: 1e-4,
            additions: 10_000,
            format: Format::Bf16,
            rounding: Rounding::NearestEven,
            master: Master::None,
        }
    }
}

impl Setup {
    /// The experiment with a curve of at most this many points.
    pub fn experiment(&self, points: usize) -> Experiment {
        let Setup { weight, update, additions: steps, format, rounding, master } = *self;
        Experiment { format, weight, update, steps, rounding, master, points }
    }
}

/// The fields and choices of the lab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The weight.
    Weight,
    /// The update.
    Update,
    /// How often it is added.
    Additions,
    /// The format.
    Format,
    /// The rounding.
    Rounding,
}

impl Field {
    /// The id of its element.
    pub fn id(self) -> &'static str {
        match self {
            Field::Weight => "lab-weight",
            Field::Update => "lab-update",
            Field::Additions => "lab-additions",
            Field::Format => "lab-format",
            Field::Rounding => "lab-rounding",
        }
    }

    /// What stands beside it.
    pub fn name(self) -> Text {
        match self {
            Field::Weight => text!(precision_lab::WEIGHT),
            Field::Update => text!(precision_lab::UPDATE),
            Field::Additions => text!(precision_lab::ADDITIONS),
            Field::Format => text!(precision_lab::FORMAT),
            Field::Rounding => text!(precision_lab::ROUNDING),
        }
    }
}

/// Why something was not taken.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// It is not a number.
    NotANumber,
    /// The core refuses this value of that field.
    OutOfRange {
        /// The field that is out of its range; not always the one that was changed.
        field: Field,
        /// What it holds.
        given: String,
        /// The format whose range is meant.
        format: Format,
    },
}

impl Refusal {
    /// Names the field, what was given and what is allowed.
    pub fn text(&self, field: Field, draft: &str, language: Language) -> String {
        match self {
            Refusal::NotANumber => {
                let allowed = match field {
                    Field::Additions => language.fill(text!(precision_lab::WHOLE_UP_TO), &[&number::count(MAX_STEPS)]),
                    _ => language.say(text!(precision_lab::SUCH_NUMBERS)).to_owned(),
                };
                language.fill(text!(precision_lab::NOT_A_NUMBER), &[language.say(field.name()), draft, &allowed])
            }
            Refusal::OutOfRange { field, given, format } => {
                let allowed = match field {
                    Field::Additions => language.fill(text!(precision_lab::WHOLE_UP_TO), &[&number::count(MAX_STEPS)]),
                    _ => language
                        .fill(text!(precision_lab::FINITE_IN), &[&number::text(format.max_finite()), format.name()]),
                };
                language.fill(text!(precision_lab::REFUSED), &[language.say(field.name()), given, &allowed])
            }
        }
    }
}

/// Text that is not, or not yet, a setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The text.
    pub text: String,
    /// Why it was refused, if it was.
    pub refusal: Option<Refusal>,
}

/// The state of the lab.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lab {
    /// The settings.
    pub setup: Setup,
    drafts: Vec<(Field, Draft)>,
}

/// Everything that can happen to the lab.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Somebody types.
    Typed(Field, String),
    /// What was typed is meant.
    Entered(Field),
    /// What was typed is not meant.
    Abandoned(Field),
    /// Another format.
    Format(Format),
    /// Another rounding.
    Rounding(Rounding),
    /// With or without a master copy.
    Master(Master),
}

impl Lab {
    /// What is being typed into a field, or was refused there.
    pub fn draft(&self, field: Field) -> Option<&Draft> {
        self.drafts.iter().find(|(of, _)| *of == field).map(|(_, draft)| draft)
    }

    fn put_draft(&mut self, field: Field, draft: Option<Draft>) {
        self.drafts.retain(|(of, _)| *of != field);
        self.drafts.extend(draft.map(|draft| (field, draft)));
    }

    /// Takes a setup if it can be run; else `shown` and the reason stand at the field that wanted it.
    fn take(&mut self, by: Field, setup: Setup, shown: String) {
        let refused = experiment(setup.experiment(2)).err();
        let draft = refused.map(|error| {
            let (field, given, format) = match error.field {
                "weight" => (Field::Weight, number::given(setup.weight), setup.format),
                "update" => (Field::Update, number::given(setup.update), Format::Fp32),
                _ => (Field::Additions, number::count(setup.additions), setup.format),
            };
            // What was typed there is said as it was typed.
            let given = if field == by { shown.clone() } else { given };
            Draft { text: shown, refusal: Some(Refusal::OutOfRange { field, given, format }) }
        });
        if draft.is_none() {
            self.setup = setup;
        }
        self.put_draft(by, draft);
    }

    fn enter(&mut self, field: Field) {
        let Some(Draft { text, .. }) = self.draft(field).cloned() else { return };
        let quantity = if field == Field::Additions { Quantity::Count } else { Quantity::Share };
        // The sign that is typed as one is not the one on the keyboard.
        let Some(value) = parse(&text.replace('−', "-"), quantity) else {
            self.put_draft(field, Some(Draft { text, refusal: Some(Refusal::NotANumber) }));
            return;
        };
        let mut setup = self.setup;
        match field {
            Field::Weight => setup.weight = value,
            Field::Update => setup.update = value,
            Field::Additions if value.fract() == 0.0 && value >= 0.0 => setup.additions = value as u64,
            _ => {
                let refusal = Refusal::OutOfRange { field, given: text.clone(), format: setup.format };
                self.put_draft(field, Some(Draft { text, refusal: Some(refusal) }));
                return;
            }
        }
        self.take(field, setup, text);
    }
}

impl Reducible for Lab {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        let mut next = Rc::unwrap_or_clone(self);
        match action {
            Action::Typed(field, text) => {
                // What stood there as refused stays said until the new text is meant.
                let refusal = next.draft(field).and_then(|draft| draft.refusal.clone());
                next.put_draft(field, Some(Draft { text, refusal }));
            }
            Action::Entered(field) => next.enter(field),
            Action::Abandoned(field) => next.put_draft(field, None),
            Action::Format(format) => {
                next.take(Field::Format, Setup { format, ..next.setup }, format.id().to_owned());
            }
            Action::Rounding(rounding) => {
                next.take(Field::Rounding, Setup { rounding, ..next.setup }, rounding.id().to_owned());
            }
            Action::Master(master) => next.setup.master = master,
        }
        Rc::new(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(actions: &[Action]) -> Rc<Lab> {
        actions.iter().cloned().fold(Rc::default(), |lab: Rc<Lab>, action| lab.reduce(action))
    }

    fn entered(field: Field, text: &str) -> Rc<Lab> {
        after(&[Action::Typed(field, text.into()), Action::Entered(field)])
    }

    fn refusal(lab: &Lab, field: Field, language: Language) -> String {
        let draft = lab.draft(field).expect("what was refused still stands there");
        draft.refusal.as_ref().expect("a reason").text(field, &draft.text, language)
    }

    #[test]
    fn what_is_entered_is_taken() {
        for (text, value) in [("1e-3", 1e-3), ("0.001", 1e-3), ("-0.25", -0.25), ("−0.25", -0.25), ("０．５", 0.5)]
        {
            let lab = entered(Field::Update, text);
            assert_eq!((lab.setup.update, lab.draft(Field::Update)), (value, None), "{text}");
        }
        assert_eq!(entered(Field::Additions, "1,000,000").setup.additions, 1_000_000);
    }

    #[test]
    fn a_refusal_names_field_given_and_allowed_and_keeps_the_rest() {
        let lab = entered(Field::Update, "abc");
        assert_eq!(lab.setup, Setup::default());
        let text = refusal(&lab, Field::Update, Language::English);
        assert_eq!(text, "Update, added each time: “abc” is not a number; allowed: 0.0001, 1e-4, −2.5");
        assert_eq!(
            refusal(&entered(Field::Additions, "2.5"), Field::Additions, Language::English),
            "Number of additions: 2.5 was given; allowed: whole numbers from 1 to 1,000,000,000"
        );
        assert_eq!(
            refusal(&entered(Field::Additions, "0"), Field::Additions, Language::Chinese),
            "累加次数：给定 0；允许：1 到 1,000,000,000 之间的整数"
        );
        assert_eq!(
            refusal(&entered(Field::Weight, "1e39"), Field::Weight, Language::English),
            "Weight: 1e39 was given; allowed: −3.3895314e38 to 3.3895314e38, the range of BF16"
        );
        assert_eq!(
            refusal(&entered(Field::Additions, "-1"), Field::Additions, Language::English),
            "Number of additions: -1 was given; allowed: whole numbers from 1 to 1,000,000,000"
        );
    }

    #[test]
    fn a_format_that_cannot_hold_the_weight_is_refused_at_the_format() {
        let lab = after(&[
            Action::Typed(Field::Weight, "1000".into()),
            Action::Entered(Field::Weight),
            Action::Format(Format::Fp8E4m3),
        ]);
        assert_eq!(lab.setup.format, Format::Bf16);
        assert_eq!(
            refusal(&lab, Field::Format, Language::English),
            "Weight: 1000.0 was given; allowed: −448.0 to 448.0, the range of FP8 E4M3"
        );
        let other = lab.reduce(Action::Format(Format::Fp16));
        assert_eq!((other.setup.format, other.draft(Field::Format)), (Format::Fp16, None));
    }

    #[test]
    fn a_new_text_keeps_the_reason_until_it_is_meant() {
        let lab = entered(Field::Weight, "x").reduce(Action::Typed(Field::Weight, "2".into()));
        assert!(lab.draft(Field::Weight).is_some_and(|draft| draft.refusal.is_some()));
        let lab = lab.reduce(Action::Entered(Field::Weight));
        assert_eq!((lab.setup.weight, lab.draft(Field::Weight)), (2.0, None));
    }
}

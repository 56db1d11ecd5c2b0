//! The state of the page: the last good question with its answer, what is being typed, what is looked at.

use std::rc::Rc;

use vram_ledger::answer::Half;
use vram_ledger::ledger::Account;
use vram_ledger::names::Sharding;
use vram_ledger::refusal::FieldError;
use vram_ledger::scenario::{ModelChoice, Patch, Scenario};
use yew::Reducible;

use crate::page::answer::Answer;
use crate::page::context::settings::Settings;
use crate::page::fields::{Control, Refusal};

/// The question the page opens with: ZeRO-3 is chosen, so that the slider of GPUs means shards.
pub fn opening() -> Scenario {
    let mut scenario = Scenario::default();
    scenario.training_mut().sharding = Some(Sharding::Zero3);
    scenario
}

/// Where a visit starts: what the address asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// The question of the link, or why it is none.
    pub question: Result<Rc<Scenario>, FieldError>,
    /// The page's settings.
    pub settings: Settings,
}

/// The state of the page.
#[derive(Clone, Debug)]
pub struct State {
    /// The last good question.
    pub scenario: Rc<Scenario>,
    /// Its answer.
    pub answer: Rc<Answer>,
    /// The answer as it was when nothing was being dragged; what is read out is made of this one.
    pub settled: Rc<Answer>,
    /// What the address asked for last; none where it could not be followed.
    pub in_address: Option<Rc<Scenario>>,
    /// Why the address could not be followed.
    pub refused_link: Option<FieldError>,
    /// What is being typed, and what was refused, by the control it stands in.
    drafts: Vec<(Control, Draft)>,
    /// The account that is explained.
    pub selected: Option<Selection>,
    /// The page's settings.
    pub settings: Settings,
    /// Whether a slider is being dragged; the address waits until it is released.
    pub sliding: bool,
    /// The control that changed the question last; changes by the same one share a step of the history.
    pub changed_by: Option<Control>,
    /// How much has happened.
    turn: u64,
}

/// Each state of a page is made from the one before it by something that happened, so their numbers tell them apart.
impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.turn == other.turn
    }
}

/// Text in a field that is not, or not yet, part of the question.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The text.
    pub text: String,
    /// Why it was refused.
    pub refusal: Option<Refusal>,
}

/// An account of one of the two bars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The bar.
    pub half: Half,
    /// The account.
    pub account: Account,
}

/// Everything that can happen to the page.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A control changes the question.
    Change {
        /// The control.
        by: Control,
        /// The changes.
        changes: Patch,
        /// What the control shows if they are refused.
        shown: String,
        /// Whether it is still being dragged.
        sliding: bool,
    },
    /// A slider was let go.
    Released,
    /// Somebody types.
    Typed(Control, String),
    /// What was typed is meant.
    Entered(Control),
    /// What was pasted as a model has been read.
    Read(Box<Result<ModelChoice, Refusal>>),
    /// What was typed is not meant.
    Abandoned(Control),
    /// Advice is taken.
    Advised(Rc<Scenario>),
    /// An account is looked at.
    Selected(Selection),
    /// A setting of the page.
    Set(Settings),
    /// The address changed.
    Opened(Box<Start>),
}

impl State {
    /// The state a visit starts with.
    pub fn start(start: Start) -> State {
        let (question, mut refused_link) = match start.question {
            Ok(scenario) => (scenario, None),
            Err(refusal) => (Rc::new(opening()), Some(refusal)),
        };
        let (scenario, answer) = match Answer::to(&question) {
            Ok(answer) => (question, answer),
            Err(refusal) => {
                refused_link = Some(refusal);
                let scenario = Rc::new(opening());
                let Ok(answer) = Answer::to(&scenario) else { unreachable!("tests hold that it has an answer") };
                (scenario, answer)
            }
        };
        let answer = Rc::new(answer);
        let in_address = refused_link.is_none().then(|| Rc::clone(&scenario));
        let looked_at = Selection { half: Half::Training, account: Account::Momentum };
        State {
            scenario,
            settled: Rc::clone(&answer),
            answer,
            in_address,
            refused_link,
            drafts: Vec::new(),
            // An embedded page has room for an explanation only when somebody asks.
            selected: (!start.settings.embed).then_some(looked_at),
            settings: start.settings,
            sliding: false,
            changed_by: None,
            turn: 0,
        }
    }

    /// What is being typed into a control.
    pub fn draft(&self, control: Control) -> Option<&Draft> {
        self.drafts.iter().find(|(typed_in, _)| *typed_in == control).map(|(_, draft)| draft)
    }

    fn put_draft(&mut self, control: Control, draft: Option<Draft>) {
        self.drafts.retain(|(typed_in, _)| *typed_in != control);
        self.drafts.extend(draft.map(|draft| (control, draft)));
    }

    /// Takes `scenario` as the question if it has an answer.
    fn ask(&mut self, scenario: Rc<Scenario>) -> Result<(), FieldError> {
        let answer = Rc::new(Answer::to(&scenario)?);
        self.scenario = scenario;
        self.answer = answer;
        self.refused_link = None;
        if !self.sliding {
            self.settled = Rc::clone(&self.answer);
        }
        Ok(())
    }

    /// Makes changes on behalf of a control; where they are refused, `shown` and the reason stand there.
    fn change(&mut self, by: Control, changes: &Patch, shown: String) {
        let outcome = self.ask(Rc::new(changes.applied(&self.scenario)));
        self.changed_by = Some(by);
        let refused = outcome.err().map(|error| Draft { text: shown, refusal: Some(Refusal::Ledger(error)) });
        self.put_draft(by, refused);
    }

    fn enter(&mut self, control: Control) {
        let Some(draft) = self.draft(control).cloned() else { return };
        match control.read(&draft.text) {
            Ok(changes) => self.change(control, &changes, draft.text),
            Err(refusal) => self.put_draft(control, Some(Draft { refusal: Some(refusal), ..draft })),
        }
    }

    /// Takes a pasted model, or keeps its text with the reason why not.
    fn read(&mut self, outcome: Result<ModelChoice, Refusal>) {
        let Some(draft) = self.draft(Control::ModelConfig).cloned() else { return };
        match outcome {
            Ok(model) => self.change(Control::ModelConfig, &Scenario::model.to(model).into(), draft.text),
            Err(refusal) => self.put_draft(Control::ModelConfig, Some(Draft { refusal: Some(refusal), ..draft })),
        }
    }

    fn open(&mut self, start: Start) {
        self.settings = start.settings;
        self.changed_by = None;
        self.sliding = false;
        self.drafts.clear();
        let question = start.question.and_then(|scenario| self.ask(Rc::clone(&scenario)).map(|()| scenario));
        match question {
            Ok(scenario) => self.in_address = Some(scenario),
            Err(refusal) => {
                self.in_address = None;
                self.refused_link = Some(refusal);
            }
        }
    }
}

impl Reducible for State {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        let mut next = Rc::unwrap_or_clone(self);
        next.turn += 1;
        match action {
            Action::Change { by, changes, shown, sliding } => {
                next.sliding = sliding;
                next.change(by, &changes, shown);
            }
            Action::Released => {
                next.sliding = false;
                next.settled = Rc::clone(&next.answer);
            }
            Action::Typed(control, text) => {
                // What stood there as refused stays said until the new text is meant.
                let refusal = next.draft(control).and_then(|draft| draft.refusal.clone());
                next.put_draft(control, Some(Draft { text, refusal }));
            }
            Action::Entered(control) => next.enter(control),
            Action::Read(outcome) => next.read(*outcome),
            Action::Abandoned(control) => next.put_draft(control, None),
            Action::Advised(scenario) => {
                // Advice was tried before it was given; were it refused all the same, nothing changes.
                if next.ask(scenario).is_ok() {
                    next.changed_by = None;
                }
            }
            Action::Selected(selection) => {
                next.selected = Some(selection);
                // The first of the views explains it.
                next.settings.view = 0;
            }
            Action::Set(settings) => next.settings = settings,
            Action::Opened(start) => next.open(*start),
        }
        Rc::new(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vram_ledger::scenario::SettingId;
    use vram_ledger::words::Language;

    fn opened() -> Rc<State> {
        Rc::new(State::start(Start {
            question: Ok(Rc::new(opening())),
            settings: Settings::in_language(Language::English, &[]),
        }))
    }

    fn after(state: Rc<State>, actions: impl IntoIterator<Item = Action>) -> Rc<State> {
        actions.into_iter().fold(state, State::reduce)
    }

    const GPUS: Control = Control::Setting(SettingId::Gpus);
    const MICRO_BATCH: Control = Control::Setting(SettingId::MicroBatch);

    fn entered(control: Control, text: &str) -> [Action; 2] {
        [Action::Typed(control, text.to_owned()), Action::Entered(control)]
    }

    #[test]
    fn what_is_typed_counts_once_it_is_meant() {
        let state = after(opened(), [Action::Typed(Control::Parameters, "7.5".to_owned())]);
        assert_eq!(state.draft(Control::Parameters).map(|draft| draft.text.as_str()), Some("7.5"));
        assert_eq!(state.answer.memory().model.parameters, 7e9);
        let state = after(state, entered(Control::Parameters, "7.5b"));
        assert_eq!((state.draft(Control::Parameters), state.answer.memory().model.parameters), (None, 7.5e9));
    }

    #[test]
    fn a_refused_text_leaves_everything_else_as_it_was() {
        let state = after(opened(), entered(Control::Parameters, "13b"));
        let state = after(state, entered(MICRO_BATCH, "many"));
        let state = after(state, entered(GPUS, "0"));
        let refusal = |control| state.draft(control).and_then(|draft| draft.refusal.clone());
        assert_eq!(refusal(MICRO_BATCH), Some(Refusal::NotANumber));
        assert!(matches!(refusal(GPUS), Some(Refusal::Ledger(error)) if error.field == "cluster.gpus"));
        assert_eq!(state.answer.memory().model.parameters, 13e9);
        // Another field still works, and the refusals stay where they are.
        let state = after(state, entered(Control::Parameters, "3b"));
        assert_eq!(state.answer.memory().model.parameters, 3e9);
        assert!(state.draft(GPUS).is_some() && state.draft(MICRO_BATCH).is_some());
        let state = after(state, [Action::Abandoned(GPUS)]);
        assert!(state.draft(GPUS).is_none());
    }

    #[test]
    fn an_emptied_field_goes_back_to_its_default() {
        let state = after(opened(), entered(MICRO_BATCH, "4"));
        assert_eq!(state.scenario.training.as_ref().and_then(|half| half.micro_batch), Some(4.0.into()));
        let state = after(state, entered(MICRO_BATCH, " "));
        assert_eq!(*state.scenario, opening());
    }

    #[test]
    fn a_refused_config_keeps_its_text() {
        let pasted = |text: &str| {
            let outcome = Box::new(crate::page::context::question_text::pasted_model(text));
            [Action::Typed(Control::ModelConfig, text.to_owned()), Action::Read(outcome)]
        };
        let state = after(opened(), pasted("{\"model_type\": \"llama\"}"));
        let draft = state.draft(Control::ModelConfig).expect("the text is still there");
        assert!(draft.text.contains("llama"));
        assert!(matches!(&draft.refusal, Some(Refusal::Ledger(error)) if error.field.starts_with("model.")));
        let state = after(state, pasted("{"));
        assert!(matches!(
            state.draft(Control::ModelConfig).and_then(|draft| draft.refusal.as_ref()),
            Some(Refusal::NotJson(_))
        ));
        assert_eq!(*state.scenario, opening());
    }

    #[test]
    fn a_bad_link_leaves_the_last_good_question() {
        let state = after(opened(), entered(Control::Parameters, "13b"));
        let refusal = vram_ledger::link::decode("training.sharding=zero9").expect_err("no such stage");
        let bad = Start { question: Err(refusal.clone()), settings: state.settings.clone() };
        let state = after(state, [Action::Opened(Box::new(bad))]);
        assert_eq!(state.refused_link, Some(refusal));
        assert_eq!(state.answer.memory().model.parameters, 13e9);
        let state = after(state, entered(Control::Parameters, "3b"));
        assert_eq!(state.refused_link, None);
    }

    #[test]
    fn advice_is_taken_as_it_was_tried() {
        let state = opened();
        let answer = Rc::clone(&state.answer);
        let advice = answer.advice().first().expect("7e9 parameters do not train on one H100");
        let advised = Rc::new(advice.patch.applied(&state.scenario));
        let state = after(state, [Action::Advised(advised)]);
        let training = state.answer.memory().training.as_ref().expect("a training half");
        assert!(training.fits);
        assert_eq!(training.peak.device_bytes, advice.peak_after);
    }

    #[test]
    fn what_is_read_out_waits_for_the_end_of_a_drag() {
        let drag = |gpus: f64, sliding| Action::Change {
            by: GPUS,
            changes: GPUS.number(Some(gpus)),
            shown: String::new(),
            sliding,
        };
        let state = after(opened(), [drag(2.0, true), drag(4.0, true)]);
        assert_eq!(state.settled.settled().cluster.gpus, 1);
        let state = after(state, [Action::Released]);
        assert_eq!(state.settled.settled().cluster.gpus, 4);
    }
}

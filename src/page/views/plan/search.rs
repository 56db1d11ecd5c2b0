//! A search that a worker makes: what it has said so far, and the worker itself, which ends when nobody waits any more.

use std::rc::Rc;

use js_sys::Uint8Array;
use vram_ledger::planner::{Counts, Layout, Message, Plan, Progress, Question, Schedules, from_bytes, to_bytes};
use vram_ledger::scenario::Scenario;
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};
use yew::prelude::*;

/// Plans that are shown.
const SHOWN: usize = 12;

/// What the view knows of its search.
#[derive(Clone, Default)]
pub struct Search {
    every_schedule: bool,
    failed: bool,
    worker: Option<Rc<Running>>,
    found: Option<Found>,
}

/// What was asked, and what is known of the answer.
#[derive(Clone)]
struct Found {
    asked: Rc<Scenario>,
    /// Whether the plans are still being looked for.
    running: bool,
    cancelled: bool,
    progress: Progress,
    counts: Counts,
    layouts: Vec<Layout>,
    /// What the layouts come to, once no more are looked for.
    plans: Rc<Vec<Plan>>,
    fewest: Option<Option<Plan>>,
    longest: Option<Option<Plan>>,
}

/// What happens to a search.
pub enum Act {
    /// Other schedules are tried, the next time.
    EverySchedule(bool),
    /// A worker was asked.
    Started(Rc<Scenario>, Rc<Running>),
    /// The worker said something.
    Said(Message),
    /// Nobody waits any more.
    Cancelled,
    /// There is no worker.
    Failed,
}

impl Reducible for Search {
    type Action = Act;

    fn reduce(self: Rc<Self>, act: Act) -> Rc<Self> {
        let mut next = Rc::unwrap_or_clone(self);
        match act {
            Act::EverySchedule(every) => next.every_schedule = every,
            Act::Started(asked, worker) => {
                next.worker = Some(worker);
                next.failed = false;
                next.found = Some(Found::nothing_yet(asked));
            }
            Act::Said(message) => {
                if let Some(found) = &mut next.found {
                    found.hear(message);
                }
            }
            Act::Cancelled => {
                next.worker = None;
                if let Some(found) = &mut next.found {
                    found.cancelled = true;
                    found.settle();
                }
            }
            Act::Failed => {
                // The worker is let go of by the next search: it is still in the middle of saying this.
                next.failed = true;
                next.found = None;
            }
        }
        Rc::new(next)
    }
}

impl Found {
    fn nothing_yet(asked: Rc<Scenario>) -> Found {
        Found {
            asked,
            running: true,
            cancelled: false,
            progress: Progress { done: 0, total: 0 },
            counts: Counts::default(),
            layouts: Vec::new(),
            plans: Rc::default(),
            fewest: None,
            longest: None,
        }
    }

    fn hear(&mut self, message: Message) {
        let plan = |layout: Option<Layout>| layout.and_then(|layout| Plan::of(&self.asked, layout));
        match message {
            Message::Ready => {}
            Message::Found(progress, counts, layouts) => {
                (self.progress, self.counts, self.layouts) = (progress, counts, layouts);
                if progress.is_complete() {
                    self.settle();
                }
            }
            Message::Fewest(layout) => self.fewest = Some(plan(layout)),
            Message::Longest(layout) => self.longest = Some(plan(layout)),
            Message::Done => self.settle(),
        }
    }

    /// No more layouts come: those there are have their figures counted.
    fn settle(&mut self) {
        if self.running {
            self.running = false;
            let layouts = self.layouts.iter().take(SHOWN).cloned();
            self.plans = Rc::new(layouts.filter_map(|layout| Plan::of(&self.asked, layout)).collect());
        }
    }
}

impl Search {
    /// What was asked.
    pub fn asked(&self) -> Option<&Rc<Scenario>> {
        self.found.as_ref().map(|found| &found.asked)
    }

    /// Whether plans are being looked for.
    pub fn running(&self) -> bool {
        self.found.as_ref().is_some_and(|found| found.running)
    }

    /// Whether somebody stopped it.
    pub fn cancelled(&self) -> bool {
        self.found.as_ref().is_some_and(|found| found.cancelled)
    }

    /// Whether there was no worker to be had.
    pub fn failed(&self) -> bool {
        self.failed
    }

    /// Whether every schedule is tried.
    pub fn every_schedule(&self) -> bool {
        self.every_schedule
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        self.found.as_ref().map_or(Progress { done: 0, total: 0 }, |found| found.progress)
    }

    /// What became of the layouts.
    pub fn counts(&self) -> Counts {
        self.found.as_ref().map(|found| found.counts).unwrap_or_default()
    }

    /// The plans, fastest first.
    pub fn plans(&self) -> &[Plan] {
        self.found.as_ref().map_or(&[], |found| &found.plans)
    }

    /// The plan with the fewest GPUs.
    pub fn fewest(&self) -> Option<&Option<Plan>> {
        self.found.as_ref()?.fewest.as_ref()
    }

    /// The plan with the longest sequence.
    pub fn longest(&self) -> Option<&Option<Plan>> {
        self.found.as_ref()?.longest.as_ref()
    }

    /// A search to which this was said, for a picture of it.
    #[cfg(all(test, feature = "ssr"))]
    pub fn of(asked: Rc<Scenario>, said: Vec<Message>) -> Search {
        let mut found = Found::nothing_yet(asked);
        said.into_iter().for_each(|message| found.hear(message));
        Search { found: Some(found), ..Search::default() }
    }
}

/// The search of the page; it starts with nothing asked.
#[hook]
pub fn use_search() -> UseReducerHandle<Search> {
    use_reducer(Search::default)
}

/// A worker with those who listen to it; dropped, it ends.
pub struct Running {
    worker: Worker,
    _hear: Closure<dyn FnMut(MessageEvent)>,
    _fail: Closure<dyn FnMut(JsValue)>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

/// Asks a new worker about `scenario`.
pub fn start(search: &UseReducerDispatcher<Search>, scenario: Rc<Scenario>, every_schedule: bool) {
    let schedules = if every_schedule { Schedules::All } else { Schedules::Common };
    let question = Question { scenario: Scenario::clone(&scenario), schedules };
    let act = match running(search, &question) {
        Some(worker) => Act::Started(scenario, Rc::new(worker)),
        None => Act::Failed,
    };
    search.dispatch(act);
}

fn running(search: &UseReducerDispatcher<Search>, question: &Question) -> Option<Running> {
    // The page's build writes where the module is; the name carries its content.
    let script = gloo::utils::document().query_selector("meta[name=planner]").ok()??.get_attribute("content")?;
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    let worker = Worker::new_with_options(&script, &options).ok()?;
    let question = Uint8Array::from(to_bytes(question).as_slice());
    let (asked, heard, failed) = (worker.clone(), search.clone(), search.clone());
    let hear = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let Some(message) = from_bytes(&Uint8Array::new(&event.data()).to_vec()) else { return };
        // A question that is sent before the worker listens would be lost.
        let act = if message == Message::Ready {
            asked.post_message(&question).err().map(|_| Act::Failed)
        } else {
            Some(Act::Said(message))
        };
        if let Some(act) = act {
            heard.dispatch(act);
        }
    });
    let fail = Closure::<dyn FnMut(JsValue)>::new(move |_| failed.dispatch(Act::Failed));
    worker.set_onmessage(Some(hear.as_ref().unchecked_ref()));
    worker.set_onerror(Some(fail.as_ref().unchecked_ref()));
    Some(Running { worker, _hear: hear, _fail: fail })
}

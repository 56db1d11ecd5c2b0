//! The planner as a worker: the page hands it a scenario and stays live while all its layouts are judged.
//!
//! One message comes in, the scenario as JSON behind a digit: `1` to try every schedule, `0` for the common ones. What goes
//! out is [`vram_ledger::planner::Message`] as numbers. Who has heard enough ends the worker.

// Natively there is no page to answer: the tests of the planner itself are all there is.
#[cfg(target_arch = "wasm32")]
mod worker {
    use js_sys::Float64Array;
    use vram_ledger::Scenario;
    use vram_ledger::planner::{Message, Schedules, answer};
    use wasm_bindgen::prelude::*;
    use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

    pub fn start() {
        let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
        let listening = scope.clone();
        let hear = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let text = event.data().as_string().unwrap_or_default();
            let (schedules, scenario) = match text.strip_prefix('1') {
                Some(scenario) => (Schedules::All, scenario),
                None => (Schedules::Common, text.strip_prefix('0').unwrap_or(&text)),
            };
            // The page asks only what it has an answer to; were it refused all the same, there are no plans.
            let refused = Scenario::from_json(scenario)
                .and_then(|scenario| answer(&scenario, schedules, |message| say(&listening, &message)));
            if refused.is_err() {
                say(&listening, &Message::Done);
            }
        });
        scope.set_onmessage(Some(hear.as_ref().unchecked_ref()));
        // It listens for as long as there is a worker.
        hear.forget();
        say(&scope, &Message::Ready);
    }

    fn say(scope: &DedicatedWorkerGlobalScope, message: &Message) {
        // A page that is gone hears nothing, and that is all right.
        let _ = scope.post_message(&Float64Array::from(message.numbers().as_slice()));
    }
}

fn main() {
    #[cfg(target_arch = "wasm32")]
    worker::start();
}

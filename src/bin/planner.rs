//! The planner as a worker: the page hands it a scenario and stays live while all its layouts are judged.
//!
//! One [`Question`](vram_ledger::planner::Question) comes in, [`Message`](vram_ledger::planner::Message)s go out. Who has
//! heard enough ends the worker.

// Natively there is no page to answer: the tests of the planner itself are all there is.
#[cfg(target_arch = "wasm32")]
mod worker {
    use js_sys::Uint8Array;
    use vram_ledger::planner::{Message, Question, answer, from_bytes, to_bytes};
    use wasm_bindgen::prelude::*;
    use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

    pub fn start() {
        let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
        let listening = scope.clone();
        let hear = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let Some(Question { scenario, schedules }) = from_bytes(&Uint8Array::new(&event.data()).to_vec()) else {
                return;
            };
            let answered = answer(&scenario, schedules, |message| say(&listening, &message));
            // The page asks only what it has an answer to; were it refused all the same, there are no plans.
            if answered.is_err() {
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
        let _ = scope.post_message(&Uint8Array::from(to_bytes(message).as_slice()));
    }
}

fn main() {
    #[cfg(target_arch = "wasm32")]
    worker::start();
}

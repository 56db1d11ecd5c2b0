//! Serving engines: all that is known of each stands in its own file.
//!
//! What is known is split by subject, so that a program that asks for one subject does not link the others: the memory
//! an engine allocates is needed by every answer, the phrases of its log only by whoever pasted one. A new engine is its
//! value in [`crate::names::Engine`], a line in each of the two lists here, and its file.

pub mod formats;
mod ggml;
mod llama_cpp;
mod lmdeploy;
pub mod log;
mod offers;
mod sglang;
mod tensorrt_llm;
mod textbook;
mod times;
mod traits;
mod transformers;
mod vllm;

pub use offers::{Levers, Offers};
pub use times::{SmallAllReduces, Times};
pub use traits::{Budget, Fraction, Storage, Traits, Windows, Workspace};

use crate::names::{CacheFormat, Engine, Name, WeightFormat};
use crate::scenario::SettingId;
use crate::text;
use crate::words::Language;

macro_rules! engines {
    ($($engine:ident in $file:ident;)+) => {
        impl Engine {
            /// What can be asked of it.
            #[must_use]
            pub fn offers(self) -> &'static Offers {
                match self { $(Engine::$engine => &$file::OFFERS),+ }
            }

            /// What it allocates, and how.
            #[must_use]
            pub fn traits(self) -> &'static Traits {
                match self { $(Engine::$engine => &$file::TRAITS),+ }
            }

            /// What its own code adds to the time of a pass, or takes from it.
            #[must_use]
            pub fn times(self) -> &'static Times {
                match self { $(Engine::$engine => &$file::TIMES),+ }
            }

            /// The lines about memory that it prints when it starts; none where it prints no such lines.
            #[must_use]
            pub fn lines(self) -> Option<log::Lines> {
                match self { $(Engine::$engine => $file::LINES),+ }
            }

            /// How its log is read.
            #[must_use]
            pub fn reading(self) -> &'static log::Reading {
                match self { $(Engine::$engine => &$file::READING),+ }
            }
        }
    };
}

engines! {
    Textbook in textbook;
    Vllm in vllm;
    Sglang in sglang;
    TensorRtLlm in tensorrt_llm;
    LmDeploy in lmdeploy;
    LlamaCpp in llama_cpp;
    Transformers in transformers;
}

impl Default for Engine {
    /// The engine of a question that names none.
    fn default() -> Engine {
        Engine::Textbook
    }
}

impl Engine {
    /// Every engine that is a product: all but the textbook's.
    pub fn products() -> impl Iterator<Item = Engine> {
        Engine::ALL.iter().copied().filter(|engine| engine.offers().title.is_some())
    }

    /// Whether it has a setting. Every engine has those that no engine lists as its own.
    #[must_use]
    pub fn has(self, setting: SettingId) -> bool {
        self.lists(setting) || !Engine::ALL.iter().any(|engine| engine.lists(setting))
    }

    fn lists(self, setting: SettingId) -> bool {
        self.offers().has.contains(&setting)
    }

    /// Whether it loads a format of the weights and keeps it.
    #[must_use]
    pub fn loads(self, format: WeightFormat) -> bool {
        self.offers().weights.iter().any(|group| group.contains(&format))
    }

    /// Whether it has a format of the cache.
    #[must_use]
    pub fn caches_in(self, format: CacheFormat) -> bool {
        self.offers().caches.iter().any(|group| group.contains(&format))
    }
}

/// The settings that not every engine has.
pub fn settings_of_some() -> impl Iterator<Item = SettingId> {
    SettingId::ALL.iter().copied().filter(|setting| Engine::ALL.iter().any(|engine| engine.lists(*setting)))
}

/// The engines that have a setting.
#[must_use]
pub fn engines_with(setting: SettingId) -> Vec<Engine> {
    those(|engine| engine.has(setting))
}

/// The engines that load a format of the weights and keep it.
#[must_use]
pub fn engines_with_weights(format: WeightFormat) -> Vec<Engine> {
    those(|engine| engine.loads(format))
}

/// The engines that have a format of the cache.
#[must_use]
pub fn engines_with_cache(format: CacheFormat) -> Vec<Engine> {
    those(|engine| engine.caches_in(format))
}

fn those(has: impl Fn(Engine) -> bool) -> Vec<Engine> {
    Engine::ALL.iter().copied().filter(|engine| has(*engine)).collect()
}

impl Language {
    /// A serving engine.
    #[must_use]
    pub fn engine(self, engine: Engine) -> &'static str {
        engine.offers().title.unwrap_or(self.say(text!(values::TEXTBOOK)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_and_format_has_an_engine() {
        assert!(WeightFormat::ALL.iter().all(|format| Engine::Textbook.loads(*format)));
        assert!(CacheFormat::ALL.iter().all(|format| Engine::Textbook.caches_in(*format)));
    }

    #[test]
    fn what_is_listed_as_of_some_engines_is_not_of_all() {
        for setting in settings_of_some() {
            assert!(engines_with(setting).len() < Engine::ALL.len(), "{}", setting.path());
        }
    }
}

//! The same model under each engine.

pub const TITLE: &str = "The same model under each engine";
pub const CAPTION: &str = "One GPU, in {0}; requests and contexts as asked for";
pub const ENGINE_COLUMN: &str = "engine";
pub const WEIGHTS_COLUMN: &str = "weights";
pub const POOL_COLUMN: &str = "room for cache";
pub const WORKSPACE_COLUMN: &str = "workspace";
pub const RUNTIME_COLUMN: &str = "runtime";
pub const KEPT_COLUMN: &str = "kept free";
pub const TOKENS_COLUMN: &str = "tokens of cache";
pub const MOST_COLUMN: &str = "most requests";
pub const LONGEST_COLUMN: &str = "longest context";
pub const BUDGET_COLUMN: &str = "the cache gets";
pub const BUDGET_FREE: &str = "whatever is free";
pub const BUDGET_DEVICE: &str = "what weights, a trial pass and the runtime leave of {0} of the whole device";
pub const BUDGET_STATIC: &str = "what the weights leave of {0} of the whole device";
pub const BUDGET_LOADED: &str = "{0} of what weights and runtime leave free";
pub const BUDGET_REST: &str = "{0} of what is free after loading";
pub const BUDGET_GIVEN: &str = "the bytes it was given";
pub const TAKE_ENGINE: &str = "An engine's name takes it. A fraction of memory is of something else in each, so it stands at the engine's own default where another was given.";
pub const GIVEN_UP: &str = "{0} stands at its own default for: {1}.";
pub const DOES_NOT_FIT: &str = "does not fit";

//! Counted things, and what joins a list.

pub const ONE_GPU: &str = "1 GPU";
pub const GPUS: &str = "{0} GPUs";
pub const TOKENS: &str = "{0} tokens";
pub const THIS_GPU: &str = "this GPU";
pub const ONE_REQUEST: &str = "1 request";
pub const REQUESTS: &str = "{0} requests";
pub const LIST_COMMA: &str = ", ";
pub const NEXT_SENTENCE: &str = "{0} {1}";

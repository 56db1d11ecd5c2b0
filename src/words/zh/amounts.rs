//! Counted things, and what joins a list.

pub const ONE_GPU: &str = "1 块 GPU";
pub const GPUS: &str = "{0} 块 GPU";
pub const TOKENS: &str = "{0} 个词元";
pub const THIS_GPU: &str = "该 GPU";
pub const ONE_REQUEST: &str = "1 个请求";
pub const REQUESTS: &str = "{0} 个请求";
pub const LIST_COMMA: &str = "、";
pub const NEXT_SENTENCE: &str = "{0}{1}";

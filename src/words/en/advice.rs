//! Changes that would make a question fit.

pub const WOULD_FIT: &str = "with {0} it fits";
pub const APPLY: &str = "apply";
pub const APPLY_THIS: &str = "Apply: {0}";
pub const OTHER_WAYS: &str = "Other ways to make it fit";
pub const PEAK_AFTER: &str = "peak {0} on a GPU";
pub const CHANGE_MICRO_BATCH: &str = "micro-batch {0}";
pub const CHANGE_GLOBAL_BATCH: &str = "global batch {0}";
pub const CHANGE_RECOMPUTE: &str = "recomputation: {0}";
pub const CHANGE_WEIGHTS: &str = "weights in {0}";
pub const CHANGE_TENSOR: &str = "tensor parallel {0}";
pub const CHANGE_CONTEXT: &str = "context parallel {0}";
pub const CHANGE_EXPERT: &str = "expert parallel {0}";
pub const CHANGE_VIRTUAL_STAGES: &str = "{0} chunks a stage";

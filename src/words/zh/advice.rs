//! Changes that would make a question fit.

pub const WOULD_FIT: &str = "改用 {0} 即可放下";
pub const APPLY: &str = "采用";
pub const APPLY_THIS: &str = "采用：{0}";
pub const OTHER_WAYS: &str = "其他放得下的办法";
pub const PEAK_AFTER: &str = "每块 GPU 峰值 {0}";
pub const CHANGE_MICRO_BATCH: &str = "微批大小 {0}";
pub const CHANGE_GLOBAL_BATCH: &str = "全局批量 {0}";
pub const CHANGE_RECOMPUTE: &str = "激活{0}";
pub const CHANGE_WEIGHTS: &str = "{0} 权重";
pub const CHANGE_TENSOR: &str = "张量并行 {0}";
pub const CHANGE_CONTEXT: &str = "上下文并行 {0}";
pub const CHANGE_EXPERT: &str = "专家并行 {0}";
pub const CHANGE_VIRTUAL_STAGES: &str = "每阶段 {0} 块";

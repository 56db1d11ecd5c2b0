//! What the whole run costs.

pub const HEADING: &str = "整个训练";
pub const NO_RUN: &str = "在“集群”里填入总词元数，即可看到天数、GPU 小时和费用。";
pub const TAKES: &str = "{0} 词元在 {2} 上需要 {1} 天，最多 {3} 天：{4} GPU 小时。";
pub const COSTS: &str = "费用 {0}，最多 {1}。";
pub const CHECKPOINT_SIZE: &str = "一个检查点 {0}：整个模型的权重、主权重和动量。";
pub const CHECKPOINT_TAKES: &str = "写入需要 {0}。";
pub const CHECKPOINT_EVERY: &str = "最佳间隔为 {0}；写入和故障后的重算共占 {1} 的时间。";

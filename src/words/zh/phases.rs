//! What the drawings of phases and of stages have in common.

pub const NOTHING_TRAINED: &str = "按当前设置无法训练，原因见上方账本。";
pub const CAPACITY_LINE: &str = "一块 {0} 可用 {1}";
pub const CAPACITY_BEYOND: &str = "刻度到 {0} 为止；一块 {1} 可用 {2}，远在其外。";
pub const LOSS: &str = "计算损失";
pub const FORWARD: &str = "前向完成";
pub const BACKWARD: &str = "反向开始";
pub const BACKWARD_END: &str = "反向结束";
pub const OPTIMIZER: &str = "优化器更新";
pub const COLUMN: &str = "时刻";
pub const PHASE_HOLDS: &str = "{0}：“{2}”时 {1}";
pub const STAGE_HOLDS: &str = "{0}：阶段 {2} 上 {1}";
pub const CHOOSE_SEGMENT: &str = "点选柱中的一段，可查看这些字节从何而来。";

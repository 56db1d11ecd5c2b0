//! The view Scaling.

pub const NAME: &str = "扩展";
pub const CAPTION: &str = "同样的训练换成其他 GPU 数";
pub const GPUS_COLUMN: &str = "GPU 数";
pub const STATE_PER_GPU: &str = "每块 GPU 的模型状态";
pub const PEAK_PER_GPU: &str = "每块 GPU 的峰值";
pub const STEP_TIME: &str = "每步耗时";
pub const WAITING_SHARE: &str = "等待占比";
pub const STATE_CURVE: &str = "单块 GPU 上的模型状态：权重、梯度、优化器状态";
pub const STATE_AXIS: &str = "每块 GPU，单位 {0}";
pub const STATE_WORDS: &str = "对数坐标曲线：GPU 数从 1 到 4,096 时，单块 GPU 上的模型状态。当前方案（{0}）：{1}。";
pub const STATE_LESSON: &str = "分片的部分随 GPU 增多而变小；不分片的部分在每块 GPU 上都是完整的一份。";
pub const NOW: &str = "当前：{0}";
pub const AMOUNT_ON: &str = "{1} 块时 {0}";
pub const WAITING_CURVE: &str = "每步中等待网络的时间占比";
pub const WAITING_WORDS: &str = "曲线：GPU 数从 1 到 4,096 时，每步中等待网络的时间占比：{0}。";
pub const STATE_BY_SHARDING: &str = "{0}，按分片方式";
pub const LEFT_OUT: &str = "以下 GPU 数无法按此训练，未列出：{0}。";
pub const NO_TRAINING: &str = "按当前设置，任何 GPU 数都无法训练。";
pub const OVER_NETWORK: &str = "经 {0}";
pub const CROSSOVER: &str = "从 {0} 块 GPU 起，较慢的网络使等待多占一成以上。";

//! The view Compare.

pub const NAME: &str = "对比";
pub const CAPTION: &str = "同一模型的推理与训练，按当前设置";
pub const COMPARED_COLUMN: &str = "单块 GPU";
pub const ROW_WEIGHTS: &str = "权重";
pub const ROW_GRADIENTS: &str = "梯度";
pub const ROW_MASTER: &str = "FP32 主权重";
pub const ROW_MOMENTUM: &str = "一阶动量";
pub const ROW_VARIANCE: &str = "二阶动量";
pub const ROW_ACTIVATIONS: &str = "为反向保存的激活";
pub const ROW_CACHE: &str = "键值缓存";
pub const ROW_SEQUENCE_DOUBLED: &str = "序列长度翻倍";
pub const ROW_BATCH_DOUBLED: &str = "批量翻倍（并发请求数；微批序列数）";
pub const ROW_NETWORK: &str = "网络传输";
pub const ROW_TIME: &str = "时间";
pub const NOTHING: &str = "无";
pub const A_TOKEN: &str = "每生成一个词元 {0}";
pub const A_STEP: &str = "每个优化器步 {0}";
pub const A_TOKEN_TAKES: &str = "每个词元 {0}，之前处理提示词 {1}";
pub const A_STEP_TAKES: &str = "每步 {0}，其中等待：{1}";

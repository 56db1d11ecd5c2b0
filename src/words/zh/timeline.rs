//! The view Timeline.

pub const NAME: &str = "时间线";
pub const FINDING: &str = "一步之中，“{0}”时占用最多：单块 GPU 上张量共占 {1}。";
pub const AGAINST: &str = "其次是“{0}”，少 {1}，差在：{2}。";
pub const COMES_AND_GOES: &str = "其中 {0} 跨步常驻，{1} 在每一步内产生又释放。";
pub const OF_STAGE: &str = "这是流水线中占用最多的阶段 {0}。";
pub const TENSORS: &str =
    "此处只计张量。再加上分配器保留的余量和分配器之外的部分，峰值时设备显示占用 {0}：放不放得下要看这个数。";
pub const DRAWING: &str = "一步之中各时刻的显存，按先后排列。";
pub const LARGEST_PHASE: &str = "最大";
pub const STEADY_LINE: &str = "两步之间常驻：{0}";
pub const PEAK_IN_LOSS: &str = "前向为反向保存的内容都还在，又加上 logits：每个词元对词表的每一项各有一个数。";
pub const PEAK_IN_FORWARD: &str = "在途的每个微批都已走过本阶段各层，反向所需的内容全部保存着。";
pub const PEAK_IN_BACKWARD: &str =
    "前向为反向保存的内容都还在，反向又要加上当前这一层所需：它的梯度，以及重算出来的内容。";
pub const PEAK_IN_BACKWARD_END: &str = "前向保存的内容只剩一层，但全部梯度已经算出，与常驻部分同时存在。";
pub const PEAK_IN_OPTIMIZER: &str = "前向和反向的内容都已释放；优化器自身所占已超过前反向的任何时刻。";
pub const CAPTION: &str = "一个优化器步中的各时刻，单块 GPU，单位 {0}";
pub const TABLE: &str = "一个优化器步中的各时刻";
pub const HAPPENS_COLUMN: &str = "在做什么";
pub const HELD_COLUMN: &str = "占用";
pub const OVER_STEADY_COLUMN: &str = "比两步之间";
pub const IN_LOSS: &str = "前向已走完所有层，保存了反向所需的内容；正在计算输出层和损失。";
pub const IN_FORWARD: &str = "在途的微批都已完成本阶段的前向，反向所需的内容全部保存着。";
pub const IN_BACKWARD: &str = "反向从最后一层开始：保存的内容一点未减，梯度开始产生。";
pub const IN_BACKWARD_END: &str = "反向到达第一层：保存的内容已经用完，全部梯度都在。";
pub const IN_OPTIMIZER: &str = "优化器用梯度和动量算出新的权重；前向和反向的内容已全部释放。";
pub const BETWEEN_STEPS: &str = "两步之间";
pub const IN_BETWEEN: &str = "从一步留到下一步的部分。";
pub const PHASES_BY_ACCOUNT: &str = "各时刻占用明细";
pub const PADDING_COSTS: &str = "{0} 的词元是填充：去掉填充，峰值可降低 {1}，每步可缩短 {2}，每块 GPU 每步少发送 {3}。";

//! The view Communication.

pub const NAME: &str = "通信";
pub const SENT_IN_A_STEP: &str = "训练：单块 GPU 每个优化器步发送的数据";
pub const SENT_IN_A_PASS: &str = "推理：单块 GPU 每次前向发送的数据";
pub const NOTHING_SENT: &str = "{0}：无。";
pub const EXPOSED_MEANS: &str = "“未掩盖”指没有计算与之重叠的部分：这段时间里 GPU 只能等待。";
pub const WHAT_MOVES: &str = "传输内容";
pub const COLLECTIVE_COLUMN: &str = "集合通信";
pub const GROUP_COLUMN: &str = "通信组";
pub const GROUP_OF: &str = "{0}（{1} 个 rank）";
pub const LINK_COLUMN: &str = "最慢链路";
pub const CALLS_COLUMN: &str = "次数";
pub const SENT_COLUMN: &str = "发送量";
pub const TIME_COLUMN: &str = "耗时";
pub const EXPOSED_COLUMN: &str = "未掩盖";
pub const LARGEST_EXPOSED: &str = "等待最久";
pub const HIDES_COLUMN: &str = "怎样才能掩盖";

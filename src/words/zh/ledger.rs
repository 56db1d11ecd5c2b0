//! The view Ledger, and the explanation of an entry.

pub const NAME: &str = "账本";
pub const CAPTION: &str = "单块 GPU 的显存，单位 {0}";
pub const ACCOUNT_COLUMN: &str = "科目";
pub const BYTES_A_PARAMETER: &str = "字节/参数";
pub const SHARE_OF_TRAINING: &str = "占比";
pub const TOTAL: &str = "合计";
pub const EVERY_ENTRY: &str = "逐条明细（精确到字节）";
pub const RULE_COLUMN: &str = "规则";
pub const BYTES_COLUMN: &str = "字节";
pub const EXPLANATION: &str = "这个数字怎么来的";
pub const EXPLANATION_TITLE: &str = "{2} · {0}：{1}";
pub const ACCOUNT_IS_EMPTY: &str = "此处没有这一科目的开销。";
pub const RULE_AND_SOURCE: &str = "规则 {0} · {1}";

//! The view Share.

pub const NAME: &str = "分享";
pub const LINK: &str = "当前状态的链接";
pub const EMBED: &str = "把柱状图和滑块嵌入其他网页";
pub const SCENARIO: &str = "问题（JSON）";
pub const REPORT: &str = "结果（JSON）";
pub const COPY: &str = "复制";
pub const COPIED: &str = "已复制";

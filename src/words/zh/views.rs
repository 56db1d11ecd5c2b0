//! The row of views.

pub const VIEWS: &str = "视图";
pub const ON_ITS_WAY: &str = "加载中……";
pub const FAILED: &str = "未能加载该视图，请联网后再次选择。";

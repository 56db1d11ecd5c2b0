//! Drawn curves.

pub const MISSING: &str = "曲线未能加载；表中是同样的数字。";

//! What a figure rests on.

use crate::ledger::Basis;

pub const COLUMN: &str = "依据";
pub const WITH_MEANING: &str = "{0}：{1}";

/// What a figure rests on, in a word or two.
pub fn basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Exact => "精确",
        Basis::EngineRule => "引擎规则",
        Basis::Fitted => "拟合",
        Basis::Assumed => "假定",
    }
}

/// What it means that a figure rests on this.
pub fn basis_meaning(basis: Basis) -> &'static str {
    match basis {
        Basis::Exact => "由维度和格式直接算出",
        Basis::EngineRule => "引擎或框架的做法，依据其代码或文档",
        Basis::Fitted => "常数取自公开实测",
        Basis::Assumed => "尚无公开数据或规则可依",
    }
}

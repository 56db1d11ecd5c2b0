//! The view Ledger, and the explanation of an entry.

pub const NAME: &str = "Ledger";
pub const CAPTION: &str = "What one GPU holds, in {0}";
pub const ACCOUNT_COLUMN: &str = "account";
pub const BYTES_A_PARAMETER: &str = "bytes a parameter";
pub const SHARE_OF_TRAINING: &str = "share";
pub const TOTAL: &str = "total";
pub const EVERY_ENTRY: &str = "Every entry, to the byte";
pub const RULE_COLUMN: &str = "rule";
pub const BYTES_COLUMN: &str = "bytes";
pub const EXPLANATION: &str = "Where this number comes from";
pub const EXPLANATION_TITLE: &str = "{0}: {1} ({2})";
pub const ACCOUNT_IS_EMPTY: &str = "Nothing is held for this here.";
pub const RULE_AND_SOURCE: &str = "Rule {0} · {1}";

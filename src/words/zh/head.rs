//! The head of the page.

pub const PRODUCT_NAME: &str = "显存账本";
pub const TAGLINE: &str = "推理要多少显存，训练又要多少";
pub const LANGUAGE_CHOICE: &str = "语言";
pub const UNIT_CHOICE: &str = "显存单位";
pub const THEME_CHOICE: &str = "配色";
pub const LIGHT: &str = "浅色";
pub const DARK: &str = "深色";
pub const LINK_REFUSED: &str = "无法按此链接打开，仍显示原来的内容。";

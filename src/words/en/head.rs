//! The head of the page.

pub const PRODUCT_NAME: &str = "VRAM Ledger";
pub const TAGLINE: &str = "what a model costs to serve, and to train";
pub const LANGUAGE_CHOICE: &str = "Language";
pub const UNIT_CHOICE: &str = "Unit of memory";
pub const THEME_CHOICE: &str = "Colours";
pub const LIGHT: &str = "Light";
pub const DARK: &str = "Dark";
pub const LINK_REFUSED: &str = "This link cannot be followed; what was there before is shown.";

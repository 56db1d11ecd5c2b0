//! The view Share.

pub const NAME: &str = "Share";
pub const LINK: &str = "Link to exactly this";
pub const EMBED: &str = "To embed bars and sliders in another page";
pub const SCENARIO: &str = "The question as JSON";
pub const REPORT: &str = "The answer as JSON";
pub const COPY: &str = "Copy";
pub const COPIED: &str = "Copied";

//! The row of views.

pub const VIEWS: &str = "Views";
pub const ON_ITS_WAY: &str = "On its way …";
pub const FAILED: &str = "This view could not be fetched. Choose it again once you are connected.";

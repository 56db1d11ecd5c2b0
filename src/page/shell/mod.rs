//! What loads first: the page around its controls, with card and tabs.

pub mod address;
pub mod app;
pub mod card;
mod document;
pub mod header;
pub mod tabs;

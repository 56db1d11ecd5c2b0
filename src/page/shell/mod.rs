//! What loads first: the page around its controls, with card and tabs.

pub mod address;
pub mod app;
pub mod card;
mod document;
mod header;
mod tabs;

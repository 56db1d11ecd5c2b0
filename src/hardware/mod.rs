//! What a cluster is made of: accelerators, and the links inside and between nodes.

mod accelerator;
mod link;

pub use accelerator::{
    Accelerator, CapacityBasis, FormatRates, accelerators, accelerators_by_memory, find_accelerator,
};
pub use link::{Link, Scope, find_link, links, networks};

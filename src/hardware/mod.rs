//! What a cluster is made of: accelerators, and the links inside and between nodes.

mod accelerator;
mod generation;
mod link;

pub use accelerator::{
    Accelerator, AcceleratorRow, CapacityBasis, FormatRates, accelerator_rows, accelerators, accelerators_by_memory,
    find_accelerator,
};
pub use generation::Generation;
pub use link::{Link, LinkRow, Scope, find_link, link_rows, links, networks};

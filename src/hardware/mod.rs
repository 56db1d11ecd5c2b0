//! What a cluster is made of: accelerators, and the links inside and between nodes.

mod accelerator;
#[cfg(not(feature = "rewrite-tables"))]
#[rustfmt::skip]
mod accelerator_table;
mod link;
#[cfg(not(feature = "rewrite-tables"))]
#[rustfmt::skip]
mod link_table;

#[cfg(feature = "rewrite-tables")]
mod accelerator_table {
    pub static ACCELERATORS: [super::Accelerator; 0] = [];
    pub static BY_MEMORY: [&super::Accelerator; 0] = [];
}
#[cfg(feature = "rewrite-tables")]
mod link_table {
    pub static LINKS: [super::Link; 0] = [];
}

pub use accelerator::{
    Accelerator, AcceleratorRow, CapacityBasis, FormatRates, accelerator_rows, accelerators, accelerators_by_memory,
    find_accelerator,
};
pub use link::{Link, LinkRow, Scope, find_link, link_rows, links, networks};

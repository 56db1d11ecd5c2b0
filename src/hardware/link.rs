//! Links: what carries bytes between accelerators of a node (scale-up) and between nodes (scale-out).

use std::ops::Deref;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::catalogue::{self, File};

/// One kind of link, as one accelerator has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// The name a scenario uses.
    pub id: &'static str,
    /// The name a person uses.
    pub name: &'static str,
    /// Inside a node or between nodes.
    pub scope: Scope,
    /// Nominal bandwidth of one accelerator in one direction, bytes a second.
    pub bandwidth: f64,
    /// Share of the nominal bandwidth that was reached; above 1 where the switch reduces on the way.
    pub achieved_share: Option<f64>,
    /// Seconds a message takes beside its bytes; the row's note says where it means something else.
    pub latency_seconds: Option<f64>,
}

/// Where a link runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Between the accelerators of one domain.
    ScaleUp,
    /// Between nodes.
    ScaleOut,
}

/// A row as the file has it: the figures, and what stands behind them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub struct LinkRow {
    /// The figures.
    #[serde(flatten)]
    pub figures: Link,
    /// What the achieved share was measured on.
    pub measured_on: Option<String>,
    /// Keys of the sources of the figures.
    sources: Vec<String>,
    /// What else is to be known about the figures.
    pub note: Option<String>,
    /// The figures rest on an announcement, on one secondary page or on no publication at all.
    #[serde(default)]
    pub unverified: bool,
}

impl Deref for LinkRow {
    type Target = Link;
    fn deref(&self) -> &Link {
        &self.figures
    }
}

impl LinkRow {
    /// The publications the figures were read in.
    pub fn sources(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.sources.iter().filter_map(|key| FILE.source(key))
    }
}

static FILE: LazyLock<File<LinkRow>> = LazyLock::new(|| File::read(include_str!("links.json")));
static LINKS: LazyLock<Vec<Link>> = LazyLock::new(|| catalogue::facts(include_bytes!("links.postcard")));

/// Every row of the file, with its sources; for the reference pages and the tests. The ledger counts with the figures
/// alone, [`links`].
pub fn link_rows() -> &'static [LinkRow] {
    &FILE.rows
}

/// Every link, those inside a node first.
pub fn links() -> &'static [Link] {
    &LINKS
}

/// The links between nodes.
pub fn networks() -> impl Iterator<Item = &'static Link> {
    links().iter().filter(|link| link.scope == Scope::ScaleOut)
}

/// The link of that id.
pub fn find_link(id: &str) -> Option<&'static Link> {
    links().iter().find(|link| link.id == id)
}

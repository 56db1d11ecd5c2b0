//! Links: what carries bytes between accelerators of a node (scale-up) and between nodes (scale-out).

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;

/// One kind of link, as one accelerator has it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
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
    #[serde(default)]
    pub achieved_share: Option<f64>,
    /// What that share was measured on.
    #[serde(default)]
    pub measured_on: Option<&'static str>,
    /// Seconds a message takes beside its bytes; the row's note says where it means something else.
    #[serde(default)]
    pub latency_seconds: Option<f64>,
    /// Keys of the sources of the figures.
    sources: Vec<&'static str>,
    /// What else is to be known about the figures.
    #[serde(default)]
    pub note: Option<&'static str>,
    /// The figures rest on an announcement, on one secondary page or on no publication at all.
    #[serde(default)]
    pub unverified: bool,
}

/// Where a link runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Between the accelerators of one domain.
    ScaleUp,
    /// Between nodes.
    ScaleOut,
}

impl Link {
    /// The publications the figures were read in.
    pub fn sources(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.sources.iter().filter_map(|key| catalogue().sources.get(key).copied())
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Catalogue {
    #[serde(borrow)]
    sources: BTreeMap<&'static str, &'static str>,
    links: Vec<Link>,
}

fn catalogue() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    CATALOGUE.get_or_init(|| {
        // The file is part of the program, and a test reads it.
        serde_json::from_str(include_str!("links.json")).expect("the compiled-in links are valid")
    })
}

/// Every link, those inside a node first.
pub fn links() -> &'static [Link] {
    &catalogue().links
}

/// The links between nodes.
pub fn networks() -> impl Iterator<Item = &'static Link> {
    links().iter().filter(|link| link.scope == Scope::ScaleOut)
}

/// The link of that id.
pub fn find_link(id: &str) -> Option<&'static Link> {
    links().iter().find(|link| link.id == id)
}

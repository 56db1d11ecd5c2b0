//! Links: what carries bytes between accelerators of a node (scale-up) and between nodes (scale-out).

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::schema::{read_compiled_in, schema};

/// One kind of link, as one accelerator has it.
#[derive(Clone, Debug, PartialEq)]
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
    /// What that share was measured on.
    pub measured_on: Option<&'static str>,
    /// Seconds a message takes beside its bytes; the row's note says where it means something else.
    pub latency_seconds: Option<f64>,
    /// Keys of the sources of the figures.
    sources: Vec<&'static str>,
    /// What else is to be known about the figures.
    pub note: Option<&'static str>,
    /// The figures rest on an announcement, on one secondary page or on no publication at all.
    pub unverified: bool,
}

/// Where a link runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

schema! { Refused:
    /// A row as the file has it.
    struct FileRow {
        "id" id: &'static str,
        "name" name: &'static str,
        "scope" scope: String,
        "bandwidth" bandwidth: f64,
        "achieved_share" achieved_share: f64,
        "measured_on" measured_on: &'static str,
        "latency_seconds" latency_seconds: f64,
        "sources" sources: Vec<&'static str>,
        "note" note: &'static str,
        "unverified" unverified: bool,
    }

    struct File {
        "sources" sources: BTreeMap<&'static str, &'static str>,
        "links" links: Vec<FileRow>,
    }
}

struct Catalogue {
    sources: BTreeMap<&'static str, &'static str>,
    links: Vec<Link>,
}

fn catalogue() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    // The file is part of the program, and a test reads it.
    CATALOGUE.get_or_init(|| read_catalogue(include_str!("links.json")).expect("the compiled-in links are valid"))
}

fn read_catalogue(text: &str) -> Option<Catalogue> {
    let file: File = read_compiled_in(text)?;
    Some(Catalogue { sources: file.sources?, links: file.links?.into_iter().map(link).collect::<Option<_>>()? })
}

/// The row, where all is there that every row has.
fn link(row: FileRow) -> Option<Link> {
    Some(Link {
        id: row.id?,
        name: row.name?,
        scope: match row.scope?.as_str() {
            "scale_up" => Scope::ScaleUp,
            "scale_out" => Scope::ScaleOut,
            _ => return None,
        },
        bandwidth: row.bandwidth?,
        achieved_share: row.achieved_share,
        measured_on: row.measured_on,
        latency_seconds: row.latency_seconds,
        sources: row.sources?,
        note: row.note,
        unverified: row.unverified.unwrap_or(false),
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

//! Links: what carries bytes between accelerators of a node (scale-up) and between nodes (scale-out).

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::OnceLock;

use super::link_table::LINKS;
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
    /// Seconds a message takes beside its bytes; the row's note says where it means something else.
    pub latency_seconds: Option<f64>,
}

/// A row as the file has it: the figures, and what stands behind them.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkRow {
    /// The figures.
    pub figures: Link,
    /// What the achieved share was measured on.
    pub measured_on: Option<&'static str>,
    /// Keys of the sources of the figures.
    sources: Vec<&'static str>,
    /// What else is to be known about the figures.
    pub note: Option<&'static str>,
    /// The figures rest on an announcement, on one secondary page or on no publication at all.
    pub unverified: bool,
}

impl Deref for LinkRow {
    type Target = Link;
    fn deref(&self) -> &Link {
        &self.figures
    }
}

/// Where a link runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Between the accelerators of one domain.
    ScaleUp,
    /// Between nodes.
    ScaleOut,
}

impl LinkRow {
    /// The publications the figures were read in.
    pub fn sources(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.sources.iter().filter_map(|key| file().sources.get(key).copied())
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
    rows: Vec<LinkRow>,
}

fn file() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    // The file is part of the program, and a test reads it.
    CATALOGUE.get_or_init(|| read_file(include_str!("links.json")).expect("the compiled-in links are valid"))
}

fn read_file(text: &str) -> Option<Catalogue> {
    let file: File = read_compiled_in(text)?;
    Some(Catalogue { sources: file.sources?, rows: file.links?.into_iter().map(row).collect::<Option<_>>()? })
}

/// The row, where all is there that every row has.
fn row(row: FileRow) -> Option<LinkRow> {
    let figures = Link {
        id: row.id?,
        name: row.name?,
        scope: match row.scope?.as_str() {
            "scale_up" => Scope::ScaleUp,
            "scale_out" => Scope::ScaleOut,
            _ => return None,
        },
        bandwidth: row.bandwidth?,
        achieved_share: row.achieved_share,
        latency_seconds: row.latency_seconds,
    };
    Some(LinkRow {
        figures,
        measured_on: row.measured_on,
        sources: row.sources?,
        note: row.note,
        unverified: row.unverified.unwrap_or(false),
    })
}

/// Every row of the file, with its sources; for the reference pages and the tests. The ledger counts with the table
/// written from it, [`links`].
pub fn link_rows() -> &'static [LinkRow] {
    &file().rows
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

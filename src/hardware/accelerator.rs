//! Accelerators: memory as sold, as the vendor's tool prints it and as the framework sees it, and peak rates.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::OnceLock;

use super::accelerator_table::{ACCELERATORS, BY_MEMORY};
use super::{Link, find_link};
use crate::schema::{read_compiled_in, schema};

/// One accelerator as the framework addresses it: a card, a module, or one die's worth of a package.
#[derive(Clone, Debug, PartialEq)]
pub struct Accelerator {
    /// The name a scenario uses.
    pub id: &'static str,
    /// The name a person uses.
    pub name: &'static str,
    /// Who makes it.
    pub vendor: &'static str,
    /// Memory as sold, in the number of the data sheet. Vendors mean 10^9 bytes by some of these and 2^30 by others.
    pub memory_vendor_gb: f64,
    /// Memory as the vendor's tool (nvidia-smi and the like) prints it, in MiB.
    pub memory_tool_mib: Option<f64>,
    /// The least total memory PyTorch reported, in GiB: what is left when driver and error correction have taken
    /// their part.
    pub memory_torch_gib: Option<f64>,
    /// Peak bandwidth of the memory, bytes a second.
    pub bandwidth: f64,
    /// Peak dense rate by format, FLOP (or integer operations) a second.
    pub peak_flops: FormatRates,
    /// Share of that peak which the best measured matrix product reached.
    pub matmul_efficiency: FormatRates,
    /// Id of the link to the other accelerators of the same domain, if there is one.
    pub(super) link: Option<&'static str>,
    /// How many accelerators one domain of that link joins; for PCIe a usual host, not a limit.
    pub domain: u64,
}

/// A row as the file has it: the figures, and what stands behind them.
#[derive(Clone, Debug, PartialEq)]
pub struct AcceleratorRow {
    /// The figures.
    pub figures: Accelerator,
    /// Where the figures come from: key of the source, and which figures.
    sources: BTreeMap<&'static str, &'static str>,
    /// What else is to be known about the figures.
    pub note: Option<&'static str>,
    /// Figures no published source was read for.
    pub unverified: Vec<&'static str>,
}

impl Deref for AcceleratorRow {
    type Target = Accelerator;
    fn deref(&self) -> &Accelerator {
        &self.figures
    }
}

schema! { Refused:
    /// A figure for each number format; none where the format is not native or no figure is known.
    #[derive(Copy)]
    #[allow(missing_docs, reason = "the fields are the names of the formats")]
    pub struct FormatRates {
        "fp32" fp32: f64,
        "tf32" tf32: f64,
        "bf16" bf16: f64,
        "fp16" fp16: f64,
        "fp8" fp8: f64,
        "int8" int8: f64,
        "fp4" fp4: f64,
    }

    /// A row as the file has it.
    struct FileRow {
        "id" id: &'static str,
        "name" name: &'static str,
        "vendor" vendor: &'static str,
        "memory_vendor_gb" memory_vendor_gb: f64,
        "memory_tool_mib" memory_tool_mib: f64,
        "memory_torch_gib" memory_torch_gib: f64,
        "bandwidth" bandwidth: f64,
        "peak_flops" peak_flops: FormatRates,
        "matmul_efficiency" matmul_efficiency: FormatRates,
        "link" link: &'static str,
        "domain" domain: u64,
        "sources" sources: BTreeMap<&'static str, &'static str>,
        "note" note: &'static str,
        "unverified" unverified: Vec<&'static str>,
    }

    struct File {
        "sources" sources: BTreeMap<&'static str, &'static str>,
        "accelerators" accelerators: Vec<FileRow>,
    }
}

/// Which of an accelerator's memory figures its capacity is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CapacityBasis {
    /// What the framework reports.
    Framework,
    /// What the vendor's tool prints.
    Tool,
    /// What it is sold as, taken as 10^9 bytes.
    Vendor,
}

impl Accelerator {
    /// The link to the other accelerators of the same domain; none where the machine has only one.
    pub fn link(&self) -> Option<&'static Link> {
        self.link.and_then(find_link)
    }

    /// Bytes that a framework can allocate at most: what it reports itself, else what the tool prints, else what the
    /// vendor sells, each where the one before is not known.
    pub fn capacity_bytes(&self) -> u64 {
        let bytes = match self.capacity_basis() {
            CapacityBasis::Framework => self.memory_torch_gib.unwrap_or_default() * (1_u64 << 30) as f64,
            CapacityBasis::Tool => self.memory_tool_mib.unwrap_or_default() * (1_u64 << 20) as f64,
            CapacityBasis::Vendor => self.memory_vendor_gb * 1e9,
        };
        bytes.round() as u64
    }

    /// Which figure [`Accelerator::capacity_bytes`] is.
    pub fn capacity_basis(&self) -> CapacityBasis {
        match (self.memory_torch_gib, self.memory_tool_mib) {
            (Some(_), _) => CapacityBasis::Framework,
            (None, Some(_)) => CapacityBasis::Tool,
            (None, None) => CapacityBasis::Vendor,
        }
    }
}

impl AcceleratorRow {
    /// The sources of the row: which figures, and the publication they were read in.
    pub fn sources(&self) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
        self.sources.iter().filter_map(|(key, figures)| Some((*figures, *file().sources.get(key)?)))
    }
}

struct Catalogue {
    sources: BTreeMap<&'static str, &'static str>,
    rows: Vec<AcceleratorRow>,
}

fn file() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    // The file is part of the program, and a test reads it.
    CATALOGUE
        .get_or_init(|| read_file(include_str!("accelerators.json")).expect("the compiled-in accelerators are valid"))
}

fn read_file(text: &str) -> Option<Catalogue> {
    let file: File = read_compiled_in(text)?;
    let rows = file.accelerators?.into_iter().map(row).collect::<Option<_>>()?;
    Some(Catalogue { sources: file.sources?, rows })
}

/// The row, where all is there that every row has.
fn row(row: FileRow) -> Option<AcceleratorRow> {
    let figures = Accelerator {
        id: row.id?,
        name: row.name?,
        vendor: row.vendor?,
        memory_vendor_gb: row.memory_vendor_gb?,
        memory_tool_mib: row.memory_tool_mib,
        memory_torch_gib: row.memory_torch_gib,
        bandwidth: row.bandwidth?,
        peak_flops: row.peak_flops?,
        matmul_efficiency: row.matmul_efficiency.unwrap_or_default(),
        link: row.link,
        domain: row.domain?,
    };
    Some(AcceleratorRow {
        figures,
        sources: row.sources?,
        note: row.note,
        unverified: row.unverified.unwrap_or_default(),
    })
}

/// Every row of the file, with its sources; for the reference pages and the tests. The ledger counts with the table
/// written from it, [`accelerators`].
pub fn accelerator_rows() -> &'static [AcceleratorRow] {
    &file().rows
}

/// Every accelerator, by vendor and generation.
pub fn accelerators() -> &'static [Accelerator] {
    &ACCELERATORS
}

/// Every accelerator in order of what it holds; among equals the one with the slower memory first.
pub fn accelerators_by_memory() -> &'static [&'static Accelerator] {
    &BY_MEMORY
}

/// The accelerator of that id.
pub fn find_accelerator(id: &str) -> Option<&'static Accelerator> {
    accelerators().iter().find(|accelerator| accelerator.id == id)
}

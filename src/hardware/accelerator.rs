//! Accelerators: memory as sold, as the vendor's tool prints it and as the framework sees it, and peak rates.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::{Generation, Link, find_link};
use crate::catalogue::{self, File};

/// One accelerator as the framework addresses it: a card, a module, or one die's worth of a package.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Accelerator {
    /// The name a scenario uses.
    pub id: &'static str,
    /// The name a person uses.
    pub name: &'static str,
    /// Who makes it.
    pub vendor: &'static str,
    /// Its architecture.
    pub generation: Generation,
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
    #[serde(default)]
    pub matmul_efficiency: FormatRates,
    /// Id of the link to the other accelerators of the same domain, if there is one.
    pub(super) link: Option<&'static str>,
    /// How many accelerators one domain of that link joins; for PCIe a usual host, not a limit.
    pub domain: u64,
}

/// A figure for each number format; none where the format is not native or no figure is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the fields are the names of the formats")]
pub struct FormatRates {
    pub fp32: Option<f64>,
    pub tf32: Option<f64>,
    pub bf16: Option<f64>,
    pub fp16: Option<f64>,
    pub fp8: Option<f64>,
    pub int8: Option<f64>,
    pub fp4: Option<f64>,
}

/// A row as the file has it: the figures, and what stands behind them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub struct AcceleratorRow {
    /// The figures.
    #[serde(flatten)]
    pub figures: Accelerator,
    /// Where the figures come from: key of the source, and which figures.
    sources: BTreeMap<String, String>,
    /// What else is to be known about the figures.
    pub note: Option<String>,
    /// Figures no published source was read for.
    #[serde(default)]
    pub unverified: Vec<String>,
}

impl Deref for AcceleratorRow {
    type Target = Accelerator;
    fn deref(&self) -> &Accelerator {
        &self.figures
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
    pub fn sources(&self) -> impl Iterator<Item = (&str, &'static str)> {
        self.sources.iter().filter_map(|(key, figures)| Some((figures.as_str(), FILE.source(key)?)))
    }
}

static FILE: LazyLock<File<AcceleratorRow>> = LazyLock::new(|| File::read(include_str!("accelerators.json")));
static ACCELERATORS: LazyLock<Vec<Accelerator>> =
    LazyLock::new(|| catalogue::facts(include_bytes!("accelerators.postcard")));

/// Every row of the file, with its sources; for the reference pages and the tests. The ledger counts with the figures
/// alone, [`accelerators`].
pub fn accelerator_rows() -> &'static [AcceleratorRow] {
    &FILE.rows
}

/// Every accelerator, by vendor and generation.
pub fn accelerators() -> &'static [Accelerator] {
    &ACCELERATORS
}

/// Every accelerator in order of what it holds; among equals the one with the slower memory first.
pub fn accelerators_by_memory() -> &'static [&'static Accelerator] {
    static BY_MEMORY: LazyLock<Vec<&Accelerator>> = LazyLock::new(|| {
        let mut all: Vec<_> = accelerators().iter().collect();
        all.sort_by(|a, b| {
            let memory = a.capacity_bytes().cmp(&b.capacity_bytes());
            memory.then(a.bandwidth.total_cmp(&b.bandwidth)).then(a.id.cmp(b.id))
        });
        all
    });
    &BY_MEMORY
}

/// The accelerator of that id.
pub fn find_accelerator(id: &str) -> Option<&'static Accelerator> {
    accelerators().iter().find(|accelerator| accelerator.id == id)
}

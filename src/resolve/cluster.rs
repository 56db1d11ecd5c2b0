//! The machines of a scenario: the GPU, how many, and the links between them.

use std::borrow::Cow;

use crate::hardware::{self, Accelerator, Generation, Link};
use crate::plan::{Cluster, Gpu, LinkFigures, Peaks};
use crate::refusal::{Contradiction, FieldError, Problem};
use crate::scenario::{self, DerivedCluster, GpuChoice, LinkChoice, Number, PeakFlops, range};
use crate::units::Bytes;

/// The opening GPU.
const GPU: &str = "h100-sxm-80gb";
/// The opening network between nodes.
const NETWORK: &str = "ib-ndr-400";
/// Seconds a collective inside a node takes to start where no measurement says otherwise (calculon's A100 systems).
const NODE_LATENCY: f64 = 10e-6;
/// The same between nodes.
const NETWORK_LATENCY: f64 = 20e-6;
/// Achieved share of a scale-up link that nobody measured: that of PCIe, the lowest known default.
const UNKNOWN_LINK_SHARE: f64 = 0.6;
/// Achieved share of a network that nobody measured: that of HDR InfiniBand and of EFA.
const UNKNOWN_NETWORK_SHARE: f64 = 0.96;

pub fn resolve(given: Option<&scenario::Cluster>) -> Result<Cluster, FieldError> {
    let empty = scenario::Cluster::default();
    let given = given.unwrap_or(&empty);
    let (gpu, own_link) = gpu(given.gpu.as_ref())?;
    let link = match &given.link {
        None => own_link,
        Some(choice) => link("cluster.link", choice, NODE_LATENCY, UNKNOWN_LINK_SHARE)?,
    };
    let network = match &given.network {
        None => catalogued("cluster.network", NETWORK, NETWORK_LATENCY, UNKNOWN_NETWORK_SHARE)?,
        Some(choice) => link_of(choice)?,
    };
    Ok(Cluster { gpu, link, network, settings: given.check()?.settle(DerivedCluster {}) })
}

fn link_of(choice: &LinkChoice) -> Result<LinkFigures, FieldError> {
    link("cluster.network", choice, NETWORK_LATENCY, UNKNOWN_NETWORK_SHARE)
}

fn gpu(choice: Option<&GpuChoice>) -> Result<(Gpu, LinkFigures), FieldError> {
    let id = match choice {
        None => GPU,
        Some(GpuChoice::Catalogue(id)) => id,
        Some(GpuChoice::Custom(custom)) => return custom_gpu(custom),
    };
    let row = hardware::find_accelerator(id).ok_or_else(|| {
        let ids: Vec<&str> = hardware::accelerators().iter().map(|row| row.id).collect();
        FieldError::new("cluster.gpu", Problem::unknown(id, ids.join(", ")))
    })?;
    // A machine with a single accelerator has no such link; with several of them PCIe is what would join them.
    let link = row.link().map_or("pcie-4-x16", |link| link.id);
    Ok((catalogued_gpu(row), catalogued("cluster.link", link, NODE_LATENCY, UNKNOWN_LINK_SHARE)?))
}

fn catalogued_gpu(row: &'static Accelerator) -> Gpu {
    Gpu {
        id: Cow::Borrowed(row.id),
        // Far below 2^53.
        capacity: Bytes::whole(row.capacity_bytes() as f64),
        bandwidth: row.bandwidth,
        peak: Peaks {
            fp32: row.peak_flops.fp32,
            bf16: row.peak_flops.bf16,
            fp16: row.peak_flops.fp16,
            fp8: row.peak_flops.fp8,
            fp4: row.peak_flops.fp4,
        },
        matmul_efficiency: row.matmul_efficiency.bf16,
        generation: row.generation,
    }
}

fn custom_gpu(custom: &scenario::CustomGpu) -> Result<(Gpu, LinkFigures), FieldError> {
    let rates = custom.peak_flops.clone().unwrap_or_default();
    let rate = |field: &'static str, pick: fn(&PeakFlops) -> Option<Number>| {
        pick(&rates).map(|given| range::real(field, Some(given), 0.0, 1.0, 1e24)).transpose()
    };
    // TF32 and INT8 are read for their range only: nothing computes in them yet.
    rate("cluster.gpu.peak_flops.tf32", |rates| rates.tf32)?;
    rate("cluster.gpu.peak_flops.int8", |rates| rates.int8)?;
    let peak = Peaks {
        fp32: rate("cluster.gpu.peak_flops.fp32", |rates| rates.fp32)?,
        bf16: rate("cluster.gpu.peak_flops.bf16", |rates| rates.bf16)?,
        fp16: rate("cluster.gpu.peak_flops.fp16", |rates| rates.fp16)?,
        fp8: rate("cluster.gpu.peak_flops.fp8", |rates| rates.fp8)?,
        fp4: rate("cluster.gpu.peak_flops.fp4", |rates| rates.fp4)?,
    };
    if peak.bf16.or(peak.fp16).or(peak.fp32).is_none() {
        return Err(FieldError::contradiction("cluster.gpu.peak_flops", "none of them", Contradiction::NoRate));
    }
    let gpu = Gpu {
        id: Cow::Borrowed("custom"),
        capacity: Bytes::whole(range::required("cluster.gpu.memory_bytes", custom.memory_bytes, 1e6, 1e18)?),
        bandwidth: range::required("cluster.gpu.bandwidth", custom.bandwidth, 1e6, 1e24)?,
        peak,
        matmul_efficiency: None,
        // It is taken for one of NVIDIA's for data centres with as many formats.
        generation: match (peak.fp8, peak.fp4) {
            (_, Some(_)) => Generation::Blackwell,
            (Some(_), None) => Generation::Hopper,
            (None, None) => Generation::Ampere,
        },
    };
    // A GPU nobody described a link for is taken to sit in a PCIe slot.
    let link = catalogued("cluster.link", "pcie-4-x16", NODE_LATENCY, UNKNOWN_LINK_SHARE)?;
    Ok((gpu, link))
}

fn link(field: &'static str, choice: &LinkChoice, latency: f64, share: f64) -> Result<LinkFigures, FieldError> {
    match choice {
        LinkChoice::Catalogue(id) => catalogued(field, id, latency, share),
        LinkChoice::Custom(custom) => {
            // Both links read the same keys; the fields are named in full so that an error says which one.
            let [bandwidth, own_latency, efficiency] = if field == "cluster.link" {
                ["cluster.link.bandwidth", "cluster.link.latency", "cluster.link.efficiency"]
            } else {
                ["cluster.network.bandwidth", "cluster.network.latency", "cluster.network.efficiency"]
            };
            Ok(LinkFigures {
                id: Cow::Borrowed("custom"),
                bandwidth: range::required(bandwidth, custom.bandwidth, 1.0, 1e24)?,
                latency: range::real(own_latency, custom.latency, latency, 0.0, 10.0)?,
                efficiency: range::real(efficiency, custom.efficiency, share, 0.001, 2.0)?,
            })
        }
    }
}

fn catalogued(field: &'static str, id: &str, latency: f64, share: f64) -> Result<LinkFigures, FieldError> {
    let row: &'static Link = hardware::find_link(id).ok_or_else(|| {
        let ids: Vec<&str> = hardware::links().iter().map(|row| row.id).collect();
        FieldError::new(field, Problem::unknown(id, ids.join(", ")))
    })?;
    Ok(LinkFigures {
        id: Cow::Borrowed(row.id),
        bandwidth: row.bandwidth,
        latency: row.latency_seconds.unwrap_or(latency),
        efficiency: row.achieved_share.unwrap_or(share),
    })
}

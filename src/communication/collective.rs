//! What one GPU sends in a collective, and how long it takes.

use std::borrow::Cow;

use crate::resolve::{Cluster, LinkFigures};
use crate::scenario::BandwidthView;
use crate::units::Seconds;

use super::Collective;

/// Ranks of one group and how they lie on the nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranks {
    /// Ranks in the group.
    pub size: u64,
    /// Distance between neighbouring ranks of the group, in GPUs.
    pub stride: u64,
}

impl Ranks {
    /// Ranks of the group that share a node.
    #[must_use]
    pub fn in_node(self, gpus_per_node: u64) -> u64 {
        (gpus_per_node / self.stride).clamp(1, self.size)
    }

    /// Ranks on the node with the fewest of them: where the last node is not full, its cards carry the whole ring.
    #[must_use]
    pub fn fewest_in_a_node(self, gpus_per_node: u64) -> u64 {
        let in_node = self.in_node(gpus_per_node);
        match self.size % in_node {
            0 => in_node,
            last => last,
        }
    }

    /// Nodes that the group spreads over.
    #[must_use]
    pub fn nodes(self, gpus_per_node: u64) -> u64 {
        self.size.div_ceil(self.in_node(gpus_per_node))
    }
}

/// Bytes one GPU sends for each byte of the whole buffer (ring algorithm).
///
/// The buffer of an all-gather or reduce-scatter is the gathered one (convention of NVIDIA/nccl-tests, PERFORMANCE.md).
#[must_use]
pub fn wire_factor(collective: Collective, ranks: u64) -> f64 {
    let n = ranks as f64;
    match collective {
        Collective::AllReduce => 2.0 * (n - 1.0) / n,
        Collective::AllGather | Collective::ReduceScatter | Collective::AllToAll => (n - 1.0) / n,
        Collective::Broadcast | Collective::Reduce | Collective::SendRecv => 1.0,
    }
}

/// Time of one call in which each GPU sends `wire` bytes, and the id of the slowest link it crosses.
///
/// Inside a node: start-up, and bytes over the achieved rate of the link. Across nodes a flat ring crosses each node
/// boundary once; `rails` spreads that over the network cards of all members in the node, `single_nic` over one, and
/// every further node adds the network's latency (NVIDIA/nccl-tests issue 267; DeepSpeed and FSDP runs lie on the
/// rails side).
#[must_use]
pub fn time(cluster: &Cluster, ranks: Ranks, wire: f64) -> (Seconds, Cow<'static, str>) {
    let rate = |link: &LinkFigures| link.bandwidth * link.efficiency;
    let nodes = ranks.nodes(cluster.gpus_per_node);
    let in_node = ranks.in_node(cluster.gpus_per_node);
    let inside = if in_node > 1 { wire / rate(&cluster.link) } else { 0.0 };
    let start = if in_node > 1 { cluster.link.latency } else { 0.0 };
    if nodes == 1 {
        return (Seconds(start + inside), cluster.link.id.clone());
    }
    let cards = match cluster.view {
        BandwidthView::Rails => ranks.fewest_in_a_node(cluster.gpus_per_node) as f64,
        BandwidthView::SingleNic => 1.0,
    };
    let across = wire / (cards * rate(&cluster.network));
    let latency = start + cluster.network.latency * (nodes - 1) as f64;
    (Seconds(latency + inside.max(across)), cluster.network.id.clone())
}

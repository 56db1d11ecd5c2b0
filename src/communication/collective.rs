//! What one GPU sends in a collective, and how long it takes.

use std::borrow::Cow;

use crate::answer::Collective;
use crate::engines::SmallAllReduces;
use crate::names::BandwidthView;
use crate::plan::{Cluster, LinkFigures};
use crate::units::Seconds;

use super::curve::{Curves, small_all_reduce};

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

/// What runs a collective, where it is not what NCCL chooses by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Library {
    /// NCCL: rings, and the switch where that adds up.
    #[default]
    Nccl,
    /// NCCL kept to rings.
    Rings,
    /// NCCL made to let the switch add up.
    InSwitch,
    /// An engine's own kernels for small all-reduces inside a node; NCCL for all else.
    Small(SmallAllReduces),
    /// Kernels for experts that send a token once to each rank, and across nodes once to each node, however many of its
    /// chosen experts are on it; with this many experts a token.
    Experts(f64),
    /// An all-to-all within each node and then one between nodes of what is left after adding up (ZeRO++, arXiv
    /// 2306.10209, section 3.3).
    TwoHops,
    /// DeepEP's kernels for tokens of a decode step, which go from GPU to GPU without a copy between.
    LowLatency,
}

/// One call of a collective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Call {
    /// The collective.
    pub collective: Collective,
    /// Who takes part.
    pub ranks: Ranks,
    /// Bytes of the whole buffer: the gathered one of an all-gather or a reduce-scatter.
    pub buffer: f64,
    /// What runs it.
    pub library: Library,
}

impl Call {
    /// Bytes that one GPU sends.
    #[must_use]
    pub fn wire(&self) -> f64 {
        if self.library == Library::InSwitch && self.collective == Collective::AllReduce {
            // Each GPU sends its own once, and its share of the sum (NVIDIA/nccl-tests issues 212 and 239).
            return self.buffer * (1.0 + 1.0 / self.ranks.size as f64);
        }
        self.buffer * wire_factor(self.collective, self.ranks.size)
    }
}

/// Seconds that each further rank of a ring across nodes adds on EFA while messages are small, and what comes on top of
/// that with messages of [`LARGE`] bytes: all-reduces of 1 MiB to 16 GiB over 4 nodes of 8 B200 (stas00/ml-engineering at
/// 744d01e), and of 256 MB over 2 to 64 nodes of 8 H100 (figure data of the Ultra-Scale Playbook).
const EFA_HOP: f64 = 12e-6;
const EFA_LARGE_HOP: f64 = 18e-6;
/// The same of all-gather and reduce-scatter, which have no tree to fall back on.
const EFA_LARGE_HOP_ONE_WAY: f64 = 28e-6;
const LARGE: f64 = 268_435_456.0;
/// The same on any other network. Assumed: no sweep over ranks was published for InfiniBand or RoCE.
const HOP: f64 = 3e-6;

/// What an all-to-all across nodes reaches of the rate of a ring: half of the nominal rate (stas00/ml-engineering and
/// NVIDIA/nccl-tests issue 267, where nothing else was measured).
const ALL_TO_ALL_SHARE: f64 = 0.52;

/// Share of a card's rate that kernels for experts reach across nodes: 43 to 58 GB/s of 50 (DeepEP at dd758ca, EP16 to 64
/// on H800, which counts what stays in a node as well).
const EXPERTS_SHARE: f64 = 0.90;

/// DeepEP's low-latency kernels on H800, version 1: seconds to start inside a node and across, and the share of a card's
/// rate that what leaves the node reaches (its table for 8 to 256 ranks).
const LOW_LATENCY_START: [f64; 2] = [35e-6, 10e-6];
const LOW_LATENCY_SHARE: f64 = 0.80;

/// Time of one call, and the id of the slowest link it crosses.
///
/// Inside a node by the link's curve ([`Curves`]), or by its plain figures where it has none. Across nodes a flat ring
/// crosses each node boundary once; `rails` spreads that over the network cards of all members in the node, `single_nic`
/// over one (NVIDIA/nccl-tests issue 267; DeepSpeed and FSDP runs lie on the rails side), and the longer the ring the
/// later it ends. In an all-to-all every rank's own card carries what leaves its node.
#[must_use]
pub fn time(cluster: &Cluster, call: &Call) -> (Seconds, Cow<'static, str>) {
    let &Call { collective, ranks, buffer, library } = call;
    let wire = call.wire();
    let nodes = ranks.nodes(cluster.gpus_per_node);
    let in_node = ranks.in_node(cluster.gpus_per_node);
    let size = ranks.size as f64;
    if nodes == 1 {
        return (Seconds(inside(&cluster.link, call, ranks.size)), cluster.link.id.clone());
    }
    let network = &cluster.network;
    let card = network.bandwidth * network.efficiency;
    let id = network.id.clone();
    match collective {
        Collective::AllToAll if matches!(library, Library::Experts(_)) => {
            let within = inside(&cluster.link, call, in_node.max(2));
            let once = once_each(buffer, library, nodes as f64);
            (Seconds(within.max(once / (EXPERTS_SHARE * network.bandwidth)) + network.latency), id)
        }
        Collective::AllToAll if library == Library::TwoHops => {
            let within = if in_node > 1 { inside(&cluster.link, call, in_node) } else { 0.0 };
            let left = buffer / in_node as f64 * (nodes as f64 - 1.0) / nodes as f64;
            (Seconds(within + left / (ALL_TO_ALL_SHARE * card) + network.latency), id)
        }
        Collective::AllToAll => {
            let leaves = buffer * (size - in_node as f64) / size;
            if library == Library::LowLatency {
                let seconds = LOW_LATENCY_START[1] + leaves / (LOW_LATENCY_SHARE * network.bandwidth);
                return (Seconds(seconds), id);
            }
            let stays = Call { buffer: buffer * in_node as f64 / size, ..*call };
            let within = if in_node > 1 { inside(&cluster.link, &stays, in_node) } else { 0.0 };
            (Seconds(within.max(leaves / (ALL_TO_ALL_SHARE * card)) + network.latency), id)
        }
        Collective::SendRecv => (Seconds(network.latency + wire / card), id),
        _ => {
            let cards = match cluster.bandwidth_view {
                BandwidthView::Rails => ranks.fewest_in_a_node(cluster.gpus_per_node) as f64,
                BandwidthView::SingleNic => 1.0,
            };
            let within = if in_node > 1 { inside(&cluster.link, call, in_node) } else { 0.0 };
            let across = wire / (cards * card) + hops(network, collective, ranks.size, buffer);
            (Seconds(network.latency + within.max(across)), id)
        }
    }
}

/// Bytes that a rank sends where each token goes once to each of a number of places, its own left out: with k experts chosen
/// evenly it meets n·(1 − (1 − 1/n)^k) of n places.
fn once_each(buffer: f64, library: Library, places: f64) -> f64 {
    let Library::Experts(chosen) = library else { return buffer };
    let met = places * (1.0 - (1.0 - 1.0 / places).powf(chosen));
    buffer / chosen * met * (places - 1.0) / places
}

/// What the length of a ring across nodes adds.
fn hops(network: &LinkFigures, collective: Collective, ranks: u64, buffer: f64) -> f64 {
    let hop = if network.id.starts_with("efa-") {
        let large = if collective == Collective::AllReduce { EFA_LARGE_HOP } else { EFA_LARGE_HOP_ONE_WAY };
        EFA_HOP + large * (buffer / LARGE).min(1.0)
    } else {
        HOP
    };
    hop * (ranks - 1) as f64
}

/// Seconds inside a node, over `ranks` of it.
fn inside(link: &LinkFigures, call: &Call, ranks: u64) -> f64 {
    let &Call { collective, buffer, library, .. } = call;
    let wire = match library {
        Library::Experts(_) => once_each(buffer, library, call.ranks.size as f64),
        _ => buffer * wire_factor(collective, ranks),
    };
    let buffers = [buffer, wire];
    let own = match library {
        Library::Small(kernels) if collective == Collective::AllReduce => {
            small_all_reduce(&kernels, &link.id, ranks, buffers)
        }
        Library::LowLatency => Some(LOW_LATENCY_START[0] + buffers[1] / (link.bandwidth * link.efficiency)),
        _ => None,
    };
    own.unwrap_or_else(|| match Curves::of(&link.id) {
        Some(curves) => curves.seconds(collective, ranks, buffers, link.bandwidth, library != Library::Rings),
        None => link.latency + buffers[1] / (link.bandwidth * link.efficiency * axes(&link.id, ranks)),
    })
}

/// Links of a chip that a group of a torus uses at a time: both directions of one axis of up to 16 chips, of two axes for
/// more (jax-ml/scaling-book, the chapter on sharding). One everywhere else.
fn axes(link: &str, ranks: u64) -> f64 {
    match link.starts_with("ici-") {
        true if ranks > 16 => 4.0,
        true => 2.0,
        false => 1.0,
    }
}

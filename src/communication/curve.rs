//! How long a collective takes inside a node, by the link: curves fitted on public measurements.
//!
//! `t = α·(¼ + ¾·n/8) + γ·√S + wire / (share · bandwidth)`: a start that grows with the ranks, a middle in which pipelines
//! fill (a straight line alone is 6 to 17 % off in the median), and the rate of large messages. S is the whole buffer.
//!
//! Fitted on the NCCL tables of aiconfigurator at 095f58a (8 A100, H100, H200, B200, B300; 4 H100, GB200; 512 B to 512 MiB)
//! and, for large messages, on the tables of stas00/ml-engineering at 744d01e (up to 16 GiB). The two disagree on messages
//! of about 1 MiB, where the latter is slower by a factor of 1.6 to 2.6; the former, which times kernels alone, is used.

use crate::answer::Collective;
use crate::engines::SmallAllReduces;

/// One collective on one link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// Seconds to start with eight ranks.
    pub start: f64,
    /// Seconds for each square root of a byte.
    pub middle: f64,
    /// Share of the link's bandwidth that a ring reaches with large messages.
    pub share: f64,
}

/// The collectives of one link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curves {
    all_reduce: Curve,
    all_gather: Curve,
    reduce_scatter: Curve,
    all_to_all: Curve,
    /// Share of the bandwidth between two.
    pair: f64,
    /// Share reached where the switch adds up: each GPU then sends (n+1)/n of the buffer instead of 2(n−1)/n. Rings are
    /// taken with four ranks or fewer (8 H200: the gain is 1.00 with 4 ranks and 1.29 with 8).
    in_switch: Option<f64>,
    /// Links of a GPU of which a group uses one for each of its other members; 0 where a switch joins them.
    mesh: f64,
}

const fn curve(start_us: f64, middle_ns: f64, share: f64) -> Curve {
    Curve { start: start_us * 1e-6, middle: middle_ns * 1e-9, share }
}

const NVLINK_3: Curves = Curves {
    all_reduce: curve(21.0, 15.0, 0.815),
    all_gather: curve(15.0, 8.7, 0.74),
    reduce_scatter: curve(14.4, 7.8, 0.75),
    all_to_all: curve(12.8, 9.1, 0.75),
    pair: 0.913,
    in_switch: None,
    mesh: 0.0,
};

const NVLINK_4: Curves = Curves {
    all_reduce: curve(16.0, 8.7, 0.82),
    all_gather: curve(10.8, 5.0, 0.82),
    reduce_scatter: curve(10.3, 3.5, 0.785),
    all_to_all: curve(8.4, 4.43, 0.76),
    pair: 0.86,
    in_switch: Some(0.69),
    mesh: 0.0,
};

const NVLINK_5: Curves = Curves {
    all_reduce: curve(24.8, 9.4, 0.78),
    all_gather: curve(16.4, 5.1, 0.82),
    reduce_scatter: curve(16.0, 4.6, 0.80),
    all_to_all: curve(11.5, 5.4, 0.79),
    pair: 0.829,
    in_switch: Some(0.615),
    mesh: 0.0,
};

/// MI300X: 312.9 GB/s with 8 ranks and 47.7 with 2, which have one link of seven (stas00/ml-engineering at 744d01e). Starts
/// are assumed to be those of H100.
const XGMI: Curves = Curves {
    all_reduce: curve(16.0, 0.0, 0.72),
    all_gather: curve(10.8, 0.0, 0.72),
    reduce_scatter: curve(10.3, 0.0, 0.72),
    all_to_all: curve(8.4, 0.0, 0.72),
    pair: 0.72,
    in_switch: None,
    mesh: 7.0,
};

impl Curves {
    /// Those of a link; none where nobody measured it.
    #[must_use]
    pub fn of(link: &str) -> Option<&'static Curves> {
        match link {
            "nvlink-3" | "nvlink-3-a800" => Some(&NVLINK_3),
            "nvlink-4" | "nvlink-4-h800" => Some(&NVLINK_4),
            "nvlink-5" | "nvlink-5-nvl72" | "nvlink-6" => Some(&NVLINK_5),
            "xgmi-mi300x" | "xgmi-mi355x" => Some(&XGMI),
            _ => None,
        }
    }

    /// Seconds of one call over `ranks` of a link of `bandwidth` bytes a second, with `buffer` bytes in all, of which a ring
    /// has each GPU send `wire`. `adds_up` says whether the switch may.
    #[must_use]
    pub fn seconds(
        &self,
        collective: Collective,
        ranks: u64,
        [buffer, wire]: [f64; 2],
        bandwidth: f64,
        adds_up: bool,
    ) -> f64 {
        let n = ranks as f64;
        let reached = if self.mesh > 0.0 { ((n - 1.0) / self.mesh).min(1.0) } else { 1.0 } * bandwidth;
        let grows = 0.25 + 0.75 * n / 8.0;
        let curve = match collective {
            Collective::AllReduce => self.all_reduce,
            Collective::AllGather => self.all_gather,
            Collective::ReduceScatter => self.reduce_scatter,
            Collective::AllToAll => self.all_to_all,
            Collective::Broadcast | Collective::Reduce | Collective::SendRecv => {
                Curve { middle: 0.0, share: self.pair, ..self.all_to_all }
            }
        };
        let ring = wire / (curve.share * reached);
        let in_switch = self.in_switch.filter(|_| adds_up && collective == Collective::AllReduce && ranks > 4);
        let moved = in_switch.map_or(ring, |share| ring.min((n + 1.0) / n * buffer / (share * reached)));
        // Only an all-reduce, which goes round twice, was seen to fill more slowly with more ranks.
        let fills = if collective == Collective::AllReduce { grows.min(1.0) } else { 1.0 };
        curve.start * grows + curve.middle * fills * buffer.sqrt() + moved
    }
}

/// The longest message that an engine's own kernels take (vLLM's `custom_all_reduce`: 8 MiB).
const SMALL: f64 = 8.0 * 1_048_576.0;

/// Seconds of an all-reduce of `buffer` bytes over `ranks` of a link by an engine's own kernels; none where it is no message
/// for these. 2 and 4 ranks start in 0.7 and 0.8 of the time of eight. On B200 they took 1.6 times as long, on A100 1.2.
#[must_use]
pub fn small_all_reduce(kernels: &SmallAllReduces, link: &str, ranks: u64, [buffer, wire]: [f64; 2]) -> Option<f64> {
    let slower = match link {
        "nvlink-3" | "nvlink-3-a800" => 1.2,
        "nvlink-4" | "nvlink-4-h800" => 1.0,
        "nvlink-5" | "nvlink-5-nvl72" => 1.6,
        _ => return None,
    };
    let SmallAllReduces { start, middle, rate } = *kernels;
    let starts = start * (0.6 + 0.4 * ranks as f64 / 8.0);
    (buffer <= SMALL && ranks <= 8).then(|| slower * (starts + middle * buffer.sqrt()) + wire / rate)
}

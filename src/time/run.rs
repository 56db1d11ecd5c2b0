//! The whole run: what it takes, what it costs, and what is lost to failures and to guarding against them.

use crate::answer::{Checkpoint, Run, Step};
use crate::plan::Cluster;
use crate::units::{Bytes, Seconds};

use super::efficiency;

/// How long a run of `tokens` tokens takes at the pace of a step, and what it costs; at the latest as much longer as a step
/// may be.
#[must_use]
pub fn run(tokens: f64, step: &Step, cluster: &Cluster) -> Run {
    let gpus = cluster.gpus as f64;
    let seconds = tokens / (step.tokens_per_second_per_gpu * gpus);
    let gpu_hours = seconds * gpus / 3600.0;
    let late = efficiency::at_most(cluster.gpus);
    Run {
        seconds: Seconds(seconds),
        gpu_hours,
        cost: cluster.price_per_gpu_hour.map(|price| price * gpu_hours),
        high_seconds: Seconds(seconds * late),
        high_gpu_hours: gpu_hours * late,
        high_cost: cluster.price_per_gpu_hour.map(|price| price * gpu_hours * late),
    }
}

/// A checkpoint of `bytes`: how long it takes to write, how often it is best written, and the share of time that is
/// then lost to writing and to what is done again after a failure.
///
/// Young 1974: an interval of √(2·C·M), with C the time to write and M the mean time between failures of the job, which
/// loses C ÷ τ + τ ÷ 2M = √(2·C ÷ M) of it. M is the GPU's divided by the GPUs. A share of 1 or more: the job gets nowhere.
#[must_use]
pub fn checkpoint(bytes: Bytes, cluster: &Cluster) -> Checkpoint {
    let write = cluster.storage_bandwidth.map(|bandwidth| bytes.get() / bandwidth);
    let mtbf = cluster.gpu_mtbf_hours.map(|hours| 3600.0 * hours / cluster.gpus as f64);
    let both = write.zip(mtbf);
    Checkpoint {
        bytes,
        seconds: write.map(Seconds),
        interval_seconds: both.map(|(write, mtbf)| Seconds((2.0 * write * mtbf).sqrt())),
        overhead: both.map(|(write, mtbf)| (2.0 * write / mtbf).sqrt()),
    }
}

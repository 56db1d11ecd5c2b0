//! How a question scales: asked again for other numbers of GPUs, other ways to share out and another network.

use std::borrow::Cow;

use crate::estimate::{Asked, Estimate};
use crate::hardware::find_link;
use crate::names::Sharding;
use crate::refusal::FieldError;
use crate::scenario::{Change, Cluster, LinkChoice, Patch, Training};
use crate::time;
use crate::training::footprint;
use crate::units::{Bytes, Seconds};

/// The ways to share out that are compared.
pub const SHARDINGS: [Sharding; 4] = [Sharding::None, Sharding::Zero1, Sharding::Zero2, Sharding::Zero3];

/// What a question costs on each number of GPUs.
#[derive(Debug)]
pub struct Study {
    /// In order of the number of GPUs: every power of two up to 4096, and the number asked for.
    pub rows: Vec<Row>,
    /// Numbers of GPUs on which this cannot be trained.
    pub without: Vec<u64>,
    /// What the ledger says about the first of them.
    pub reason: Option<FieldError>,
    /// The number of GPUs asked for.
    pub gpus: u64,
    /// The way to share out asked for; `None` where training is refused there.
    pub sharding: Option<Sharding>,
    /// What one GPU offers.
    pub capacity: Bytes,
    /// The network between nodes, and another to compare it with.
    pub networks: [Cow<'static, str>; 2],
}

/// The largest number of GPUs that is asked about, as a power of two.
const MOST_POWER: u32 = 12;

/// What a network is compared with: a slow one, or a fast one where it is slow itself.
const COMPARED: [&str; 2] = ["roce-100", "ib-xdr-800"];

/// The network to compare one of `bandwidth` bytes a second with.
fn compared(bandwidth: f64) -> &'static str {
    let slow = find_link(COMPARED[0]).map_or(0.0, |link| link.bandwidth);
    if bandwidth > slow { COMPARED[0] } else { COMPARED[1] }
}

impl Study {
    /// The least number of GPUs from which on the slower of the two networks makes a tenth more of the step wait.
    #[must_use]
    pub fn parting(&self) -> Option<u64> {
        let parts = |row: &&Row| row.waiting_over_other.is_some_and(|other| (other - row.waiting).abs() > 0.1);
        self.rows.iter().find(parts).map(|row| row.gpus)
    }
}

/// What one number of GPUs costs.
#[derive(Debug)]
pub struct Row {
    /// The number of GPUs.
    pub gpus: u64,
    /// Weights, gradients and optimiser state on a GPU, by [`SHARDINGS`].
    pub states: [Option<Bytes>; SHARDINGS.len()],
    /// State on a GPU, shared out as asked.
    pub state: Bytes,
    /// The peak on a GPU.
    pub peak: Bytes,
    /// Time of an optimiser step.
    pub step: Seconds,
    /// The part of the step in which the GPUs wait for the network.
    pub waiting: f64,
    /// The same over the other network, where training is possible there.
    pub waiting_over_other: Option<f64>,
}

/// Asks the question again on every number of GPUs.
#[must_use]
pub fn study(asked: &Asked) -> Study {
    let settled = asked.resolved();
    let gpus = settled.cluster.gpus;
    let mut counts = (0..=MOST_POWER).map(|power| 1 << power).collect::<Vec<u64>>();
    if let Err(between) = counts.binary_search(&gpus) {
        counts.insert(between, gpus);
    }
    let network = &settled.cluster.network;
    let other = compared(network.bandwidth);
    let networks = [network.id.clone(), Cow::Borrowed(other)];
    let (mut rows, mut without, mut reason) = (Vec::new(), Vec::new(), None);
    for count in counts {
        match row(asked, count, other) {
            Ok(row) => rows.push(row),
            Err(error) => {
                without.push(count);
                reason = reason.or(Some(error));
            }
        }
    }
    Study {
        rows,
        without,
        reason,
        gpus,
        sharding: settled.training.as_ref().ok().map(|plan| plan.sharding),
        capacity: settled.cluster.gpu.capacity,
        networks,
    }
}

/// # Errors
/// Why this number of GPUs cannot train.
fn row(asked: &Asked, gpus: u64, other: &str) -> Result<Row, FieldError> {
    let with = |changes: Vec<Change>| {
        let all = [Cluster::gpus.count(gpus)].into_iter().chain(changes);
        Patch(all.collect()).applied(asked.scenario())
    };
    let estimate = Estimate::of(with(Vec::new()))?;
    let plan = estimate.asked().resolved().training.as_ref();
    let (Some(memory), Some(times)) = (&estimate.memory().training, &estimate.times().training) else {
        // No half without a reason.
        return Err(plan.err().cloned().unwrap_or_else(|| unreachable!()));
    };
    let elsewhere = with(vec![Cluster::network.to(LinkChoice::Catalogue(other.to_owned()))]);
    let over_other = Asked::new(elsewhere).ok().and_then(|asked| Some(time::step(asked.resolved().training_job()?).0));
    Ok(Row {
        gpus,
        states: SHARDINGS.map(|sharding| state(Asked::new(with(vec![Training::sharding.to(sharding)])).ok()?)),
        // The stage whose GPUs hold most in all.
        state: memory.peak_stage().map_or(Bytes::ZERO, |stage| stage.state.total),
        peak: memory.peak.device_bytes,
        step: times.step.seconds,
        waiting: times.step.waiting_share,
        waiting_over_other: over_other.map(|step| step.waiting_share),
    })
}

/// State on a GPU, without what else an answer takes to make.
fn state(asked: Asked) -> Option<Bytes> {
    Some(footprint(asked.resolved().training_job()?).stage().state.total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Number, Scenario};

    /// ZeRO-3 on one GPU.
    fn opening() -> Scenario {
        Patch::from(Training::sharding.to(Sharding::Zero3)).applied(&Scenario::default())
    }

    fn study_of(scenario: Scenario) -> Study {
        study(&Asked::new(scenario).expect("a question"))
    }

    fn at(study: &Study, gpus: u64) -> &Row {
        study.rows.iter().find(|row| row.gpus == gpus).expect("a row of the ladder")
    }

    #[test]
    fn the_well_known_points() {
        let study = study_of(opening());
        assert_eq!(study.sharding, Some(Sharding::Zero3));
        for (gpus, gigabytes) in [(1, 112.0), (8, 14.0), (64, 1.75)] {
            let row = at(&study, gpus);
            assert_eq!(row.state.gigabytes(), gigabytes, "{gpus} GPUs");
            assert_eq!(row.states[3], Some(row.state));
        }
        // 2 + 2 + 12 bytes a parameter: what is not shared out stays.
        let eight = at(&study, 8).states.map(|bytes| bytes.map(Bytes::gigabytes));
        assert_eq!(eight, [Some(112.0), Some(38.5), Some(26.25), Some(14.0)]);
        assert_eq!((study.rows.len(), study.without, study.reason), (13, vec![], None));
    }

    #[test]
    fn a_number_between_the_notches_has_its_row() {
        let mut scenario = opening();
        scenario.cluster_mut().gpus = Some(Number(48.0));
        let study = study_of(scenario);
        assert_eq!((study.gpus, study.rows.len()), (48, 14));
        assert!(study.rows.is_sorted_by_key(|row| row.gpus));
    }

    #[test]
    fn what_does_not_divide_is_left_out_and_told() {
        let mut scenario = opening();
        scenario.cluster_mut().gpus = Some(Number(8.0));
        scenario.training_mut().tensor = Some(Number(4.0));
        let study = study_of(scenario);
        assert_eq!(study.rows[0].gpus, 4);
        assert_eq!(study.without, [1, 2]);
        let reason = study.reason.expect("why one GPU is not enough");
        assert!(reason.to_string().contains("cluster.gpus"), "{reason}");
    }
}

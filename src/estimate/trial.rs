//! A changed question in short: as much of its answer as it takes to judge the change.

use crate::communication;
use crate::inference;
use crate::time;
use crate::training;
use crate::units::{Bytes, Seconds};

use super::Asked;

/// What one half of a question needs and how long it takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// What one GPU needs.
    pub peak: Bytes,
    /// Whether that fits.
    pub fits: bool,
    /// Time of an optimiser step, or of a decode step.
    pub seconds: Seconds,
    /// Sequences of an optimiser step, or requests of a decode step.
    pub batch: u64,
    /// GPUs in all.
    pub gpus: u64,
}

impl Trial {
    /// Of the training half; `None` where there is none.
    #[must_use]
    pub fn training(asked: &Asked) -> Option<Trial> {
        let job = asked.resolved().training_job()?;
        let peak = training::footprint(job).peak().device_bytes;
        let (step, _) = time::step(job);
        let fits = job.cluster.fits(peak);
        Some(Trial { peak, fits, seconds: step.seconds, batch: job.plan.global_batch, gpus: job.cluster.gpus })
    }

    /// Of the serving half; `None` where there is none.
    #[must_use]
    pub fn inference(asked: &Asked) -> Option<Trial> {
        let deployment = asked.resolved().deployment()?;
        let (plan, cluster) = (deployment.plan, deployment.cluster);
        let footprint = inference::footprint(deployment.model, plan);
        let (context, requests) = (plan.context as f64, plan.requests() as f64);
        let peak = footprint.bytes(context, requests);
        let fits = cluster.fits(footprint.needed(cluster, context, requests));
        let traffic = communication::serving(deployment);
        let seconds = time::serving(deployment, &footprint, &traffic).decode;
        Some(Trial { peak, fits, seconds, batch: plan.concurrency, gpus: cluster.gpus })
    }
}

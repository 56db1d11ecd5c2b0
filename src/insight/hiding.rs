//! What would hide the communication that a step or a pass waits for.

use crate::answer::{Group, Remedy, Traffic};

/// What would hide more of a line; `None` where nothing of it is exposed.
#[must_use]
pub fn remedy(line: &Traffic) -> Option<Remedy> {
    if line.exposed_seconds.0 <= 0.0 {
        return None;
    }
    let serving = line.pass.is_some();
    Some(match line.group {
        Group::Tensor if serving => Remedy::FewerRanks,
        Group::Expert | Group::Pipeline if serving => Remedy::TwoHalves,
        Group::Data => Remedy::MoreWorkPerGather,
        Group::Replica => Remedy::MoreMicroBatches,
        Group::Tensor => Remedy::ProductsInPieces,
        Group::Pipeline => Remedy::LongerPipeline,
        Group::Context => Remedy::Ring,
        Group::Expert => Remedy::MadeSchedule,
    })
}

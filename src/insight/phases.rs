//! Why an optimiser step peaks where it does.

use crate::answer::{PhaseBytes, StageReport};
use crate::ledger::Account;
use crate::units::Bytes;

/// How far the largest phase stands above the next one.
#[derive(Clone, Debug, PartialEq)]
pub struct Lead<'a> {
    /// The phase that is next.
    pub next: &'a PhaseBytes,
    /// The two accounts that have most more in the largest.
    pub more: Vec<(Account, Bytes)>,
}

/// How far the largest phase of a stage stands above the next one; `None` where another phase is as large.
#[must_use]
pub fn lead(stage: &StageReport) -> Option<Lead<'_>> {
    let peak = stage.phases.iter().find(|phase| phase.phase == stage.peak_phase)?;
    let others = stage.phases.iter().filter(|phase| phase.phase != stage.peak_phase);
    let next = others.max_by(|a, b| a.bytes.get().total_cmp(&b.bytes.get())).filter(|next| next.bytes < peak.bytes)?;
    let mut more: Vec<(Account, Bytes)> = peak
        .accounts
        .iter()
        .map(|(account, bytes)| (account, bytes - next.accounts[account]))
        .filter(|(_, more)| *more > Bytes::ZERO)
        .collect();
    more.sort_by(|a, b| b.1.get().total_cmp(&a.1.get()));
    more.truncate(2);
    Some(Lead { next, more })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::answer::Phase;
    use crate::estimate::Estimate;
    use crate::scenario::Scenario;

    fn largest_stage(question: &Value) -> StageReport {
        let scenario = Scenario::from_value(question).expect("a question of the schema");
        let estimate = Estimate::of(scenario).expect("an answer");
        let training = estimate.memory().training.as_ref().expect("a training half");
        training.stages[training.peak.stage].clone()
    }

    #[test]
    fn the_loss_leads_where_the_vocabulary_is_large() {
        let question = json!({"model": "llama-3.2-1b", "training": {"loss": "eager", "sequence": 8192}});
        let stage = largest_stage(&question);
        assert_eq!(stage.peak_phase, Phase::Loss);
        let lead = lead(&stage).expect("no other phase is as large");
        assert_eq!(lead.next.phase, Phase::Backward);
        assert_eq!(lead.more[0].0, Account::Loss);
    }

    #[test]
    fn what_backward_adds_is_named() {
        let stage =
            largest_stage(&json!({"model": "llama-3.1-8b", "training": {"recompute": "full", "loss": "fused_linear"}}));
        assert_eq!(stage.peak_phase, Phase::Backward);
        let lead = lead(&stage).expect("no other phase is as large");
        assert!(lead.more.iter().all(|(account, more)| *more > Bytes::ZERO && *account != Account::Weights));
    }
}

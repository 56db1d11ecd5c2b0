//! The two ends of the model: what embedding and final norm keep, and the loss.

use crate::frameworks::Profile;
use crate::ledger::{Account, Entry, Rule};
use crate::model::{Architecture, NormKind};
use crate::names::{Kernels, Loss};
use crate::plan::{Targets, TrainingPlan};

use super::Stage;
use super::phases::{PhasedEntries, Presence};

/// Enters what embedding and final norm keep, and what the loss holds at its peak, where `stage` has those ends.
pub fn enter(ledger: &mut PhasedEntries, shape: &Architecture, plan: &TrainingPlan, profile: &Profile, stage: &Stage) {
    let tokens = plan.micro_batch_tokens();
    let hidden = shape.hidden as f64;
    let divisor = plan.hidden_divisor() as f64;
    // The head reads whole hidden states: what sequence parallelism splits is the norm's input and its kept output.
    let element = plan.element_bytes();
    let kept = |rule, bytes, times| Entry::new(Account::EdgeActivations, rule, [bytes, tokens, hidden, times, divisor]);
    // Nothing before it has gradients where adapters alone are trained.
    if stage.first && shape.embedding_norm && plan.adapter.is_none() {
        ledger.push(Presence::LOSS_AND_BACKWARD, kept(Rule::EmbeddingNorm, element, stage.embedded));
    }
    if stage.first && plan.keeps_masks() {
        ledger.push(Presence::LOSS_AND_BACKWARD, kept(Rule::EmbeddingDropout, 1.0, stage.embedded));
    }
    if !stage.last {
        return;
    }
    // As in a layer: plain modules keep the input of an RMS norm in fp32 and the normalised values beside its output.
    let upcast = plan.kernels == Kernels::Eager && shape.norm != NormKind::LayerNorm;
    // The norm's weight and the head need values of their input only where they, or an adapter, are trained.
    let trained = plan.adapter.is_none();
    let on_head = plan.adapter.filter(|adapter| !adapter.targets.within(Targets::HEAD).is_empty());
    let head_reads = trained || on_head.is_some_and(|adapter| !adapter.keeps_masks());
    let weighted = trained && shape.norm == NormKind::Rms;
    let input = if upcast { 4.0 + if weighted { element } else { 0.0 } } else { element };
    let norm_bytes = input + if head_reads { element } else { 0.0 };
    ledger.push(Presence::LOSS_AND_BACKWARD, kept(Rule::FinalNorm, norm_bytes, stage.losses));
    if let Some(adapter) = on_head {
        let rank = adapter.rank as f64;
        let terms = [element, tokens, rank, stage.losses, divisor];
        ledger.push(Presence::LOSS_AND_BACKWARD, Entry::new(Account::EdgeActivations, Rule::AdapterHidden, terms));
        let dropout = if adapter.keeps_masks() { 1.0 + element } else { 0.0 };
        ledger.push(Presence::LOSS_AND_BACKWARD, kept(Rule::AdapterDropout, dropout, stage.losses));
    }

    let vocabulary = plan.vocabulary as f64;
    let logits = |bytes| [bytes, tokens, vocabulary, plan.tensor as f64];
    ledger.push(Presence::LOSS, Entry::new(Account::Loss, Rule::LossLogits, logits(loss_bytes(plan, profile))));
    // The losses of further tokens wait for their backward, and where it does not follow at once so do those of all
    // other micro-batches.
    let kept_bytes = kept_loss_bytes(plan);
    let waiting =
        |rule, times| Entry::new(Account::Loss, rule, [kept_bytes, tokens, times, vocabulary, plan.tensor as f64]);
    let predictions = plan.prediction_layers as f64 * stage.losses;
    ledger.push(Presence::LOSS, waiting(Rule::PredictionLogits, predictions));
    ledger.push(Presence::LOSS_AND_BACKWARD, waiting(Rule::LossWaiting, stage.losses - 1.0));
    if plan.loss == Loss::FusedLinear {
        let gradient =
            |times| Entry::new(Account::Loss, Rule::LossHiddenGradient, [element, tokens, hidden, times, divisor]);
        ledger.push(Presence::LOSS, gradient(1.0));
        ledger.push(Presence::LOSS_AND_BACKWARD, gradient(stage.losses - 1.0));
    }
}

/// Bytes a token and vocabulary entry that a loss keeps until its own backward: the logits, or an fp32 log-softmax.
fn kept_loss_bytes(plan: &TrainingPlan) -> f64 {
    match plan.loss {
        Loss::Fused => plan.element_bytes(),
        Loss::Compiled | Loss::VocabParallel | Loss::Eager => 4.0,
        Loss::Chunked => 2.0,
        Loss::FusedLinear => 0.0,
    }
}

/// Peak bytes a token and vocabulary entry.
///
/// Fused: the logits become their gradient. Eager: a saved fp32 log-softmax and two fp32 gradients, and two
/// more bytes while the 16-bit logits stay referenced. Chunked: 16-bit logits of all chunks and the eager peak of one.
/// Together with the head: the gradient of the hidden states is all that stays. (PyTorch's eager loss over a vocabulary
/// split four or eight ways was seen to need about four bytes more, split two ways it was not; left out.)
fn loss_bytes(plan: &TrainingPlan, profile: &Profile) -> f64 {
    let chunks = plan.loss_chunks as f64;
    match plan.loss {
        Loss::Fused => plan.element_bytes(),
        Loss::Compiled => 4.0,
        Loss::VocabParallel => 6.0,
        Loss::Eager if profile.logits_referenced => 14.0,
        Loss::Eager => 12.0,
        Loss::Chunked => 2.0 + 12.0 / chunks,
        Loss::FusedLinear => 12.0 / chunks,
    }
}

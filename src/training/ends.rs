//! The two ends of the model: what embedding and final norm keep, and the loss.

use crate::ledger::{Account, Entry, Rule};
use crate::model::{Architecture, NormKind};
use crate::profile::Profile;
use crate::resolve::TrainingPlan;
use crate::scenario::{Kernels, Loss};

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
    if stage.first && plan.dropout {
        ledger.push(Presence::LOSS_AND_BACKWARD, kept(Rule::EmbeddingDropout, 1.0, stage.embedded));
    }
    if !stage.last {
        return;
    }
    // As in a layer: plain modules keep the input of an RMS norm in fp32 and the normalised values beside its output.
    let upcast = plan.kernels == Kernels::Eager && shape.norm == NormKind::Rms;
    let norm_bytes = if upcast { 4.0 + 2.0 * element } else { 2.0 * element };
    ledger.push(Presence::LOSS_AND_BACKWARD, kept(Rule::FinalNorm, norm_bytes, stage.losses));

    let vocabulary = plan.vocabulary as f64;
    let logits = |bytes| [bytes, tokens, vocabulary, plan.tensor as f64];
    let [peak, waiting] = loss_bytes(plan, profile);
    ledger.push(Presence::LOSS, Entry::new(Account::Loss, Rule::LossLogits, logits(peak)));
    let gradient =
        |times| Entry::new(Account::Loss, Rule::LossHiddenGradient, [element, tokens, hidden, times, divisor]);
    let linear = plan.loss == Loss::FusedLinear;
    if linear {
        ledger.push(Presence::LOSS, gradient(1.0));
    }
    // Where backward does not follow at once, the losses of all other micro-batches wait for it.
    let others = stage.losses - 1.0;
    if others > 0.0 {
        let [bytes, tokens, vocabulary, ranks] = logits(waiting);
        let entry = Entry::new(Account::Loss, Rule::LossWaiting, [bytes, tokens, vocabulary, others, ranks]);
        ledger.push(Presence::LOSS_AND_BACKWARD, if linear { gradient(others) } else { entry });
    }
}

/// Peak bytes a token and vocabulary entry, and bytes kept from then until backward.
///
/// Fused: the logits become their gradient. Eager: a saved fp32 log-softmax and two fp32 gradients, and two
/// more bytes while the 16-bit logits stay referenced. Chunked: 16-bit logits of all chunks and the eager peak of one.
/// Together with the head: the gradient of the hidden states is all that stays. (PyTorch's eager loss over a vocabulary
/// split four or eight ways was seen to need about four bytes more, split two ways it was not; left out.)
fn loss_bytes(plan: &TrainingPlan, profile: &Profile) -> [f64; 2] {
    let chunks = plan.loss_chunks as f64;
    match plan.loss {
        Loss::Fused => [plan.element_bytes(); 2],
        Loss::Compiled => [4.0, 2.0],
        Loss::VocabParallel => [6.0, 4.0],
        Loss::Eager if profile.logits_referenced => [14.0, 6.0],
        Loss::Eager => [12.0, 4.0],
        Loss::Chunked => [2.0 + 12.0 / chunks, 2.0],
        Loss::FusedLinear => [12.0 / chunks, 0.0],
    }
}

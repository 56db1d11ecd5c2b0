//! What decoder layers keep for backward: one entry a tensor, by kernel style and attention.
//!
//! Per token and layer, in bytes, with h hidden, q and k·d the query and key-value widths, f the MLP's, a heads:
//! fused kernels with flash attention keep 8h + 4q + 4kv + 6f + 4a (gated) or 8h + … + 4f (plain); plain modules keep
//! 16h + 4q + 4kv + 8f + 4a; eager attention adds the scores. With 16-bit GPT layers and dropout this is
//! 34h + 5as (Korthikanti et al. 2022, arXiv 2205.05198, section 4).

use crate::ledger::{Account, Entry, Rule};
use crate::model::{Architecture, Mlp, NormKind};
use crate::profile::Profile;
use crate::resolve::TrainingPlan;
use crate::scenario::{Attention, Kernels, Recompute};
use crate::units::Bytes;

use super::phases::{PhasedEntries, Presence};

/// Enters what `layers` layers keep (each as often as it has micro-batches in flight), and what backward holds while it
/// works on one of them.
pub fn enter(ledger: &mut PhasedEntries, shape: &Architecture, plan: &TrainingPlan, profile: &Profile, layers: f64) {
    let layer = Layer { shape, plan, profile };
    let mut kept = Bytes::ZERO;
    let mut keep = |entry: Entry| {
        kept += entry.bytes;
        ledger.push(Presence::LOSS_AND_BACKWARD, entry);
    };
    if plan.recompute == Recompute::Full {
        keep(layer.hidden(Rule::Checkpoints, plan.element_bytes(), 1.0, layers));
    } else {
        layer.each_kept(layers, keep);
    }
    let terms = [1.0, kept.get() / layers];
    ledger.push(Presence::BACKWARD_END, Entry::new(Account::Activations, Rule::FirstLayer, terms));

    let recomputed = layer.recomputed_bytes();
    let terms = [1.0, recomputed.get()];
    ledger.push(Presence::BACKWARD, Entry::new(Account::BackwardTemporaries, Rule::RecomputedLayer, terms));
    let tokens = plan.micro_batch_tokens();
    let terms = [
        plan.element_bytes(),
        tokens,
        shape.hidden as f64,
        plan.hidden_divisor() as f64,
        widest(shape),
        plan.tensor as f64,
    ];
    ledger.push(Presence::BACKWARD, Entry::new(Account::BackwardTemporaries, Rule::GradientsInFlight, terms));
}

/// Elements a token of the widest tensor of a layer: what the MLP's activation reads, or queries, keys and values.
pub fn widest(shape: &Architecture) -> f64 {
    let mlp = (shape.mlp.inputs() * shape.mlp_width) as f64;
    let routed = shape.experts.map_or(1.0, |experts| experts.per_token as f64);
    (mlp * routed).max((shape.query_width() + 2 * shape.kv_width()) as f64)
}

/// One decoder layer under a plan.
struct Layer<'a> {
    shape: &'a Architecture,
    plan: &'a TrainingPlan,
    profile: &'a Profile,
}

impl Layer<'_> {
    /// An entry of hidden size times `widths` that only sequence parallelism splits.
    fn hidden(&self, rule: Rule, bytes: f64, widths: f64, layers: f64) -> Entry {
        self.kept(rule, bytes, widths * self.shape.hidden as f64, layers, self.plan.hidden_divisor())
    }

    fn element(&self) -> f64 {
        self.plan.element_bytes()
    }

    /// An entry that tensor parallelism splits.
    fn split(&self, rule: Rule, bytes: f64, width: f64, layers: f64) -> Entry {
        self.kept(rule, bytes, width, layers, self.plan.tensor)
    }

    fn kept(&self, rule: Rule, bytes: f64, width: f64, layers: f64, divisor: u64) -> Entry {
        let terms = [bytes, self.plan.micro_batch_tokens(), width, layers, divisor as f64];
        Entry::new(Account::Activations, rule, terms)
    }

    fn scores(&self, rule: Rule, bytes: f64, layers: f64) -> Entry {
        let plan = self.plan;
        let (keys, heads) = (plan.sequence as f64, self.shape.heads as f64);
        let terms = [bytes, plan.micro_batch_tokens(), keys, heads, layers, plan.tensor as f64];
        Entry::new(Account::Activations, rule, terms)
    }

    /// What `layers` layers keep without full recomputation.
    fn each_kept(&self, layers: f64, mut keep: impl FnMut(Entry)) {
        self.each_norm(layers, &mut keep);
        self.each_of_attention(layers, &mut keep);
        if self.plan.recompute == Recompute::None {
            self.each_of_attention_core(layers, &mut keep);
        }
        self.each_of_mlp(layers, &mut keep);
        if self.plan.dropout {
            keep(self.hidden(Rule::HiddenDropout, 1.0, 2.0, layers));
        }
    }

    fn each_norm(&self, layers: f64, keep: &mut impl FnMut(Entry)) {
        // Norms of a parallel block read the same input. A norm behind a product is followed by no product of its
        // own, so only the two before attention and MLP have an output that is kept.
        let inputs = if self.shape.parallel_residual { 1.0 } else { self.shape.norms_per_layer as f64 };
        if self.plan.kernels == Kernels::Eager && self.shape.norm == NormKind::Rms {
            // The input in fp32, and the normalised values.
            let bytes = 4.0 + self.element();
            keep(self.hidden(Rule::NormUpcast, bytes, self.shape.norms_per_layer as f64, layers));
        } else {
            keep(self.hidden(Rule::NormInputs, self.element(), inputs, layers));
        }
        keep(self.hidden(Rule::NormOutputs, self.element(), 2.0, layers));
    }

    fn each_of_attention(&self, layers: f64, keep: &mut impl FnMut(Entry)) {
        let shape = self.shape;
        let query = shape.query_width() as f64;
        // With more ranks than key-value heads each rank holds a whole one.
        let key_value = shape.kv_width() as f64 * shape.key_value_copies(self.plan.tensor);
        if shape.qk_norm {
            keep(self.split(Rule::HeadNormInputs, self.element(), query + key_value, layers));
        }
        let eager = self.plan.attention == Attention::Eager;
        let kept_key_value = if eager && self.profile.repeats_keys_values { query } else { key_value };
        keep(self.split(Rule::QueriesKeysValues, self.element(), query + 2.0 * kept_key_value, layers));
        keep(self.split(Rule::AttentionOutput, self.element(), query, layers));
        if self.plan.exchanges_heads() {
            keep(self.split(Rule::ExchangedOutput, self.element(), query, layers));
        }
    }

    /// What selective recomputation brings back: softmax, its dropout, or flash attention's statistics.
    fn each_of_attention_core(&self, layers: f64, keep: &mut impl FnMut(Entry)) {
        if self.plan.attention == Attention::Flash {
            keep(self.split(Rule::SoftmaxStatistics, 4.0, self.shape.heads as f64, layers));
            return;
        }
        // Where softmax is computed in fp32 the copy cast back is what fp32 products do without.
        let fp32 = self.plan.element_bytes() > 2.0;
        let bytes = if fp32 { 4.0 } else { self.profile.score_bytes };
        keep(self.scores(Rule::AttentionScores, bytes, layers));
        if self.plan.dropout {
            keep(self.scores(Rule::ScoreDropout, 1.0 + self.element(), layers));
        }
    }

    fn each_of_mlp(&self, layers: f64, keep: &mut impl FnMut(Entry)) {
        let shape = self.shape;
        let routed = shape.experts.map_or(1.0, |experts| experts.per_token as f64);
        if shape.experts.is_some() {
            keep(self.split(Rule::ExpertInputs, self.element(), routed * shape.hidden as f64, layers));
        }
        let width = routed * shape.mlp_width as f64;
        // A gated MLP of plain modules keeps gate, its activation and up; fused kernels keep gate and up.
        let inputs = match (shape.mlp, self.plan.kernels) {
            (Mlp::Gated, Kernels::Eager) => 3.0,
            (Mlp::Gated, _) => 2.0,
            (Mlp::Plain, _) => 1.0,
        };
        keep(self.split(Rule::MlpHidden, self.element(), inputs * width, layers));
        keep(self.split(Rule::MlpProduct, self.element(), width, layers));
    }

    /// Bytes that recomputation brings back for the one layer at work.
    fn recomputed_bytes(&self) -> Bytes {
        let mut bytes = Bytes::ZERO;
        let mut add = |entry: Entry| bytes += entry.bytes;
        match self.plan.recompute {
            Recompute::Full => {
                let whole = Layer { plan: &TrainingPlan { recompute: Recompute::None, ..self.plan.clone() }, ..*self };
                whole.each_kept(1.0, add);
            }
            Recompute::Selective => self.each_of_attention_core(1.0, &mut add),
            Recompute::None | Recompute::SelectiveOps => {}
        }
        bytes
    }
}

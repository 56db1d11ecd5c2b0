//! What decoder layers keep for backward: one entry a tensor, by kernel style and attention.
//!
//! Per token and layer, in bytes, with h hidden, q and k·d the query and key-value widths, f the MLP's, a heads:
//! fused kernels with flash attention keep 8h + 4q + 4kv + 6f + 4a (gated) or 8h + … + 4f (plain); plain modules keep
//! 16h + 4q + 4kv + 8f + 4a; eager attention adds the scores. With 16-bit GPT layers and dropout this is
//! 34h + 5as (Korthikanti et al. 2022, arXiv 2205.05198, section 4).

use crate::frameworks::Profile;
use crate::ledger::{Account, Entry, Rule};
use crate::model::{Architecture, Experts, KeptSize, Mlp, NormKind, QkNorm, copies_of_heads};
use crate::names::{Attention, Kernels, Recompute};
use crate::plan::{Targets, TrainingPlan};
use crate::units::Bytes;

use super::phases::{PhasedEntries, Presence};
use super::{Layers, Stage};

/// Enters what the layers of `stage` keep, and what backward holds while it works on one of them.
pub fn enter(ledger: &mut PhasedEntries, shape: &Architecture, plan: &TrainingPlan, profile: &Profile, stage: &Stage) {
    let layer = Layer { shape, plan, profile, heads: mean_heads(shape, plan.tensor) };
    let recomputed = stage.recomputed;
    let (whole, part) = (stage.kept.without(recomputed), recomputed);
    // What they keep, in bytes.
    let mut kept_everywhere = |presence, whole: Layers, part: Layers| -> f64 {
        let mut bytes = Bytes::ZERO;
        let mut keep = |entry: Entry| {
            bytes += entry.bytes;
            ledger.push(presence, entry);
        };
        layer.each_kept(whole, &mut keep);
        layer.each_kept_recomputed(part, &mut keep);
        bytes.get()
    };
    let all = if plan.activation_offload {
        // The layer at work, and the one on its way.
        let here = |layers: Layers| layers.without(layers.first(layers.all() - 2.0_f64.min(layers.all())));
        let [whole_here, part_here] =
            if part.all() > 0.0 { [Layers::default(), here(part)] } else { [here(whole), part] };
        kept_everywhere(Presence::LOSS_AND_BACKWARD, whole_here, part_here);
        kept_everywhere(Presence::HOST, whole, part)
    } else {
        kept_everywhere(Presence::LOSS_AND_BACKWARD, whole, part)
    };
    layer.each_of_prediction(stage.predicting, &mut |entry| ledger.push(Presence::LOSS_AND_BACKWARD, entry));
    let terms = [1.0, all / stage.kept.all()];
    ledger.push(Presence::BACKWARD_END, Entry::new(Account::Activations, Rule::FirstLayer, terms));

    let terms = [1.0, layer.recomputed_bytes(recomputed).get()];
    ledger.push(Presence::BACKWARD, Entry::new(Account::BackwardTemporaries, Rule::RecomputedLayer, terms));
    let (widest, divisor) = layer.widest();
    let terms = [
        plan.element_bytes(),
        plan.micro_batch_tokens(),
        shape.hidden as f64,
        plan.hidden_divisor() as f64,
        widest,
        divisor,
    ];
    ledger.push(Presence::BACKWARD, Entry::new(Account::BackwardTemporaries, Rule::GradientsInFlight, terms));
    if plan.hidden_divisor() > 1 {
        // The head's backward follows its loss at once.
        let presence = if stage.last { Presence::PASSES } else { Presence::BACKWARD };
        let terms = [plan.element_bytes(), plan.micro_batch_tokens(), shape.hidden as f64];
        ledger.push(presence, Entry::new(Account::BackwardTemporaries, Rule::GatheredInput, terms));
    }
}

/// One decoder layer under a plan.
struct Layer<'a> {
    shape: &'a Architecture,
    plan: &'a TrainingPlan,
    profile: &'a Profile,
    /// See [`mean_heads`].
    heads: [f64; 4],
}

/// Query heads of a layer with attention, and the widths of its queries, its values as the result has them, and its keys
/// and values, each as often as `tensor` ranks have them: the mean of all such layers.
fn mean_heads(shape: &Architecture, tensor: u64) -> [f64; 4] {
    // With more ranks than key-value heads each rank holds a whole one.
    let copies = |heads: u64| if shape.latent.is_some() { 1.0 } else { copies_of_heads(heads, tensor) };
    let keys_and_values = shape.keys_and_values() as f64 * copies(shape.kv_heads);
    let mut mean = [shape.heads as f64, shape.query_width() as f64, shape.value_width() as f64, keys_and_values];
    let layers = shape.attention_layers() as f64;
    if let Some(full) = shape.full_heads {
        let share = shape.full_attention_layers() as f64;
        let query = (full.heads * full.head_dim) as f64;
        let keys_and_values = (2 * full.kv_heads * full.head_dim) as f64 * copies(full.kv_heads);
        for (mean, other) in mean.iter_mut().zip([full.heads as f64, query, query, keys_and_values]) {
            *mean = (*mean * (layers - share) + other * share) / layers;
        }
    }
    let borrowed = (shape.borrowing[0] + shape.borrowing[1]) as f64;
    if borrowed > 0.0 {
        mean[3] *= 1.0 - borrowed / layers;
    }
    mean
}

impl Layer<'_> {
    /// An entry of `width` elements a token that only sequence parallelism splits.
    fn hidden(&self, rule: Rule, bytes: f64, width: f64, layers: f64) -> Entry {
        self.kept(rule, bytes, width, layers, self.plan.hidden_divisor() as f64)
    }

    fn element(&self) -> f64 {
        self.plan.element_bytes()
    }

    /// An entry that tensor parallelism splits.
    fn split(&self, rule: Rule, bytes: f64, width: f64, layers: f64) -> Entry {
        self.kept(rule, bytes, width, layers, self.plan.tensor as f64)
    }

    fn kept(&self, rule: Rule, bytes: f64, width: f64, layers: f64, divisor: f64) -> Entry {
        let terms = [bytes, self.plan.micro_batch_tokens(), width, layers, divisor];
        Entry::new(Account::Activations, rule, terms)
    }

    fn scores(&self, rule: Rule, bytes: f64, layers: f64) -> Entry {
        let plan = self.plan;
        let (keys, heads) = (plan.sequence as f64, self.heads[0]);
        let terms = [bytes, plan.micro_batch_tokens(), keys, heads, layers, plan.tensor as f64];
        Entry::new(Account::Activations, rule, terms)
    }

    /// Whether the model's own weights have gradients; the weight gradient of a product needs its input.
    fn trains_weights(&self) -> bool {
        self.plan.adapter.is_none()
    }

    /// Whether somebody needs the input of these modules: their own weight gradients, or an adapter that reads it as it
    /// is. Behind a dropout an adapter has a copy of its own.
    fn reads(&self, modules: Targets) -> bool {
        self.plan.adapter.is_none_or(|adapter| !adapter.keeps_masks() && !adapter.targets.within(modules).is_empty())
    }

    /// Whether a norm of plain modules computes in fp32, step by step.
    fn upcasts(&self) -> bool {
        self.plan.kernels == Kernels::Eager && self.shape.norm != NormKind::LayerNorm
    }

    /// Bytes an element that a norm keeps of its input: in fp32 with plain modules, and then the normalised values too
    /// where its weight is trained.
    fn norm_bytes(&self) -> f64 {
        match (self.upcasts(), self.trains_weights() && self.shape.norm == NormKind::Rms) {
            (true, true) => 4.0 + self.element(),
            (true, false) => 4.0,
            (false, _) => self.element(),
        }
    }

    /// What `layers` keep that are not recomputed.
    fn each_kept(&self, layers: Layers, keep: &mut dyn FnMut(Entry)) {
        self.each_part(layers, true, keep);
    }

    /// What `layers` keep that are recomputed.
    fn each_kept_recomputed(&self, layers: Layers, keep: &mut dyn FnMut(Entry)) {
        let hidden = self.shape.hidden as f64;
        match self.plan.recompute {
            Recompute::None => {}
            Recompute::Selective => self.each_part(layers, false, keep),
            Recompute::Full => keep(self.hidden(Rule::Checkpoints, self.element(), hidden, layers.all())),
            Recompute::SelectiveOps => {
                keep(self.hidden(Rule::Checkpoints, self.element(), hidden, layers.all()));
                self.each_kept_product(layers, keep);
            }
        }
    }

    /// All that `layers` keep, attention's core or not.
    fn each_part(&self, layers: Layers, core: bool, keep: &mut dyn FnMut(Entry)) {
        self.each_norm(layers, keep);
        let attention = self.share(layers.all(), self.shape.attention_layers());
        self.each_of_attention(attention, keep);
        if core {
            self.each_of_attention_core(attention, keep);
        }
        self.each_of_mlp(layers.dense * self.dense_share(), keep);
        self.each_further(layers.all(), keep);
        if let Some(experts) = self.shape.experts {
            self.each_of_experts(experts, layers.expert, keep);
        }
        if self.plan.keeps_masks() {
            keep(self.hidden(Rule::HiddenDropout, 1.0, 2.0 * self.shape.hidden as f64, layers.all()));
        }
        self.each_of_adapters(layers, keep);
    }

    fn each_norm(&self, layers: Layers, keep: &mut dyn FnMut(Entry)) {
        let shape = self.shape;
        let hidden = shape.hidden as f64;
        // Norms of a parallel block read the same input.
        let alike = shape.parallel_residual && !self.upcasts();
        let inputs = if alike { 1.0 } else { shape.norms_per_layer as f64 };
        let rule = if self.upcasts() { Rule::NormUpcast } else { Rule::NormInputs };
        keep(self.hidden(rule, self.norm_bytes(), inputs * hidden, layers.all()));
        // A norm behind a product is followed by no product of its own, so only the two before attention and MLP have an
        // output that is kept.
        let first = Targets::QUERY.and(Targets::KEY).and(Targets::VALUE).and(Targets::QUERY_DOWN);
        let before_attention = self.reads(first.and(Targets::KEY_VALUE_DOWN));
        let before_mlp = self.reads(Targets::GATE.and(Targets::UP));
        let mut outputs =
            |number: f64, layers| keep(self.hidden(Rule::NormOutputs, self.element(), number * hidden, layers));
        match (before_attention, before_mlp) {
            // One norm has one output, which both read.
            (true, true) if shape.norms_per_layer > 1 => outputs(2.0, layers.all()),
            (true, true) => outputs(1.0, layers.all()),
            (true, false) | (false, true) => outputs(1.0, layers.all()),
            (false, false) => {}
        }
    }

    /// What layers of a special kind keep beside what all do.
    fn each_further(&self, layers: f64, keep: &mut dyn FnMut(Entry)) {
        for kept in &self.shape.further.kept {
            let bytes = match kept.size {
                KeptSize::Element => self.element(),
                KeptSize::Single => 4.0,
                KeptSize::Norm => self.norm_bytes() + self.element(),
                KeptSize::Mlp => self.element() * (self.inputs_of_activation() + 1.0),
            };
            let divisor = if kept.split { self.plan.tensor } else { self.plan.hidden_divisor() };
            let layers = self.share(layers, kept.layers);
            keep(self.kept(Rule::FurtherKept, bytes, kept.width as f64, layers, divisor as f64));
        }
    }

    /// Of a number of layers those of one kind, of which the whole model has `number`.
    fn share(&self, layers: f64, number: u64) -> f64 {
        layers * number as f64 / self.shape.layers as f64
    }

    /// Share of the layers without experts that have an MLP of the common width.
    fn dense_share(&self) -> f64 {
        let shape = self.shape;
        let without = shape.layers - shape.expert_layers();
        if without > 0 { shape.dense_layers() as f64 / without as f64 } else { 0.0 }
    }

    fn each_of_attention(&self, layers: f64, keep: &mut dyn FnMut(Entry)) {
        let shape = self.shape;
        let element = self.element();
        let [_, query, values, keys_and_values] = self.heads;
        if let Some(latent) = shape.latent {
            let narrow = (latent.query_rank + latent.rank) as f64;
            let reads = self.reads(Targets::QUERY_UP.and(Targets::KEY_VALUE_UP));
            let bytes = self.norm_bytes() + if reads { element } else { 0.0 };
            keep(self.hidden(Rule::Latents, bytes, narrow, layers));
        }
        if let Some(indexer) = shape.indexer.filter(|_| self.trains_weights()) {
            let width = (indexer.heads * indexer.head_dim + 2 * indexer.head_dim + indexer.heads) as f64;
            keep(self.hidden(Rule::IndexerHidden, element, width, self.share(layers, indexer.layers)));
        }
        if shape.qk_norm != QkNorm::No {
            keep(self.split(Rule::HeadNormInputs, self.norm_bytes(), query + keys_and_values / 2.0, layers));
        }
        let repeated = self.plan.attention == Attention::Eager && self.profile.repeats_keys_values;
        let kept = if repeated && shape.latent.is_none() { 2.0 * query } else { keys_and_values };
        keep(self.split(Rule::QueriesKeysValues, element, query + kept, layers));
        // Flash attention's own backward reads its result, whether or not the product behind it does.
        if self.plan.attention == Attention::Flash || self.reads(Targets::OUTPUT) {
            keep(self.split(Rule::AttentionOutput, element, values, layers));
        }
        // Attention keeps its result by heads, and the product behind it the exchanged one.
        if self.plan.exchanges_heads() && self.reads(Targets::OUTPUT) {
            keep(self.split(Rule::ExchangedOutput, element, values, layers));
        }
    }

    /// What selective recomputation brings back: softmax, its dropout, or flash attention's statistics.
    fn each_of_attention_core(&self, layers: f64, keep: &mut dyn FnMut(Entry)) {
        if self.plan.attention == Attention::Flash {
            keep(self.split(Rule::SoftmaxStatistics, 4.0, self.heads[0], layers));
            return;
        }
        // Where softmax is computed in fp32 the copy cast back is what fp32 products do without.
        let fp32 = self.plan.element_bytes() > 2.0;
        let bytes = if fp32 { 4.0 } else { self.profile.score_bytes };
        keep(self.scores(Rule::AttentionScores, bytes, layers));
        if self.plan.keeps_masks() {
            keep(self.scores(Rule::ScoreDropout, 1.0 + self.element(), layers));
        }
    }

    /// Inputs of the MLP's activation that are kept: gate and up; plain modules keep the gate's activation beside them.
    fn inputs_of_activation(&self) -> f64 {
        match (self.shape.mlp, self.plan.kernels) {
            (Mlp::Gated, Kernels::Eager) => 3.0,
            (Mlp::Gated, _) => 2.0,
            (Mlp::Plain, _) => 1.0,
        }
    }

    fn each_of_mlp(&self, layers: f64, keep: &mut dyn FnMut(Entry)) {
        let width = self.shape.mlp_width as f64;
        keep(self.split(Rule::MlpHidden, self.element(), self.inputs_of_activation() * width, layers));
        if self.reads(Targets::DOWN) {
            keep(self.split(Rule::MlpProduct, self.element(), width, layers));
        }
    }

    /// Per token `k · ( 2h + 6f_e ) + 6f_s + 2h`: a copy of the token for each expert it meets, those experts' MLPs, and
    /// the shared ones with a copy of their own.
    fn each_of_experts(&self, experts: Experts, layers: f64, keep: &mut dyn FnMut(Entry)) {
        let (element, hidden) = (self.element(), self.shape.hidden as f64);
        let inputs = self.inputs_of_activation();
        let (reads_up, reads_down) = (self.reads(Targets::GATE.and(Targets::UP)), self.reads(Targets::DOWN));
        keep(self.hidden(Rule::RouterScores, 4.0, experts.count as f64, layers));

        let met = experts.per_token as f64 * self.plan.expert_load;
        let [outside, inside] = self.expert_divisors();
        if reads_up {
            keep(self.kept(Rule::ExpertInputs, element, met * hidden, layers, outside));
        }
        let width = met * experts.width as f64;
        keep(self.kept(Rule::ExpertHidden, element, inputs * width, layers, inside));
        if reads_down {
            keep(self.kept(Rule::ExpertProduct, element, width, layers, inside));
        }
        if self.plan.kernels == Kernels::Eager {
            keep(self.kept(Rule::ExpertOutputs, element, met * hidden, layers, outside));
        }
        if experts.shared_width > 0 {
            let width = experts.shared_width as f64;
            if reads_up {
                keep(self.hidden(Rule::SharedInputs, element, hidden, layers));
            }
            keep(self.split(Rule::MlpHidden, element, inputs * width, layers));
            if reads_down {
                keep(self.split(Rule::MlpProduct, element, width, layers));
            }
        }
    }

    /// By how much a rank's tokens are fewer in experts than the micro-batch has, and by how much their widths are less.
    ///
    /// Each tensor rank sends the tokens it has: its share with sequence parallelism, else all of them, of which the
    /// ranks that share an expert then have the same. Ranks that share an expert gather each other's.
    fn expert_divisors(&self) -> [f64; 2] {
        let (tensor, inside) = (self.plan.tensor as f64, self.plan.expert_tensor as f64);
        let gathered = if self.plan.hidden_divisor() > 1 { inside / tensor } else { (inside / tensor).max(1.0) };
        [1.0 / gathered, inside / gathered]
    }

    /// What adapters keep: the low-rank vector between their two matrices, and with dropout their own input.
    fn each_of_adapters(&self, layers: Layers, keep: &mut dyn FnMut(Entry)) {
        let Some(adapter) = self.plan.adapter else { return };
        let shape = self.shape;
        let has = |module: Targets| f64::from(u8::from(!adapter.targets.within(module).is_empty()));
        let hidden = shape.hidden as f64;
        let latent = shape.latent.map_or([0.0; 2], |latent| [latent.query_rank as f64, latent.rank as f64]);
        // Adapters that read whole hidden states, and the width of all inputs together.
        let from_hidden = has(Targets::QUERY)
            + has(Targets::KEY)
            + has(Targets::VALUE)
            + has(Targets::QUERY_DOWN)
            + has(Targets::KEY_VALUE_DOWN);
        let from_latent = [has(Targets::QUERY_UP), has(Targets::KEY_VALUE_UP)];
        let up = has(Targets::GATE) + has(Targets::UP);
        let down = has(Targets::DOWN);
        let (element, rank) = (self.element(), adapter.rank as f64);
        let mut adapted = |number: f64, whole: f64, cut: f64, layers: f64, divisors: [f64; 2]| {
            keep(self.kept(Rule::AdapterHidden, element, number * rank, layers, divisors[0]));
            if adapter.keeps_masks() {
                keep(self.kept(Rule::AdapterDropout, 1.0 + element, whole, layers, divisors[0]));
                keep(self.kept(Rule::AdapterDropout, 1.0 + element, cut, layers, divisors[1]));
            }
        };
        let split = [self.plan.hidden_divisor() as f64, self.plan.tensor as f64];
        let number = from_hidden + from_latent[0] + from_latent[1] + has(Targets::OUTPUT);
        let whole = from_hidden * hidden + from_latent[0] * latent[0] + from_latent[1] * latent[1];
        adapted(number, whole, has(Targets::OUTPUT) * shape.value_width() as f64, layers.all(), split);
        adapted(up + down, up * hidden, down * shape.mlp_width as f64, layers.dense, split);
        if let Some(experts) = shape.experts {
            let met = experts.per_token as f64 * self.plan.expert_load;
            let width = down * met * experts.width as f64;
            adapted(met * (up + down), met * up * hidden, width, layers.expert, self.expert_divisors());
            if experts.shared_width > 0 {
                adapted(up + down, up * hidden, down * experts.shared_width as f64, layers.expert, split);
            }
        }
    }

    /// What a layer that predicts a further token keeps beside what any layer does: norms of hidden state and embedding,
    /// the two side by side, and the norm before the head.
    fn each_of_prediction(&self, layers: f64, keep: &mut dyn FnMut(Entry)) {
        let hidden = self.shape.hidden as f64;
        let rule = if self.upcasts() { Rule::NormUpcast } else { Rule::NormInputs };
        keep(self.hidden(rule, self.norm_bytes(), 3.0 * hidden, layers));
        keep(self.hidden(Rule::NormOutputs, self.element(), 3.0 * hidden, layers));
    }

    /// Results that recomputation by operator keeps: those of every second product of a layer, the first among them,
    /// and attention's. Products of routed experts are grouped ones, which are not among them.
    fn each_kept_product(&self, layers: Layers, keep: &mut dyn FnMut(Entry)) {
        let shape = self.shape;
        let (query, hidden) = (shape.query_width() as f64, shape.hidden as f64);
        let key_value = shape.kv_width() as f64 * shape.key_value_copies(self.plan.tensor);
        // Width of each result in the order of the products, and whether tensor parallelism splits it. Where it splits
        // the input instead, what is kept is a rank's share of the sum: scattering it is among the kept operators.
        let mut attention: Vec<(f64, bool)> = Vec::with_capacity(5);
        match shape.latent {
            None => attention.extend([(query, true), (key_value, true), (key_value, true)]),
            Some(latent) => {
                if latent.query_rank > 0 {
                    attention.push((latent.query_rank as f64, false));
                }
                let spread = (shape.keys_and_values() - latent.rope * shape.heads) as f64;
                attention.extend([(query, true), ((latent.rank + latent.rope) as f64, false), (spread, true)]);
            }
        }
        attention.push((hidden, false));
        let mlp = |width: f64| {
            let mut results = vec![(width, true); shape.mlp.inputs() as usize];
            results.push((hidden, false));
            results
        };
        let shared = shape.experts.map_or(0, |experts| experts.shared_width);
        let behind_experts = if shared > 0 { mlp(shared as f64) } else { Vec::new() };
        for (layers, rest) in [(layers.dense, mlp(shape.mlp_width as f64)), (layers.expert, behind_experts)] {
            let (mut split, mut whole) = (0.0, 0.0);
            for (width, is_split) in attention.iter().chain(&rest).step_by(2) {
                *(if *is_split { &mut split } else { &mut whole }) += width;
            }
            keep(self.split(Rule::ProductOutputs, self.element(), split, layers));
            keep(self.hidden(Rule::ProductOutputs, self.element(), whole, layers));
        }
        if self.plan.attention == Attention::Flash {
            keep(self.split(Rule::AttentionOutput, self.element(), shape.value_width() as f64, layers.all()));
            self.each_of_attention_core(layers.all(), keep);
        }
    }

    /// Bytes that recomputation brings back for the one layer at work, of the kind with most.
    fn recomputed_bytes(&self, recomputed: Layers) -> Bytes {
        let of = |layer: Layers| {
            let (mut whole, mut kept) = (Bytes::ZERO, Bytes::ZERO);
            let mut add = |entry: Entry| whole += entry.bytes;
            match self.plan.recompute {
                Recompute::None => {}
                Recompute::Selective => self.each_of_attention_core(1.0, &mut add),
                Recompute::Full => self.each_kept(layer, &mut add),
                Recompute::SelectiveOps => {
                    self.each_kept(layer, &mut add);
                    self.each_kept_product(layer, &mut |entry| kept += entry.bytes);
                }
            }
            whole - kept
        };
        let mut most = Bytes::ZERO;
        for (there, layer) in [
            (recomputed.dense, Layers { dense: 1.0, expert: 0.0 }),
            (recomputed.expert, Layers { dense: 0.0, expert: 1.0 }),
        ] {
            let bytes = of(layer);
            if there > 0.0 && bytes > most {
                most = bytes;
            }
        }
        most
    }

    /// Elements a token of the widest tensor of a layer, and over how many ranks it is split: what the MLP's activation
    /// reads, dense, of experts or shared, or queries, keys and values.
    fn widest(&self) -> (f64, f64) {
        let (shape, tensor) = (self.shape, self.plan.tensor as f64);
        let inputs = shape.mlp.inputs() as f64;
        let dense = if shape.dense_layers() > 0 { shape.mlp_width as f64 } else { 0.0 };
        let shared = shape.experts.map_or(0.0, |experts| experts.shared_width as f64);
        let split = (inputs * dense.max(shared)).max((shape.query_width() + shape.keys_and_values()) as f64);
        let routed = shape
            .experts
            .map_or(0.0, |experts| inputs * experts.width as f64 * experts.per_token as f64 * self.plan.expert_load);
        let [_, inside] = self.expert_divisors();
        if routed / inside > split / tensor { (routed, inside) } else { (split, tensor) }
    }
}

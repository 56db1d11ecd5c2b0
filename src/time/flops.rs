//! FLOPs a token: those of the model, and those the hardware really does.

use crate::model::{Architecture, Role};
use crate::names::{Attention, FlopsConvention, Recompute};
use crate::plan::{Model, TrainingPlan};
use crate::training::Stage;

/// Parameters of the matrices that one token is multiplied with, head included and embedding look-up left out.
#[must_use]
pub fn multiplied_parameters(model: &Model, vocabulary: u64) -> f64 {
    let [common, experts] = layer_matrices(model, vocabulary);
    common + experts + vocabulary as f64 * model.architecture.hidden as f64
}

/// Parameters of the layers' matrices that one token is multiplied with: those of routed experts apart.
fn layer_matrices(model: &Model, vocabulary: u64) -> [f64; 2] {
    let shape = &model.architecture;
    let mut sums = [model.extra(), 0.0];
    for group in shape.tensors(vocabulary) {
        let role = group.role;
        if role.is_matrix() && !matches!(role, Role::Embedding | Role::Positions | Role::Head) {
            sums[usize::from(role.is_expert())] += group.parameters() as f64 * met_share(shape, role);
        }
    }
    sums
}

/// FLOPs of the products that predict further tokens, a head for each of them.
fn prediction_products(model: &Model, plan: &TrainingPlan) -> f64 {
    let shape = &model.architecture;
    if plan.prediction_layers == 0 {
        return 0.0;
    }
    let matrices: f64 = shape
        .prediction_tensors()
        .filter(|group| group.role.is_matrix())
        .map(|group| group.parameters() as f64 * met_share(shape, group.role))
        .sum();
    2.0 * (matrices + plan.prediction_layers as f64 * (plan.vocabulary * shape.hidden) as f64)
}

/// Share of a tensor's parameters that one token meets.
fn met_share(shape: &Architecture, role: Role) -> f64 {
    match shape.experts {
        Some(experts) if role.is_expert() => experts.per_token as f64 / experts.count as f64,
        _ => 1.0,
    }
}

/// Which keys attention is computed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// All tokens, masked ones too: eager attention.
    All,
    /// What stands before each token of a sequence and within the window, on average: flash attention.
    Causal,
    /// Everything before the last token and within the window: one decode step.
    Last,
}

/// FLOPs of scores and weighted values for one token of a sequence of `tokens`: 2 a layer, key it is computed for and
/// element of the query heads and of the value heads, 4·q where they are of one width.
#[must_use]
pub fn attention_forward(shape: &Architecture, tokens: f64, seen: Seen) -> f64 {
    let keys = |window: f64| match seen {
        Seen::All => tokens,
        Seen::Last => window,
        // The first `window` tokens see half of it on average, all later ones the whole.
        Seen::Causal => window - window * window / (2.0 * tokens),
    };
    let windowed = shape.window.map_or(0.0, |window| {
        let reach = tokens.min(window.tokens as f64);
        // In a chunk every token sees what stands before it there: half a chunk on average.
        let halved = window.chunked && seen == Seen::Causal;
        window.layers as f64 * if halved { reach / 2.0 } else { keys(reach) }
    });
    let picked = shape.indexer.map_or(tokens, |indexer| tokens.min(indexer.picked as f64));
    let full = shape.full_attention_layers() as f64 * keys(picked);
    // An indexer's scores have no values to weigh: half of what attention does a key.
    let indexed = shape.indexer.map_or(0.0, |indexer| (indexer.layers * indexer.heads * indexer.head_dim) as f64);
    let indexed = indexed * keys(tokens);
    let widths = (shape.query_width() + shape.value_width()) as f64;
    let full_widths = shape.full_heads.map_or(widths, |full| (2 * full.heads * full.head_dim) as f64);
    // A state is written and read once a token: two products of its size.
    let states = shape.linear.map_or(0.0, |linear| (2 * linear.layers * linear.value_width() * linear.key_dim) as f64);
    2.0 * (full_widths * full + widths * windowed + states + indexed)
}

/// Matrix products of a direction, in FLOPs a token.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Products {
    /// Of matrices that every token meets.
    pub common: f64,
    /// Of routed experts.
    pub experts: f64,
    /// Scores and weighted values.
    pub attention: f64,
}

impl Products {
    /// All of them.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.common + self.experts + self.attention
    }

    /// The FLOPs of the matrices and of attention, multiplied.
    #[must_use]
    pub fn times(&self, matrices: f64, attention: f64) -> Products {
        Products {
            common: self.common * matrices,
            experts: self.experts * matrices,
            attention: self.attention * attention,
        }
    }

    /// These and `others`.
    #[must_use]
    pub fn and(&self, others: &Products) -> Products {
        Products {
            common: self.common + others.common,
            experts: self.experts + others.experts,
            attention: self.attention + others.attention,
        }
    }
}

/// FLOPs of the matrix products the hardware does a token, by part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HardwareFlops {
    /// Forward of all layers.
    pub forward: Products,
    /// Backward of all layers, recomputation included.
    pub backward: Products,
    /// The part of backward that makes weight gradients, which nothing waits for.
    pub weight_gradients: Products,
    /// What of backward is forward done again, as a share of forward.
    pub again: f64,
    /// Forward and backward of the head, and of what predicts further tokens.
    pub ends: [f64; 2],
}

impl HardwareFlops {
    /// All of them.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.forward.total() + self.backward.total() + self.ends[0] + self.ends[1]
    }

    /// Those of one stage of a model that has `layers`: all of them without a pipeline.
    #[must_use]
    pub fn of_stage(&self, stage: &Stage, layers: f64) -> HardwareFlops {
        // Where two stages of the model share a GPU, half of the micro-batches meet each.
        let share = stage.layers.all() / layers / stage.copies;
        HardwareFlops {
            forward: self.forward.times(share, share),
            backward: self.backward.times(share, share),
            weight_gradients: self.weight_gradients.times(share, share),
            again: self.again,
            ends: self.ends.map(|flops| if stage.last { flops / stage.copies } else { 0.0 }),
        }
    }
}

/// Products really done: 2 FLOPs a multiplied parameter in forward and 4 in backward; flash attention skips the masked
/// half; full recomputation repeats the layers' forward, selective only attention's core (arXiv 2205.05198, section 5).
#[must_use]
pub fn hardware(model: &Model, plan: &TrainingPlan) -> HardwareFlops {
    let shape = &model.architecture;
    let head = 2.0 * plan.vocabulary as f64 * shape.hidden as f64;
    let [common, experts] = layer_matrices(model, plan.vocabulary);
    let flash = plan.attention == Attention::Flash;
    let seen = if flash { Seen::Causal } else { Seen::All };
    let attention = attention_forward(shape, plan.sequence as f64, seen);
    let forward = Products { common: 2.0 * common, experts: 2.0 * experts, attention };
    let share = plan.recomputed_share(shape.layers);
    let (matrices_again, attention_again) = match plan.recompute {
        Recompute::Full => (share, share),
        // With flash attention there is no core left to recompute.
        Recompute::Selective if !flash => (0.0, share),
        // Every second product; attention's result is kept.
        Recompute::SelectiveOps => (0.5 * share, 0.0),
        _ => (0.0, 0.0),
    };
    // Frozen weights pass gradients on and have none of their own; adapters are thin beside them. Flash attention's
    // backward computes the scores once more by itself: five products where forward has two.
    let own = if plan.adapter.is_some() { 0.0 } else { 1.0 };
    let attention_backward = if flash { 2.5 } else { 2.0 };
    let ends = head + prediction_products(model, plan);
    HardwareFlops {
        forward,
        backward: forward.times(1.0 + own + matrices_again, attention_backward + attention_again),
        weight_gradients: forward.times(own, 0.0),
        again: if plan.recompute == Recompute::Selective { 0.0 } else { matrices_again },
        ends: [ends, (1.0 + own) * ends],
    }
}

/// Model FLOPs a token by a convention, forward and backward: 6 a parameter, and 12·L·q·s for attention where the causal
/// mask is not counted, half of that where it is.
///
/// PaLM, arXiv 2204.02311, appendix B: every parameter a token meets. llm-foundry's table: every parameter there is.
/// torchtitan and NeMo leave the embedding out; NeMo counts the mask. Megatron, arXiv 2104.04473, equation 3 without
/// recomputation: 72·L·h²·(1 + s÷6h + V÷12Lh), which is the matrices alone, head included.
#[must_use]
pub fn model(model: &Model, plan: &TrainingPlan) -> f64 {
    let shape = &model.architecture;
    let attention = 3.0 * attention_forward(shape, plan.sequence as f64, Seen::All);
    let embedding = (shape.vocabulary * shape.hidden) as f64;
    match plan.flops_convention {
        FlopsConvention::Palm => 6.0 * model.active_parameters + attention,
        FlopsConvention::LlmFoundry => 6.0 * model.parameters + attention,
        FlopsConvention::Torchtitan => 6.0 * (model.active_parameters - embedding) + attention,
        FlopsConvention::Nemo => 6.0 * (model.active_parameters - embedding) + attention / 2.0,
        FlopsConvention::Megatron => 6.0 * multiplied_parameters(model, shape.vocabulary) + attention,
    }
}

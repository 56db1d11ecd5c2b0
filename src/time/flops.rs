//! FLOPs a token: those of the model, and those the hardware really does.

use crate::model::{Architecture, Role};
use crate::resolve::{Model, TrainingPlan};
use crate::scenario::{Attention, Recompute};
use crate::training::Stage;

/// Parameters of the matrices that one token is multiplied with, head included and embedding look-up left out.
#[must_use]
pub fn multiplied_parameters(model: &Model, vocabulary: u64) -> f64 {
    let shape = &model.architecture;
    let matrices: f64 = shape
        .tensors(vocabulary)
        .filter(|group| group.role.is_matrix() && !matches!(group.role, Role::Embedding | Role::Positions | Role::Head))
        .map(|group| group.parameters() as f64 * met_share(shape, group.role))
        .sum();
    matrices + model.extra() + vocabulary as f64 * shape.hidden as f64
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

/// FLOPs of the matrix products the hardware does a token, by part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HardwareFlops {
    /// Forward of all layers.
    pub forward: f64,
    /// Backward of all layers, recomputation included.
    pub backward: f64,
    /// The part of backward that makes weight gradients, which nothing waits for.
    pub weight_gradients: f64,
    /// Forward and backward of the head, and of what predicts further tokens.
    pub ends: [f64; 2],
}

impl HardwareFlops {
    /// All of them.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.forward + self.backward + self.ends[0] + self.ends[1]
    }

    /// Those of one stage of a model that has `layers`: all of them without a pipeline.
    #[must_use]
    pub fn of_stage(&self, stage: &Stage, layers: f64) -> HardwareFlops {
        // Where two stages of the model share a GPU, half of the micro-batches meet each.
        let share = stage.layers.all() / layers / stage.copies;
        HardwareFlops {
            forward: self.forward * share,
            backward: self.backward * share,
            weight_gradients: self.weight_gradients * share,
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
    let products = 2.0 * multiplied_parameters(model, plan.vocabulary) - head;
    let flash = plan.attention == Attention::Flash;
    let attention = attention_forward(shape, plan.sequence as f64, if flash { Seen::Causal } else { Seen::All });
    // Flash attention's backward computes the scores once more by itself: five products where forward has two.
    let attention_backward = attention * if flash { 2.5 } else { 2.0 };
    let recomputed = plan.recomputed_share(shape.layers)
        * match plan.recompute {
            Recompute::Full => products + attention,
            // With flash attention there is no core left to recompute.
            Recompute::Selective if !flash => attention,
            // Every second product; attention's result is kept.
            Recompute::SelectiveOps => 0.5 * products,
            _ => 0.0,
        };
    // Frozen weights pass gradients on and have none of their own; adapters are thin beside them.
    let own = if plan.adapter.is_some() { 0.0 } else { 1.0 };
    let ends = head + prediction_products(model, plan);
    HardwareFlops {
        forward: products + attention,
        backward: (1.0 + own) * products + attention_backward + recomputed,
        weight_gradients: own * products,
        ends: [ends, (1.0 + own) * ends],
    }
}

/// Model FLOPs by the convention of PaLM (arXiv 2204.02311, appendix B): 6 a parameter that a token meets and
/// 12·L·q·s for attention, the causal mask not counted.
#[must_use]
pub fn palm(model: &Model, sequence: f64) -> f64 {
    6.0 * model.active_parameters + 3.0 * attention_forward(&model.architecture, sequence, Seen::All)
}

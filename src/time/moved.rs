//! What a layer reads and writes in memory between its matrix products, which keep the units of the products waiting.

use crate::model::{Architecture, Mlp};
use crate::names::{Attention, Kernels, Loss};
use crate::plan::TrainingPlan;

/// Bytes that forward of one layer reads and writes for a token outside its matrix products, all tensor ranks together.
///
/// Counted from the operations of a layer: a norm reads and writes the hidden state, a residual sum reads two and writes
/// one, rotary positions go over queries and keys, the MLP's activation reads gate and up and writes their product; eager
/// attention writes, reads, writes and reads its scores. Without sequence parallelism every tensor rank does what is not
/// split. Routed tokens are copied to their experts and back. Compilers fuse norm and residual; plain modules write what
/// lies between their operations as well.
#[must_use]
pub fn forward(shape: &Architecture, plan: &TrainingPlan) -> f64 {
    let element = plan.element_bytes();
    let hidden = shape.hidden as f64;
    let repeated = if plan.sequence_parallel { 1.0 } else { plan.tensor as f64 };
    let dropout = if plan.keeps_masks() { 1.0 } else { 0.0 };
    let norms = 2.0 * shape.norms_per_layer as f64;
    let residual = hidden * (norms + 6.0 + 4.0 * dropout) * repeated;
    let rotary = 2.0 * (shape.query_width() as f64 + shape.keys_and_values() as f64 / 2.0);
    let activation = match shape.mlp {
        Mlp::Gated => 3.0,
        Mlp::Plain => 2.0,
    };
    let expert_share = shape.expert_layers() as f64 / shape.layers as f64;
    let widths = shape.experts.map_or(0.0, |experts| {
        let met = experts.per_token as f64;
        expert_share * (activation * (met * experts.width as f64 + experts.shared_width as f64) + 5.0 * met * hidden)
    });
    let dense = (1.0 - expert_share) * activation * shape.mlp_width as f64;
    let scores = if plan.attention == Attention::Eager {
        (4.0 + 2.5 * dropout) * plan.sequence as f64 * shape.heads as f64
    } else {
        0.0
    };
    let between = match plan.kernels {
        Kernels::Fused | Kernels::TransformerEngine => 1.0,
        Kernels::Compiled => 0.9,
        Kernels::Eager => 2.0,
    };
    element * (between * (residual + rotary + widths + dense) + scores)
}

/// The same of head and loss: the logits and what the loss makes of them, forward and backward.
#[must_use]
pub fn ends(plan: &TrainingPlan) -> f64 {
    let each = match plan.loss {
        Loss::Fused | Loss::FusedLinear => 8.0,
        Loss::Compiled | Loss::Chunked => 14.0,
        Loss::VocabParallel => 24.0,
        Loss::Eager => 32.0,
    };
    each * plan.vocabulary as f64
}

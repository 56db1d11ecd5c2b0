//! The parameters of a model as training divides them: what tensor parallelism splits, what it repeats, what one layer
//! holds, and what optimisers treat apart.

use crate::model::{Architecture, Role, TensorGroup};

use super::Stage;

/// Parameters of a model, or of one stage of it, of all tensor ranks together unless said otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Parts {
    /// Split over the tensor ranks; key and value matrices count as often as they are copied.
    pub split: f64,
    /// Repeated on every tensor rank.
    pub repeated: f64,
    /// One layer on one tensor rank.
    pub block_local: f64,
    /// Embedding, positions, head and final norm on one tensor rank.
    pub root_local: f64,
    /// Not in hidden matrices (embedding, head, norms, biases), split.
    pub rest_split: f64,
    /// Not in hidden matrices, repeated.
    pub rest_repeated: f64,
    /// One rank's, in tensors of at least [`SMALL_TENSOR`] elements.
    pub large_local: f64,
    /// One rank's, in smaller tensors.
    pub small_local: f64,
    /// Rows plus columns of one rank's matrices.
    pub rows_and_columns: f64,
    /// One rank's, not in matrices.
    pub vectors_local: f64,
    /// Elements of the distinct linear shapes of one rank, the head's among them.
    pub distinct_shapes: f64,
    /// All parameters, each once, the vocabulary padded.
    pub total: f64,
}

/// Tensors with fewer elements keep 32-bit moments under an 8-bit optimiser (bitsandbytes, `min_8bit_size`).
pub const SMALL_TENSOR: u64 = 4096;

impl Parts {
    /// The parts of `architecture` that `stage` holds, with its vocabulary padded to `vocabulary`, over `tensor` ranks.
    /// Where the model is known by its parameter count alone, `extra` is what the assumed shape lacks (or has too much);
    /// it counts as MLP.
    #[must_use]
    pub fn new(architecture: &Architecture, vocabulary: u64, tensor: u64, extra: f64, stage: &Stage) -> Parts {
        let ranks = tensor as f64;
        let layers = architecture.layers as f64;
        let held_extra = extra * (stage.layers / layers);
        let mut parts = Parts {
            split: held_extra,
            block_local: extra / layers / ranks,
            large_local: held_extra / ranks,
            total: held_extra,
            ..Parts::default()
        };
        if stage.last {
            parts.distinct_shapes = vocabulary as f64 * architecture.hidden as f64 / ranks;
        }
        for group in architecture.tensors(vocabulary) {
            let tensors = held(&group, architecture, stage);
            let parameters = tensors * group.elements() as f64;
            let splits = group.role.split_by_tensor();
            let copied = architecture.copies(group.role, tensor);
            let divisor = architecture.parts_of(group.role, tensor);
            let local = parameters / divisor;
            let rest = !group.role.is_matrix() || is_table(group.role);
            parts.total += parameters;
            if splits {
                parts.split += parameters * copied;
                if rest {
                    parts.rest_split += parameters * copied;
                }
            } else {
                parts.repeated += parameters;
                if rest {
                    parts.rest_repeated += parameters;
                }
            }
            let a_layer = group.parameters() as f64 / divisor / layers;
            if group.per_layer {
                parts.block_local += a_layer;
            } else {
                parts.root_local += local;
            }
            if (group.elements() as f64 / divisor) < SMALL_TENSOR as f64 {
                parts.small_local += local;
            } else {
                parts.large_local += local;
            }
            if group.role.is_matrix() {
                // Tensor parallelism cuts one of the two sides; which one makes little difference to their sum's use
                // here, so the longer one is taken.
                let (rows, columns) = (group.rows as f64, group.columns as f64);
                let cut = rows.max(columns) / divisor + rows.min(columns);
                parts.rows_and_columns += cut * tensors;
            } else {
                parts.vectors_local += local;
            }
            if group.role.is_linear() && !group.role.is_expert() {
                // Query, key and value are one matrix there, and so are gate and up.
                parts.distinct_shapes += a_layer;
            }
        }
        parts
    }

    /// One rank's parameters.
    #[must_use]
    pub fn local(&self, tensor: f64) -> f64 {
        self.split / tensor + self.repeated
    }
}

/// How many tensors of a group a stage holds. A tied head is a copy of the embedding where the two ends of the model lie
/// on different GPUs.
fn held(group: &TensorGroup, architecture: &Architecture, stage: &Stage) -> f64 {
    if group.per_layer {
        return group.count as f64 / architecture.layers as f64 * stage.layers;
    }
    let here = match group.role {
        Role::Embedding => stage.first || architecture.tied_embeddings && stage.last,
        Role::Positions => stage.first,
        _ => stage.last,
    };
    if here { group.count as f64 } else { 0.0 }
}

/// Embedding, positions and head: matrices, but not the hidden ones that Muon takes.
fn is_table(role: Role) -> bool {
    matches!(role, Role::Embedding | Role::Positions | Role::Head)
}

//! The parameters of a model as training divides them: what tensor parallelism splits, what it repeats, what belongs to
//! experts, what one layer holds, and what optimisers treat apart.

use crate::model::{Architecture, Place, Role, TensorGroup};
use crate::plan::{AdapterPlan, Division};

use super::Stage;
use super::adapter;

/// Parameters of a list of tensors, of all ranks together unless they are said to be one rank's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tensors {
    /// Split over the tensor ranks; key and value matrices count as often as they are copied.
    pub split: f64,
    /// Repeated on every tensor rank.
    pub repeated: f64,
    /// Of routed experts.
    pub experts: f64,
    /// One rank's, experts left out.
    pub common_local: f64,
    /// One rank's experts.
    pub experts_local: f64,
    /// One rank's, of the matrices that weight formats quantise, experts left out.
    pub linear_local: f64,
    /// Not in hidden matrices (embedding, head, norms, biases), split.
    pub rest_split: f64,
    /// Not in hidden matrices, repeated.
    pub rest_repeated: f64,
    /// Not in hidden matrices, of experts: their biases.
    pub rest_experts: f64,
    /// One rank's, in tensors of at least [`SMALL_TENSOR`] elements: experts left out, and of experts.
    pub large_local: [f64; 2],
    /// One rank's, in smaller tensors: experts left out, and of experts.
    pub small_local: [f64; 2],
    /// Rows plus columns of one rank's matrices: experts left out, and of experts.
    pub rows_and_columns: [f64; 2],
    /// One rank's, not in matrices: experts left out, and of experts.
    pub vectors_local: [f64; 2],
    /// The longer sides of one rank's hidden matrices: experts left out, and of experts.
    pub longer_sides: [f64; 2],
    /// One rank's hidden matrices: experts left out, and of experts.
    pub hidden_matrices: [f64; 2],
    /// One rank's, not in hidden matrices: experts left out, and of experts.
    pub rest_local: [f64; 2],
    /// One rank's of the layer with most: experts left out, and of experts.
    pub block_local: [f64; 2],
    /// One rank's embedding, positions, head and final norm.
    pub root_local: f64,
    /// One rank's largest tensor: experts left out, and of experts.
    pub largest_local: [f64; 2],
    /// The largest of the matrices that weight formats quantise, experts' among them.
    pub largest_linear: f64,
}

impl Tensors {
    /// One rank's parameters.
    #[must_use]
    pub fn local(&self) -> f64 {
        self.common_local + self.experts_local
    }

    /// One rank's largest tensor of all.
    #[must_use]
    pub fn largest(&self) -> f64 {
        let [common, experts] = self.largest_local;
        common.max(experts)
    }

    /// Adds equal tensors.
    pub fn add(&mut self, part: &Part) {
        let local = part.parameters / part.divisor;
        let expert = usize::from(part.expert);
        if part.expert {
            let everywhere = part.parameters * part.copies;
            self.experts += everywhere;
            self.rest_experts += if part.rest { everywhere } else { 0.0 };
            self.experts_local += local;
        } else {
            let everywhere = if part.splits { part.parameters * part.copies } else { part.parameters };
            let [all, rest] = if part.splits {
                [&mut self.split, &mut self.rest_split]
            } else {
                [&mut self.repeated, &mut self.rest_repeated]
            };
            *all += everywhere;
            *rest += if part.rest { everywhere } else { 0.0 };
            self.common_local += local;
            self.linear_local += if part.linear { local } else { 0.0 };
        }
        self.largest_local[expert] = self.largest_local[expert].max(part.one());
        if part.linear {
            self.largest_linear = self.largest_linear.max(part.one());
        }
        let size = if part.one() < SMALL_TENSOR as f64 { &mut self.small_local } else { &mut self.large_local };
        size[expert] += local;
        // One of the two sides is cut; which one makes little difference to what is counted of them, so the longer one is
        // taken.
        let [longer, shorter] = [part.rows.max(part.columns) / part.cut, part.rows.min(part.columns)];
        let tensors = local / part.one();
        if part.rest {
            self.rest_local[expert] += local;
        } else {
            self.longer_sides[expert] += longer.max(shorter) * tensors;
            self.hidden_matrices[expert] += tensors;
        }
        if part.columns > 1.0 {
            self.rows_and_columns[expert] += (longer + shorter) * tensors;
        } else {
            self.vectors_local[expert] += local;
        }
    }
}

/// Equal tensors on their way into a sum.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Of all of them, each once.
    pub parameters: f64,
    /// Rows of one of them, whole.
    pub rows: f64,
    /// Columns of one of them, whole; 1 of a vector.
    pub columns: f64,
    /// How often tensor parallelism holds each of them.
    pub copies: f64,
    /// Into how many parts one of them is cut.
    pub cut: f64,
    /// Over how many ranks all of them are divided.
    pub divisor: f64,
    /// Whether tensor parallelism splits them.
    pub splits: bool,
    /// Whether they belong to routed experts.
    pub expert: bool,
    /// Whether weight formats quantise them.
    pub linear: bool,
    /// Whether Muon leaves them to Adam.
    pub rest: bool,
}

impl Part {
    /// The tensors of a group.
    pub fn of(architecture: &Architecture, group: &TensorGroup, division: Division) -> Part {
        let role = group.role;
        let expert = role.is_expert();
        let cut = match (expert, role.split_by_tensor()) {
            (true, true) => division.expert_tensor as f64,
            (true, false) => 1.0,
            (false, _) => architecture.parts_of(role, division.tensor),
        };
        Part {
            parameters: group.parameters() as f64,
            rows: group.rows as f64,
            columns: group.columns as f64,
            copies: if expert {
                division.expert_tensor as f64 / cut
            } else {
                architecture.copies(role, division.tensor)
            },
            cut,
            divisor: if expert { division.expert as f64 * cut } else { cut },
            splits: role.split_by_tensor(),
            expert,
            linear: role.is_linear(),
            rest: !role.is_matrix() || is_table(role),
        }
    }

    /// Parameters of one of them on one rank.
    pub fn one(&self) -> f64 {
        self.rows * self.columns / self.cut
    }
}

/// One rank's parameters of one layer: what every layer has, a dense MLP, what surrounds experts, the experts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Block([f64; 4]);

impl Block {
    /// Adds what one layer has of this role.
    pub fn add(&mut self, role: Role, local: f64) {
        let kind = match role.place() {
            _ if role.is_expert() => 3,
            Place::EveryLayer => 0,
            Place::DenseLayers => 1,
            Place::ExpertLayers => 2,
        };
        self.0[kind] += local;
    }

    /// The layer of the larger kind: experts left out, and the experts.
    pub fn largest(&self) -> [f64; 2] {
        let [every, dense, around, experts] = self.0;
        if around + experts > dense { [every + around, experts] } else { [every + dense, 0.0] }
    }
}

/// Parameters of a model over the ranks of a layout.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Parts {
    /// The model's own.
    pub weights: Tensors,
    /// Those that have gradients: the model's own, or its adapters'.
    pub trained: Tensors,
    /// Elements of the distinct linear shapes of one rank's layers.
    pub distinct_shapes: f64,
    /// One rank's head, tied or not.
    pub head_local: f64,
    /// All parameters of the model, each once, the vocabulary padded.
    pub total: f64,
}

/// Tensors with fewer elements keep 32-bit moments under an 8-bit optimiser (bitsandbytes, `min_8bit_size`).
pub const SMALL_TENSOR: u64 = 4096;

impl Parts {
    /// The parts of `architecture` that `stage` holds, the layers that predict further tokens included, with its
    /// vocabulary padded to `vocabulary`, divided as `division` says. Where the model is known by its parameter count alone, `extra` is what
    /// the assumed shape lacks (or has too much); it counts as MLP.
    #[must_use]
    pub fn new(
        architecture: &Architecture,
        vocabulary: u64,
        division: Division,
        extra: f64,
        adapter: Option<&AdapterPlan>,
        stage: &Stage,
    ) -> Parts {
        let layers = architecture.layers as f64;
        let extra_held = extra * (stage.layers.all() / layers);
        let local = extra_held / division.tensor as f64;
        let mut weights = Tensors {
            split: extra_held,
            common_local: local,
            linear_local: local,
            large_local: [local, 0.0],
            ..Tensors::default()
        };
        let mut total = extra_held;
        let head = (vocabulary * architecture.hidden) as f64 / division.tensor as f64;
        let head_local = if stage.last { head } else { 0.0 };
        let mut distinct_shapes = 0.0;
        let mut block = Block([extra / division.tensor as f64 / layers, 0.0, 0.0, 0.0]);
        for group in architecture.tensors(vocabulary) {
            let tensors = stage.tensors(architecture, &group, adapter.is_none());
            if tensors == 0.0 {
                continue;
            }
            let part =
                Part { parameters: tensors * group.elements() as f64, ..Part::of(architecture, &group, division) };
            weights.add(&part);
            total += part.parameters;
            if !group.per_layer {
                weights.root_local += part.parameters / part.divisor;
                continue;
            }
            let in_a_layer = group.parameters() as f64 / part.divisor / architecture.layers_with(group.role) as f64;
            block.add(group.role, in_a_layer);
            distinct_shapes += match group.role {
                // The experts of a layer are one grouped product of equal matrices.
                Role::ExpertUp => part.one() * architecture.mlp.inputs() as f64,
                Role::ExpertDown => part.one(),
                // Query, key and value are one matrix there, and so are gate and up.
                role if role.is_linear() => in_a_layer,
                _ => 0.0,
            };
        }
        // Only the model itself is adapted, and only it is loaded for that.
        for group in architecture.prediction_tensors().filter(|_| adapter.is_none() && stage.last) {
            let part = Part::of(architecture, &group, division);
            weights.add(&part);
            total += part.parameters;
            if group.role == Role::Prediction {
                distinct_shapes += part.one();
            }
        }
        weights.block_local = block.largest();
        let trained =
            adapter.map_or(weights, |adapter| adapter::tensors(adapter, architecture, vocabulary, division, stage));
        Parts { weights, trained, distinct_shapes, head_local, total }
    }
}

/// Embedding, positions and head: matrices, but not the hidden ones that Muon takes.
fn is_table(role: Role) -> bool {
    matches!(role, Role::Embedding | Role::Positions | Role::Head)
}

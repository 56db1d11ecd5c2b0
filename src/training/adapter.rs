//! Low-rank adapters: small trained matrices beside frozen ones (Hu et al. 2022, LoRA, arXiv 2106.09685).

use crate::model::{Architecture, Role, TensorGroup};
use crate::plan::{AdapterPlan, Division, Targets};

use super::Stage;
use super::parts::{Block, Part, Tensors};

/// The adapters of a stage over the ranks of a layout: beside each matrix of `rows` × `columns` one of rank × columns and one of
/// rows × rank. Each follows the side on which tensor parallelism cuts the matrix; the other is repeated.
#[must_use]
pub fn tensors(
    adapter: &AdapterPlan,
    architecture: &Architecture,
    vocabulary: u64,
    division: Division,
    stage: &Stage,
) -> Tensors {
    let mut sum = Tensors::default();
    let compressed = architecture.latent.is_some_and(|latent| latent.query_rank > 0);
    let mut block = Block::default();
    let mut add = |group: &TensorGroup, layers: f64| {
        let modules = Targets::of_role(group.role, compressed).within(Targets::of(architecture));
        let adapted = modules.within(adapter.targets).count();
        if adapted == 0 {
            return;
        }
        let share = adapted as f64 / modules.count() as f64;
        let whole = Part::of(architecture, group, division);
        let by_columns = matches!(group.role, Role::Output | Role::MlpDown | Role::ExpertDown | Role::SharedDown);
        let number = stage.tensors(architecture, group, false) * share;
        if number == 0.0 {
            return;
        }
        for (rows, columns, cut_here) in
            [(adapter.rank as f64, whole.columns, by_columns), (whole.rows, adapter.rank as f64, !by_columns)]
        {
            let cut = if cut_here { whole.cut } else { 1.0 };
            let part = Part {
                parameters: rows * columns * number,
                rows,
                columns,
                // What is not cut every rank inside the expert has.
                copies: if whole.expert {
                    division.expert_tensor as f64 / cut
                } else if cut_here {
                    whole.copies
                } else {
                    1.0
                },
                cut,
                // Experts are spread out, and cut besides.
                divisor: if whole.expert { division.expert as f64 * cut } else { cut },
                splits: cut_here && whole.splits,
                expert: whole.expert,
                linear: false,
                rest: group.role == Role::Head,
            };
            sum.add(&part);
            if layers > 0.0 {
                block.add(group.role, rows * columns * group.count as f64 * share / part.divisor / layers);
            } else {
                sum.root_local += part.parameters / part.divisor;
            }
        }
    };
    for group in architecture.tensors(vocabulary) {
        let layers = if group.per_layer { architecture.layers_with(group.role) as f64 } else { 0.0 };
        add(&group, layers);
    }
    if architecture.tied_embeddings {
        // The head is a module of its own even where its matrix is the embedding.
        let head = TensorGroup {
            role: Role::Head,
            rows: vocabulary,
            columns: architecture.hidden,
            count: 1,
            per_layer: false,
        };
        add(&head, 0.0);
    }
    sum.block_local = block.largest();
    sum
}

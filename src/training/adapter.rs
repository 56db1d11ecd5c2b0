//! Low-rank adapters: small trained matrices beside frozen ones (Hu et al. 2022, LoRA, arXiv 2106.09685).

use crate::model::{Architecture, Mlp, Role, TensorGroup};

use super::Stage;
use super::parts::{Block, Division, Part, Tensors};

/// Adapters with everything settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdapterPlan {
    /// How the frozen matrices are stored.
    pub base: Base,
    /// Rank of the adapters.
    pub rank: u64,
    /// What they stand beside.
    pub targets: Targets,
    /// Whether their inputs go through dropout.
    pub dropout: bool,
}

/// How the frozen matrices of attention, MLP and experts are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// As the recipe stores weights.
    Plain,
    /// In NF4.
    Nf4,
    /// In NF4 with quantised scales.
    Nf4DoubleQuantised,
}

/// A set of modules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Targets(u16);

/// Modules by the name they have in Hugging Face's Llama and DeepSeek; the same parts of other families count under it.
pub const MODULES: [&str; 12] = [
    "q_proj",
    "k_proj",
    "v_proj",
    "o_proj",
    "q_a_proj",
    "q_b_proj",
    "kv_a_proj_with_mqa",
    "kv_b_proj",
    "gate_proj",
    "up_proj",
    "down_proj",
    "lm_head",
];

impl Targets {
    /// Query projection from the hidden size.
    pub const QUERY: Targets = Targets(1);
    /// Key projection.
    pub const KEY: Targets = Targets(1 << 1);
    /// Value projection.
    pub const VALUE: Targets = Targets(1 << 2);
    /// Attention's output projection.
    pub const OUTPUT: Targets = Targets(1 << 3);
    /// Latent attention: to the vector that queries are made from.
    pub const QUERY_DOWN: Targets = Targets(1 << 4);
    /// Latent attention: from that vector.
    pub const QUERY_UP: Targets = Targets(1 << 5);
    /// Latent attention: to the vector that keys and values are made from.
    pub const KEY_VALUE_DOWN: Targets = Targets(1 << 6);
    /// Latent attention: from that vector.
    pub const KEY_VALUE_UP: Targets = Targets(1 << 7);
    /// Gate of the MLP.
    pub const GATE: Targets = Targets(1 << 8);
    /// Up of the MLP.
    pub const UP: Targets = Targets(1 << 9);
    /// Down of the MLP.
    pub const DOWN: Targets = Targets(1 << 10);
    /// The head.
    pub const HEAD: Targets = Targets(1 << 11);
    /// Every projection of attention.
    pub const ATTENTION: Targets = Targets(0xff);
    /// Every matrix of the layers.
    pub const ALL_LINEAR: Targets = Targets(0x7ff);

    /// The module of that name in [`MODULES`].
    #[must_use]
    pub const fn module(index: usize) -> Targets {
        Targets(1 << index)
    }

    /// Both.
    #[must_use]
    pub const fn and(self, other: Targets) -> Targets {
        Targets(self.0 | other.0)
    }

    /// What is in both.
    #[must_use]
    pub const fn within(self, other: Targets) -> Targets {
        Targets(self.0 & other.0)
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    #[must_use]
    pub const fn count(self) -> u64 {
        self.0.count_ones() as u64
    }

    /// The modules a model has.
    #[must_use]
    pub fn of(architecture: &Architecture) -> Targets {
        let attention = match architecture.latent {
            None => Targets(0b1111),
            Some(latent) if latent.query_rank == 0 => Targets(0b1100_1001),
            Some(_) => Targets(0b1111_1000),
        };
        let mlp = match architecture.mlp {
            Mlp::Gated => Targets::GATE.and(Targets::UP).and(Targets::DOWN),
            Mlp::Plain => Targets::UP.and(Targets::DOWN),
        };
        attention.and(mlp).and(Targets::HEAD)
    }

    /// The modules whose matrices have this role.
    fn of_role(role: Role, compressed: bool) -> Targets {
        match role {
            Role::Query if compressed => Targets::QUERY_UP,
            Role::Query => Targets::QUERY,
            Role::Key => Targets::KEY,
            Role::Value => Targets::VALUE,
            Role::Output => Targets::OUTPUT,
            Role::QueryDown => Targets::QUERY_DOWN,
            Role::KeyValueDown => Targets::KEY_VALUE_DOWN,
            Role::KeyValueUp => Targets::KEY_VALUE_UP,
            Role::MlpUp | Role::ExpertUp | Role::SharedUp => Targets::GATE.and(Targets::UP),
            Role::MlpDown | Role::ExpertDown | Role::SharedDown => Targets::DOWN,
            Role::Head => Targets::HEAD,
            _ => Targets(0),
        }
    }
}

impl AdapterPlan {
    /// The adapters of a stage over the ranks of a layout: beside each matrix of `rows` × `columns` one of rank × columns and one of
    /// rows × rank. Each follows the side on which tensor parallelism cuts the matrix; the other is repeated.
    #[must_use]
    pub fn tensors(&self, architecture: &Architecture, vocabulary: u64, division: Division, stage: &Stage) -> Tensors {
        let mut sum = Tensors::default();
        let compressed = architecture.latent.is_some_and(|latent| latent.query_rank > 0);
        let mut block = Block::default();
        let mut add = |group: &TensorGroup, layers: f64| {
            let modules = Targets::of_role(group.role, compressed).within(Targets::of(architecture));
            let adapted = modules.within(self.targets).count();
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
                [(self.rank as f64, whole.columns, by_columns), (whole.rows, self.rank as f64, !by_columns)]
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
}

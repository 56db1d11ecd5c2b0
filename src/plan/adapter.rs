//! Low-rank adapters: small trained matrices beside frozen ones (Hu et al. 2022, LoRA, arXiv 2106.09685).

use std::ops::Deref;

use crate::model::{Architecture, Mlp, Role};
use crate::scenario::SettledAdapter;

/// Adapters with everything settled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdapterPlan {
    /// Every setting that is a number, a name or a switch.
    pub settings: SettledAdapter,
    /// How the frozen matrices are stored.
    pub base: Base,
    /// What the adapters stand beside.
    pub targets: Targets,
}

impl Deref for AdapterPlan {
    type Target = SettledAdapter;

    fn deref(&self) -> &SettledAdapter {
        &self.settings
    }
}

impl AdapterPlan {
    /// Whether their inputs go through dropout.
    #[must_use]
    pub fn keeps_masks(&self) -> bool {
        self.dropout > 0.0
    }
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
    #[must_use]
    pub fn of_role(role: Role, compressed: bool) -> Targets {
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

//! Tensors that only some families have, and what their layers keep for backward.
//!
//! They are made from the keys once, by the family's row, so that whoever counts has nothing but a list to go through.
//!
//! What is kept of linear layers is what their fused kernels save, whatever kernels the rest of the layer has: the chunked
//! gated delta rule of flash-linear-attention, and `mamba_inner_fn` and `mamba_split_conv1d_scan_combined` of mamba_ssm.

use super::HfConfig;
use super::layers::Kinds;
use super::row::Family;
use crate::model::{Architecture, FullHeads, Further, Kept, KeptSize, Layers, Role, TensorGroup};
use crate::refusal::FieldError;

/// The lists as they are made.
pub struct List<'a> {
    /// The dimensions, complete but for these lists.
    pub shape: &'a Architecture,
    tensors: Vec<(TensorGroup, Layers)>,
    kept: Vec<Kept>,
}

impl List<'_> {
    /// Adds `tensors` of rows × columns to each layer of a kind.
    pub fn each(&mut self, role: Role, kind: Layers, [rows, columns]: [u64; 2], tensors: u64) {
        self.of_all(role, kind, [rows, columns], tensors * self.shape.layers_at(kind));
    }

    /// Adds `count`, spread over the layers of a kind.
    pub fn of_all(&mut self, role: Role, kind: Layers, [rows, columns]: [u64; 2], count: u64) {
        if count > 0 {
            self.tensors.push((TensorGroup { role, rows, columns, count, per_layer: true }, kind));
        }
    }

    /// Adds tensors that stand at one end of the model.
    pub fn once(&mut self, tensors: TensorGroup) {
        self.tensors.push((tensors, Layers::Every));
    }

    /// Adds what each layer of a kind keeps of a width that tensor parallelism splits.
    pub fn keep(&mut self, size: KeptSize, kind: Layers, width: u64) {
        self.kept.push(Kept { size, width, layers: self.shape.layers_at(kind), split: true });
    }

    /// The same of a width that every tensor rank has.
    pub fn keep_whole(&mut self, size: KeptSize, kind: Layers, width: u64) {
        self.kept.push(Kept { size, width, layers: self.shape.layers_at(kind), split: false });
    }
}

impl HfConfig {
    /// What no field of `shape` tells of; it is complete but for that.
    pub(super) fn further(&self, family: &Family, shape: &Architecture, kinds: &Kinds) -> Result<Further, FieldError> {
        let mut list = List { shape, tensors: Vec::new(), kept: Vec::new() };
        (family.further)(self, kinds, &mut list)?;
        Ok(Further { tensors: list.tensors, kept: list.kept })
    }
}

/// Tensors that several families have.
impl List<'_> {
    /// The gate on attention's output, with `each` numbers a head. It is kept, and so is what it lets through.
    pub fn gate(&mut self, each: u64) {
        let shape = self.shape;
        let mut gate = |kind, heads: u64, head_dim: u64| {
            self.each(Role::AttentionGate, kind, [heads * each, shape.hidden], 1);
            self.keep(KeptSize::Element, kind, heads * (each + head_dim));
        };
        match shape.full_heads {
            None => gate(Layers::Attention, shape.heads, shape.head_dim),
            Some(full) => {
                gate(Layers::Window, shape.heads, shape.head_dim);
                gate(Layers::Full, full.heads, full.head_dim);
            }
        }
    }

    /// Gated MLPs of another width than the first in the list.
    pub fn other_mlps(&mut self, widths: &[(u64, u64)]) {
        let hidden = self.shape.hidden;
        for (width, layers) in widths.iter().skip(1) {
            self.of_all(Role::MlpUp, Layers::Every, [*width, hidden], 2 * layers);
            self.of_all(Role::MlpDown, Layers::Every, [hidden, *width], *layers);
            self.kept.push(Kept { size: KeptSize::Mlp, width: *width, layers: *layers, split: true });
        }
    }

    /// Attention of layers that see everything, where they have other heads; values may be the keys.
    pub fn other_heads(&mut self, own_values: bool) {
        let Some(FullHeads { heads, kv_heads, head_dim }) = self.shape.full_heads else { return };
        let (query, key, hidden) = (heads * head_dim, kv_heads * head_dim, self.shape.hidden);
        let layers = self.shape.layers_at(Layers::Full);
        let own = layers - self.shape.borrowing[1];
        self.each(Role::Query, Layers::Full, [query, hidden], 1);
        self.of_all(Role::Key, Layers::Full, [key, hidden], own);
        self.of_all(Role::Value, Layers::Full, [key, hidden], if own_values { own } else { 0 });
        self.of_all(Role::HeadNorm, Layers::Full, [head_dim, 1], layers + own);
        self.each(Role::Output, Layers::Full, [hidden, query], 1);
    }
}

//! MiniMax: Mixtral with lightning attention in seven of eight layers, and without it in M2.

use super::further::List;
use super::layers::{Kinds, entries};
use super::row::{DECODER, Family, MIXTURE, Mixture, NO, YES, kv_heads_or, number};
use super::{HfConfig, Named, dimension, limit, refused};
use crate::model::{KeptSize, Layers, Linear, QkNorm, Role};
use crate::refusal::{FieldError, ModelProblem};

pub const MINIMAX: Family = Family {
    name: "MiniMax",
    model_types: &["minimax_text_01", "minimax_m1", "minimax"],
    kv_heads: kv_heads_or(8),
    rotated: |_| 0.5,
    kinds,
    mixture: Some(MIXTURE),
    qkv_bias: NO,
    output_bias: NO,
    further: |_, _, list| {
        list.lightning();
        Ok(())
    },
    ..DECODER
};

/// Mixtral with norms over all queries and all keys, and a correction of the router's scores.
pub const MINIMAX_M2: Family = Family {
    name: "MiniMax-M2",
    model_types: &["minimax_m2"],
    kv_heads: kv_heads_or(8),
    head_dim: Some(128),
    qk_norm: |_| QkNorm::All,
    rotated: |_| 0.5,
    mixture: Some(Mixture {
        count: number!(num_local_experts or 256),
        per_token: number!(num_experts_per_tok or 8),
        router_bias: YES,
        ..MIXTURE
    }),
    qkv_bias: NO,
    output_bias: NO,
    ..DECODER
};

/// Lightning attention (MiniMax-01, arXiv 2501.08313, section 2.2) in the layers that a list names: every query head has a
/// state of its width squared, and no convolution stands before it.
fn kinds(keys: &HfConfig, _: &Family, (key, stated): Named) -> Result<Kinds, FieldError> {
    const LIST: &str = "attn_type_list";
    let layers = dimension(key, stated, limit::LAYERS)?;
    let linear = match (&keys.attn_type_list, keys.named_layers(layers, "linear_attention")) {
        (Some(list), _) if list.len() as u64 != layers => return Err(entries(LIST, list.len(), layers)),
        (Some(list), _) => match list.iter().find(|kind| **kind > 1) {
            Some(other) => return Err(refused(LIST, ModelProblem::UnknownKind { given: *other })),
            None => list.iter().filter(|kind| **kind == 0).count() as u64,
        },
        (None, Some(named)) => named?,
        (None, None) => return Err(refused(LIST, ModelProblem::NoKinds)),
    };
    let hidden = dimension("hidden_size", keys.hidden_size, limit::HIDDEN)?;
    let heads = dimension("num_attention_heads", keys.num_attention_heads, limit::HEADS)?;
    let head_dim = dimension("head_dim", Some(keys.head_dim.unwrap_or(hidden / heads)), limit::HEAD_DIM)?;
    let linear = (linear > 0).then_some(Linear {
        layers: linear,
        key_heads: heads,
        value_heads: heads,
        key_dim: head_dim,
        value_dim: head_dim,
        kernel: 1,
    });
    Ok(Kinds { layers, linear, ..Kinds::default() })
}

impl List<'_> {
    /// Queries, keys and values, a gate, and a norm of the result.
    fn lightning(&mut self) {
        let Some(linear) = self.shape.linear else { return };
        let (hidden, values, kind) = (self.shape.hidden, linear.value_width(), Layers::Linear);
        self.each(Role::LinearInput, kind, [linear.width(), hidden], 1);
        self.each(Role::LinearGate, kind, [values, hidden], 1);
        self.each(Role::LinearVector, kind, [values, 1], 1);
        self.each(Role::LinearOutput, kind, [hidden, values], 1);
        // Queries, keys and values before their activation and behind it; the result, the same normalised, the gate, and
        // what it lets through.
        self.keep(KeptSize::Element, kind, 2 * linear.width() + 4 * values);
    }
}

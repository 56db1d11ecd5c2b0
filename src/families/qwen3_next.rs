//! Qwen3-Next and Qwen3.5: Gated DeltaNet (arXiv 2412.06464) in all but every fourth layer, a gate on the attention of
//! that; dense, or routed experts with a gated shared one.

use super::further::List;
use super::layers::Kinds;
use super::mixture::dense_between;
use super::row::{DECODER, Dense, ExpertWidth, Family, MIXTURE, Mixture, Number, Shared, Width, kv_heads_or, number};
use super::{HfConfig, Named, dimension, limit};
use crate::model::{KeptSize, Layers, Linear, QkNorm, Role};
use crate::refusal::FieldError;

/// Tokens of a chunk that the gated delta rule computes at once, each of them with every other.
const CHUNK: u64 = 64;

pub const QWEN3_NEXT: Family = Family {
    name: "Qwen3-Next",
    model_types: &["qwen3_next"],
    kv_heads: kv_heads_or(2),
    head_dim: Some(256),
    qk_norm: |_| QkNorm::Head,
    rotated: |_| 0.25,
    kinds,
    // A mixture without dense layers leaves their width out.
    mlp_width: Width::Given(number!(intermediate_size, moe_intermediate_size)),
    mixture: Some(Mixture {
        when: |keys, _| keys.num_experts != Some(0),
        count: number!(num_experts or 512),
        per_token: number!(num_experts_per_tok or 10),
        width: ExpertWidth::Given(number!(moe_intermediate_size or 512)),
        shared: Shared::Width { width: number!(shared_expert_intermediate_size or 512), gate: true },
        dense: Dense::Layers(dense_between),
        ..MIXTURE
    }),
    further: |keys, _, list| {
        if keys.attn_output_gate != Some(false) {
            list.gate(list.shape.head_dim);
        }
        list.delta_rule();
        Ok(())
    },
    ..DECODER
};

/// The same tensors with other numbers for missing keys.
pub const QWEN3_5_MOE: Family = Family {
    model_types: &["qwen3_5_moe_text", "qwen3_5_moe"],
    mixture: Some(Mixture {
        when: |keys, _| keys.num_experts != Some(0),
        count: number!(num_experts or 256),
        per_token: number!(num_experts_per_tok or 8),
        width: ExpertWidth::Given(number!(moe_intermediate_size or 512)),
        shared: Shared::Width { width: number!(shared_expert_intermediate_size or 512), gate: true },
        dense: Dense::Layers(dense_between),
        ..MIXTURE
    }),
    ..QWEN3_NEXT
};

/// The dense one, which has experts only where its file says so.
pub const QWEN3_5: Family = Family {
    model_types: &["qwen3_5_text", "qwen3_5"],
    mixture: Some(Mixture {
        when: |keys, _| keys.num_experts.is_some_and(|experts| experts > 0),
        count: number!(num_experts),
        per_token: number!(num_experts_per_tok),
        width: ExpertWidth::Given(number!(moe_intermediate_size)),
        shared: Shared::Width { width: number!(shared_expert_intermediate_size or 512), gate: true },
        dense: Dense::Layers(dense_between),
        ..MIXTURE
    }),
    ..QWEN3_NEXT
};

fn kinds(keys: &HfConfig, _: &Family, (key, stated): Named) -> Result<Kinds, FieldError> {
    let layers = dimension(key, stated, limit::LAYERS)?;
    let linear = match keys.named_layers(layers, "linear_attention") {
        Some(named) => named?,
        None => {
            let every = Some(keys.full_attention_interval.unwrap_or(4));
            layers - layers / dimension("full_attention_interval", every, limit::LAYERS)?
        }
    };
    let kinds = Kinds { layers, ..Kinds::default() };
    if linear == 0 {
        return Ok(kinds);
    }
    let number = |number: &Number, most| keys.number(number).and_then(|(key, value)| dimension(key, value, most));
    let linear = Linear {
        layers: linear,
        key_heads: number(&number!(linear_num_key_heads or 16), limit::HEADS)?,
        value_heads: number(&number!(linear_num_value_heads or 32), limit::HEADS)?,
        key_dim: number(&number!(linear_key_head_dim or 128), limit::HEAD_DIM)?,
        value_dim: number(&number!(linear_value_head_dim or 128), limit::HEAD_DIM)?,
        kernel: number(&number!(linear_conv_kernel_dim or 4), 1000)?,
    };
    Ok(Kinds { linear: Some(linear), ..kinds })
}

impl List<'_> {
    /// Gated DeltaNet: queries, keys, values and a gate; two rates a value head.
    fn delta_rule(&mut self) {
        let Some(linear) = self.shape.linear else { return };
        let (hidden, values, kind) = (self.shape.hidden, linear.value_width(), Layers::Linear);
        self.each(Role::LinearInput, kind, [linear.width(), hidden], 1);
        self.each(Role::LinearGate, kind, [values, hidden], 1);
        self.each(Role::LinearRates, kind, [2 * linear.value_heads, hidden], 1);
        self.each(Role::LinearConvolution, kind, [linear.width(), linear.kernel], 1);
        self.each(Role::LinearVector, kind, [linear.value_heads, 1], 2);
        self.each(Role::HeadNorm, kind, [linear.value_dim, 1], 1);
        self.each(Role::LinearOutput, kind, [hidden, values], 1);
        // The convolution's input; queries and keys behind it, one of each for every value head; values; the gate; the
        // result, and the same normalised; of every head a row of its chunk, and how much it writes.
        let queries_and_keys = 2 * linear.value_heads * linear.key_dim;
        let width = linear.width() + queries_and_keys + 4 * values + (CHUNK + 1) * linear.value_heads;
        self.keep(KeptSize::Element, kind, width);
        // How fast it forgets, on the way and summed up; what normalises query, key and result.
        self.keep(KeptSize::Single, kind, 6 * linear.value_heads);
    }
}

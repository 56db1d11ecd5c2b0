//! Llama 4: attention in chunks in all but every fourth layer; routed experts and a shared one, in every layer or every
//! second.

use super::layers::window;
use super::mixture::all_below;
use super::row::{DECODER, Dense, ExpertWidth, Family, MIXTURE, Mixture, Shared, Width, Windows, kv_heads_or, number};
use super::{HfConfig, dimension, limit};
use crate::model::{QkNorm, Window};
use crate::refusal::FieldError;

pub const LLAMA4: Family = Family {
    name: "Llama 4",
    model_types: &["llama4_text", "llama4"],
    own_keys: &["intermediate_size_mlp"],
    kv_heads: kv_heads_or(8),
    head_dim: Some(128),
    qk_norm: |keys| if keys.use_qk_norm.or(keys.qk_layernorm) == Some(false) { QkNorm::No } else { QkNorm::Unit },
    windows: Windows::By(chunks),
    mlp_width: Width::Given(number!("intermediate_size_mlp" or 16_384)),
    mixture: Some(Mixture {
        count: number!(num_local_experts or 16),
        per_token: number!(num_experts_per_tok or 1),
        width: ExpertWidth::Given(number!(intermediate_size or 8192)),
        shared: Shared::One,
        dense: Dense::Layers(dense),
        ..MIXTURE
    }),
    ..DECODER
};

/// Chunks in all layers that rotate heads.
fn chunks(keys: &HfConfig, layers: u64) -> Result<Option<Window>, FieldError> {
    let count = || keys.named_layers(layers, "chunked_attention").unwrap_or_else(|| keys.rotating_layers(layers));
    window("attention_chunk_size", keys.attention_chunk_size.unwrap_or(8192), true, &count)
}

/// All layers but those that are named, or but every `interleave_moe_layer_step`-th.
fn dense(keys: &HfConfig, layers: u64) -> Result<Vec<bool>, FieldError> {
    let step = Some(keys.interleave_moe_layer_step.unwrap_or(1));
    let step = dimension("interleave_moe_layer_step", step, limit::LAYERS)?;
    let named = keys.moe_layers.as_deref();
    all_below("moe_layers", named.unwrap_or_default(), layers)?;
    let with_experts =
        |index: u64| named.map_or((index + 1).is_multiple_of(step), |with_experts| with_experts.contains(&index));
    Ok((0..layers).map(|index| !with_experts(index)).collect())
}

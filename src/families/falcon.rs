//! Falcon: attention beside a plain MLP; one key-value head, or groups of them in the newer kind.

use super::row::{Family, GPT, KvHeads, Width, number};
use super::{HfConfig, Named};
use crate::model::Mlp;
use crate::refusal::FieldError;

pub const FALCON: Family = Family {
    name: "Falcon",
    model_types: &["falcon"],
    own_keys: &["ffn_hidden_size"],
    layers: number!(n_layer = num_hidden_layers),
    hidden: number!(n_embed = hidden_size),
    heads: number!(n_head = num_attention_heads),
    kv_heads: KvHeads::Told(kv_heads),
    positions: Some(number!(n_positions = max_position_embeddings)),
    rotated: |keys| if keys.alibi == Some(true) { 0.0 } else { 1.0 },
    tied: true,
    mlp: |_| Mlp::Plain,
    mlp_width: Width::OrHidden(number!("ffn_hidden_size"), 4),
    norms,
    parallel_residual: is_parallel,
    qkv_bias: |keys| keys.bias == Some(true),
    output_bias: |keys| keys.bias == Some(true),
    mlp_bias: |keys| keys.bias == Some(true),
    ..GPT
};

fn is_new(keys: &HfConfig) -> bool {
    keys.new_decoder_architecture == Some(true)
}

fn is_parallel(keys: &HfConfig) -> bool {
    is_new(keys) || keys.parallel_attn != Some(false)
}

fn kv_heads(keys: &HfConfig, _: &super::layers::Kinds, heads: u64) -> Result<Named, FieldError> {
    Ok(if is_new(keys) {
        ("num_kv_heads", keys.num_kv_heads.or(keys.n_head_kv))
    } else {
        ("multi_query", Some(if keys.multi_query == Some(false) { heads } else { 1 }))
    })
}

/// Attention and MLP side by side share a norm; the newer kind has one each unless told otherwise.
fn norms(keys: &HfConfig) -> u64 {
    match (is_parallel(keys), is_new(keys), keys.num_ln_in_parallel_attn) {
        (true, true, Some(1)) | (true, false, _) => 1,
        (true, true, _) | (false, ..) => 2,
    }
}

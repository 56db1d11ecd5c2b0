//! Laguna: routed and shared experts behind a dense first layer; a gate for each head, fewer of them in the layers without
//! a window.

use super::row::{
    DECODER, Dense, ExpertWidth, Family, HeadsByLayer, MIXTURE, Mixture, NO, Shared, Windows, YES, number,
};
use super::{HfConfig, dimension, limit};
use crate::model::{FullHeads, QkNorm};

pub const LAGUNA: Family = Family {
    name: "Laguna",
    model_types: &["laguna"],
    qk_norm: |_| QkNorm::Head,
    windows: Windows::Alternating { every: 4 },
    heads_by_layer,
    mixture: Some(Mixture {
        count: number!(num_experts),
        width: ExpertWidth::Given(number!(moe_intermediate_size)),
        shared: Shared::Width { width: number!(shared_expert_intermediate_size or 512), gate: false },
        router_bias: YES,
        dense: Dense::Layers(|keys, layers| {
            let kinds = keys.mlp_layer_types.as_deref().unwrap_or_default();
            Ok((0..layers as usize).map(|index| kinds.get(index).is_some_and(|kind| kind == "dense")).collect())
        }),
        ..MIXTURE
    }),
    qkv_bias: NO,
    output_bias: NO,
    further: |_, _, list| {
        list.other_heads(true);
        list.gate(1);
        Ok(())
    },
    ..DECODER
};

/// The list gives windowed layers more heads than `num_attention_heads`, which is that of the others.
fn heads_by_layer(keys: &HfConfig, [heads, kv_heads, head_dim]: [u64; 3]) -> HeadsByLayer {
    let most = keys.num_attention_heads_per_layer.iter().flatten().copied().max().unwrap_or(heads);
    let most = dimension("num_attention_heads_per_layer", Some(most), limit::HEADS)?;
    Ok((most, (most != heads).then_some(FullHeads { heads, kv_heads, head_dim })))
}

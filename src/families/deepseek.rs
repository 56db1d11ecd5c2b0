//! DeepSeek: latent attention, routed and shared experts behind dense first layers, layers that predict further tokens
//! while training; and from V3.2 an indexer that picks the tokens attention looks at.

use super::further::List;
use super::layers::{Kinds, entries};
use super::mixture::first_dense;
use super::row::{DECODER, Dense, ExpertWidth, Family, MIXTURE, Mixture, NO, Number, Shared, YES, number};
use super::{HfConfig, dimension, limit, refused};
use crate::model::{Indexer, Layers, Role};
use crate::refusal::{FieldError, ModelProblem, shortened};

/// Routed and shared experts under DeepSeek's keys, every layer with experts from the first that has them on.
pub const DEEPSEEK_MIXTURE: Mixture = Mixture {
    count: number!(n_routed_experts),
    width: ExpertWidth::Given(number!(moe_intermediate_size)),
    shared: Shared::Experts(number!(n_shared_experts)),
    dense: Dense::Layers(|keys, layers| first_dense(keys, layers, 0)),
    ..MIXTURE
};

/// Llama's attention with the mixture of DeepSeek-V2.
pub const DEEPSEEK: Family =
    Family { name: "DeepSeek MoE", model_types: &["deepseek"], mixture: Some(DEEPSEEK_MIXTURE), ..DECODER };

pub const DEEPSEEK_V2: Family = Family {
    name: "DeepSeek-V2",
    model_types: &["deepseek_v2"],
    latent: YES,
    mixture: Some(Mixture { shared: Shared::Experts(number!(n_shared_experts or 2)), ..DEEPSEEK_MIXTURE }),
    // The key would put a bias on the narrow projections; no published model has it.
    qkv_bias: NO,
    output_bias: NO,
    ..DECODER
};

/// DeepSeek-V2 with a correction of the router's scores and predicting layers.
pub const DEEPSEEK_V3: Family = Family {
    name: "DeepSeek-V3",
    model_types: &["deepseek_v3", "kimi_k2"],
    mixture: Some(Mixture {
        shared: Shared::Experts(number!(n_shared_experts or 1)),
        router_bias: YES,
        dense: Dense::Layers(|keys, layers| first_dense(keys, layers, 3)),
        ..DEEPSEEK_MIXTURE
    }),
    predicts: true,
    ..DEEPSEEK_V2
};

/// DeepSeek-V3 with an indexer.
pub const DEEPSEEK_V32: Family = Family {
    name: "DeepSeek-V3.2",
    model_types: &["deepseek_v32"],
    indexer: |keys, layers| indexer(keys, layers, &number!(index_n_heads or 64)),
    further: indexer_tensors,
    ..DEEPSEEK_V3
};

/// The same tensors in other sizes; layers may share an indexer.
pub const GLM_DSA: Family = Family {
    name: "GLM-5",
    model_types: &["glm_moe_dsa"],
    indexer: |keys, layers| indexer(keys, layers, &number!(index_n_heads or 32)),
    ..DEEPSEEK_V32
};

fn indexer(keys: &HfConfig, layers: u64, heads: &Number) -> Result<Option<Indexer>, FieldError> {
    let sized = |number: &Number, most| keys.number(number).and_then(|(key, value)| dimension(key, value, most));
    // The indexer reads the vector that queries are made from.
    dimension("q_lora_rank", keys.q_lora_rank, limit::HIDDEN)?;
    Ok(Some(Indexer {
        layers: indexer_layers(keys, layers)?,
        heads: sized(heads, limit::HEADS)?,
        head_dim: sized(&number!(index_head_dim or 128), limit::HEAD_DIM)?,
        picked: sized(&number!(index_topk or 2048), limit::POSITIONS)?,
    }))
}

/// Layers with an indexer of their own: as a list or a pattern says, or the first few and then every
/// `index_topk_freq`-th.
fn indexer_layers(keys: &HfConfig, layers: u64) -> Result<u64, FieldError> {
    let pattern = keys.index_topk_pattern.as_deref().unwrap_or_default();
    let told: Vec<&str> = match &keys.indexer_types {
        Some(list) => list.iter().map(String::as_str).collect(),
        None => pattern.split("").filter(|sign| !sign.is_empty()).collect(),
    };
    let key = if keys.indexer_types.is_some() { "indexer_types" } else { "index_topk_pattern" };
    if told.is_empty() {
        let every = dimension("index_topk_freq", Some(keys.index_topk_freq.unwrap_or(1).max(1)), limit::LAYERS)?;
        let first = keys.index_skip_topk_offset.unwrap_or(2);
        let own = |index: &u64| (index + 1).saturating_sub(first).is_multiple_of(every);
        return Ok((0..layers).filter(own).count() as u64);
    }
    if told.len() as u64 != layers {
        return Err(entries(key, told.len(), layers));
    }
    let mut own = 0;
    for kind in told {
        match kind {
            "full" | "F" => own += 1,
            "shared" | "S" => {}
            other => {
                let known = "full F, shared S".to_owned();
                return Err(refused(key, ModelProblem::UnknownName { given: shortened(other), known }));
            }
        }
    }
    if own == 0 { Err(refused(key, ModelProblem::NoIndexer)) } else { Ok(own) }
}

/// From the vector that queries are made from to the heads, from the hidden size to the key and each head's weight, and
/// weight and bias of the key's norm.
fn indexer_tensors(_: &HfConfig, _: &Kinds, list: &mut List) -> Result<(), FieldError> {
    if let (Some(Indexer { layers, heads, head_dim: width, .. }), Some(latent)) =
        (list.shape.indexer, list.shape.latent)
    {
        let hidden = list.shape.hidden;
        list.of_all(Role::Index, Layers::Every, [heads * width, latent.query_rank], layers);
        list.of_all(Role::Index, Layers::Every, [width, hidden], layers);
        list.of_all(Role::LatentNorm, Layers::Every, [width, 1], 2 * layers);
        list.of_all(Role::IndexWeights, Layers::Every, [heads, hidden], layers);
    }
    Ok(())
}

//! Nemotron NAS: Llama thinned out by a search, layers without attention and MLPs of several widths.

use std::cmp::Reverse;

use super::layers::{Kinds, entries};
use super::row::{DECODER, Family, KvHeads, Width};
use super::{HfConfig, Named, dimension, limit, refused};
use crate::model::{KeptSize, Layers, Role};
use crate::refusal::{FieldError, ModelProblem};

pub const NEMOTRON_NAS: Family = Family {
    name: "Nemotron NAS",
    model_types: &["nemotron-nas"],
    kinds,
    kv_heads: KvHeads::Told(kv_heads),
    mlp_width: Width::OfLayers,
    mlp_bias: |keys| keys.mlp_bias == Some(true),
    // That before the MLP; that before attention is missing where attention is.
    norms: |_| 1,
    further: |_, kinds, list| {
        let hidden = list.shape.hidden;
        list.each(Role::Norm, Layers::Attention, [hidden, 1], 1);
        list.keep_whole(KeptSize::Norm, Layers::Attention, hidden);
        list.other_mlps(&kinds.widths);
        Ok(())
    },
    ..DECODER
};

/// Query heads divided by those that share a key-value head.
fn kv_heads(_: &HfConfig, kinds: &Kinds, heads: u64) -> Result<Named, FieldError> {
    let group = kinds.group.unwrap_or(heads);
    if heads.is_multiple_of(group) {
        return Ok(("block_configs", Some(heads / group)));
    }
    Err(refused("block_configs", ModelProblem::Group { given: group, heads, heads_key: "num_attention_heads" }))
}

fn kinds(keys: &HfConfig, _: &Family, (key, stated): Named) -> Result<Kinds, FieldError> {
    let layers = dimension(key, stated, limit::LAYERS)?;
    let mut kinds = Kinds { layers, ..Kinds::default() };
    let blocks = keys.block_configs.as_deref().unwrap_or_default();
    if blocks.len() as u64 != layers {
        return Err(entries("block_configs", blocks.len(), layers));
    }
    let hidden = dimension("hidden_size", keys.hidden_size, limit::HIDDEN)?;
    for (index, block) in blocks.iter().enumerate() {
        let at = |part: &str| format!("block_configs.{index}.{part}");
        let (attention, ffn) = (block.attention.clone().unwrap_or_default(), block.ffn.clone().unwrap_or_default());
        for (part, given) in [("attention", &attention), ("ffn", &ffn)] {
            if given.replace_with_linear == Some(true) {
                let problem = ModelProblem::Only { allowed: "false" };
                return Err(refused(at(&format!("{part}.replace_with_linear")), problem));
            }
        }
        if attention.no_op == Some(true) {
            kinds.without_attention += 1;
        } else {
            let key = at("attention.n_heads_in_group");
            let group = dimension(key.clone(), attention.n_heads_in_group, limit::HEADS)?;
            if kinds.group.is_some_and(|other| other != group) {
                return Err(refused(key, ModelProblem::OtherGroup { given: group }));
            }
            kinds.group = Some(group);
        }
        if ffn.no_op == Some(true) {
            continue;
        }
        let key = at("ffn.ffn_mult");
        let Some(measure) = ffn.ffn_mult.filter(|measure| (0.0..=1000.0).contains(measure)) else {
            return Err(refused(key, ModelProblem::Measure { given: ffn.ffn_mult }));
        };
        // Two thirds of the measure, in whole steps of 256.
        let width = ((2.0 * measure * hidden as f64 / 3.0) as u64).next_multiple_of(256);
        let width = dimension(key, Some(width), limit::MLP_WIDTH)?;
        match kinds.widths.iter_mut().find(|(other, _)| *other == width) {
            Some((_, number)) => *number += 1,
            None => kinds.widths.push((width, 1)),
        }
    }
    // The widest counts as the model's MLP, and the others beside it.
    kinds.widths.sort_unstable_by_key(|(width, _)| Reverse(*width));
    kinds.without_mlp = layers - kinds.widths.iter().map(|(_, number)| number).sum::<u64>();
    Ok(kinds)
}

//! Gemma 4: Gemma 3 with other heads in the layers without a window, whose values may be their keys; embeddings for each
//! layer, layers that borrow keys and values, experts beside the dense MLP.

use super::further::List;
use super::layers::{self, Kinds};
use super::row::{DECODER, ExpertWidth, Family, HeadsByLayer, MIXTURE, Mixture, NO, Shared, Windows, number};
use super::{HfConfig, Named, dimension, limit, refused};
use crate::model::{FullHeads, KeptSize, Layers, QkNorm, Role, TensorGroup, Window};
use crate::refusal::{FieldError, ModelProblem};

pub const GEMMA4: Family = Family {
    name: "Gemma 4",
    model_types: &["gemma4_text", "gemma4"],
    own_keys: &["top_k_experts"],
    tied: true,
    head_dim: Some(256),
    qk_norm: |_| QkNorm::Head,
    windows: Windows::Alternating { every: 6 },
    kinds,
    heads_by_layer,
    // Three more before and behind the experts, and behind the dense MLP beside them.
    norms: |keys| if keys.enable_moe_block == Some(true) { 7 } else { 4 },
    mixture: Some(Mixture {
        when: |keys, _| keys.enable_moe_block == Some(true),
        count: number!(num_experts),
        per_token: number!("top_k_experts"),
        width: ExpertWidth::Given(number!(moe_intermediate_size)),
        shared: Shared::Mlp,
        ..MIXTURE
    }),
    qkv_bias: NO,
    output_bias: NO,
    further,
    ..DECODER
};

fn kinds(keys: &HfConfig, family: &Family, layers: Named) -> Result<Kinds, FieldError> {
    let kinds = layers::windowed(keys, family, layers)?;
    Ok(Kinds { borrowing: borrowing(keys, kinds.layers, kinds.window)?, ..kinds })
}

/// Of the last layers, which use keys and values of earlier ones, those with a window and those without.
fn borrowing(keys: &HfConfig, layers: u64, window: Option<Window>) -> Result<[u64; 2], FieldError> {
    let shared = keys.num_kv_shared_layers.unwrap_or(0);
    if shared >= layers {
        let problem = ModelProblem::Range { given: shared, least: 0, most: layers - 1 };
        return Err(refused("num_kv_shared_layers", problem));
    }
    let every = keys.pattern().unwrap_or(6);
    let sees_all = |index: &u64| match &keys.layer_types {
        Some(types) => types.get(*index as usize).is_none_or(|kind| kind == "full_attention"),
        None => (index + 1).is_multiple_of(every),
    };
    let full = if window.is_some() { (layers - shared..layers).filter(sees_all).count() as u64 } else { shared };
    Ok([shared - full, full])
}

fn heads_by_layer(keys: &HfConfig, [heads, kv_heads, _]: [u64; 3]) -> HeadsByLayer {
    let head_dim = keys.global_head_dim.unwrap_or(512);
    // Only layers whose values are their keys have a number of heads of their own.
    let own = keys.num_global_key_value_heads.filter(|_| keys.attention_k_eq_v == Some(true));
    let kv_heads = dimension("num_global_key_value_heads", Some(own.unwrap_or(kv_heads)), heads)?;
    let head_dim = dimension("global_head_dim", Some(head_dim), limit::HEAD_DIM)?;
    Ok((heads, Some(FullHeads { heads, kv_heads, head_dim })))
}

fn further(keys: &HfConfig, kinds: &Kinds, list: &mut List) -> Result<(), FieldError> {
    let (shape, hidden) = (list.shape, list.shape.hidden);
    list.other_heads(keys.attention_k_eq_v != Some(true));
    list.other_mlps(&kinds.widths);
    if keys.hidden_size_per_layer_input != Some(0) {
        let width = keys.hidden_size_per_layer_input.or(Some(256));
        let width = dimension("hidden_size_per_layer_input", width, limit::HIDDEN)?;
        let vocabulary = keys.vocab_size_per_layer_input.or(Some(262_144));
        list.layer_inputs(width, dimension("vocab_size_per_layer_input", vocabulary, limit::VOCABULARY)?);
    }
    if let Some(experts) = shape.experts {
        // What scales the router's input, and each expert's weight.
        list.each(Role::Norm, Layers::Experts, [hidden, 1], 1);
        list.each(Role::Norm, Layers::Experts, [experts.count, 1], 1);
        // The router's input, normalised and scaled.
        list.keep_whole(KeptSize::Element, Layers::Experts, 2 * hidden);
    }
    // Values are normalised too; where they are the keys, that norm reads what the keys' reads.
    list.keep(KeptSize::Element, Layers::Window, shape.kv_width());
    if let Some(full) = shape.full_heads.filter(|_| keys.attention_k_eq_v != Some(true)) {
        list.keep(KeptSize::Element, Layers::Full, full.kv_heads * full.head_dim);
    }
    Ok(())
}

impl List<'_> {
    /// An embedding of its own for each layer, all in one table, and as much from the embedding of the model; in each
    /// layer what opens it, what writes it into the hidden states, and a norm.
    fn layer_inputs(&mut self, width: u64, vocabulary: u64) {
        let (shape, hidden, kind) = (self.shape, self.shape.hidden, Layers::Every);
        let rows = shape.layers * width;
        self.once(TensorGroup { role: Role::Positions, rows: vocabulary, columns: rows, count: 1, per_layer: false });
        self.once(TensorGroup { role: Role::Norm, rows: width, columns: 1, count: 1, per_layer: false });
        self.each(Role::LayerInput, kind, [width, hidden], 2);
        self.each(Role::LayerInput, kind, [hidden, width], 1);
        self.each(Role::Norm, kind, [hidden, 1], 1);
        // What opens it, before and behind its activation, the embedding, and their product.
        self.keep_whole(KeptSize::Element, kind, 4 * width);
        self.keep_whole(KeptSize::Norm, kind, hidden);
    }
}

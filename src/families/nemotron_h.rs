//! Nemotron-H: each layer a Mamba-2 state space (arXiv 2405.21060), attention, an MLP or experts alone.

use super::further::List;
use super::layers::Kinds;
use super::mamba::kernel;
use super::row::{
    DECODER, Dense, ExpertWidth, Family, Mixture, Number, Shared, Uncounted, Width, YES, kv_heads_or, number,
};
use super::{HfConfig, Named, dimension, limit, refused};
use crate::model::{KeptSize, Layers, Linear, Mlp, Role};
use crate::refusal::{FieldError, ModelProblem, shortened};

pub const NEMOTRON_H: Family = Family {
    name: "Nemotron-H",
    model_types: &["nemotron_h"],
    own_keys: &["moe_shared_expert_intermediate_size"],
    mlp: |_| Mlp::Plain,
    mlp_width: Width::Given(number!(intermediate_size or 21_504)),
    mlp_bias: |keys| keys.mlp_bias == Some(true),
    // One block a layer, and one norm before it.
    norms: |_| 1,
    kv_heads: kv_heads_or(8),
    head_dim: Some(128),
    rotated: |_| 0.0,
    kinds,
    mixture: Some(Mixture {
        when: |_, kinds| kinds.experts > 0,
        count: number!(n_routed_experts or 8),
        per_token: number!(num_experts_per_tok or 2),
        width: ExpertWidth::Given(number!(moe_intermediate_size or 7688)),
        shared: Shared::Width { width: number!("moe_shared_expert_intermediate_size" or 7688), gate: false },
        router_bias: YES,
        dense: Dense::Kinds,
    }),
    further: |keys, _, list| {
        list.mamba_2(keys.use_bias == Some(true), keys.use_conv_bias != Some(false));
        Ok(())
    },
    uncounted: &[Uncounted {
        key: "moe_latent_size",
        asked: |keys, _| keys.moe_latent_size.is_some(),
        allowed: "null",
    }],
    ..DECODER
};

fn kinds(keys: &HfConfig, _: &Family, (_, stated): Named) -> Result<Kinds, FieldError> {
    let signs = |pattern: &str| pattern.chars().map(String::from).collect();
    let (key, blocks): (&str, Vec<String>) = match (&keys.hybrid_override_pattern, &keys.layers_block_type) {
        (Some(pattern), _) => ("hybrid_override_pattern", signs(pattern)),
        (None, Some(list)) => ("layers_block_type", list.clone()),
        (None, None) => return Err(refused("hybrid_override_pattern", ModelProblem::NoBlocks)),
    };
    let layers = dimension(key, Some(blocks.len() as u64), limit::LAYERS)?;
    if let Some(stated) = stated.filter(|stated| *stated != layers) {
        return Err(refused(key, ModelProblem::Blocks { layers, stated }));
    }
    let mut kinds = Kinds { layers, ..Kinds::default() };
    let (mut spaces, mut attention) = (0, 0);
    for block in &blocks {
        *match block.as_str() {
            "M" | "mamba" | "linear_attention" => &mut spaces,
            "*" | "attention" | "full_attention" => &mut attention,
            "-" | "mlp" => &mut kinds.dense,
            "E" | "moe" => &mut kinds.experts,
            other => {
                let known = "M mamba linear_attention, * attention full_attention, - mlp, E moe".to_owned();
                return Err(refused(key, ModelProblem::UnknownName { given: shortened(other), known }));
            }
        } += 1;
    }
    kinds.without_attention = layers - spaces - attention;
    kinds.without_mlp = spaces + attention;
    if spaces > 0 {
        let number = |number: &Number| keys.number(number).and_then(|(key, value)| dimension(key, value, limit::HEADS));
        kinds.linear = Some(Linear {
            layers: spaces,
            key_heads: number(&number!(n_groups or 8))?,
            value_heads: number(&number!(mamba_num_heads or 128))?,
            key_dim: number(&number!(ssm_state_size or 128))?,
            value_dim: number(&number!(mamba_head_dim or 64))?,
            kernel: kernel(keys)?,
        });
    }
    Ok(kinds)
}

impl List<'_> {
    /// Mamba-2: what the convolution reads, a gate, a step a head; three vectors of the heads.
    fn mamba_2(&mut self, bias: bool, convolution_bias: bool) {
        let Some(linear) = self.shape.linear else { return };
        let (hidden, values, kind) = (self.shape.hidden, linear.value_width(), Layers::Linear);
        let width = linear.width();
        self.each(Role::LinearInput, kind, [width, hidden], 1);
        self.each(Role::LinearGate, kind, [values, hidden], 1);
        self.each(Role::LinearRates, kind, [linear.value_heads, hidden], 1);
        self.each(Role::LinearVector, kind, [width + values + linear.value_heads + hidden, 1], u64::from(bias));
        self.each(Role::LinearConvolution, kind, [width, linear.kernel], 1);
        self.each(Role::LinearVector, kind, [width, 1], u64::from(convolution_bias));
        self.each(Role::LinearVector, kind, [linear.value_heads, 1], 3);
        self.each(Role::LinearVector, kind, [values, 1], 1);
        self.each(Role::LinearOutput, kind, [hidden, values], 1);
        // What the first products made, and the result of the scan; all else is computed anew.
        self.keep(KeptSize::Element, kind, width + 2 * values + linear.value_heads);
        // What normalises each group.
        self.keep(KeptSize::Single, kind, linear.key_heads);
    }
}

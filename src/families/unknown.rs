//! A file of no known family that has the keys decoders usually have.
//!
//! It is read as Llama's are, with what its keys say of experts, latent attention, windows and biases. Whoever asked is told
//! what was made of it, since nobody checked it against the model's own code.

use super::mixture::first_dense;
use super::row::{DECODER, Dense, ExpertWidth, Family, Key, MIXTURE, Mixture, Number, Shared, Width, Windows, number};
use super::{HfConfig, refused};
use crate::model::{Architecture, Mlp, QkNorm, Understood};
use crate::refusal::{FieldError, ModelProblem, shortened};

/// Keys by which a file without `rms_norm_eps` shows that its norms are of another kind.
const OTHER_NORMS: [&str; 4] = ["layer_norm_eps", "layer_norm_epsilon", "norm_eps", "norm_epsilon"];

/// Keys of layers that are not understood, whatever stands under them.
const NOT_UNDERSTOOD: [&str; 10] = [
    "attn_layer_period",
    "block_types",
    "conv_L_cache",
    "cross_attention_layers",
    "is_encoder_decoder",
    "linear_attn_config",
    "mamba_d_state",
    "moe_num_experts",
    "num_kv_heads_per_layer",
    "num_key_value_heads_per_layer",
];

const OWN_KEYS: [&str; OTHER_NORMS.len() + NOT_UNDERSTOOD.len()] = {
    let mut keys = [""; OTHER_NORMS.len() + NOT_UNDERSTOOD.len()];
    let (norms, others) = keys.split_at_mut(OTHER_NORMS.len());
    norms.copy_from_slice(&OTHER_NORMS);
    others.copy_from_slice(&NOT_UNDERSTOOD);
    keys
};

/// How many experts there are, under whichever name; 0 is how dense models of a family with experts say so.
const EXPERTS: [Key; 3] = [
    Key { name: "num_experts", given: |keys| Ok(keys.num_experts.filter(|count| *count > 0)) },
    Key { name: "num_local_experts", given: |keys| Ok(keys.num_local_experts.filter(|count| *count > 0)) },
    Key { name: "n_routed_experts", given: |keys| Ok(keys.n_routed_experts.filter(|count| *count > 0)) },
];

/// Llama's row, reading every key that decoders usually have.
pub static UNKNOWN: Family = Family {
    name: "Unknown family",
    own_keys: &OWN_KEYS,
    windows: Windows::Told,
    latent: |keys| keys.kv_lora_rank.is_some(),
    qk_norm: |keys| if keys.use_qk_norm.or(keys.qk_layernorm) == Some(true) { QkNorm::Head } else { QkNorm::No },
    // A file does not say whether there is a gate. It is taken from the activation, where no gated family among those of
    // transformers has that one.
    mlp: |keys| match keys.hidden_act.as_deref() {
        Some("relu2" | "xielu" | "gelu_new" | "gelu_fast" | "quick_gelu") => Mlp::Plain,
        _ => Mlp::Gated,
    },
    // A mixture without dense layers leaves their width out.
    mlp_width: Width::Given(number!(intermediate_size, moe_intermediate_size)),
    mixture: Some(Mixture {
        when: |keys, _| EXPERTS.iter().any(|key| (key.given)(keys).is_ok_and(|count| count.is_some())),
        count: Number { keys: &EXPERTS, alike: false, missing: None },
        width: ExpertWidth::OrOfMlp(number!(moe_intermediate_size)),
        shared: Shared::WidthOrExperts(
            number!(shared_expert_intermediate_size),
            number!(n_shared_experts, num_shared_experts),
        ),
        router_bias: |keys| keys.moe_router_enable_expert_bias == Some(true),
        dense: Dense::Layers(|keys, layers| first_dense(keys, layers, 0)),
        ..MIXTURE
    }),
    qkv_bias: |keys| keys.qkv_bias.or(keys.use_qkv_bias).unwrap_or_else(|| any_bias(keys)),
    output_bias: |keys| keys.attention_out_bias.unwrap_or_else(|| any_bias(keys)),
    mlp_bias: |keys| keys.mlp_bias.or(keys.bias).or(keys.use_bias) == Some(true),
    ..DECODER
};

fn any_bias(keys: &HfConfig) -> bool {
    keys.attention_bias.or(keys.bias).or(keys.use_bias) == Some(true)
}

impl HfConfig {
    /// Refuses a file that lacks what the tensors cannot be told without, or speaks of layers that are not understood.
    /// `known` names the model types that need no such care.
    pub(super) fn check_unknown(
        &self,
        outer: Option<&HfConfig>,
        model_type: &str,
        known: &dyn Fn() -> String,
    ) -> Result<(), FieldError> {
        let model_type = || shortened(model_type);
        let tied = self.tie_word_embeddings.or(outer.and_then(|outer| outer.tie_word_embeddings));
        let other_norm = match self.rms_norm_eps {
            Some(_) => None,
            None => OTHER_NORMS.into_iter().find(|key| self.has(key)),
        };
        let needed = [
            ("hidden_size", self.hidden_size.is_some()),
            ("intermediate_size", self.intermediate_size.or(self.moe_intermediate_size).is_some()),
            ("num_hidden_layers", self.num_hidden_layers.is_some()),
            ("num_attention_heads", self.num_attention_heads.is_some()),
            ("num_key_value_heads", self.num_key_value_heads.is_some()),
            ("vocab_size", self.vocab_size.is_some()),
            // Classes differ in what they take for this one, and the count with it.
            ("tie_word_embeddings", tied.is_some()),
            // A sign that norms have a weight and no bias.
            ("rms_norm_eps", self.rms_norm_eps.is_some() || other_norm.is_some()),
        ];
        let missing: Vec<&str> = needed.iter().filter(|(_, given)| !given).map(|(key, _)| *key).collect();
        if !missing.is_empty() {
            let missing = missing.join(", ");
            let problem = ModelProblem::KeysOfUnknown { model_type: model_type(), missing, known: known() };
            return Err(refused("model_type", problem));
        }
        if let Some(key) = other_norm {
            return Err(refused(key, ModelProblem::OtherNorms { model_type: model_type() }));
        }
        let odd = [
            ("linear_num_value_heads", self.linear_num_value_heads.is_some()),
            ("full_attention_interval", self.full_attention_interval.is_some()),
            ("ssm_state_size", self.ssm_state_size.is_some()),
            ("state_size", self.state_size.is_some()),
            ("mamba_num_heads", self.mamba_num_heads.is_some()),
            ("hybrid_override_pattern", self.hybrid_override_pattern.is_some()),
            ("layers_block_type", self.layers_block_type.is_some()),
            ("block_configs", self.block_configs.is_some()),
            ("index_n_heads", self.index_n_heads.is_some()),
            ("hidden_size_per_layer_input", self.hidden_size_per_layer_input.is_some_and(|width| width > 0)),
            ("num_kv_shared_layers", self.num_kv_shared_layers.is_some_and(|layers| layers > 0)),
            ("global_head_dim", self.global_head_dim.is_some()),
            ("num_attention_heads_per_layer", self.num_attention_heads_per_layer.is_some()),
            ("moe_latent_size", self.moe_latent_size.is_some()),
            ("interleave_moe_layer_step", self.interleave_moe_layer_step.is_some_and(|step| step != 1)),
            // A constant state instead of a cache in some layers.
            ("attn_type_list", self.attn_type_list.iter().flatten().any(|kind| *kind != 1)),
        ];
        let odd = odd.into_iter().chain(NOT_UNDERSTOOD.map(|key| (key, self.asks(key))));
        if let Some((key, _)) = odd.into_iter().find(|(_, given)| *given) {
            return Err(refused(key, ModelProblem::NotUnderstood { model_type: model_type() }));
        }
        for (index, kind) in self.layer_types.iter().flatten().enumerate() {
            let needs = match kind.as_str() {
                "full_attention" => None,
                "sliding_attention" => Some(("sliding_window", self.sliding_window)),
                "chunked_attention" => Some(("attention_chunk_size", self.attention_chunk_size)),
                other => {
                    let known = "full_attention, sliding_attention, chunked_attention".to_owned();
                    let problem = ModelProblem::UnknownName { given: shortened(other), known };
                    return Err(refused(format!("layer_types[{index}]"), problem));
                }
            };
            if let Some((key, None)) = needs {
                return Err(refused(key, ModelProblem::NoWindow));
            }
        }
        Ok(())
    }

    /// What was made of a file of no known family, or of one whose weights are in a format of their own; nothing of any
    /// other.
    pub(super) fn understood(&self, family: &Family, shape: &Architecture) -> Option<Understood> {
        let format = self.own_format();
        if family.is_known() && format.is_none() {
            return None;
        }
        let inner = self.text_config.as_deref().unwrap_or(self);
        let model_type = inner.model_type.as_ref().or(self.model_type.as_ref()).map_or("", String::as_str);
        let unknown = (!family.is_known()).then(|| shortened(model_type));
        Some(Understood { unknown, shape: shape.clone(), format })
    }
}

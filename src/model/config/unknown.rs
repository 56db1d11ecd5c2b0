//! A file of no known family that has the keys decoders usually have.
//!
//! It is read as Llama's are, with what its keys say of experts, latent attention, windows and biases. Whoever asked is told
//! what was made of it, since nobody checked it against the model's own code.

use super::super::{Architecture, Mlp, ModelError, NormKind, QkNorm};
use super::{HfConfig, Odd};
use crate::refusal::shortened;

impl HfConfig {
    /// Refuses a file that lacks what the tensors cannot be told without, or speaks of layers that are not understood.
    /// `known` names the families that need no such care.
    pub(super) fn check_unknown(
        &self,
        outer: Option<&HfConfig>,
        model_type: &str,
        known: &str,
    ) -> Result<(), ModelError> {
        let tied = self.tie_word_embeddings.or(outer.and_then(|outer| outer.tie_word_embeddings));
        let other_norm = self.rms_norm_eps.is_none().then(|| self.key_of_other_norms()).flatten();
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
        let missing: Vec<&str> = needed.iter().filter(|(_, there)| !there).map(|(key, _)| *key).collect();
        if !missing.is_empty() {
            let message = format!(
                "\"{}\" is not known, and to read it all the same these keys are missing: {}; {known}",
                shortened(model_type),
                missing.join(", ")
            );
            return Err(ModelError::new("model_type", message));
        }
        if let Some(key) = other_norm {
            let message = format!(
                "\"{}\" is no known family, and in place of rms_norm_eps its file has this key, which LayerNorms have: whether \
                 they have biases it does not say",
                shortened(model_type)
            );
            return Err(ModelError::new(key, message));
        }
        let asks = |odd: &Option<Odd>| odd.as_ref().is_some_and(Odd::asks);
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
            ("attn_layer_period", asks(&self.attn_layer_period)),
            ("block_types", asks(&self.block_types)),
            ("conv_L_cache", asks(&self.conv_l_cache)),
            ("cross_attention_layers", asks(&self.cross_attention_layers)),
            ("is_encoder_decoder", asks(&self.is_encoder_decoder)),
            ("linear_attn_config", asks(&self.linear_attn_config)),
            ("mamba_d_state", asks(&self.mamba_d_state)),
            ("moe_num_experts", asks(&self.moe_num_experts)),
            ("num_kv_heads_per_layer", asks(&self.num_kv_heads_per_layer)),
            ("num_key_value_heads_per_layer", asks(&self.num_key_value_heads_per_layer)),
        ];
        if let Some((key, _)) = odd.iter().find(|(_, there)| *there) {
            let message = format!("is not understood of a family that is not known (\"{}\")", shortened(model_type));
            return Err(ModelError::new(*key, message));
        }
        for (index, kind) in self.layer_types.iter().flatten().enumerate() {
            let needs = match kind.as_str() {
                "full_attention" => None,
                "sliding_attention" => Some(("sliding_window", self.sliding_window)),
                "chunked_attention" => Some(("attention_chunk_size", self.attention_chunk_size)),
                other => {
                    let known = "known are full_attention, sliding_attention, chunked_attention";
                    let message = format!("\"{}\" is not known; {known}", shortened(other));
                    return Err(ModelError::new(format!("layer_types[{index}]"), message));
                }
            };
            if let Some((key, None)) = needs {
                return Err(ModelError::new(key, "missing; layer_types names layers that have one"));
            }
        }
        Ok(())
    }

    /// The key by which a file without `rms_norm_eps` shows that its norms are of another kind.
    fn key_of_other_norms(&self) -> Option<&'static str> {
        let keys = [
            ("layer_norm_eps", &self.layer_norm_eps),
            ("layer_norm_epsilon", &self.layer_norm_epsilon),
            ("norm_eps", &self.norm_eps),
            ("norm_epsilon", &self.norm_epsilon),
        ];
        keys.into_iter().find(|(_, given)| given.is_some()).map(|(key, _)| key)
    }

    /// What was made of a file of no known family, or of one whose weights are in a format of their own; nothing of any
    /// other.
    #[must_use]
    pub fn understood(&self, shape: &Architecture) -> Option<String> {
        let format = self.own_format();
        let known = shape.family != super::Family::Unknown;
        if known && format.is_none() {
            return None;
        }
        let inner = self.text_config.as_deref().unwrap_or(self);
        let name = inner.model_type.as_ref().or(self.model_type.as_ref()).map_or("", String::as_str);
        let head = format!("\"{}\" is no known family; read as a Llama-like decoder", shortened(name));
        let mut parts = vec![if known { shape.family.name().to_owned() } else { head }];
        parts.push(format!("{} layers of {}", shape.layers, shape.hidden));
        parts.push(match shape.latent {
            Some(latent) => format!(
                "{} heads of {} with keys and values from a vector of {} + {}",
                shape.heads, shape.head_dim, latent.rank, latent.rope
            ),
            None => format!("{} query and {} key-value heads of {}", shape.heads, shape.kv_heads, shape.head_dim),
        });
        parts.push(match (shape.experts, shape.mlp) {
            (Some(experts), _) => format!(
                "{} experts of {} in {} layers, {} a token, shared {}; dense MLP of {} in {}",
                experts.count,
                experts.width,
                shape.expert_layers(),
                experts.per_token,
                experts.shared_width,
                shape.mlp_width,
                shape.dense_layers()
            ),
            (None, Mlp::Gated) => format!("gated MLP of {}", shape.mlp_width),
            (None, Mlp::Plain) => format!("plain MLP of {}", shape.mlp_width),
        });
        if let Some(window) = shape.window {
            parts.push(format!("a window of {} in {} layers", window.tokens, window.layers));
        }
        let norm = if shape.norm == NormKind::Rms { "RMS norms" } else { "norms" };
        let heads = if shape.qk_norm == QkNorm::No { "none on heads" } else { "and on heads" };
        parts.push(format!("{} {norm} a layer, {heads}", shape.norms_per_layer));
        let biases = [(shape.qkv_bias, "query, key, value"), (shape.output_bias, "output"), (shape.mlp_bias, "MLP")];
        let with: Vec<&str> = biases.iter().filter(|(there, _)| *there).map(|(_, of)| *of).collect();
        parts.push(if with.is_empty() { "no biases".to_owned() } else { format!("biases on {}", with.join(", ")) });
        parts.push(if shape.tied_embeddings { "head tied to the embedding" } else { "a head of its own" }.to_owned());
        let made = parts.join("; ");
        Some(match format {
            None => made,
            // First, so that nobody takes the bytes below for those of the checkpoint.
            Some(format) => format!("{format} {made}"),
        })
    }
}

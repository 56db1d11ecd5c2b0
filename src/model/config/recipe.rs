//! What a family is made of, and what its configuration class takes for a key that is left out.

use super::super::{Family, Mlp, ModelError, NormKind, QkNorm};
use super::HfConfig;

/// What a family's tensors are, and what its configuration class takes for a key that is left out.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    pub mlp: Mlp,
    pub norm: NormKind,
    pub norms_per_layer: u64,
    pub tied: bool,
    /// Key-value heads where the key is missing; none: as many as query heads.
    pub kv_heads: Option<u64>,
    /// Head width where the key is missing; none: hidden size ÷ heads.
    pub head_dim: Option<u64>,
    pub qk_norm: QkNorm,
    pub windows: Windows,
    /// Share of a head that turns with its position where no key says it; 0 where positions are told another way.
    pub turning: f64,
}

/// Which layers a family puts under its `sliding_window`.
#[derive(Clone, Copy, Debug)]
pub enum Windows {
    /// The family has none, whatever its file says.
    None,
    /// Every layer, where the key is given.
    All,
    /// Layers from `max_window_layers` on, where `use_sliding_window` is true.
    Switched,
    /// All but each layer whose number, counted from 1, is a multiple of `every`; 4096 tokens where the key is missing.
    Alternating { every: u64 },
    /// Chunks of `attention_chunk_size` in all layers that turn heads, which are all but every fourth.
    Chunked,
    /// Those that `layer_types` names, without it those that `sliding_window_pattern` tells, and without that every layer,
    /// where `sliding_window` is given.
    Told,
}

impl Recipe {
    /// What the family is made of.
    pub fn of(family: Family) -> Recipe {
        let llama = Recipe {
            mlp: Mlp::Gated,
            norm: NormKind::Rms,
            norms_per_layer: 2,
            tied: false,
            kv_heads: None,
            head_dim: None,
            qk_norm: QkNorm::No,
            windows: Windows::None,
            turning: 1.0,
        };
        let plain = Recipe { mlp: Mlp::Plain, norm: NormKind::LayerNorm, ..llama };
        match family {
            Family::Llama => llama,
            Family::Mistral | Family::Mixtral => Recipe { kv_heads: Some(8), windows: Windows::All, ..llama },
            Family::Qwen2 => Recipe { kv_heads: Some(32), windows: Windows::Switched, ..llama },
            Family::Qwen2Moe => Recipe { kv_heads: Some(16), windows: Windows::Switched, ..llama },
            Family::Qwen3 => Recipe {
                kv_heads: Some(32),
                head_dim: Some(128),
                qk_norm: QkNorm::Head,
                windows: Windows::Switched,
                ..llama
            },
            Family::Qwen3Moe => {
                Recipe { kv_heads: Some(4), qk_norm: QkNorm::Head, windows: Windows::Switched, ..llama }
            }
            Family::Deepseek | Family::DeepseekV2 | Family::DeepseekV3 | Family::Granite => llama,
            Family::DeepseekV32 | Family::GlmDsa | Family::Internlm2 | Family::NemotronNas => llama,
            Family::Glm4Moe => Recipe { kv_heads: Some(8), turning: 0.5, ..llama },
            Family::Olmo2 | Family::Olmoe => Recipe { qk_norm: QkNorm::All, ..llama },
            Family::Olmo3 => Recipe { qk_norm: QkNorm::All, windows: Windows::Alternating { every: 4 }, ..llama },
            Family::GptOss => {
                Recipe { kv_heads: Some(8), head_dim: Some(64), windows: Windows::Alternating { every: 2 }, ..llama }
            }
            Family::Starcoder2 => Recipe { tied: true, kv_heads: Some(2), windows: Windows::All, ..plain },
            Family::Gemma => Recipe { tied: true, kv_heads: Some(16), head_dim: Some(256), ..llama },
            Family::Gemma2 => Recipe {
                tied: true,
                kv_heads: Some(4),
                head_dim: Some(256),
                norms_per_layer: 4,
                windows: Windows::Alternating { every: 2 },
                ..llama
            },
            Family::Gemma3 => Recipe {
                tied: true,
                kv_heads: Some(4),
                head_dim: Some(256),
                norms_per_layer: 4,
                qk_norm: QkNorm::Head,
                windows: Windows::Alternating { every: 6 },
                ..llama
            },
            Family::Phi3 => Recipe { windows: Windows::All, ..llama },
            Family::Opt | Family::Bloom => Recipe { tied: true, turning: 0.0, ..plain },
            Family::Falcon => Recipe { tied: true, ..plain },
            Family::Phi => Recipe { norms_per_layer: 1, turning: 0.5, ..plain },
            Family::Phimoe => Recipe { norm: NormKind::LayerNorm, kv_heads: Some(8), windows: Windows::All, ..llama },
            Family::Olmo => Recipe { norm: NormKind::Bare, ..llama },
            Family::Internlm3 => Recipe { kv_heads: Some(2), ..llama },
            Family::Llama4 => Recipe {
                kv_heads: Some(8),
                head_dim: Some(128),
                qk_norm: QkNorm::Unit,
                windows: Windows::Chunked,
                ..llama
            },
            // One block a layer, and one norm before it.
            Family::NemotronH => Recipe {
                mlp: Mlp::Plain,
                norms_per_layer: 1,
                kv_heads: Some(8),
                head_dim: Some(128),
                turning: 0.0,
                ..llama
            },
            Family::Mamba | Family::FalconMamba => Recipe { norms_per_layer: 1, tied: true, turning: 0.0, ..llama },
            Family::Unknown => Recipe { windows: Windows::Told, ..llama },
            Family::Apertus => Recipe { mlp: Mlp::Plain, qk_norm: QkNorm::Head, ..llama },
            Family::Arcee => Recipe { mlp: Mlp::Plain, ..llama },
            Family::Nemotron => Recipe { turning: 0.5, ..plain },
            // Before attention, before its output projection, before the MLP; that inside the MLP has another width.
            Family::Bitnet => Recipe { norms_per_layer: 3, ..llama },
            Family::Glm => Recipe { kv_heads: Some(2), head_dim: Some(128), turning: 0.5, ..llama },
            Family::Glm4 => {
                Recipe { kv_heads: Some(2), head_dim: Some(128), norms_per_layer: 4, turning: 0.5, ..llama }
            }
            Family::StableLm => Recipe { norm: NormKind::LayerNorm, turning: 0.25, ..llama },
            Family::SeedOss => Recipe { kv_heads: Some(8), head_dim: Some(128), ..llama },
            Family::Exaone4 => Recipe { qk_norm: QkNorm::Head, windows: Windows::Told, ..llama },
            Family::Dots1 | Family::HunyuanDense | Family::HunyuanMoe => Recipe { qk_norm: QkNorm::Head, ..llama },
            Family::MiniMax => Recipe { kv_heads: Some(8), turning: 0.5, ..llama },
            Family::MiniMaxM2 => {
                Recipe { kv_heads: Some(8), head_dim: Some(128), qk_norm: QkNorm::All, turning: 0.5, ..llama }
            }
            // Its LayerNorm has a weight and no bias, as an RMS norm has.
            Family::Cohere => Recipe { norms_per_layer: 1, tied: true, ..llama },
            Family::Cohere2 => {
                Recipe { norms_per_layer: 1, tied: true, windows: Windows::Alternating { every: 4 }, ..llama }
            }
            Family::Qwen3Next => {
                Recipe { kv_heads: Some(2), head_dim: Some(256), qk_norm: QkNorm::Head, turning: 0.25, ..llama }
            }
            Family::Gemma4 => Recipe {
                tied: true,
                head_dim: Some(256),
                norms_per_layer: 4,
                qk_norm: QkNorm::Head,
                windows: Windows::Alternating { every: 6 },
                ..llama
            },
            Family::Laguna => Recipe { qk_norm: QkNorm::Head, windows: Windows::Alternating { every: 4 }, ..llama },
            Family::Gpt2 => Recipe { tied: true, turning: 0.0, ..plain },
            Family::GptNeox => Recipe { turning: 0.25, ..plain },
        }
    }
}

/// Which matrices have biases.
#[derive(Clone, Copy, Debug, Default)]
pub struct Biases {
    pub qkv: bool,
    pub output: bool,
    pub mlp: bool,
    pub head: bool,
}

impl HfConfig {
    pub(super) fn biases(&self, family: Family) -> Biases {
        let attention = self.attention_bias.unwrap_or(family == Family::GptNeox);
        let switched = self.use_bias.unwrap_or(true);
        let (qkv, output) = match family {
            Family::Gpt2 | Family::Opt | Family::GptOss | Family::Phi | Family::Bloom => (true, true),
            Family::Qwen2 | Family::Qwen2Moe => (true, false),
            Family::Glm4Moe => (attention, false),
            Family::Glm | Family::Glm4 => (self.attention_bias.unwrap_or(true), false),
            Family::SeedOss => (self.attention_bias.unwrap_or(true), self.attention_out_bias.unwrap_or(false)),
            Family::StableLm => (self.use_qkv_bias.unwrap_or(false), false),
            Family::Starcoder2 => (switched, switched),
            Family::Falcon => (self.bias.unwrap_or(false), self.bias.unwrap_or(false)),
            // Its class has them unless the file says otherwise; every published file since the second version does.
            Family::Internlm2 => (self.bias.unwrap_or(true), self.bias.unwrap_or(true)),
            Family::Internlm3 => (self.qkv_bias.unwrap_or(false), self.bias.unwrap_or(false)),
            // Of latent attention the key would put a bias on the narrow projections; no published model has it.
            Family::DeepseekV2 | Family::DeepseekV3 | Family::DeepseekV32 | Family::GlmDsa => (false, false),
            // Their classes have no such switch.
            Family::Mistral | Family::Mixtral | Family::Phi3 | Family::Gemma4 | Family::Laguna => (false, false),
            Family::Exaone4 | Family::MiniMax | Family::MiniMaxM2 => (false, false),
            Family::Unknown => {
                let all = self.attention_bias.or(self.bias).or(self.use_bias).unwrap_or(false);
                let qkv = self.qkv_bias.or(self.use_qkv_bias).unwrap_or(all);
                (qkv, self.attention_out_bias.unwrap_or(all))
            }
            _ => (attention, attention),
        };
        let mlp = match family {
            Family::Gpt2 | Family::GptNeox | Family::GptOss | Family::Opt | Family::Phi | Family::Bloom => true,
            Family::Starcoder2 => switched,
            Family::Falcon | Family::Internlm3 => self.bias.unwrap_or(false),
            Family::Llama | Family::Granite | Family::NemotronH | Family::NemotronNas => self.mlp_bias.unwrap_or(false),
            Family::Arcee | Family::Nemotron | Family::SeedOss => self.mlp_bias.unwrap_or(false),
            Family::Unknown => self.mlp_bias.or(self.bias).or(self.use_bias).unwrap_or(false),
            _ => false,
        };
        let head = family == Family::Phi || family == Family::Phimoe && self.lm_head_bias.unwrap_or(false);
        Biases { qkv, output, mlp, head }
    }

    /// Whether the MLP has a gate. A file does not say so; of a family that is not known it is taken from the activation,
    /// where no gated family among those of transformers has that one.
    pub(super) fn mlp(&self, family: Family, recipe: &Recipe) -> Mlp {
        const WITHOUT_GATE: [&str; 5] = ["relu2", "xielu", "gelu_new", "gelu_fast", "quick_gelu"];
        let activation = self.hidden_act.as_deref().unwrap_or_default();
        if family == Family::Unknown && WITHOUT_GATE.contains(&activation) { Mlp::Plain } else { recipe.mlp }
    }

    /// Norms over the hidden size in each layer.
    pub(super) fn norms_per_layer(&self, family: Family, recipe: &Recipe) -> u64 {
        match family {
            // Attention and MLP side by side share a norm; the newer kind has one each unless told otherwise.
            Family::Falcon if self.falcon_is_parallel() => match (self.new_decoder(), self.num_ln_in_parallel_attn) {
                (true, Some(1)) | (false, _) => 1,
                (true, _) => 2,
            },
            // Before and behind the experts, and behind the dense MLP beside them.
            Family::Gemma4 if self.enable_moe_block == Some(true) => recipe.norms_per_layer + 3,
            Family::StableLm if self.use_parallel_residual == Some(true) => 1,
            // That before attention is missing with it: see the further tensors.
            Family::NemotronNas => 1,
            _ => recipe.norms_per_layer,
        }
    }

    pub(super) fn new_decoder(&self) -> bool {
        self.new_decoder_architecture.unwrap_or(false)
    }

    pub(super) fn falcon_is_parallel(&self) -> bool {
        self.new_decoder() || self.parallel_attn.unwrap_or(true)
    }

    pub(super) fn qk_norm(&self, family: Family, recipe: &Recipe) -> QkNorm {
        let asked = self.use_qk_norm.or(self.qk_layernorm);
        match (family, asked) {
            (Family::Glm4Moe | Family::Phi | Family::Unknown, Some(true)) => QkNorm::Head,
            // Over each head, but with weights of its own for every one.
            (Family::Cohere | Family::StableLm, Some(true)) => QkNorm::All,
            (Family::Llama4, Some(false)) => QkNorm::No,
            _ => recipe.qk_norm,
        }
    }

    /// Width of the part of a head of `head_dim` that turns with its position.
    pub(super) fn rotary(&self, family: Family, recipe: &Recipe, head_dim: u64) -> Result<u64, ModelError> {
        if recipe.turning == 0.0 || family == Family::Falcon && self.alibi == Some(true) {
            return Ok(0);
        }
        let newer = self.rope_parameters.as_ref().and_then(|rope| rope.partial_rotary_factor);
        let (key, given) = match (newer, self.partial_rotary_factor, self.rotary_pct) {
            (Some(share), ..) => ("rope_parameters.partial_rotary_factor", share),
            (_, Some(share), _) => ("partial_rotary_factor", share),
            (.., Some(share)) => ("rotary_pct", share),
            _ => ("partial_rotary_factor", recipe.turning),
        };
        if !(0.0..=1.0).contains(&given) {
            return Err(ModelError::new(key, format!("{given} is given; allowed are 0 to 1")));
        }
        Ok((head_dim as f64 * given) as u64)
    }
}

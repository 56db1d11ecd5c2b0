//! Reading a Hugging Face `config.json`.
//!
//! Only keys that decide the tensors or the cache are read; the many others of a real file are passed over. What a
//! key means when it is left out is taken from the configuration classes of transformers 4.57, so that a file the
//! library loads is read the same way here.

use serde_json::Value;

use super::{Architecture, Experts, Family, FullHeads, Latent, Linear, Mlp, ModelError, NormKind, QkNorm, Window};
use crate::scenario::shortened;
use crate::schema::{Path, Schema, Strict, schema, serde_by_schema};

schema! { PassedOver:
    /// The keys of a `config.json` that are understood. All are optional here; [`HfConfig::architecture`] says which
    /// of them the family needs.
    #[allow(missing_docs, reason = "the names are those of the Hugging Face keys")]
    pub struct HfConfig {
        "model_type" model_type: String,
        "hidden_size" hidden_size: u64,
        "intermediate_size" intermediate_size: u64,
        "num_hidden_layers" num_hidden_layers: u64,
        "num_attention_heads" num_attention_heads: u64,
        "num_key_value_heads" num_key_value_heads: u64,
        "head_dim" head_dim: u64,
        "vocab_size" vocab_size: u64,
        "max_position_embeddings" max_position_embeddings: u64,
        "tie_word_embeddings" tie_word_embeddings: bool,
        "attention_bias" attention_bias: bool,
        "mlp_bias" mlp_bias: bool,
        "use_bias" use_bias: bool,
        "use_qk_norm" use_qk_norm: bool,

        // Windows.
        "sliding_window" sliding_window: u64,
        "use_sliding_window" use_sliding_window: bool,
        "max_window_layers" max_window_layers: u64,
        "sliding_window_pattern" sliding_window_pattern: u64,
        /// The same under the name newer files use; a file may have both.
        "_sliding_window_pattern" saved_sliding_window_pattern: u64,
        "layer_types" layer_types: Vec<String>,

        // Mixtures of experts.
        "num_local_experts" num_local_experts: u64,
        "num_experts" num_experts: u64,
        "n_routed_experts" n_routed_experts: u64,
        "num_experts_per_tok" num_experts_per_tok: u64,
        "moe_intermediate_size" moe_intermediate_size: u64,
        "n_shared_experts" n_shared_experts: u64,
        "shared_expert_intermediate_size" shared_expert_intermediate_size: u64,
        "first_k_dense_replace" first_k_dense_replace: u64,
        "moe_layer_freq" moe_layer_freq: u64,
        "decoder_sparse_step" decoder_sparse_step: u64,
        "mlp_only_layers" mlp_only_layers: Vec<u64>,
        "num_nextn_predict_layers" num_nextn_predict_layers: u64,

        // Latent attention.
        "q_lora_rank" q_lora_rank: u64,
        "kv_lora_rank" kv_lora_rank: u64,
        "qk_nope_head_dim" qk_nope_head_dim: u64,
        "qk_rope_head_dim" qk_rope_head_dim: u64,
        "v_head_dim" v_head_dim: u64,

        // Linear attention, gates, and heads that differ by layer.
        "full_attention_interval" full_attention_interval: u64,
        "linear_conv_kernel_dim" linear_conv_kernel_dim: u64,
        "linear_key_head_dim" linear_key_head_dim: u64,
        "linear_num_key_heads" linear_num_key_heads: u64,
        "linear_num_value_heads" linear_num_value_heads: u64,
        "linear_value_head_dim" linear_value_head_dim: u64,
        "global_head_dim" global_head_dim: u64,
        "num_global_key_value_heads" num_global_key_value_heads: u64,
        "attention_k_eq_v" attention_k_eq_v: bool,
        "enable_moe_block" enable_moe_block: bool,
        "hidden_size_per_layer_input" hidden_size_per_layer_input: u64,
        "num_kv_shared_layers" num_kv_shared_layers: u64,
        "num_attention_heads_per_layer" num_attention_heads_per_layer: Vec<u64>,
        "mlp_layer_types" mlp_layer_types: Vec<String>,

        // OPT's own names.
        "ffn_dim" ffn_dim: u64,
        "word_embed_proj_dim" word_embed_proj_dim: u64,
        "do_layer_norm_before" do_layer_norm_before: bool,

        // GPT-2's own names.
        "n_embd" n_embd: u64,
        "n_layer" n_layer: u64,
        "n_head" n_head: u64,
        "n_inner" n_inner: u64,
        "n_positions" n_positions: u64,

        // GPT-NeoX.
        "use_parallel_residual" use_parallel_residual: bool,

        /// The language model of a checkpoint that has other parts too.
        "text_config" text_config: Box<HfConfig>,
    }
}

serde_by_schema!(HfConfig);

/// The largest value of each dimension: far above anything built, and low enough that products of them stay exact.
mod limit {
    pub const LAYERS: u64 = 10_000;
    pub const HIDDEN: u64 = 1_000_000;
    pub const HEADS: u64 = 100_000;
    pub const HEAD_DIM: u64 = 100_000;
    pub const MLP_WIDTH: u64 = 10_000_000;
    pub const VOCABULARY: u64 = 10_000_000;
    pub const POSITIONS: u64 = 1_000_000_000;
    pub const EXPERTS: u64 = 100_000;
}

/// What a family's tensors are, and what its configuration class takes for a key that is left out.
struct Recipe {
    mlp: Mlp,
    norm: NormKind,
    norms_per_layer: u64,
    tied: bool,
    /// Key-value heads where the key is missing; none: as many as query heads.
    kv_heads: Option<u64>,
    /// Head width where the key is missing; none: hidden size ÷ heads.
    head_dim: Option<u64>,
    qk_norm: QkNorm,
    windows: Windows,
}

/// Which layers a family puts under its `sliding_window`.
enum Windows {
    /// The family has none, whatever its file says.
    None,
    /// Every layer, where the key is given.
    All,
    /// Layers from `max_window_layers` on, where `use_sliding_window` is true.
    Switched,
    /// All but each layer whose number, counted from 1, is a multiple of `every`; 4096 tokens where the key is missing.
    Alternating { every: u64 },
}

impl Recipe {
    fn of(family: Family) -> Recipe {
        let llama = Recipe {
            mlp: Mlp::Gated,
            norm: NormKind::Rms,
            norms_per_layer: 2,
            tied: false,
            kv_heads: None,
            head_dim: None,
            qk_norm: QkNorm::No,
            windows: Windows::None,
        };
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
            Family::Glm4Moe => Recipe { kv_heads: Some(8), ..llama },
            Family::Olmo2 | Family::Olmoe => Recipe { qk_norm: QkNorm::All, ..llama },
            Family::Olmo3 => Recipe { qk_norm: QkNorm::All, windows: Windows::Alternating { every: 4 }, ..llama },
            Family::GptOss => {
                Recipe { kv_heads: Some(8), head_dim: Some(64), windows: Windows::Alternating { every: 2 }, ..llama }
            }
            Family::Starcoder2 => {
                Recipe { mlp: Mlp::Plain, norm: NormKind::LayerNorm, kv_heads: Some(2), windows: Windows::All, ..llama }
            }
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
            Family::Opt => Recipe { mlp: Mlp::Plain, norm: NormKind::LayerNorm, tied: true, ..llama },
            // Its LayerNorm has a weight and no bias, as an RMS norm has.
            Family::Cohere => Recipe { norms_per_layer: 1, tied: true, ..llama },
            Family::Qwen3Next => Recipe { kv_heads: Some(2), head_dim: Some(256), qk_norm: QkNorm::Head, ..llama },
            Family::Gemma4 => Recipe {
                tied: true,
                head_dim: Some(256),
                norms_per_layer: 4,
                qk_norm: QkNorm::Head,
                windows: Windows::Alternating { every: 6 },
                ..llama
            },
            Family::Laguna => Recipe { qk_norm: QkNorm::Head, windows: Windows::Alternating { every: 4 }, ..llama },
            Family::Gpt2 => Recipe { mlp: Mlp::Plain, norm: NormKind::LayerNorm, tied: true, ..llama },
            Family::GptNeox => Recipe { mlp: Mlp::Plain, norm: NormKind::LayerNorm, ..llama },
        }
    }
}

impl HfConfig {
    /// Reads the text of a `config.json`.
    ///
    /// # Errors
    /// Text that is not a JSON object (the field is then `config`), or a key whose value is of the wrong kind.
    pub fn from_json(text: &str) -> Result<Self, ModelError> {
        let value = Strict::from_text(text).map_err(|error| ModelError::new("config", error))?;
        Self::from_value(&value)
    }

    /// Reads a `config.json` that is already parsed.
    ///
    /// # Errors
    /// As [`HfConfig::from_json`].
    pub fn from_value(value: &Value) -> Result<Self, ModelError> {
        if !value.is_object() {
            return Err(ModelError::new("config", "the keys of a config.json, an object, are needed"));
        }
        Schema::read(value, &Path::ROOT).map_err(|error| ModelError::new(error.field.clone(), error.message()))
    }

    /// The dimensions this file describes.
    ///
    /// # Errors
    /// A family that is not known, a key that the family needs and that is missing, zero or absurdly large, heads
    /// that do not divide. The error names the key as the file writes it and what is allowed.
    pub fn architecture(&self) -> Result<Architecture, ModelError> {
        match &self.text_config {
            None => self.decoder(None),
            Some(text) => text.decoder(Some(self)).map_err(|mut error| {
                if error.field != "config" {
                    error.field.insert_str(0, "text_config.");
                }
                error
            }),
        }
    }

    /// The decoder of this object; `outer` is the file around it where the checkpoint has other parts.
    fn decoder(&self, outer: Option<&HfConfig>) -> Result<Architecture, ModelError> {
        let family = self.family(outer)?;
        let recipe = Recipe::of(family);
        let gpt2 = family == Family::Gpt2;
        let either = |own: Option<u64>, own_name: &'static str, common: Option<u64>, common_name: &'static str| {
            if !gpt2 {
                return Ok((common_name, common));
            }
            match (own, common) {
                (Some(a), Some(b)) if a != b => Err(ModelError::new(
                    own_name,
                    format!("{a} is given, but {common_name}, another name for it, is {b}; leave one of them out"),
                )),
                (None, Some(_)) => Ok((common_name, common)),
                _ => Ok((own_name, own)),
            }
        };

        let (layers_key, layers) = either(self.n_layer, "n_layer", self.num_hidden_layers, "num_hidden_layers")?;
        let layers = dimension(layers_key, layers, limit::LAYERS)?;
        let (hidden_key, hidden) = either(self.n_embd, "n_embd", self.hidden_size, "hidden_size")?;
        let hidden = dimension(hidden_key, hidden, limit::HIDDEN)?;
        let (heads_key, heads) = either(self.n_head, "n_head", self.num_attention_heads, "num_attention_heads")?;
        // The language models inside Gemma 3 checkpoints leave out what their class already says.
        let heads = heads.or((family == Family::Gemma3).then_some(8));
        let heads = dimension(heads_key, heads, limit::HEADS)?;
        let vocabulary = self.vocab_size.or((family == Family::Gemma3).then_some(262_208));
        let vocabulary = dimension("vocab_size", vocabulary, limit::VOCABULARY)?;

        let kv_heads = self.num_key_value_heads.or(recipe.kv_heads).unwrap_or(heads);
        let kv_heads = dimension("num_key_value_heads", Some(kv_heads), limit::HEADS)?;
        if heads % kv_heads != 0 {
            let origin = if self.num_key_value_heads.is_some() { "" } else { " (the family's default)" };
            return Err(ModelError::new(
                "num_key_value_heads",
                format!(
                    "{kv_heads}{origin} does not divide the {heads} of {heads_key}; query heads share key-value heads evenly"
                ),
            ));
        }

        let latent_family = matches!(family, Family::DeepseekV2 | Family::DeepseekV3);
        let head_dim = match self.head_dim.or(recipe.head_dim) {
            // The keys of latent attention say it instead.
            _ if latent_family => 0,
            Some(given) => dimension("head_dim", Some(given), limit::HEAD_DIM)?,
            None if hidden % heads == 0 => hidden / heads,
            None => {
                return Err(ModelError::new(
                    heads_key,
                    format!(
                        "{heads} does not divide the {hidden} of {hidden_key}, and there is no head_dim to say the width of a head"
                    ),
                ));
            }
        };

        let (width_key, width) = match family {
            Family::Opt => ("ffn_dim", self.ffn_dim),
            // A mixture without dense layers leaves their width out.
            Family::Qwen3Next if self.intermediate_size.is_none() => {
                ("moe_intermediate_size", self.moe_intermediate_size)
            }
            _ => either(self.n_inner, "n_inner", self.intermediate_size, "intermediate_size")?,
        };
        let width = width.or(gpt2.then_some(4 * hidden));
        let mlp_width = dimension(width_key, width, limit::MLP_WIDTH)?;

        let (positions_key, positions) =
            either(self.n_positions, "n_positions", self.max_position_embeddings, "max_position_embeddings")?;
        let maximum_positions = match positions {
            // The position table of GPT-2 is made of parameters: without its length the count would be wrong.
            None if gpt2 => Some(dimension(positions_key, None, limit::POSITIONS)?),
            None => (family == Family::Gemma3).then_some(131_072),
            given => Some(dimension(positions_key, given, limit::POSITIONS)?),
        };

        self.check_what_is_not_counted(family, hidden)?;
        let linear = self.linear(family, layers)?;
        let window = self.window(&recipe.windows, layers)?;
        let windowed = window.map_or(0, |window| window.layers);
        let (heads, full_heads) = self.heads_by_layer(family, [heads, kv_heads, head_dim], windowed)?;
        let latent = self.latent(family)?;
        let head_dim = latent.map_or(head_dim, |(head_dim, _)| head_dim);
        // Every head has keys and values of its own, spread out from the narrow vector.
        let kv_heads = if latent.is_some() { heads } else { kv_heads };
        let experts = self.experts(family, layers, mlp_width)?.filter(|experts| experts.dense_layers < layers);

        let attention_bias = self.attention_bias.unwrap_or(family == Family::GptNeox);
        let use_bias = self.use_bias.unwrap_or(true);
        let (qkv_bias, output_bias) = match family {
            Family::Gpt2 | Family::Opt => (true, true),
            Family::Qwen2 | Family::Qwen2Moe => (true, false),
            Family::Glm4Moe => (attention_bias, false),
            Family::Starcoder2 => (use_bias, use_bias),
            Family::GptOss => (true, true),
            // Of latent attention the key would put a bias on the narrow projections; no published model has it.
            Family::DeepseekV2 | Family::DeepseekV3 => (false, false),
            // Their classes have no such switch.
            Family::Mistral | Family::Mixtral | Family::Phi3 | Family::Gemma4 | Family::Laguna => (false, false),
            _ => (attention_bias, attention_bias),
        };
        let mlp_bias = match family {
            Family::Gpt2 | Family::GptNeox | Family::GptOss | Family::Opt => true,
            Family::Starcoder2 => use_bias,
            Family::Llama | Family::Granite => self.mlp_bias.unwrap_or(false),
            _ => false,
        };

        let architecture = Architecture {
            family,
            layers,
            hidden,
            heads,
            kv_heads,
            head_dim,
            latent: latent.map(|(_, latent)| latent),
            mlp: recipe.mlp,
            mlp_width,
            experts,
            vocabulary,
            learned_positions: match family {
                Family::Gpt2 => maximum_positions.unwrap_or(0),
                // Two rows stand before the first position.
                Family::Opt => maximum_positions.unwrap_or(2048) + 2,
                _ => 0,
            },
            tied_embeddings: self
                .tie_word_embeddings
                .or(outer.and_then(|outer| outer.tie_word_embeddings))
                .unwrap_or(recipe.tied),
            norm: recipe.norm,
            norms_per_layer: recipe.norms_per_layer,
            qkv_bias,
            output_bias,
            mlp_bias,
            sinks: family == Family::GptOss,
            qk_norm: match family {
                Family::Glm4Moe if self.use_qk_norm == Some(true) => QkNorm::Head,
                // Over each head, but with weights of its own for every one.
                Family::Cohere if self.use_qk_norm == Some(true) => QkNorm::All,
                _ => recipe.qk_norm,
            },
            parallel_residual: family == Family::Cohere
                || family == Family::GptNeox && self.use_parallel_residual.unwrap_or(true),
            window,
            linear,
            full_heads,
            output_gate: match family {
                Family::Qwen3Next => head_dim,
                Family::Laguna => 1,
                _ => 0,
            },
            prediction_layers: match (family, self.num_nextn_predict_layers) {
                (Family::DeepseekV3 | Family::Glm4Moe, Some(given @ 1..)) => {
                    dimension("num_nextn_predict_layers", Some(given), limit::LAYERS)?
                }
                _ => 0,
            },
            maximum_positions,
        };
        architecture.check_size()?;
        Ok(architecture)
    }

    /// The experts of a mixture; `mlp_width` is the width of the dense MLP, and in Mixtral that of an expert.
    fn experts(&self, family: Family, layers: u64, mlp_width: u64) -> Result<Option<Experts>, ModelError> {
        let (count_key, count) = match family {
            Family::Mixtral | Family::GptOss => ("num_local_experts", self.num_local_experts),
            Family::Qwen2Moe | Family::Qwen3Moe | Family::Olmoe | Family::Laguna => ("num_experts", self.num_experts),
            Family::Qwen3Next if self.num_experts.is_some_and(|count| count > 0) => ("num_experts", self.num_experts),
            Family::Deepseek | Family::DeepseekV2 | Family::DeepseekV3 | Family::Glm4Moe => {
                ("n_routed_experts", self.n_routed_experts)
            }
            _ => return Ok(None),
        };
        let count = dimension(count_key, count, limit::EXPERTS)?;
        let per_token = dimension("num_experts_per_tok", self.num_experts_per_tok, limit::EXPERTS)?;
        if per_token > count {
            return Err(ModelError::new(
                "num_experts_per_tok",
                format!("{per_token} is given; a token can meet at most the {count} experts of {count_key}"),
            ));
        }
        let simple = Experts {
            count,
            per_token,
            width: mlp_width,
            shared_width: 0,
            shared_gate: false,
            router_bias: matches!(family, Family::DeepseekV3 | Family::Glm4Moe | Family::GptOss | Family::Laguna),
            dense_layers: 0,
        };
        if matches!(family, Family::Mixtral | Family::Olmoe | Family::GptOss) {
            return Ok(Some(simple));
        }
        let width = dimension("moe_intermediate_size", self.moe_intermediate_size, limit::MLP_WIDTH)?;
        let simple = Experts { width, ..simple };
        if family == Family::Qwen3Moe {
            return Ok(Some(Experts { dense_layers: self.dense_layers_of_qwen(layers)?, ..simple }));
        }
        if matches!(family, Family::Qwen2Moe | Family::Qwen3Next | Family::Laguna) {
            // What transformers takes for the missing key.
            let missing = if family == Family::Qwen2Moe { 5632 } else { 512 };
            let shared = self.shared_expert_intermediate_size.unwrap_or(missing);
            let shared_width = dimension("shared_expert_intermediate_size", Some(shared), limit::MLP_WIDTH)?;
            if family == Family::Laguna {
                let kinds = self.mlp_layer_types.as_deref().unwrap_or_default();
                let dense_layers = kinds.iter().filter(|kind| *kind == "dense").count() as u64;
                return Ok(Some(Experts { shared_width, dense_layers, ..simple }));
            }
            let dense_layers = self.dense_layers_of_qwen(layers)?;
            return Ok(Some(Experts { shared_width, shared_gate: true, dense_layers, ..simple }));
        }
        let shared = match self.n_shared_experts {
            None | Some(0) => 0,
            shared => dimension("n_shared_experts", shared, limit::EXPERTS)?,
        };
        if shared * width > limit::MLP_WIDTH {
            return Err(ModelError::new(
                "n_shared_experts",
                format!("{shared} of {width} each is given; allowed are {} in all", limit::MLP_WIDTH),
            ));
        }
        let first = self.first_k_dense_replace.unwrap_or(0);
        if first > layers {
            return Err(ModelError::new(
                "first_k_dense_replace",
                format!("{first} is given; allowed are 0 to the {layers} of num_hidden_layers"),
            ));
        }
        let every = dimension("moe_layer_freq", Some(self.moe_layer_freq.unwrap_or(1)), limit::LAYERS)?;
        // From the first on, every layer whose index is a multiple has experts.
        let with_experts = layers.div_ceil(every) - first.div_ceil(every);
        Ok(Some(Experts { shared_width: shared * width, dense_layers: layers - with_experts, ..simple }))
    }

    /// Layers of a Qwen mixture whose MLP is dense: those that are named, and all but every `decoder_sparse_step`-th.
    fn dense_layers_of_qwen(&self, layers: u64) -> Result<u64, ModelError> {
        let step = dimension("decoder_sparse_step", Some(self.decoder_sparse_step.unwrap_or(1)), limit::LAYERS)?;
        let named = self.mlp_only_layers.as_deref().unwrap_or_default();
        if let Some(index) = named.iter().find(|index| **index >= layers) {
            return Err(ModelError::new(
                "mlp_only_layers",
                format!("{index} is given; allowed are 0 to {}", layers - 1),
            ));
        }
        let dense = |index: &u64| named.contains(index) || !(index + 1).is_multiple_of(step);
        Ok((0..layers).filter(dense).count() as u64)
    }

    /// Refuses what a file of this family may switch on and nobody has counted yet.
    fn check_what_is_not_counted(&self, family: Family, hidden: u64) -> Result<(), ModelError> {
        let refuse = |key: &str, allowed: &str| Err(ModelError::new(key, format!("allowed is {allowed}")));
        match family {
            Family::Gemma4 if self.enable_moe_block == Some(true) => refuse("enable_moe_block", "false"),
            Family::Gemma4 if self.hidden_size_per_layer_input.is_some_and(|width| width > 0) => {
                refuse("hidden_size_per_layer_input", "0")
            }
            Family::Gemma4 if self.num_kv_shared_layers.is_some_and(|layers| layers > 0) => {
                refuse("num_kv_shared_layers", "0")
            }
            Family::Opt if self.do_layer_norm_before == Some(false) => refuse("do_layer_norm_before", "true"),
            Family::Opt if self.word_embed_proj_dim.is_some_and(|width| width != hidden) => {
                refuse("word_embed_proj_dim", "hidden_size")
            }
            _ => Ok(()),
        }
    }

    /// The layers with a state of constant size.
    fn linear(&self, family: Family, layers: u64) -> Result<Option<Linear>, ModelError> {
        if family != Family::Qwen3Next {
            return Ok(None);
        }
        let every =
            dimension("full_attention_interval", Some(self.full_attention_interval.unwrap_or(4)), limit::LAYERS)?;
        let linear = match &self.layer_types {
            Some(types) => layers_of_kind(types, layers, "linear_attention")?,
            None => layers - layers / every,
        };
        let value_heads = dimension("linear_num_value_heads", self.linear_num_value_heads, limit::HEADS)?;
        Ok((linear > 0).then_some(Linear {
            layers: linear,
            key_heads: dimension("linear_num_key_heads", self.linear_num_key_heads, limit::HEADS)?,
            value_heads,
            key_dim: dimension("linear_key_head_dim", self.linear_key_head_dim, limit::HEAD_DIM)?,
            value_dim: dimension("linear_value_head_dim", self.linear_value_head_dim, limit::HEAD_DIM)?,
            kernel: dimension("linear_conv_kernel_dim", self.linear_conv_kernel_dim, 1000)?,
        }))
    }

    /// Query heads of windowed layers, and all heads of the others where those differ.
    fn heads_by_layer(
        &self,
        family: Family,
        [heads, kv_heads, head_dim]: [u64; 3],
        windowed: u64,
    ) -> Result<(u64, Option<FullHeads>), ModelError> {
        if windowed == 0 {
            return Ok((heads, None));
        }
        match family {
            Family::Gemma4 => {
                let head_dim = self.global_head_dim.unwrap_or(512);
                let kv_heads = self.num_global_key_value_heads.unwrap_or(kv_heads);
                let full = FullHeads {
                    heads,
                    kv_heads: dimension("num_global_key_value_heads", Some(kv_heads), heads)?,
                    head_dim: dimension("global_head_dim", Some(head_dim), limit::HEAD_DIM)?,
                    values_are_keys: self.attention_k_eq_v.unwrap_or(false),
                };
                Ok((heads, Some(full)))
            }
            Family::Laguna => {
                // The list gives windowed layers more heads than num_attention_heads, which is that of the others.
                let most = self.num_attention_heads_per_layer.iter().flatten().copied().max().unwrap_or(heads);
                let most = dimension("num_attention_heads_per_layer", Some(most), limit::HEADS)?;
                Ok((most, (most != heads).then_some(FullHeads { heads, kv_heads, head_dim, values_are_keys: false })))
            }
            _ => Ok((heads, None)),
        }
    }

    /// Latent attention and the width of a query or key head, where the family has it.
    fn latent(&self, family: Family) -> Result<Option<(u64, Latent)>, ModelError> {
        if !matches!(family, Family::DeepseekV2 | Family::DeepseekV3) {
            return Ok(None);
        }
        let nope = dimension("qk_nope_head_dim", self.qk_nope_head_dim, limit::HEAD_DIM)?;
        let rope = dimension("qk_rope_head_dim", self.qk_rope_head_dim, limit::HEAD_DIM)?;
        let query_rank = match self.q_lora_rank {
            None => 0,
            given => dimension("q_lora_rank", given, limit::HIDDEN)?,
        };
        let latent = Latent {
            query_rank,
            rank: dimension("kv_lora_rank", self.kv_lora_rank, limit::HIDDEN)?,
            rope,
            value: dimension("v_head_dim", self.v_head_dim, limit::HEAD_DIM)?,
        };
        Ok(Some((nope + rope, latent)))
    }

    fn family(&self, outer: Option<&HfConfig>) -> Result<Family, ModelError> {
        let known = || {
            let types: Vec<_> = Family::ALL.iter().flat_map(|family| family.model_types()).copied().collect();
            format!("known are {}", types.join(", "))
        };
        let model_type = self.model_type.as_ref().or(outer.and_then(|outer| outer.model_type.as_ref()));
        let Some(model_type) = model_type else {
            return Err(ModelError::new("model_type", format!("missing; {}", known())));
        };
        Family::from_model_type(model_type).ok_or_else(|| {
            ModelError::new("model_type", format!("\"{}\" is not known; {}", shortened(model_type), known()))
        })
    }

    fn window(&self, windows: &Windows, layers: u64) -> Result<Option<Window>, ModelError> {
        let tokens = match windows {
            Windows::None => None,
            Windows::All => self.sliding_window,
            // 4096 and 28 below are what transformers takes for the missing keys.
            Windows::Switched if self.use_sliding_window == Some(true) => Some(self.sliding_window.unwrap_or(4096)),
            Windows::Switched => None,
            Windows::Alternating { .. } => Some(self.sliding_window.unwrap_or(4096)),
        };
        let Some(tokens) = tokens else { return Ok(None) };
        let tokens = dimension("sliding_window", Some(tokens), limit::POSITIONS)?;

        let windowed = match (&self.layer_types, windows) {
            (_, Windows::None | Windows::All) => layers,
            (Some(types), _) => layers_of_kind(types, layers, "sliding_attention")?,
            (None, Windows::Switched) => layers.saturating_sub(self.max_window_layers.unwrap_or(28)),
            (None, Windows::Alternating { every }) => {
                let every = self.sliding_window_pattern.or(self.saved_sliding_window_pattern).unwrap_or(*every);
                layers - layers / dimension("sliding_window_pattern", Some(every), limit::LAYERS)?
            }
        };
        Ok((windowed > 0).then_some(Window { layers: windowed, tokens }))
    }
}

/// Counts the layers of one kind in a list with one entry a layer; `kind` is the other one than full attention.
fn layers_of_kind(types: &[String], layers: u64, kind: &str) -> Result<u64, ModelError> {
    if types.len() as u64 != layers {
        return Err(ModelError::new(
            "layer_types",
            format!("{} entries are given for {layers} layers; there must be one for each", types.len()),
        ));
    }
    let mut found = 0;
    for (index, given) in types.iter().enumerate() {
        if given == kind {
            found += 1;
        } else if given != "full_attention" {
            return Err(ModelError::new(
                format!("layer_types[{index}]"),
                format!("\"{}\" is not known; known are full_attention, {kind}", shortened(given)),
            ));
        }
    }
    Ok(found)
}

/// A dimension that must be there, positive and not absurd.
fn dimension(key: &str, value: Option<u64>, most: u64) -> Result<u64, ModelError> {
    match value {
        Some(value) if (1..=most).contains(&value) => Ok(value),
        Some(value) => Err(ModelError::new(key, format!("{value} is given; allowed are 1 to {most}"))),
        None => Err(ModelError::new(key, format!("missing; a whole number from 1 to {most} is needed"))),
    }
}

//! Reading a Hugging Face `config.json`.
//!
//! Only keys that decide the tensors or the cache are read; the many others of a real file are passed over. What a
//! key means when it is left out is taken from the configuration classes of transformers 4.57, of families that came later
//! from those of 5.24, so that a file the library loads is read the same way here.
//!
//! This file has the keys and puts the answer together; beside it stand what a family is made of ([`recipe`]), its experts
//! ([`mixture`]), which layers are of which kind ([`layers`]), the tensors that only some families have ([`further`]),
//! values that files write in several ways ([`values`]), the format of their weights ([`quantized`]), and what is made of a
//! file of no known family ([`unknown`]).

mod further;
mod layers;
mod mixture;
mod quantized;
mod recipe;
mod unknown;
mod values;

use serde_json::Value;

use super::{Architecture, Family, Latent, ModelError, NOTHING};
use crate::refusal::{Expected, FieldError};
use crate::schema::{Path, Schema, Strict, schema, serde_by_schema};
use layers::Kinds;
use recipe::Recipe;

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
        "bias" bias: bool,
        "qkv_bias" qkv_bias: bool,
        "use_qkv_bias" use_qkv_bias: bool,
        "attention_out_bias" attention_out_bias: bool,
        "lm_head_bias" lm_head_bias: bool,
        "use_qk_norm" use_qk_norm: bool,
        "qk_layernorm" qk_layernorm: bool,
        "rms_norm_eps" rms_norm_eps: f64,
        "hidden_act" hidden_act: String,
        "model_max_length" model_max_length: u64,

        // How much of a head turns.
        "partial_rotary_factor" partial_rotary_factor: f64,
        "rotary_pct" rotary_pct: f64,
        "rope_parameters" rope_parameters: RopeParameters,

        // Windows.
        "sliding_window" sliding_window: u64,
        "use_sliding_window" use_sliding_window: bool,
        "max_window_layers" max_window_layers: u64,
        "sliding_window_pattern" sliding_window_pattern: u64,
        /// The same under the name newer files use; a file may have both.
        "_sliding_window_pattern" saved_sliding_window_pattern: u64,
        "layer_types" layer_types: Vec<String>,
        "attention_chunk_size" attention_chunk_size: u64,
        "no_rope_layers" no_rope_layers: Vec<u64>,
        "no_rope_layer_interval" no_rope_layer_interval: u64,

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
        "intermediate_size_mlp" intermediate_size_mlp: u64,
        "interleave_moe_layer_step" interleave_moe_layer_step: u64,
        "moe_layers" moe_layers: Vec<u64>,
        "top_k_experts" top_k_experts: u64,
        "moe_shared_expert_intermediate_size" moe_shared_expert_intermediate_size: u64,
        "num_shared_experts" num_shared_experts: u64,
        "num_shared_expert" num_shared_expert: u64,
        "moe_topk" moe_topk: u64,
        "moe_router_enable_expert_bias" moe_router_enable_expert_bias: bool,
        "moe_latent_size" moe_latent_size: u64,

        // Latent attention.
        "q_lora_rank" q_lora_rank: u64,
        "kv_lora_rank" kv_lora_rank: u64,
        "qk_nope_head_dim" qk_nope_head_dim: u64,
        "qk_rope_head_dim" qk_rope_head_dim: u64,
        "v_head_dim" v_head_dim: u64,
        "index_head_dim" index_head_dim: u64,
        "index_n_heads" index_n_heads: u64,
        "index_topk" index_topk: u64,
        "indexer_types" indexer_types: Vec<String>,
        "index_topk_pattern" index_topk_pattern: String,
        "index_topk_freq" index_topk_freq: u64,
        "index_skip_topk_offset" index_skip_topk_offset: u64,

        // Linear attention, gates, and heads that differ by layer.
        "full_attention_interval" full_attention_interval: u64,
        /// MiniMax: 0 for a layer with linear attention, 1 for one with full attention.
        "attn_type_list" attn_type_list: Vec<u64>,
        "attn_output_gate" attn_output_gate: bool,
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
        "vocab_size_per_layer_input" vocab_size_per_layer_input: u64,
        "num_kv_shared_layers" num_kv_shared_layers: u64,
        "use_double_wide_mlp" use_double_wide_mlp: bool,
        "num_attention_heads_per_layer" num_attention_heads_per_layer: Vec<u64>,
        "mlp_layer_types" mlp_layer_types: Vec<String>,

        // State spaces, and layers that are attention, a state space or an MLP alone.
        "state_size" state_size: u64,
        "conv_kernel" conv_kernel: u64,
        "expand" expand: u64,
        "time_step_rank" time_step_rank: WholeOrAuto,
        "use_conv_bias" use_conv_bias: bool,
        "ssm_state_size" ssm_state_size: u64,
        "mamba_num_heads" mamba_num_heads: u64,
        "mamba_head_dim" mamba_head_dim: u64,
        "n_groups" n_groups: u64,
        "attention_head_dim" attention_head_dim: u64,
        "hybrid_override_pattern" hybrid_override_pattern: String,
        "layers_block_type" layers_block_type: Vec<String>,
        "block_configs" block_configs: Vec<BlockConfig>,

        // Falcon's and BLOOM's own names.
        "n_embed" n_embed: u64,
        "n_head_kv" n_head_kv: u64,
        "num_kv_heads" num_kv_heads: u64,
        "ffn_hidden_size" ffn_hidden_size: u64,
        "multi_query" multi_query: bool,
        "parallel_attn" parallel_attn: bool,
        "new_decoder_architecture" new_decoder_architecture: bool,
        "num_ln_in_parallel_attn" num_ln_in_parallel_attn: u64,
        "alibi" alibi: bool,
        "seq_length" seq_length: u64,

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

        /// The format of the checkpoint's weights.
        "quantization_config" quantization_config: QuantizationConfig,

        // What a family that is not known may have, and nothing is made of.
        "attn_layer_period" attn_layer_period: Odd,
        "block_types" block_types: Odd,
        "conv_L_cache" conv_l_cache: Odd,
        "cross_attention_layers" cross_attention_layers: Odd,
        "is_encoder_decoder" is_encoder_decoder: Odd,
        "layer_norm_eps" layer_norm_eps: Odd,
        "layer_norm_epsilon" layer_norm_epsilon: Odd,
        "norm_eps" norm_eps: Odd,
        "norm_epsilon" norm_epsilon: Odd,
        "linear_attn_config" linear_attn_config: Odd,
        "mamba_d_state" mamba_d_state: Odd,
        "moe_num_experts" moe_num_experts: Odd,
        "num_kv_heads_per_layer" num_kv_heads_per_layer: Odd,
        "num_key_value_heads_per_layer" num_key_value_heads_per_layer: Odd,

        /// The language model of a checkpoint that has other parts too.
        "text_config" text_config: Box<HfConfig>,
    }

    /// How a checkpoint's weights are stored. Whatever stands under these keys, a file is read for its dimensions.
    pub struct QuantizationConfig {
        "quant_method" quant_method: Odd,
        "quant_algo" quant_algo: Odd,
        "format" format: Odd,
        "bits" bits: Odd,
        "group_size" group_size: Odd,
        "weight_block_size" weight_block_size: Odd,
        "load_in_4bit" load_in_4bit: Odd,
        "load_in_8bit" load_in_8bit: Odd,
        "bnb_4bit_use_double_quant" bnb_4bit_use_double_quant: Odd,
    }

    /// How positions turn heads, as newer files have it.
    pub struct RopeParameters {
        "partial_rotary_factor" partial_rotary_factor: f64,
    }

    /// One layer of a network that a search has thinned out.
    pub struct BlockConfig {
        "attention" attention: BlockPart,
        "ffn" ffn: BlockPart,
    }

    /// Attention or MLP of such a layer.
    pub struct BlockPart {
        /// Query heads that share a key-value head.
        "n_heads_in_group" n_heads_in_group: u64,
        /// Width of the MLP in a measure of its own.
        "ffn_mult" ffn_mult: f64,
        /// Whether there is none.
        "no_op" no_op: bool,
        /// Whether a single matrix stands in its place.
        "replace_with_linear" replace_with_linear: bool,
    }
}

/// Whatever stands under a key that nothing is made of, so that its being there can be told.
#[derive(Clone, Debug, PartialEq)]
pub struct Odd(Value);

impl Odd {
    /// Whether it asks for something.
    fn asks(&self) -> bool {
        match &self.0 {
            Value::Null | Value::Bool(false) => false,
            Value::Number(number) => number.as_f64() != Some(0.0),
            Value::Array(list) => !list.is_empty(),
            _ => true,
        }
    }
}

impl Schema for Odd {
    fn read(value: &Value, _: &Path) -> Result<Odd, FieldError> {
        Ok(Odd(value.clone()))
    }

    fn write(&self) -> Value {
        self.0.clone()
    }
}

/// A whole number, or `"auto"`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WholeOrAuto(Option<u64>);

impl Schema for WholeOrAuto {
    fn read(value: &Value, at: &Path) -> Result<WholeOrAuto, FieldError> {
        match value.as_str() {
            Some("auto") => Ok(WholeOrAuto(None)),
            Some(_) => Err(at.expected(value, Expected::WholeNumberOrAuto)),
            None => u64::read(value, at).map(|number| WholeOrAuto(Some(number))),
        }
    }

    fn write(&self) -> Value {
        self.0.map_or("auto".into(), Value::from)
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
        Self::read_keys(value, &Path::ROOT).map_err(|error| ModelError::new(error.field.clone(), error.message()))
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
        let own_names = matches!(family, Family::Gpt2 | Family::Bloom | Family::Falcon);
        let gpt2 = family == Family::Gpt2;
        let gemma3 = family == Family::Gemma3;
        let either = |own: Option<u64>, own_name: &'static str, common: Option<u64>, common_name: &'static str| {
            if !own_names {
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

        let kinds =
            self.kinds(family, &recipe, either(self.n_layer, "n_layer", self.num_hidden_layers, "num_hidden_layers")?)?;
        let layers = kinds.layers;
        let (own_hidden, own_hidden_key) = if gpt2 { (self.n_embd, "n_embd") } else { (self.n_embed, "n_embed") };
        let (hidden_key, hidden) = either(own_hidden, own_hidden_key, self.hidden_size, "hidden_size")?;
        let hidden = dimension(hidden_key, hidden, limit::HIDDEN)?;
        // The language models inside Gemma 3 checkpoints leave out what their class already says.
        let vocabulary = dimension("vocab_size", self.vocab_size.or(gemma3.then_some(262_208)), limit::VOCABULARY)?;
        self.check_what_is_not_counted(family, hidden)?;

        let (heads_key, heads) = either(self.n_head, "n_head", self.num_attention_heads, "num_attention_heads")?;
        let latent = self.latent(family)?;
        let [heads, kv_heads, head_dim] = match kinds.linear {
            // Every element of the inner width is a head.
            Some(linear) if kinds.with_attention() == 0 => [linear.value_heads, linear.value_heads, linear.value_dim],
            _ => {
                self.heads(family, &recipe, &kinds, (hidden_key, hidden), (heads_key, heads.or(gemma3.then_some(8))))?
            }
        };
        let (heads, full_heads) = self.heads_by_layer(family, [heads, kv_heads, head_dim], kinds.windowed())?;
        let head_dim = latent.map_or(head_dim, |(head_dim, _)| head_dim);
        // Every head has keys and values of its own, spread out from the narrow vector.
        let kv_heads = if latent.is_some() { heads } else { kv_heads };
        let mlp_width = self.mlp_width(family, &kinds, hidden, &either)?;
        let kinds = kinds.with_wide_mlps(self.has_wide_mlps(), mlp_width);
        let layer_inputs = self.layer_inputs(family)?;
        let maximum_positions = self.maximum_positions(family, &either)?;
        let experts = self
            .experts(family, &kinds, mlp_width)?
            .filter(|experts| experts.dense_layers + kinds.without_mlp < layers);
        let biases = self.biases(family);

        let mut architecture = Architecture {
            family,
            layers,
            hidden,
            heads,
            kv_heads,
            head_dim,
            latent: latent.map(|(_, latent)| latent),
            mlp: self.mlp(family, &recipe),
            mlp_width,
            experts,
            without_attention: kinds.without_attention,
            without_mlp: kinds.without_mlp,
            other_mlps: kinds.widths.iter().skip(1).map(|(_, layers)| layers).sum(),
            vocabulary,
            learned_positions: match family {
                Family::Gpt2 => maximum_positions.unwrap_or(0),
                // Two rows stand before the first position.
                Family::Opt => maximum_positions.unwrap_or(2048) + 2,
                _ => 0,
            },
            rotary: match latent {
                Some((_, latent)) => latent.rope,
                None => self.rotary(family, &recipe, head_dim)?,
            },
            tied_embeddings: self
                .tie_word_embeddings
                .or(outer.and_then(|outer| outer.tie_word_embeddings))
                .unwrap_or(recipe.tied),
            embedding_norm: family == Family::Bloom,
            head_bias: biases.head,
            norm: recipe.norm,
            norms_per_layer: self.norms_per_layer(family, &recipe),
            qkv_bias: biases.qkv,
            output_bias: biases.output,
            mlp_bias: biases.mlp,
            sinks: family == Family::GptOss,
            qk_norm: self.qk_norm(family, &recipe),
            parallel_residual: matches!(family, Family::Cohere | Family::Cohere2 | Family::Phi)
                || family == Family::Falcon && self.falcon_is_parallel()
                || family == Family::GptNeox && self.use_parallel_residual.unwrap_or(true)
                || family == Family::StableLm && self.use_parallel_residual == Some(true),
            window: kinds.window,
            linear: kinds.linear,
            full_heads,
            borrowing: kinds.borrowing,
            indexer: self.indexer(family, layers)?,
            further: NOTHING,
            prediction_layers: match (family, self.num_nextn_predict_layers) {
                (Family::DeepseekV3 | Family::DeepseekV32 | Family::GlmDsa | Family::Glm4Moe, Some(given @ 1..)) => {
                    dimension("num_nextn_predict_layers", Some(given), limit::LAYERS)?
                }
                _ => 0,
            },
            maximum_positions,
        };
        architecture.further = self.further(&architecture, &kinds, layer_inputs);
        architecture.check_size()?;
        Ok(architecture)
    }

    /// Query heads, key-value heads and the width of a head.
    fn heads(
        &self,
        family: Family,
        recipe: &Recipe,
        kinds: &Kinds,
        (hidden_key, hidden): (&'static str, u64),
        (heads_key, heads): (&'static str, Option<u64>),
    ) -> Result<[u64; 3], ModelError> {
        let heads = dimension(heads_key, heads, limit::HEADS)?;
        let (key, given) = match family {
            Family::Falcon if !self.new_decoder() => {
                ("multi_query", Some(if self.multi_query.unwrap_or(true) { 1 } else { heads }))
            }
            Family::Falcon => ("num_kv_heads", self.num_kv_heads.or(self.n_head_kv)),
            Family::NemotronNas => {
                let group = kinds.group.unwrap_or(heads);
                if !heads.is_multiple_of(group) {
                    let message = format!("{group} is given; it does not divide the {heads} of {heads_key}");
                    return Err(ModelError::new("block_configs", message));
                }
                ("block_configs", Some(heads / group))
            }
            _ => ("num_key_value_heads", self.num_key_value_heads),
        };
        let kv_heads = dimension(key, Some(given.or(recipe.kv_heads).unwrap_or(heads)), limit::HEADS)?;
        if heads % kv_heads != 0 {
            let origin = if given.is_some() { "" } else { " (the family's default)" };
            return Err(ModelError::new(
                key,
                format!(
                    "{kv_heads}{origin} does not divide the {heads} of {heads_key}; query heads share key-value heads evenly"
                ),
            ));
        }
        let latent = family.has_latent_attention() || self.is_latent_unknown(family);
        let head_dim = match self.head_dim.or(self.attention_head_dim).or(recipe.head_dim) {
            // The keys of latent attention say it instead.
            _ if latent => 0,
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
        Ok([heads, kv_heads, head_dim])
    }

    /// Whether layers that borrow keys and values have wider MLPs; where there are experts they do not.
    fn has_wide_mlps(&self) -> bool {
        self.use_double_wide_mlp == Some(true) && self.enable_moe_block != Some(true)
    }

    /// Inner width of the dense MLP; where every layer has experts, that of one of them.
    fn mlp_width(
        &self,
        family: Family,
        kinds: &Kinds,
        hidden: u64,
        either: &dyn Fn(Option<u64>, &'static str, Option<u64>, &'static str) -> Result<Named, ModelError>,
    ) -> Result<u64, ModelError> {
        let (key, width) = match family {
            Family::Opt => ("ffn_dim", self.ffn_dim),
            Family::Falcon => ("ffn_hidden_size", self.ffn_hidden_size.or(Some(4 * hidden))),
            Family::Bloom => ("hidden_size", Some(4 * hidden)),
            Family::Llama4 => ("intermediate_size_mlp", self.intermediate_size_mlp.or(Some(16_384))),
            Family::NemotronH => ("intermediate_size", self.intermediate_size.or(Some(21_504))),
            Family::NemotronNas => ("block_configs", kinds.widths.first().map(|(width, _)| *width).or(Some(1))),
            // There is none; what stands for it is of no account.
            Family::Mamba | Family::FalconMamba => ("hidden_size", Some(hidden)),
            // A mixture without dense layers leaves their width out.
            Family::Qwen3Next | Family::Unknown if self.intermediate_size.is_none() => {
                ("moe_intermediate_size", self.moe_intermediate_size)
            }
            _ => either(self.n_inner, "n_inner", self.intermediate_size, "intermediate_size")?,
        };
        dimension(key, width.or((family == Family::Gpt2).then_some(4 * hidden)), limit::MLP_WIDTH)
    }

    /// The longest sequence the file says the model is made for.
    fn maximum_positions(
        &self,
        family: Family,
        either: &dyn Fn(Option<u64>, &'static str, Option<u64>, &'static str) -> Result<Named, ModelError>,
    ) -> Result<Option<u64>, ModelError> {
        let (key, positions) = match family {
            Family::Bloom => ("seq_length", self.seq_length.or(self.max_position_embeddings)),
            Family::Mamba | Family::FalconMamba => return Ok(None),
            // What its files say of positions is how far the first training went.
            Family::Cohere | Family::Cohere2 if self.model_max_length.is_some() => {
                ("model_max_length", self.model_max_length)
            }
            _ => either(self.n_positions, "n_positions", self.max_position_embeddings, "max_position_embeddings")?,
        };
        match positions {
            // The position table of GPT-2 is made of parameters: without its length the count would be wrong.
            None if family == Family::Gpt2 => Ok(Some(dimension(key, None, limit::POSITIONS)?)),
            None => Ok((family == Family::Gemma3).then_some(131_072)),
            given => Ok(Some(dimension(key, given, limit::POSITIONS)?)),
        }
    }

    fn is_latent_unknown(&self, family: Family) -> bool {
        family == Family::Unknown && self.kv_lora_rank.is_some()
    }

    /// Latent attention and the width of a query or key head, where the family has it.
    fn latent(&self, family: Family) -> Result<Option<(u64, Latent)>, ModelError> {
        if !family.has_latent_attention() && !self.is_latent_unknown(family) {
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
        match Family::from_model_type(model_type) {
            Some(family) => Ok(family),
            None => self.check_unknown(outer, model_type, &known()).map(|()| Family::Unknown),
        }
    }

    /// Refuses what a file of this family may switch on and nobody has counted yet.
    fn check_what_is_not_counted(&self, family: Family, hidden: u64) -> Result<(), ModelError> {
        let refuse = |key: &str, allowed: &str| Err(ModelError::new(key, format!("allowed is {allowed}")));
        match family {
            Family::NemotronH if self.moe_latent_size.is_some() => refuse("moe_latent_size", "null"),
            Family::Opt if self.do_layer_norm_before == Some(false) => refuse("do_layer_norm_before", "true"),
            Family::Opt if self.word_embed_proj_dim.is_some_and(|width| width != hidden) => {
                refuse("word_embed_proj_dim", "hidden_size")
            }
            _ => Ok(()),
        }
    }
}

/// A number under the key that it stands under.
type Named = (&'static str, Option<u64>);

/// A dimension that must be there, positive and not absurd.
fn dimension(key: &str, value: Option<u64>, most: u64) -> Result<u64, ModelError> {
    match value {
        Some(value) if (1..=most).contains(&value) => Ok(value),
        Some(value) => Err(ModelError::new(key, format!("{value} is given; allowed are 1 to {most}"))),
        None => Err(ModelError::new(key, format!("missing; a whole number from 1 to {most} is needed"))),
    }
}

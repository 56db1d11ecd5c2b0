//! The keys of a `config.json` that are read.
//!
//! Only keys that decide the tensors or the cache are; the many others of a real file are passed over. Keys of a single
//! family may stand in its row instead of here.

use std::collections::BTreeMap;
use std::ops::Deref;

use serde_json::Value;

use super::row::{Family, Number};
use super::rows::FAMILIES;
use super::unknown::UNKNOWN;
use super::{Named, refused};
use crate::model::{Architecture, Described};
use crate::refusal::{Expected, FieldError, ModelProblem, Problem};
use crate::schema::{Path, Schema, Strict, schema, serde_by_schema};

/// What is read of a `config.json`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HfConfig {
    keys: Keys,
    /// What stands under keys of single families' rows, as the file has it.
    own: BTreeMap<&'static str, Value>,
}

impl Deref for HfConfig {
    type Target = Keys;
    fn deref(&self) -> &Keys {
        &self.keys
    }
}

impl Schema for HfConfig {
    fn read(value: &Value, at: &Path) -> Result<HfConfig, FieldError> {
        let keys = Keys::read(value, at)?;
        let rows = FAMILIES.iter().chain([&UNKNOWN]).flat_map(|family| family.own_keys);
        let given = |key: &&'static str| Some((*key, value.get(*key).filter(|value| !value.is_null())?.clone()));
        Ok(HfConfig { keys, own: rows.filter_map(given).collect() })
    }

    fn write(&self) -> Value {
        let mut value = self.keys.write();
        for (key, given) in &self.own {
            value[*key] = given.clone();
        }
        value
    }
}

serde_by_schema!(HfConfig);

impl HfConfig {
    /// Reads the text of a `config.json`.
    ///
    /// # Errors
    /// Text that is not a JSON object (the field is then `config`), or a key whose value is of the wrong kind.
    pub fn from_json(text: &str) -> Result<Self, FieldError> {
        let value = Strict::from_text(text).map_err(|error| FieldError::new("config", Problem::Malformed(error)))?;
        Self::from_value(&value)
    }

    /// Reads a `config.json` that is already parsed.
    ///
    /// # Errors
    /// As [`HfConfig::from_json`].
    pub fn from_value(value: &Value) -> Result<Self, FieldError> {
        if value.is_object() { Self::read_keys(value) } else { Err(refused("config", ModelProblem::NoObject)) }
    }

    /// The dimensions this file describes.
    ///
    /// # Errors
    /// A family that is not known, a key that the family needs and that is missing, zero or absurdly large, heads
    /// that do not divide. The error names the key as the file writes it and what is allowed.
    pub fn architecture(&self) -> Result<Architecture, FieldError> {
        self.decoder().map(|(_, architecture)| architecture)
    }

    /// The dimensions this file describes, and what is to be said of them.
    ///
    /// # Errors
    /// As [`HfConfig::architecture`].
    pub fn describe(&self) -> Result<Described, FieldError> {
        let (family, architecture) = self.decoder()?;
        let understood = self.understood(family, &architecture);
        Ok(Described { name: family.name, architecture, understood })
    }

    fn decoder(&self) -> Result<(&'static Family, Architecture), FieldError> {
        match &self.text_config {
            None => self.decoder_inside(None),
            Some(text) => text.decoder_inside(Some(self)).map_err(|error| match error.field.as_ref() {
                "config" => error,
                field => FieldError::new(format!("text_config.{field}"), error.problem.clone()),
            }),
        }
    }

    /// What stands under the keys of a number, or that none does: then under its last key, which is the common one, or of
    /// names for the same thing under the first, which is the family's own.
    pub(super) fn given(&self, number: &Number) -> Result<Named, FieldError> {
        let mut found: Option<(&'static str, u64)> = None;
        for key in number.keys {
            let Some(value) = (key.given)(self)? else { continue };
            match found {
                None => found = Some((key.name, value)),
                Some((first, given)) if number.alike && given != value => {
                    let problem = ModelProblem::TwoNames { given, other_key: key.name, other: value };
                    return Err(refused(first, problem));
                }
                Some(_) => {}
            }
        }
        let absent = if number.alike { number.keys.first() } else { number.keys.last() };
        let absent = absent.map_or("config", |key| key.name);
        Ok(found.map_or((absent, None), |(key, value)| (key, Some(value))))
    }

    /// The same, or what the row has for a number that is left out.
    pub(super) fn number(&self, number: &Number) -> Result<Named, FieldError> {
        self.given(number).map(|(key, value)| (key, value.or(number.missing)))
    }

    /// What stands under a key of a row's own.
    pub(super) fn own<T: Schema>(&self, key: &'static str) -> Result<Option<T>, FieldError> {
        self.own.get(key).map(|value| T::read(value, &Path::ROOT.under(key))).transpose()
    }

    /// Whether something stands under a key of a row's own.
    pub(super) fn has(&self, key: &'static str) -> bool {
        self.own.contains_key(key)
    }

    /// Whether what stands there asks for something.
    pub(super) fn asks(&self, key: &'static str) -> bool {
        self.own.get(key).is_some_and(asks)
    }
}

schema! { PassedOver:
    /// The keys that every `config.json` is read for. All are optional here; [`HfConfig::architecture`] says which of them
    /// the family needs.
    #[allow(missing_docs, reason = "the names are those of the Hugging Face keys")]
    pub struct Keys {
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

        // How much of a head is rotated by its position.
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
        "interleave_moe_layer_step" interleave_moe_layer_step: u64,
        "moe_layers" moe_layers: Vec<u64>,
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
        "multi_query" multi_query: bool,
        "parallel_attn" parallel_attn: bool,
        "new_decoder_architecture" new_decoder_architecture: bool,
        "num_ln_in_parallel_attn" num_ln_in_parallel_attn: u64,
        "alibi" alibi: bool,

        // OPT's own names.
        "word_embed_proj_dim" word_embed_proj_dim: u64,
        "do_layer_norm_before" do_layer_norm_before: bool,

        // GPT-2's own names.
        "n_layer" n_layer: u64,
        "n_head" n_head: u64,
        "n_positions" n_positions: u64,

        // GPT-NeoX.
        "use_parallel_residual" use_parallel_residual: bool,

        /// The format of the checkpoint's weights.
        "quantization_config" quantization_config: QuantizationConfig,

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

    /// How positions rotate heads, as newer files have it.
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

/// Whatever stands under a key.
#[derive(Clone, Debug, PartialEq)]
pub struct Odd(pub(super) Value);

impl Odd {
    /// Whether it asks for something.
    pub(super) fn asks(&self) -> bool {
        asks(&self.0)
    }
}

/// Whether a value asks for something.
fn asks(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::Array(list) => !list.is_empty(),
        Value::Bool(true) | Value::String(_) | Value::Object(_) => true,
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
pub struct WholeOrAuto(pub(super) Option<u64>);

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

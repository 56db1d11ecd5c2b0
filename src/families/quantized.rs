//! The format that a checkpoint's own weights are in.
//!
//! Dimensions do not depend on it, and neither does what is counted: `inference.weights` alone says that. But whoever pastes
//! the file of a quantised checkpoint should be told which value of it matches.

use serde_json::Value;

use super::HfConfig;
use super::keys::{Odd, QuantizationConfig};
use crate::model::OwnFormat;
use crate::names::WeightFormat;
use crate::refusal::shortened;

impl HfConfig {
    /// The format, where the file names one.
    pub(super) fn own_format(&self) -> Option<OwnFormat> {
        let inner = || self.text_config.as_ref().and_then(|text| text.quantization_config.as_ref());
        let given = self.quantization_config.as_ref().or_else(inner)?;
        // Some tools leave an empty one behind.
        if given.is_empty() {
            return None;
        }
        Some(OwnFormat {
            method: text(&given.quant_method).map(shortened),
            further: [&given.quant_algo, &given.format].into_iter().filter_map(text).map(shortened).collect(),
            bits: number(&given.bits),
            group: number(&given.group_size),
            matching: given.matching(),
        })
    }
}

impl QuantizationConfig {
    /// The value of `inference.weights` that has the same bytes.
    fn matching(&self) -> Option<WeightFormat> {
        let (bits, group) = (number(&self.bits), number(&self.group_size));
        let is_set = |key: &Option<Odd>| key.as_ref().is_some_and(Odd::asks);
        let method = text(&self.quant_method)?;
        match (method, bits, group) {
            ("awq", Some(4), Some(128)) => Some(WeightFormat::Int4G128),
            ("gptq", Some(4), Some(128)) => Some(WeightFormat::GptqG128),
            ("gptq", Some(4), Some(32)) => Some(WeightFormat::GptqG32),
            ("fp8", ..) => match self.weight_block_size.as_ref().map(|size| &size.0) {
                None => Some(WeightFormat::Fp8),
                Some(size) if *size == serde_json::json!([128, 128]) => Some(WeightFormat::Fp8Block),
                Some(_) => None,
            },
            ("fbgemm_fp8", ..) => Some(WeightFormat::Fp8),
            ("mxfp4", ..) => Some(WeightFormat::Mxfp4),
            ("bitsandbytes", ..) if is_set(&self.load_in_8bit) => Some(WeightFormat::Int8),
            ("bitsandbytes", ..) if is_set(&self.load_in_4bit) => {
                Some(if is_set(&self.bnb_4bit_use_double_quant) { WeightFormat::Nf4Dq } else { WeightFormat::Nf4 })
            }
            ("modelopt", ..) => match text(&self.quant_algo)? {
                "FP8" => Some(WeightFormat::Fp8),
                "NVFP4" => Some(WeightFormat::Nvfp4),
                _ => None,
            },
            ("compressed-tensors", ..) => match text(&self.format)? {
                "float-quantized" => Some(WeightFormat::Fp8),
                "int-quantized" => Some(WeightFormat::Int8),
                "nvfp4-pack-quantized" => Some(WeightFormat::Nvfp4),
                _ => None,
            },
            _ => None,
        }
    }
}

fn text(key: &Option<Odd>) -> Option<&str> {
    key.as_ref()?.0.as_str()
}

fn number(key: &Option<Odd>) -> Option<i64> {
    key.as_ref().map(|odd| &odd.0).and_then(Value::as_i64)
}

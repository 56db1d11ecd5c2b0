//! The format that a checkpoint's own weights are in.
//!
//! Dimensions do not depend on it, and neither does what is counted: `inference.weights` alone says that. But whoever pastes
//! the file of a quantised checkpoint should be told which value of it matches.

use serde_json::Value;

use super::{HfConfig, Odd, QuantizationConfig};
use crate::refusal::shortened;

impl HfConfig {
    /// A sentence on the format, where the file names one.
    pub(super) fn own_format(&self) -> Option<String> {
        let inner = || self.text_config.as_ref().and_then(|text| text.quantization_config.as_ref());
        let given = self.quantization_config.as_ref().or_else(inner)?;
        // Some tools leave an empty one behind.
        if given.is_empty() {
            return None;
        }
        let method = text(&given.quant_method).unwrap_or("a method it does not name");
        let mut told = shortened(method);
        for further in [&given.quant_algo, &given.format].into_iter().filter_map(text) {
            told += &format!(", {}", shortened(further));
        }
        if let Some(bits) = number(&given.bits) {
            told += &format!(", {bits} bits");
        }
        if let Some(group) = number(&given.group_size) {
            told += &format!(", groups of {group}");
        }
        Some(match given.matching() {
            Some(format) => format!(
                "The file's own weights are quantised ({told}): set inference.weights to {format} to count them so; it is \
                 bf16 unless set."
            ),
            None => format!(
                "The file's own weights are quantised ({told}), which no value of inference.weights matches exactly; it is \
                 bf16 unless set."
            ),
        })
    }
}

impl QuantizationConfig {
    /// The value of `inference.weights` that has the same bytes.
    fn matching(&self) -> Option<&'static str> {
        let (bits, group) = (number(&self.bits), number(&self.group_size));
        let is_set = |key: &Option<Odd>| key.as_ref().is_some_and(Odd::asks);
        let method = text(&self.quant_method)?;
        match (method, bits, group) {
            ("awq", Some(4), Some(128)) => Some("int4-g128"),
            ("gptq", Some(4), Some(128)) => Some("gptq-g128"),
            ("gptq", Some(4), Some(32)) => Some("gptq-g32"),
            ("fp8", ..) => match self.weight_block_size.as_ref().map(|size| &size.0) {
                None => Some("fp8"),
                Some(size) if *size == serde_json::json!([128, 128]) => Some("fp8-block"),
                Some(_) => None,
            },
            ("fbgemm_fp8", ..) => Some("fp8"),
            ("mxfp4", ..) => Some("mxfp4"),
            ("bitsandbytes", ..) if is_set(&self.load_in_8bit) => Some("int8"),
            ("bitsandbytes", ..) if is_set(&self.load_in_4bit) => {
                Some(if is_set(&self.bnb_4bit_use_double_quant) { "nf4-dq" } else { "nf4" })
            }
            ("modelopt", ..) => match text(&self.quant_algo)? {
                "FP8" => Some("fp8"),
                "NVFP4" => Some("nvfp4"),
                _ => None,
            },
            ("compressed-tensors", ..) => match text(&self.format)? {
                "float-quantized" => Some("fp8"),
                "int-quantized" => Some("int8"),
                "nvfp4-pack-quantized" => Some("nvfp4"),
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

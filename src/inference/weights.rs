//! Served weights: which tensors a format quantises, and what a weight costs with its scales.

use crate::ledger::{Account, Entry, Rule};
use crate::model::Role;
use crate::resolve::Model;
use crate::scenario::{CacheFormat, WeightFormat};

/// Bits of a quantised weight and where its scales are.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Layout {
    /// Bits a weight of attention and MLP matrices, with scales and zero points that come in groups along a row.
    linear_bits: f64,
    /// Bits a weight of everything else.
    other_bits: f64,
    /// Scales counted by themselves.
    scales: Scales,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Scales {
    None,
    /// One fp32 scale an output channel.
    Channel,
    /// One fp32 scale a block of 128 × 128.
    Block,
}

/// The layout of a format.
///
/// AWQ with groups of 128: 4 bits, an fp16 scale and a 4-bit zero a group. NF4: 4 bits and an fp32 scale for 64
/// weights; with double quantisation an 8-bit scale for 64 and an fp32 one for 64 · 256 (QLoRA, arXiv 2305.14314,
/// section 3). FP8 and INT8: an fp32 scale an output channel; block-wise FP8: one for 128 × 128 (DeepSeek-V3, arXiv
/// 2412.19437, section 3.3).
fn layout(format: WeightFormat) -> Layout {
    let plain = |bits| Layout { linear_bits: bits, other_bits: bits, scales: Scales::None };
    let quantised = |linear_bits, scales| Layout { linear_bits, other_bits: 16.0, scales };
    match format {
        WeightFormat::Fp32 => plain(32.0),
        WeightFormat::Fp8 | WeightFormat::Int8 => quantised(8.0, Scales::Channel),
        WeightFormat::Fp8Block => quantised(8.0, Scales::Block),
        WeightFormat::Int4G128 => quantised(4.0 + (16.0 + 4.0) / 128.0, Scales::None),
        WeightFormat::Nf4 => quantised(4.0 + 32.0 / 64.0, Scales::None),
        WeightFormat::Nf4Dq => quantised(4.0 + 8.0 / 64.0 + 32.0 / (64.0 * 256.0), Scales::None),
        // Formats that are refused on resolving never come here; 16 bits is what they are made from.
        _ => plain(16.0),
    }
}

/// Bits of a quantised weight in `format`, the scales that lie along its row included.
#[must_use]
pub fn weight_bits(format: WeightFormat) -> f64 {
    layout(format).linear_bits
}

/// Bytes of one cached number. INT8 and FP8 caches have one scale a tensor, which is nothing beside them.
#[must_use]
pub fn cache_element_bytes(format: CacheFormat) -> f64 {
    match format {
        CacheFormat::Fp8 | CacheFormat::Int8 => 1.0,
        // As with weights, formats that are refused on resolving never come here.
        _ => 2.0,
    }
}

/// Weights of one rank by class.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ServedWeights {
    linear: f64,
    other: f64,
    scales: f64,
}

impl ServedWeights {
    /// The weights that one of `tensor` ranks holds in `format`.
    #[must_use]
    pub fn new(model: &Model, format: WeightFormat, tensor: u64) -> ServedWeights {
        let shape = &model.architecture;
        let ranks = tensor as f64;
        let scales = layout(format).scales;
        let mut served = ServedWeights { linear: model.extra() / ranks, ..ServedWeights::default() };
        for group in shape.tensors(shape.vocabulary) {
            let divisor = shape.parts_of(group.role, tensor);
            let local = group.parameters() as f64 / divisor;
            if !group.role.is_linear() {
                served.other += local;
                continue;
            }
            served.linear += local;
            let (rows, columns, count) = (group.rows as f64, group.columns as f64, group.count as f64);
            // Output and down are cut along their inputs: each rank keeps a scale for every output.
            let by_inputs = matches!(group.role, Role::Output | Role::MlpDown | Role::ExpertDown);
            let (rows, columns) = if by_inputs { (rows, columns / divisor) } else { (rows / divisor, columns) };
            served.scales += count
                * match scales {
                    Scales::None => 0.0,
                    Scales::Channel => rows,
                    Scales::Block => (rows / 128.0).ceil() * (columns / 128.0).ceil(),
                };
        }
        served
    }

    /// The entries of these weights in `format`.
    #[must_use]
    pub fn entries(&self, format: WeightFormat) -> [Entry; 3] {
        let layout = layout(format);
        [
            Entry::new(Account::Weights, Rule::ServedLinear, [layout.linear_bits, self.linear]),
            Entry::new(Account::Weights, Rule::ServedRest, [layout.other_bits, self.other]),
            Entry::new(Account::Weights, Rule::ServedScales, [4.0, self.scales]),
        ]
    }
}

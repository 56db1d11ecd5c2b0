//! Weight formats: which tensors each quantises, and what a stored number costs with its scales.

use crate::model::{Architecture, Role, TensorGroup};
use crate::names::WeightFormat;

/// How the numbers of one tensor are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// fp32.
    F32,
    /// bf16 or fp16.
    Half,
    /// FP8 with a scale an output channel.
    Fp8,
    /// FP8 with a scale a tile.
    Fp8Block,
    /// INT8 with a scale an output channel.
    Int8,
    /// AWQ's 4 bits in groups of 128.
    Awq128,
    /// GPTQ's 4 bits in groups of 128.
    Gptq128,
    /// GPTQ's 4 bits in groups of 32.
    Gptq32,
    /// NF4.
    Nf4,
    /// NF4 with quantised scales.
    Nf4Dq,
    /// MXFP4.
    Mxfp4,
    /// NVFP4.
    Nvfp4,
    /// ggml's `Q8_0`.
    Q8_0,
    /// ggml's `Q6_K`.
    Q6K,
    /// ggml's `Q5_K`.
    Q5K,
    /// ggml's `Q4_K`.
    Q4K,
    /// ggml's `Q3_K`.
    Q3K,
    /// ggml's `Q2_K`.
    Q2K,
    /// ggml's `Q4_0`.
    Q4_0,
    /// ggml's `Q5_0`.
    Q5_0,
    /// ggml's `Q5_1`.
    Q5_1,
}

/// What is stored beside the blocks of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scales {
    /// Nothing.
    None,
    /// An fp32 scale an output channel.
    Channel,
    /// An fp32 scale a block of 128 × 128.
    Tile,
    /// An fp32 scale a matrix.
    Tensor,
    /// A 4-byte group index an input and an fp16 zero bias an output, as GPTQ checkpoints have them.
    Gptq,
}

/// Bits of a stored number, and where its scales are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    /// Bits a number with the scales and zero points that lie along its row.
    pub bits: f64,
    /// Numbers that share a scale; a row is filled up to whole blocks.
    pub block: u64,
    /// Scales counted by themselves.
    pub scales: Scales,
}

impl Stored {
    /// Bits of a stored number and its scales.
    ///
    /// AWQ: 4 bits, an fp16 scale and a 4-bit zero a group; GPTQ the same. NF4: an fp32 scale for 64 (QLoRA, arXiv
    /// 2305.14314, section 3), or an 8-bit one for 64 and an fp32 one for 64 · 256. MXFP4: an 8-bit exponent for 32 (OCP
    /// Microscaling 1.0). NVFP4: an FP8 scale for 16 and an fp32 one a tensor. The others: block sizes of ggml.
    #[must_use]
    pub const fn layout(self) -> Layout {
        const fn plain(bits: f64) -> Layout {
            Layout { bits, block: 1, scales: Scales::None }
        }
        const fn blocks(block: u64, bytes: u64) -> Layout {
            Layout { bits: bytes as f64 * 8.0 / block as f64, block, scales: Scales::None }
        }
        const fn scaled(bits: f64, block: u64, scales: Scales) -> Layout {
            Layout { bits, block, scales }
        }
        match self {
            Stored::F32 => plain(32.0),
            Stored::Half => plain(16.0),
            Stored::Fp8 => scaled(8.0, 1, Scales::Channel),
            Stored::Fp8Block => scaled(8.0, 1, Scales::Tile),
            Stored::Int8 => scaled(8.0, 1, Scales::Channel),
            Stored::Awq128 => scaled(4.0 + (16.0 + 4.0) / 128.0, 128, Scales::None),
            Stored::Gptq128 => scaled(4.0 + (16.0 + 4.0) / 128.0, 128, Scales::Gptq),
            Stored::Gptq32 => scaled(4.0 + (16.0 + 4.0) / 32.0, 32, Scales::Gptq),
            Stored::Nf4 => scaled(4.0 + 32.0 / 64.0, 64, Scales::None),
            Stored::Nf4Dq => scaled(4.0 + 8.0 / 64.0 + 32.0 / (64.0 * 256.0), 64, Scales::None),
            Stored::Mxfp4 => scaled(4.0 + 8.0 / 32.0, 32, Scales::None),
            Stored::Nvfp4 => scaled(4.0 + 8.0 / 16.0, 16, Scales::Tensor),
            Stored::Q8_0 => blocks(32, 34),
            Stored::Q6K => blocks(256, 210),
            Stored::Q5K => blocks(256, 176),
            Stored::Q4K => blocks(256, 144),
            Stored::Q3K => blocks(256, 110),
            Stored::Q2K => blocks(256, 84),
            Stored::Q4_0 => blocks(32, 18),
            Stored::Q5_0 => blocks(32, 22),
            Stored::Q5_1 => blocks(32, 24),
        }
    }

    /// Numbers that `rows` × `columns` take up with rows filled up to whole blocks. NF4 cuts the matrix as one row.
    #[must_use]
    pub fn filled(self, rows: f64, columns: f64) -> f64 {
        let block = self.layout().block as f64;
        match self {
            Stored::Nf4 | Stored::Nf4Dq => (rows * columns / block).ceil() * block,
            _ => rows * (columns / block).ceil() * block,
        }
    }
}

/// Which tensors a format quantises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covers {
    /// All alike.
    All,
    /// The matrices of attention, MLP and experts.
    Linear,
    /// Those of the routed experts; of a model without experts, all of [`Covers::Linear`].
    Experts,
    /// A file of llama.cpp: every matrix, by the rules of its mix.
    Mix,
}

/// What a format quantises, and how. What it leaves is in 16 bits; in a mix, in 32.
#[must_use]
pub const fn of(format: WeightFormat) -> (Covers, Stored) {
    match format {
        WeightFormat::Fp32 => (Covers::All, Stored::F32),
        WeightFormat::Bf16 | WeightFormat::Fp16 => (Covers::All, Stored::Half),
        WeightFormat::Fp8 => (Covers::Linear, Stored::Fp8),
        WeightFormat::Fp8Block => (Covers::Linear, Stored::Fp8Block),
        WeightFormat::Int8 => (Covers::Linear, Stored::Int8),
        WeightFormat::Int4G128 => (Covers::Linear, Stored::Awq128),
        WeightFormat::GptqG128 => (Covers::Linear, Stored::Gptq128),
        WeightFormat::GptqG32 => (Covers::Linear, Stored::Gptq32),
        WeightFormat::Nf4 => (Covers::Linear, Stored::Nf4),
        WeightFormat::Nf4Dq => (Covers::Linear, Stored::Nf4Dq),
        WeightFormat::Nvfp4 => (Covers::Linear, Stored::Nvfp4),
        WeightFormat::Mxfp4 => (Covers::Experts, Stored::Mxfp4),
        WeightFormat::GgufF16 => (Covers::Mix, Stored::Half),
        WeightFormat::GgufQ8_0 => (Covers::Mix, Stored::Q8_0),
        WeightFormat::GgufQ6K => (Covers::Mix, Stored::Q6K),
        WeightFormat::GgufQ5KM | WeightFormat::GgufQ5KS => (Covers::Mix, Stored::Q5K),
        WeightFormat::GgufQ4KM | WeightFormat::GgufQ4KS => (Covers::Mix, Stored::Q4K),
        WeightFormat::GgufQ4_0 => (Covers::Mix, Stored::Q4_0),
        WeightFormat::GgufQ3KL | WeightFormat::GgufQ3KM => (Covers::Mix, Stored::Q3K),
        WeightFormat::GgufQ2K => (Covers::Mix, Stored::Q2K),
    }
}

/// Bits of a quantised weight in `format`, the scales that lie along its row included.
#[must_use]
pub const fn weight_bits(format: WeightFormat) -> f64 {
    of(format).1.layout().bits
}

/// How llama.cpp stores a tensor of one layer (`layer` from 0) in a mix: its quantiser's choice by name and layer, and
/// what it falls back to where a row is no whole number of blocks (`src/llama-quant.cpp` at 007dbbf).
#[must_use]
pub fn in_mix(format: WeightFormat, shape: &Architecture, group: &TensorGroup, layer: u64) -> Stored {
    let role = group.role;
    let kept = matches!(
        role,
        Role::Router | Role::SharedGate | Role::LinearConvolution | Role::IndexWeights | Role::Positions
    );
    if kept || !role.is_matrix() {
        return Stored::F32;
    }
    let (_, base) = of(format);
    let wanted = match role {
        _ if base == Stored::Half || base == Stored::Q8_0 => base,
        Role::Embedding if !shape.tied_embeddings => base,
        Role::Embedding | Role::Head => Stored::Q6K,
        _ => of_layer(format, shape, role, layer).unwrap_or(base),
    };
    let whole = |stored: Stored| group.columns.is_multiple_of(stored.layout().block);
    if whole(wanted) {
        return wanted;
    }
    let other = match wanted {
        Stored::Q4K => Stored::Q5_0,
        Stored::Q5K => Stored::Q5_1,
        Stored::Q6K => Stored::Q8_0,
        Stored::Q2K | Stored::Q3K => Stored::Q4_0,
        _ => Stored::Half,
    };
    if whole(other) { other } else { Stored::Half }
}

/// Another type than the base of the mix, for what its rules name.
fn of_layer(format: WeightFormat, shape: &Architecture, role: Role, layer: u64) -> Option<Stored> {
    use WeightFormat as W;
    let layers = shape.layers;
    let more = layer < layers / 8 || layer >= 7 * layers / 8 || (layer - layers / 8) % 3 == 2;
    let shares_much = shape.heads / shape.kv_heads >= 4;
    let eight_experts = shape.experts.is_some_and(|experts| experts.count == 8);
    let when = |condition: bool, stored: Stored| condition.then_some(stored);
    match role {
        Role::Key | Role::Value if eight_experts => Some(Stored::Q8_0),
        // Queries, keys and values of linear attention are one matrix, which counts as values do.
        Role::Value | Role::LinearInput => {
            let found = match format {
                W::GgufQ2K => Some(if shares_much { Stored::Q4K } else { Stored::Q3K }),
                W::GgufQ3KM => Some(if layer < 2 { Stored::Q5K } else { Stored::Q4K }),
                W::GgufQ3KL => Some(Stored::Q5K),
                W::GgufQ4KM | W::GgufQ5KM => when(more, Stored::Q6K),
                W::GgufQ4KS => when(layer < 4, Stored::Q5K),
                _ => None,
            };
            // The class of 70B: values are an eighth of the queries, and more bits for them cost little.
            let seventy = layers == 80 && shape.heads != shape.kv_heads;
            let narrow = matches!(found.unwrap_or(of(format).1), Stored::Q3K | Stored::Q4K);
            if seventy && narrow { Some(Stored::Q5K) } else { found }
        }
        Role::MlpDown | Role::ExpertDown | Role::SharedDown => match format {
            W::GgufQ2K => Some(Stored::Q3K),
            W::GgufQ3KM => Some(if layer < layers / 16 { Stored::Q5K } else { Stored::Q4K }),
            W::GgufQ3KL => Some(Stored::Q5K),
            W::GgufQ4KM | W::GgufQ5KM => when(more, Stored::Q6K),
            W::GgufQ4KS => when(layer < layers / 8, Stored::Q5K),
            _ => None,
        },
        Role::Output if eight_experts => {
            when(matches!(format, W::GgufQ2K | W::GgufQ3KM | W::GgufQ4KS | W::GgufQ4KM), Stored::Q5K)
        }
        Role::Output => match format {
            W::GgufQ2K => Some(Stored::Q3K),
            W::GgufQ3KM => Some(Stored::Q4K),
            W::GgufQ3KL => Some(Stored::Q5K),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_a_number_count_its_scales() {
        for (stored, bits) in [(Stored::Awq128, 4.15625), (Stored::Nf4Dq, 4.126_953_125), (Stored::Mxfp4, 4.25)] {
            assert_eq!(stored.layout().bits, bits);
        }
        for (stored, bits) in [
            (Stored::Q8_0, 8.5),
            (Stored::Q6K, 6.5625),
            (Stored::Q5K, 5.5),
            (Stored::Q4K, 4.5),
            (Stored::Q3K, 3.4375),
            (Stored::Q2K, 2.625),
            (Stored::Q4_0, 4.5),
            (Stored::Q5_0, 5.5),
            (Stored::Q5_1, 6.0),
        ] {
            assert_eq!(stored.layout().bits, bits);
        }
    }
}

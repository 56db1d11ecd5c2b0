//! The shape of a model of which only the size is known.

use std::ops::RangeInclusive;

use super::{Architecture, Further, Mlp, NormKind, QkNorm};
use crate::refusal::{FieldError, ModelProblem, Problem};

/// The parameter counts for which [`assumed_shape`] finds a decoder.
///
/// Below, the embedding of even the smallest vocabulary leaves nothing for the layers; above, no hidden size of a
/// published plan is left to lean on.
pub const ASSUMED_SHAPE_RANGE: RangeInclusive<u64> = 5_000_000..=1_000_000_000_000_000;

/// From here up the vocabulary of Llama 3, tied to the head below [`UNTIED_FROM`]; below, that of Llama 2, tied.
const LARGE_VOCABULARY_FROM: u64 = 1_000_000_000;
const LARGE_VOCABULARY: u64 = 128_256;
const SMALL_VOCABULARY: u64 = 32_000;
const UNTIED_FROM: u64 = 4_000_000_000;

/// One size of the ladder: a decoder that was built or planned, and its layers and hidden size.
struct Rung {
    parameters: f64,
    layers: f64,
    hidden: f64,
}

const fn rung(parameters: f64, layers: f64, hidden: f64) -> Rung {
    Rung { parameters, layers, hidden }
}

/// Sizes in order. Up to 1.3e9 the shapes of GPT-3's smaller models (arXiv 2005.14165, table 2.1), thinned out below;
/// then Llama 3.2, 2 and 3.1; from 5e11 the published plans of Megatron-LM (arXiv 2104.04473, table 1) and of
/// ZeRO-Infinity (arXiv 2104.07857, table 1). The first and the last continue their neighbours.
const LADDER: [Rung; 17] = [
    rung(5.0e6, 4.0, 128.0),
    rung(1.0e7, 8.0, 192.0),
    rung(3.0e7, 8.0, 384.0),
    rung(1.25e8, 12.0, 768.0),
    rung(3.5e8, 24.0, 1024.0),
    rung(7.6e8, 24.0, 1536.0),
    rung(1.24e9, 16.0, 2048.0),
    rung(3.21e9, 28.0, 3072.0),
    rung(6.74e9, 32.0, 4096.0),
    rung(8.03e9, 32.0, 4096.0),
    rung(1.302e10, 40.0, 5120.0),
    rung(7.0e10, 80.0, 8192.0),
    rung(4.05e11, 126.0, 16_384.0),
    rung(1.0e12, 128.0, 25_600.0),
    rung(1.0e13, 195.0, 65_536.0),
    rung(1.0e14, 315.0, 163_840.0),
    rung(1.0e15, 508.0, 409_600.0),
];

/// The Llama-like decoder nearest to a bare parameter count: RMSNorm, a gated MLP, at most 8 key-value heads.
///
/// Layers and hidden size are read off a ladder of known models, between two of them in proportion on a logarithmic
/// scale; the MLP's width is then solved for, so that the decoder's own count is within 1 % of `parameters`. The result
/// is an assumption and is to be shown as one.
///
/// # Errors
/// A count outside [`ASSUMED_SHAPE_RANGE`]; the field is `parameters`.
pub fn assumed_shape(parameters: u64) -> Result<Architecture, FieldError> {
    if !ASSUMED_SHAPE_RANGE.contains(&parameters) {
        let (least, most) = ASSUMED_SHAPE_RANGE.into_inner();
        let problem = ModelProblem::Range { given: parameters, least, most };
        return Err(FieldError::new("parameters", Problem::Model(problem)));
    }
    let (layers, hidden) = interpolate(parameters as f64);
    let layers = round_layers(layers);
    let hidden = round_hidden(hidden);
    let head_dim = if hidden < 3072 { 64 } else { 128 };
    let heads = hidden / head_dim;

    let mut shape = Architecture {
        family: "Llama",
        layers,
        hidden,
        heads,
        kv_heads: kv_heads(heads),
        head_dim,
        latent: None,
        mlp: Mlp::Gated,
        mlp_width: 0,
        experts: None,
        without_attention: 0,
        without_mlp: 0,
        other_mlps: 0,
        vocabulary: if parameters < LARGE_VOCABULARY_FROM { SMALL_VOCABULARY } else { LARGE_VOCABULARY },
        learned_positions: 0,
        rotary: head_dim,
        tied_embeddings: parameters < UNTIED_FROM,
        embedding_norm: false,
        head_bias: false,
        norm: NormKind::Rms,
        norms_per_layer: 2,
        qkv_bias: false,
        output_bias: false,
        mlp_bias: false,
        sinks: false,
        qk_norm: QkNorm::No,
        parallel_residual: false,
        window: None,
        linear: None,
        full_heads: None,
        borrowing: [0; 2],
        indexer: None,
        further: Further::default(),
        prediction_layers: 0,
        maximum_positions: None,
    };
    // What is left when everything but the MLP is counted is shared out over its matrices.
    let left = parameters.saturating_sub(shape.parameters());
    let parameters_per_width = 3 * hidden * layers;
    let step = width_step(parameters, parameters_per_width);
    shape.mlp_width = ((left as f64 / (parameters_per_width * step) as f64).round() as u64).max(1) * step;
    Ok(shape)
}

fn interpolate(parameters: f64) -> (f64, f64) {
    let above = LADDER.iter().position(|rung| rung.parameters >= parameters).unwrap_or(LADDER.len() - 1).max(1);
    let (low, high) = (&LADDER[above - 1], &LADDER[above]);
    let share = (parameters / low.parameters).ln() / (high.parameters / low.parameters).ln();
    let between = |low: f64, high: f64| low * (high / low).powf(share);
    (between(low.layers, high.layers), between(low.hidden, high.hidden))
}

/// Whole layers: those of a rung where the ladder comes that near, else a multiple of 4 that pipelines can divide
/// (of 2 where there are only a few).
fn round_layers(layers: f64) -> u64 {
    let step = if layers < 8.0 { 2 } else { 4 };
    match LADDER.iter().find(|rung| (rung.layers - layers).abs() < 0.5) {
        Some(rung) => rung.layers as u64,
        None => (layers / step as f64).round() as u64 * step,
    }
}

/// Whole heads, and from a hidden size of 1024 a multiple of 8 of them, so that 8 tensor ranks divide them.
fn round_hidden(hidden: f64) -> u64 {
    let grid = match hidden {
        h if h < 480.0 => 64,
        h if h < 896.0 => 256,
        h if h < 2816.0 => 512,
        _ => 1024,
    };
    (hidden / grid as f64).round() as u64 * grid
}

/// Eight, or what the heads allow: the largest power of two that divides them, and every head its own where there
/// are fewer than eight.
fn kv_heads(heads: u64) -> u64 {
    if heads < 8 { heads } else { 1 << heads.trailing_zeros().min(3) }
}

/// The coarsest step of the MLP's width, a power of two up to 256 as kernels and ranks like it, that still meets the
/// asked-for count to within half a per cent (half a step of it).
fn width_step(parameters: u64, parameters_per_width: u64) -> u64 {
    [256, 128, 64, 32, 16].into_iter().find(|step| step * parameters_per_width <= parameters / 100).unwrap_or(8)
}

//! Why a published count of parameters differs from the one derived from the dimensions.

use serde::Deserialize;

/// One part of the difference.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Difference {
    /// Parameters that the published count has more; negative where it has fewer, none where that is not known.
    pub count: Option<i64>,
    /// What they are.
    pub what: Surplus,
    /// The numbers that describe it, such as its shape.
    #[serde(default)]
    pub of: Vec<u64>,
}

/// What a published count has that the derived one has not, or why none can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Surplus {
    /// Rotary frequencies stored with the weights, of layers, each of a number.
    RotaryFrequencies,
    /// A vision tower and its projector.
    VisionTowerAndProjector,
    /// A vision tower.
    VisionTower,
    /// A SigLIP vision tower.
    SiglipVisionTower,
    /// A projector alone.
    Projector,
    /// What embeds images.
    VisionEmbedder,
    /// Buffers of a vision tower.
    VisionBuffers,
    /// What projects sound.
    AudioProjection,
    /// A scalar of each layer.
    LayerScalars,
    /// A tied head, stored a second time.
    TiedHead,
    /// A layer that predicts a further token.
    PredictionLayer,
    /// Such a layer with its own embedding and head.
    PredictionLayerWithEnds,
    /// A module that predicts several tokens, with its own embedding and head.
    PredictionModuleWithEnds,
    /// Scales of FP8 blocks.
    BlockScales,
    /// Causal masks stored with the weights, of a shape.
    CausalMasks,
    /// Attention masks stored with the weights, of a shape.
    AttentionMasks,
    /// Corrections of the router, of a shape, which the published count leaves out.
    RouterCorrections,
    /// Not explained; the number is a product of two.
    Unexplained,
    /// No exact count was published, only a round one.
    #[serde(rename = "only_175_billion")]
    Only175Billion,
    /// No published count fits.
    NoneFits,
    /// A list that has another number.
    OneList,
}

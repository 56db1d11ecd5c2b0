//! Why a published count of parameters is not the one derived from the dimensions.

use crate::model::Surplus;

pub const COUNTED: &str = "{0}: {1}";
pub const NEXT: &str = "{0}; {1}";

/// What a part of the difference is. The places are for the numbers that describe it.
pub fn surplus(surplus: Surplus) -> &'static str {
    match surplus {
        Surplus::RotaryFrequencies => "stored rotary frequencies, {0} layers × {1}",
        Surplus::VisionTowerAndProjector => "vision tower and projector",
        Surplus::VisionTower => "vision tower",
        Surplus::SiglipVisionTower => "SigLIP vision tower",
        Surplus::Projector => "projector",
        Surplus::VisionEmbedder => "vision embedder",
        Surplus::VisionBuffers => "buffers of the vision tower",
        Surplus::AudioProjection => "audio projection",
        Surplus::LayerScalars => "a scalar of each layer",
        Surplus::TiedHead => "the tied head stored again",
        Surplus::PredictionLayer => "layer that predicts a further token",
        Surplus::PredictionLayerWithEnds => {
            "layer that predicts a further token, with its own copies of embedding and head"
        }
        Surplus::PredictionModuleWithEnds => "multi-token-prediction module with its own copies of embedding and head",
        Surplus::BlockScales => "fp32 scales of 128 × 128 FP8 blocks",
        Surplus::CausalMasks => "stored causal masks, {0} × {1} × {2}",
        Surplus::AttentionMasks => "stored attention masks, {0} × {1} × {2}",
        Surplus::RouterCorrections => "corrections of the router, {0} × {1}, not counted there",
        Surplus::Unexplained => "unexplained ({0} × {1})",
        Surplus::Only175Billion => "no exact count was published, only 175 billion",
        Surplus::NoneFits => "no published count was found that fits",
        Surplus::OneList => "one list has {0}",
    }
}

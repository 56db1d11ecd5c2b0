//! Why a published count of parameters is not the one derived from the dimensions.

use crate::model::Surplus;

pub const COUNTED: &str = "{0}：{1}";
pub const NEXT: &str = "{0}；{1}";

/// What a part of the difference is. The places are for the numbers that describe it.
pub fn surplus(surplus: Surplus) -> &'static str {
    match surplus {
        Surplus::RotaryFrequencies => "一并存储的旋转位置频率，{0} 层 × {1}",
        Surplus::VisionTowerAndProjector => "视觉塔与投影层",
        Surplus::VisionTower => "视觉塔",
        Surplus::SiglipVisionTower => "SigLIP 视觉塔",
        Surplus::Projector => "投影层",
        Surplus::VisionEmbedder => "视觉嵌入层",
        Surplus::VisionBuffers => "视觉塔的缓冲区",
        Surplus::AudioProjection => "音频投影层",
        Surplus::LayerScalars => "每层一个标量",
        Surplus::TiedHead => "共享的输出头另存一份",
        Surplus::PredictionLayer => "多词元预测层",
        Surplus::PredictionLayerWithEnds => "多词元预测层，自带词嵌入与输出头的副本",
        Surplus::PredictionModuleWithEnds => "多词元预测模块，自带词嵌入与输出头的副本",
        Surplus::BlockScales => "128 × 128 FP8 分块的 FP32 缩放因子",
        Surplus::CausalMasks => "一并存储的因果掩码，{0} × {1} × {2}",
        Surplus::AttentionMasks => "一并存储的注意力掩码，{0} × {1} × {2}",
        Surplus::RouterCorrections => "路由器的校正项，{0} × {1}，公布的数未计入",
        Surplus::Unexplained => "原因不明 ({0} × {1})",
        Surplus::Only175Billion => "未公布确切数目，只称 1750 亿",
        Surplus::NoneFits => "未找到与之相符的公布数",
        Surplus::OneList => "某列表写作 {0}",
    }
}

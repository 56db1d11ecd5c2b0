//! How the cache grows with context.

use crate::answer::LayerKind;

pub const TITLE: &str = "缓存随上下文的增长（按层的类别）";
pub const WORDS: &str = "单块 GPU 的缓存随每个请求的词元数变化：{0}。";
pub const POINT: &str = "{0} 个词元时 {1}";
pub const AXIS: &str = "单块 GPU 的缓存，{0}";
pub const CONTEXT: &str = "每个请求的词元数";
pub const POOL: &str = "缓存空间：{0}";
pub const CAPTION: &str = "单块 GPU 上 {0}的缓存，单位 {1}";
pub const LAYERS: &str = "{0}，{1} 层";
pub const TOKENS_OF: &str = "词元数";
pub const ALL_KINDS: &str = "所有层";
pub const ONLY_FULL: &str = "每一层都保留每个词元：上下文翻倍，缓存翻倍。";
pub const ONLY_LATENT: &str = "每一层为每个词元保留一个窄向量：上下文翻倍缓存也翻倍，但每个向量很短。";
pub const MIXED_KINDS: &str = "窗口层到窗口大小即不再增长，线性层从不增长；其余的层随每个词元增长。";

/// A kind of layer by what it keeps.
pub fn layer_kind(kind: LayerKind) -> &'static str {
    match kind {
        LayerKind::Full => "全注意力",
        LayerKind::Windowed => "滑动窗口",
        LayerKind::Latent => "潜在向量",
        LayerKind::Linear => "线性状态",
    }
}

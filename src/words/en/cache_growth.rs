//! How the cache grows with context.

use crate::answer::LayerKind;

pub const TITLE: &str = "The cache against context, by kind of layer";
pub const WORDS: &str = "Cache on one GPU against tokens a request holds: {0}.";
pub const POINT: &str = "{1} at {0} tokens";
pub const AXIS: &str = "cache on one GPU, {0}";
pub const CONTEXT: &str = "tokens a request holds";
pub const POOL: &str = "room for cache: {0}";
pub const CAPTION: &str = "Cache on one GPU for {0}, in {1}";
pub const LAYERS: &str = "{0}, {1} layers";
pub const TOKENS_OF: &str = "tokens";
pub const ALL_KINDS: &str = "all layers";
pub const ONLY_FULL: &str = "Every layer keeps every token: twice the context is twice the cache.";
pub const ONLY_LATENT: &str =
    "Every layer keeps a narrow row for every token: twice the context is twice the cache, but a row is short.";
pub const MIXED_KINDS: &str =
    "Windowed layers stop growing at their window and linear ones never grow; what is left grows with every token.";

/// A kind of layer by what it keeps.
pub fn layer_kind(kind: LayerKind) -> &'static str {
    match kind {
        LayerKind::Full => "full attention",
        LayerKind::Windowed => "sliding window",
        LayerKind::Latent => "latent rows",
        LayerKind::Linear => "linear state",
    }
}

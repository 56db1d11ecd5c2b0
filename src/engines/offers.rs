//! What can be asked of an engine: settings, formats, and changes worth trying.

use crate::names::{CacheFormat, WeightFormat};

use crate::scenario::SettingId;

/// What can be asked of an engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offers {
    /// The product's name, which is the same in every language; none for the textbook, which each language words itself.
    pub title: Option<&'static str>,
    /// Of the settings that not every engine has, its own.
    pub has: &'static [SettingId],
    /// Formats of the weights that it loads and keeps, in groups.
    pub weights: &'static [&'static [WeightFormat]],
    /// Formats of its cache, in groups.
    pub caches: &'static [&'static [CacheFormat]],
    /// Changes worth trying.
    pub levers: Levers,
}

/// Changes to how something is served that an engine's users make.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levers {
    /// A larger share of memory than it takes by itself.
    pub fraction: Option<f64>,
    /// Fewer sequences in a batch, where its memory is sized for the most.
    pub sequences: Option<u64>,
    /// Formats of the weights that lose nothing to speak of, the widest first.
    pub wide: &'static [WeightFormat],
    /// Formats of the weights that round, the widest first.
    pub rounded: &'static [WeightFormat],
    /// A smaller format of the cache.
    pub cache: CacheFormat,
}

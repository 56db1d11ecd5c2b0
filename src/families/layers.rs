//! Which layers of a model are of which kind.

use super::row::{Family, Windows};
use super::{HfConfig, Named, dimension, limit, refused};
use crate::model::{Linear, Window};
use crate::refusal::{FieldError, ModelProblem, shortened};

/// The kinds of a model's layers.
#[derive(Clone, Debug, Default)]
pub struct Kinds {
    pub layers: u64,
    pub window: Option<Window>,
    pub linear: Option<Linear>,
    /// Layers with neither attention nor a state.
    pub without_attention: u64,
    /// Layers without an MLP or experts.
    pub without_mlp: u64,
    /// Layers with a dense MLP, of a family that has layers of nothing else.
    pub dense: u64,
    /// Layers with experts, of such a family.
    pub experts: u64,
    /// Widths of MLPs from the widest, each with the number of layers that have it, of a family that has several.
    pub widths: Vec<(u64, u64)>,
    /// Query heads that share a key-value head, where each layer says it.
    pub group: Option<u64>,
    /// Layers that use keys and values of an earlier one: of those with a window, and of those without.
    pub borrowing: [u64; 2],
}

impl Kinds {
    /// Layers with a window.
    pub fn windowed(&self) -> u64 {
        self.window.map_or(0, |window| window.layers)
    }

    /// The same where layers that borrow keys and values have an MLP of twice the width, if `wide`.
    pub fn with_wide_mlps(self, wide: bool, width: u64) -> Kinds {
        let borrowing: u64 = self.borrowing.iter().sum();
        if !wide || borrowing == 0 {
            return self;
        }
        Kinds { widths: vec![(width, self.layers - borrowing), (2 * width, borrowing)], ..self }
    }

    /// Layers with attention over past tokens.
    pub fn with_attention(&self) -> u64 {
        self.layers - self.linear.map_or(0, |linear| linear.layers) - self.without_attention
    }
}

/// As many layers as the file states, under the windows of the row.
pub fn windowed(keys: &HfConfig, family: &Family, (key, stated): Named) -> Result<Kinds, FieldError> {
    let layers = dimension(key, stated, limit::LAYERS)?;
    Ok(Kinds { layers, window: keys.window(family.windows, layers)?, ..Kinds::default() })
}

impl HfConfig {
    /// The layers with a window, and how long it is.
    fn window(&self, windows: Windows, layers: u64) -> Result<Option<Window>, FieldError> {
        let sliding = |tokens: Option<u64>, count: &dyn Fn() -> Result<u64, FieldError>| {
            tokens.map_or(Ok(None), |tokens| window("sliding_window", tokens, false, count))
        };
        // 4096 and 28 are what transformers takes for the missing keys.
        let tokens = Some(self.sliding_window.unwrap_or(4096));
        match windows {
            Windows::None => Ok(None),
            Windows::All => sliding(self.sliding_window, &|| Ok(layers)),
            Windows::Switched if self.use_sliding_window != Some(true) => Ok(None),
            Windows::Switched => sliding(tokens, &|| {
                self.named_layers(layers, "sliding_attention")
                    .unwrap_or_else(|| Ok(layers.saturating_sub(self.max_window_layers.unwrap_or(28))))
            }),
            Windows::Alternating { every } => sliding(tokens, &|| {
                self.named_layers(layers, "sliding_attention").unwrap_or_else(|| {
                    let every = self.pattern().unwrap_or(every);
                    Ok(layers - layers / dimension("sliding_window_pattern", Some(every), limit::LAYERS)?)
                })
            }),
            Windows::Told if self.attention_chunk_size.is_none() && self.use_sliding_window == Some(false) => Ok(None),
            Windows::Told => {
                let chunked = self.attention_chunk_size.is_some();
                let (key, tokens, kind) = match self.attention_chunk_size {
                    None => ("sliding_window", self.sliding_window, "sliding_attention"),
                    tokens => ("attention_chunk_size", tokens, "chunked_attention"),
                };
                let count = || match (self.named_layers(layers, kind), self.pattern()) {
                    (Some(named), _) => named,
                    (None, None) => Ok(layers),
                    (None, every) => Ok(layers - layers / dimension("sliding_window_pattern", every, limit::LAYERS)?),
                };
                tokens.map_or(Ok(None), |tokens| window(key, tokens, chunked, &count))
            }
            Windows::By(told) => told(self, layers),
        }
    }

    /// How many layers `layer_types` calls `kind`, where the file has that list.
    pub(super) fn named_layers(&self, layers: u64, kind: &str) -> Option<Result<u64, FieldError>> {
        self.layer_types.as_ref().map(|types| layers_of_kind(types, layers, kind))
    }

    /// How many layers rotate their heads by the position, where some do not: those with a 1 in `no_rope_layers`, or all
    /// but every `no_rope_layer_interval`-th.
    pub(super) fn rotating_layers(&self, layers: u64) -> Result<u64, FieldError> {
        match self.no_rope_layers.as_deref().filter(|list| !list.is_empty()) {
            Some(rotating) => Ok(rotating.iter().take(layers as usize).filter(|rotates| **rotates != 0).count() as u64),
            None => {
                let every = Some(self.no_rope_layer_interval.unwrap_or(4));
                Ok(layers - layers / dimension("no_rope_layer_interval", every, limit::LAYERS)?)
            }
        }
    }

    /// Every how many layers one sees everything, under either name of the key.
    pub(super) fn pattern(&self) -> Option<u64> {
        self.sliding_window_pattern.or(self.saved_sliding_window_pattern)
    }
}

/// A window of `tokens`, as they stand under `key`, over as many layers as `count` says.
pub fn window(
    key: &'static str,
    tokens: u64,
    chunked: bool,
    count: &dyn Fn() -> Result<u64, FieldError>,
) -> Result<Option<Window>, FieldError> {
    let tokens = dimension(key, Some(tokens), limit::POSITIONS)?;
    let layers = count()?;
    Ok((layers > 0).then_some(Window { layers, tokens, chunked }))
}

/// The refusal of a list that does not have one entry for each layer.
pub fn entries(key: &'static str, given: usize, layers: u64) -> FieldError {
    refused(key, ModelProblem::Entries { given: given as u64, layers })
}

/// Counts the layers of one kind in a list with one entry a layer; `kind` is the other one than full attention.
pub fn layers_of_kind(types: &[String], layers: u64, kind: &str) -> Result<u64, FieldError> {
    if types.len() as u64 != layers {
        return Err(entries("layer_types", types.len(), layers));
    }
    let mut found = 0;
    for (index, given) in types.iter().enumerate() {
        if given == kind {
            found += 1;
        } else if given != "full_attention" {
            let problem =
                ModelProblem::UnknownName { given: shortened(given), known: format!("full_attention, {kind}") };
            return Err(refused(format!("layer_types[{index}]"), problem));
        }
    }
    Ok(found)
}

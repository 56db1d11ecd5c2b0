//! Which layers of a model are of which kind.

use std::cmp::Reverse;

use super::super::{Family, FullHeads, Linear, ModelError, Window};
use super::recipe::{Recipe, Windows};
use super::{HfConfig, dimension, limit};
use crate::refusal::shortened;

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

impl HfConfig {
    /// The kinds of as many layers as the file states under `key`; a family that lists its layers may leave that out.
    pub(super) fn kinds(
        &self,
        family: Family,
        recipe: &Recipe,
        (key, stated): (&'static str, Option<u64>),
    ) -> Result<Kinds, ModelError> {
        if family == Family::NemotronH {
            return self.blocks_of_one_kind(stated);
        }
        let layers = dimension(key, stated, limit::LAYERS)?;
        let kinds = Kinds { layers, ..Kinds::default() };
        match family {
            Family::NemotronNas => self.thinned_blocks(kinds),
            Family::Mamba | Family::FalconMamba => {
                Ok(Kinds { linear: Some(self.state_space(layers)?), without_mlp: layers, ..kinds })
            }
            Family::Qwen3Next => Ok(Kinds { linear: self.delta_rule(layers)?, ..kinds }),
            Family::MiniMax => Ok(Kinds { linear: self.lightning(layers)?, ..kinds }),
            _ => {
                let window = self.window(recipe.windows, layers)?;
                let borrowing = if family == Family::Gemma4 { self.borrowing(layers, window)? } else { [0; 2] };
                Ok(Kinds { window, borrowing, ..kinds })
            }
        }
    }

    /// Of the last layers, which use keys and values of earlier ones, those with a window and those without.
    fn borrowing(&self, layers: u64, window: Option<Window>) -> Result<[u64; 2], ModelError> {
        let shared = self.num_kv_shared_layers.unwrap_or(0);
        if shared >= layers {
            let message = format!("{shared} is given; allowed are 0 to {}", layers - 1);
            return Err(ModelError::new("num_kv_shared_layers", message));
        }
        let every = self.sliding_window_pattern.or(self.saved_sliding_window_pattern).unwrap_or(6);
        let sees_all = |index: &u64| match &self.layer_types {
            Some(types) => types.get(*index as usize).is_none_or(|kind| kind == "full_attention"),
            None => (index + 1).is_multiple_of(every),
        };
        let full = if window.is_some() { (layers - shared..layers).filter(sees_all).count() as u64 } else { shared };
        Ok([shared - full, full])
    }

    /// Nemotron-H: every layer is a state space, attention, an MLP or experts, and nothing besides.
    fn blocks_of_one_kind(&self, stated: Option<u64>) -> Result<Kinds, ModelError> {
        let signs = |pattern: &str| pattern.chars().map(String::from).collect();
        let (key, blocks): (&str, Vec<String>) = match (&self.hybrid_override_pattern, &self.layers_block_type) {
            (Some(pattern), _) => ("hybrid_override_pattern", signs(pattern)),
            (None, Some(list)) => ("layers_block_type", list.clone()),
            (None, None) => {
                return Err(ModelError::new(
                    "hybrid_override_pattern",
                    "missing; a letter for each layer is needed: M state space, * attention, - MLP, E experts",
                ));
            }
        };
        let layers = dimension(key, Some(blocks.len() as u64), limit::LAYERS)?;
        if let Some(stated) = stated.filter(|stated| *stated != layers) {
            return Err(ModelError::new(key, format!("tells of {layers} layers; num_hidden_layers is {stated}")));
        }
        let mut kinds = Kinds { layers, ..Kinds::default() };
        let (mut spaces, mut attention) = (0, 0);
        for block in &blocks {
            *match block.as_str() {
                "M" | "mamba" | "linear_attention" => &mut spaces,
                "*" | "attention" | "full_attention" => &mut attention,
                "-" | "mlp" => &mut kinds.dense,
                "E" | "moe" => &mut kinds.experts,
                other => {
                    return Err(ModelError::new(
                        key,
                        format!(
                            "\"{}\" is not known; known are M mamba linear_attention, * attention full_attention, - mlp, E moe",
                            shortened(other)
                        ),
                    ));
                }
            } += 1;
        }
        kinds.without_attention = layers - spaces - attention;
        kinds.without_mlp = spaces + attention;
        if spaces > 0 {
            let number =
                |key, given: Option<u64>, missing| dimension(key, Some(given.unwrap_or(missing)), limit::HEADS);
            kinds.linear = Some(Linear {
                layers: spaces,
                key_heads: number("n_groups", self.n_groups, 8)?,
                value_heads: number("mamba_num_heads", self.mamba_num_heads, 128)?,
                key_dim: number("ssm_state_size", self.ssm_state_size, 128)?,
                value_dim: number("mamba_head_dim", self.mamba_head_dim, 64)?,
                kernel: self.kernel()?,
            });
        }
        Ok(kinds)
    }

    /// A network that a search has thinned out: layers without attention, MLPs of several widths.
    fn thinned_blocks(&self, mut kinds: Kinds) -> Result<Kinds, ModelError> {
        let blocks = self.block_configs.as_deref().unwrap_or_default();
        let layers = kinds.layers;
        if blocks.len() as u64 != layers {
            return Err(ModelError::new(
                "block_configs",
                format!("{} entries are given for {layers} layers; there must be one for each", blocks.len()),
            ));
        }
        let hidden = dimension("hidden_size", self.hidden_size, limit::HIDDEN)?;
        for (index, block) in blocks.iter().enumerate() {
            let at = |part: &str| format!("block_configs.{index}.{part}");
            let (attention, ffn) = (block.attention.clone().unwrap_or_default(), block.ffn.clone().unwrap_or_default());
            for (part, given) in [("attention", &attention), ("ffn", &ffn)] {
                if given.replace_with_linear == Some(true) {
                    return Err(ModelError::new(at(&format!("{part}.replace_with_linear")), "allowed is false"));
                }
            }
            if attention.no_op == Some(true) {
                kinds.without_attention += 1;
            } else {
                let key = at("attention.n_heads_in_group");
                let group = dimension(&key, attention.n_heads_in_group, limit::HEADS)?;
                if kinds.group.is_some_and(|other| other != group) {
                    let message = format!("{group} is given; allowed is what the layers before have");
                    return Err(ModelError::new(key, message));
                }
                kinds.group = Some(group);
            }
            if ffn.no_op == Some(true) {
                continue;
            }
            let key = at("ffn.ffn_mult");
            let Some(measure) = ffn.ffn_mult.filter(|measure| (0.0..=1000.0).contains(measure)) else {
                let given = ffn.ffn_mult.map_or("missing".to_owned(), |measure| format!("{measure} is given"));
                return Err(ModelError::new(key, format!("{given}; a number from 0 to 1000 is needed")));
            };
            // Two thirds of the measure, in whole steps of 256.
            let width = ((2.0 * measure * hidden as f64 / 3.0) as u64).next_multiple_of(256);
            let width = dimension(&key, Some(width), limit::MLP_WIDTH)?;
            match kinds.widths.iter_mut().find(|(other, _)| *other == width) {
                Some((_, number)) => *number += 1,
                None => kinds.widths.push((width, 1)),
            }
        }
        // The widest counts as the model's MLP, and the others beside it.
        kinds.widths.sort_unstable_by_key(|(width, _)| Reverse(*width));
        kinds.without_mlp = layers - kinds.widths.iter().map(|(_, number)| number).sum::<u64>();
        Ok(kinds)
    }

    /// Mamba: every element of the inner width is a head of its own, with as many numbers of state.
    fn state_space(&self, layers: u64) -> Result<Linear, ModelError> {
        let hidden = dimension("hidden_size", self.hidden_size, limit::HIDDEN)?;
        let expand = dimension("expand", Some(self.expand.unwrap_or(2)), 100)?;
        // Where the file has a width too, its class makes it anew from these two.
        let inner = expand * hidden;
        Ok(Linear {
            layers,
            key_heads: 0,
            value_heads: dimension("expand", Some(inner), limit::MLP_WIDTH)?,
            key_dim: dimension("state_size", Some(self.state_size.unwrap_or(16)), limit::HEAD_DIM)?,
            value_dim: 1,
            kernel: self.kernel()?,
        })
    }

    fn kernel(&self) -> Result<u64, ModelError> {
        dimension("conv_kernel", Some(self.conv_kernel.unwrap_or(4)), 1000)
    }

    /// Gated delta rules in all layers but some.
    fn delta_rule(&self, layers: u64) -> Result<Option<Linear>, ModelError> {
        let linear = match &self.layer_types {
            Some(types) => layers_of_kind(types, layers, "linear_attention")?,
            None => {
                let every = Some(self.full_attention_interval.unwrap_or(4));
                layers - layers / dimension("full_attention_interval", every, limit::LAYERS)?
            }
        };
        if linear == 0 {
            return Ok(None);
        }
        // What their classes take for missing keys.
        let number = |key, given: Option<u64>, missing, most| dimension(key, Some(given.unwrap_or(missing)), most);
        Ok(Some(Linear {
            layers: linear,
            key_heads: number("linear_num_key_heads", self.linear_num_key_heads, 16, limit::HEADS)?,
            value_heads: number("linear_num_value_heads", self.linear_num_value_heads, 32, limit::HEADS)?,
            key_dim: number("linear_key_head_dim", self.linear_key_head_dim, 128, limit::HEAD_DIM)?,
            value_dim: number("linear_value_head_dim", self.linear_value_head_dim, 128, limit::HEAD_DIM)?,
            kernel: number("linear_conv_kernel_dim", self.linear_conv_kernel_dim, 4, 1000)?,
        }))
    }

    /// Lightning attention (MiniMax-01, arXiv 2501.08313, section 2.2) in the layers that a list names: every query head has
    /// a state of its width squared, and no convolution stands before it.
    fn lightning(&self, layers: u64) -> Result<Option<Linear>, ModelError> {
        let linear = match (&self.attn_type_list, &self.layer_types) {
            (Some(list), _) if list.len() as u64 != layers => {
                let message =
                    format!("{} entries are given for {layers} layers; there must be one for each", list.len());
                return Err(ModelError::new("attn_type_list", message));
            }
            (Some(list), _) => match list.iter().find(|kind| **kind > 1) {
                Some(other) => {
                    let message = format!("{other} is not known; known are 0 linear, 1 full attention");
                    return Err(ModelError::new("attn_type_list", message));
                }
                None => list.iter().filter(|kind| **kind == 0).count() as u64,
            },
            (None, Some(types)) => layers_of_kind(types, layers, "linear_attention")?,
            (None, None) => {
                let message = "missing; a 0 (linear attention) or 1 (full) for each layer is needed";
                return Err(ModelError::new("attn_type_list", message));
            }
        };
        let hidden = dimension("hidden_size", self.hidden_size, limit::HIDDEN)?;
        let heads = dimension("num_attention_heads", self.num_attention_heads, limit::HEADS)?;
        let head_dim = dimension("head_dim", Some(self.head_dim.unwrap_or(hidden / heads)), limit::HEAD_DIM)?;
        Ok((linear > 0).then_some(Linear {
            layers: linear,
            key_heads: heads,
            value_heads: heads,
            key_dim: head_dim,
            value_dim: head_dim,
            kernel: 1,
        }))
    }

    fn window(&self, windows: Windows, layers: u64) -> Result<Option<Window>, ModelError> {
        const SLIDING: &str = "sliding_window";
        const CHUNKS: &str = "attention_chunk_size";
        // 8192, 4096 and 28 are what transformers takes for the missing keys.
        let (key, tokens) = match windows {
            Windows::None => return Ok(None),
            Windows::Chunked => (CHUNKS, Some(self.attention_chunk_size.unwrap_or(8192))),
            Windows::Told if self.attention_chunk_size.is_some() => (CHUNKS, self.attention_chunk_size),
            Windows::Told if self.use_sliding_window == Some(false) => return Ok(None),
            Windows::All | Windows::Told => (SLIDING, self.sliding_window),
            Windows::Switched if self.use_sliding_window != Some(true) => return Ok(None),
            Windows::Switched | Windows::Alternating { .. } => (SLIDING, Some(self.sliding_window.unwrap_or(4096))),
        };
        let Some(tokens) = tokens else { return Ok(None) };
        let tokens = dimension(key, Some(tokens), limit::POSITIONS)?;
        let chunked = key == CHUNKS;
        let kind = if chunked { "chunked_attention" } else { "sliding_attention" };
        let windowed = match (&self.layer_types, windows) {
            (_, Windows::None | Windows::All) => layers,
            (None, Windows::Told) => match self.sliding_window_pattern.or(self.saved_sliding_window_pattern) {
                None => layers,
                every => layers - layers / dimension("sliding_window_pattern", every, limit::LAYERS)?,
            },
            (Some(types), _) => layers_of_kind(types, layers, kind)?,
            (None, Windows::Switched) => layers.saturating_sub(self.max_window_layers.unwrap_or(28)),
            (None, Windows::Alternating { every }) => {
                let every = self.sliding_window_pattern.or(self.saved_sliding_window_pattern).unwrap_or(every);
                layers - layers / dimension("sliding_window_pattern", Some(every), limit::LAYERS)?
            }
            (None, Windows::Chunked) => match self.no_rope_layers.as_deref().filter(|list| !list.is_empty()) {
                // A 1 for a layer that turns its heads.
                Some(turns) => turns.iter().take(layers as usize).filter(|turns| **turns != 0).count() as u64,
                None => {
                    let every = Some(self.no_rope_layer_interval.unwrap_or(4));
                    layers - layers / dimension("no_rope_layer_interval", every, limit::LAYERS)?
                }
            },
        };
        Ok((windowed > 0).then_some(Window { layers: windowed, tokens, chunked }))
    }

    /// Query heads of windowed layers, and all heads of the others where those differ.
    pub(super) fn heads_by_layer(
        &self,
        family: Family,
        [heads, kv_heads, head_dim]: [u64; 3],
        windowed: u64,
    ) -> Result<(u64, Option<FullHeads>), ModelError> {
        if windowed == 0 {
            return Ok((heads, None));
        }
        match family {
            Family::Gemma4 => {
                let head_dim = self.global_head_dim.unwrap_or(512);
                // Only layers whose values are their keys have a number of heads of their own.
                let own = self.num_global_key_value_heads.filter(|_| self.attention_k_eq_v == Some(true));
                let kv_heads = dimension("num_global_key_value_heads", Some(own.unwrap_or(kv_heads)), heads)?;
                let head_dim = dimension("global_head_dim", Some(head_dim), limit::HEAD_DIM)?;
                Ok((heads, Some(FullHeads { heads, kv_heads, head_dim })))
            }
            Family::Laguna => {
                // The list gives windowed layers more heads than num_attention_heads, which is that of the others.
                let most = self.num_attention_heads_per_layer.iter().flatten().copied().max().unwrap_or(heads);
                let most = dimension("num_attention_heads_per_layer", Some(most), limit::HEADS)?;
                Ok((most, (most != heads).then_some(FullHeads { heads, kv_heads, head_dim })))
            }
            _ => Ok((heads, None)),
        }
    }
}

/// Counts the layers of one kind in a list with one entry a layer; `kind` is the other one than full attention.
fn layers_of_kind(types: &[String], layers: u64, kind: &str) -> Result<u64, ModelError> {
    if types.len() as u64 != layers {
        return Err(ModelError::new(
            "layer_types",
            format!("{} entries are given for {layers} layers; there must be one for each", types.len()),
        ));
    }
    let mut found = 0;
    for (index, given) in types.iter().enumerate() {
        if given == kind {
            found += 1;
        } else if given != "full_attention" {
            return Err(ModelError::new(
                format!("layer_types[{index}]"),
                format!("\"{}\" is not known; known are full_attention, {kind}", shortened(given)),
            ));
        }
    }
    Ok(found)
}

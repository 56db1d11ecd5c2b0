//! The dimensions that a file describes, by the row of its family.

use super::layers::Kinds;
use super::row::{Family, KvHeads, Width};
use super::unknown::UNKNOWN;
use super::{FAMILIES, HfConfig, Named, dimension, find, limit, refused};
use crate::model::{Architecture, Further, Latent, MAXIMUM_PARAMETERS};
use crate::refusal::{FieldError, ModelProblem};

impl HfConfig {
    /// The decoder of this object; `outer` is the file around it where the checkpoint has other parts.
    pub(super) fn decoder_inside(
        &self,
        outer: Option<&HfConfig>,
    ) -> Result<(&'static Family, Architecture), FieldError> {
        let family = self.family(outer)?;
        let kinds = (family.kinds)(self, family, self.number(&family.layers)?)?;
        let layers = kinds.layers;
        let (hidden_key, hidden) = self.number(&family.hidden)?;
        let hidden = dimension(hidden_key, hidden, limit::HIDDEN)?;
        let (vocabulary_key, vocabulary) = self.number(&family.vocabulary)?;
        let vocabulary = dimension(vocabulary_key, vocabulary, limit::VOCABULARY)?;
        for uncounted in family.uncounted {
            if (uncounted.asked)(self, hidden) {
                return Err(refused(uncounted.key, ModelProblem::Only { allowed: uncounted.allowed }));
            }
        }

        let heads = self.number(&family.heads)?;
        let latent = if (family.latent)(self) { Some(self.latent()?) } else { None };
        let [heads, kv_heads, head_dim] = match kinds.linear {
            // Every element of the inner width is a head.
            Some(linear) if kinds.with_attention() == 0 => [linear.value_heads, linear.value_heads, linear.value_dim],
            _ => self.heads(family, &kinds, (hidden_key, hidden), heads)?,
        };
        let (heads, full_heads) = match kinds.windowed() {
            0 => (heads, None),
            _ => (family.heads_by_layer)(self, [heads, kv_heads, head_dim])?,
        };
        let head_dim = latent.map_or(head_dim, |(head_dim, _)| head_dim);
        // Every head has keys and values of its own, spread out from the narrow vector.
        let kv_heads = if latent.is_some() { heads } else { kv_heads };
        let mlp_width = self.mlp_width(&family.mlp_width, &kinds, hidden)?;
        let kinds = kinds.with_wide_mlps(self.has_wide_mlps(), mlp_width);
        let (learned_positions, maximum_positions) = self.positions(family)?;
        let experts = match &family.mixture {
            None => None,
            Some(mixture) => self.experts(mixture, &kinds, mlp_width)?,
        };
        let experts = experts.filter(|experts| experts.dense_layers + kinds.without_mlp < layers);

        let mut architecture = Architecture {
            family: family.name,
            layers,
            hidden,
            heads,
            kv_heads,
            head_dim,
            latent: latent.map(|(_, latent)| latent),
            mlp: (family.mlp)(self),
            mlp_width,
            experts,
            without_attention: kinds.without_attention,
            without_mlp: kinds.without_mlp,
            other_mlps: kinds.widths.iter().skip(1).map(|(_, layers)| layers).sum(),
            vocabulary,
            learned_positions,
            rotary: match latent {
                Some((_, latent)) => latent.rope,
                None => self.rotary((family.rotated)(self), head_dim)?,
            },
            tied_embeddings: self
                .tie_word_embeddings
                .or(outer.and_then(|outer| outer.tie_word_embeddings))
                .unwrap_or(family.tied),
            embedding_norm: family.embedding_norm,
            head_bias: (family.head_bias)(self),
            norm: family.norm,
            norms_per_layer: (family.norms)(self),
            qkv_bias: (family.qkv_bias)(self),
            output_bias: (family.output_bias)(self),
            mlp_bias: (family.mlp_bias)(self),
            sinks: family.sinks,
            qk_norm: (family.qk_norm)(self),
            parallel_residual: (family.parallel_residual)(self),
            window: kinds.window,
            linear: kinds.linear,
            full_heads,
            borrowing: kinds.borrowing,
            indexer: (family.indexer)(self, layers)?,
            further: Further::default(),
            prediction_layers: match self.num_nextn_predict_layers {
                Some(given @ 1..) if family.predicts => {
                    dimension("num_nextn_predict_layers", Some(given), limit::LAYERS)?
                }
                _ => 0,
            },
            maximum_positions,
        };
        architecture.further = self.further(family, &architecture, &kinds)?;
        check_size(&architecture)?;
        Ok((family, architecture))
    }

    fn family(&self, outer: Option<&HfConfig>) -> Result<&'static Family, FieldError> {
        let known = || {
            let types: Vec<_> = FAMILIES.iter().flat_map(|family| family.model_types).copied().collect();
            types.join(", ")
        };
        let model_type = self.model_type.as_ref().or(outer.and_then(|outer| outer.model_type.as_ref()));
        let Some(model_type) = model_type else {
            return Err(refused("model_type", ModelProblem::NoFamily { known: known() }));
        };
        match find(model_type) {
            Some(family) => Ok(family),
            None => self.check_unknown(outer, model_type, &known).map(|()| &UNKNOWN),
        }
    }

    /// Query heads, key-value heads and the width of a head.
    fn heads(
        &self,
        family: &Family,
        kinds: &Kinds,
        (hidden_key, hidden): (&'static str, u64),
        (heads_key, heads): Named,
    ) -> Result<[u64; 3], FieldError> {
        let heads = dimension(heads_key, heads, limit::HEADS)?;
        let ((key, given), missing) = match &family.kv_heads {
            KvHeads::Given(number) => (self.given(number)?, number.missing),
            KvHeads::Told(told) => (told(self, kinds, heads)?, None),
        };
        let kv_heads = dimension(key, Some(given.or(missing).unwrap_or(heads)), limit::HEADS)?;
        if heads % kv_heads != 0 {
            let problem = ModelProblem::KvHeads { kv_heads, default: given.is_none(), heads, heads_key };
            return Err(refused(key, problem));
        }
        let head_dim = match self.head_dim.or(self.attention_head_dim).or(family.head_dim) {
            // The keys of latent attention say it instead.
            _ if (family.latent)(self) => 0,
            Some(given) => dimension("head_dim", Some(given), limit::HEAD_DIM)?,
            None if hidden % heads == 0 => hidden / heads,
            None => return Err(refused(heads_key, ModelProblem::HeadWidth { heads, hidden, hidden_key })),
        };
        Ok([heads, kv_heads, head_dim])
    }

    /// Latent attention, and the width of a query or key head.
    fn latent(&self) -> Result<(u64, Latent), FieldError> {
        let nope = dimension("qk_nope_head_dim", self.qk_nope_head_dim, limit::HEAD_DIM)?;
        let rope = dimension("qk_rope_head_dim", self.qk_rope_head_dim, limit::HEAD_DIM)?;
        let query_rank = match self.q_lora_rank {
            None => 0,
            given => dimension("q_lora_rank", given, limit::HIDDEN)?,
        };
        let latent = Latent {
            query_rank,
            rank: dimension("kv_lora_rank", self.kv_lora_rank, limit::HIDDEN)?,
            rope,
            value: dimension("v_head_dim", self.v_head_dim, limit::HEAD_DIM)?,
        };
        Ok((nope + rope, latent))
    }

    /// Whether layers that borrow keys and values have wider MLPs; where there are experts they do not.
    fn has_wide_mlps(&self) -> bool {
        self.use_double_wide_mlp == Some(true) && self.enable_moe_block != Some(true)
    }

    /// Inner width of the dense MLP; where every layer has experts, that of one of them.
    fn mlp_width(&self, width: &Width, kinds: &Kinds, hidden: u64) -> Result<u64, FieldError> {
        let (key, width) = match width {
            Width::Given(number) => self.number(number)?,
            Width::OrHidden(number, times) => {
                self.number(number).map(|(key, width)| (key, width.or(Some(times * hidden))))?
            }
            Width::Hidden(times) => ("hidden_size", Some(times * hidden)),
            Width::OfLayers => ("block_configs", kinds.widths.first().map(|(width, _)| *width).or(Some(1))),
        };
        dimension(key, width, limit::MLP_WIDTH)
    }

    /// Rows of the learned table of positions, and the longest sequence the file says the model is made for.
    fn positions(&self, family: &Family) -> Result<(u64, Option<u64>), FieldError> {
        let Some(positions) = &family.positions else { return Ok((0, None)) };
        let (key, positions) = self.number(positions)?;
        let learned = family.learned_positions;
        // A learned table is made of parameters: without its length the count would be wrong.
        let must_be_there = learned.is_some_and(|table| table.missing.is_none());
        let positions = match positions {
            None if !must_be_there => None,
            given => Some(dimension(key, given, limit::POSITIONS)?),
        };
        let rows = learned.map_or(0, |table| positions.or(table.missing).unwrap_or(0) + table.before);
        Ok((rows, positions))
    }

    /// Width of the part of a head of `head_dim` that is rotated by its position; `missing` is the share of the head where
    /// no key says it.
    fn rotary(&self, missing: f64, head_dim: u64) -> Result<u64, FieldError> {
        if missing == 0.0 {
            return Ok(0);
        }
        let newer = self.rope_parameters.as_ref().and_then(|rope| rope.partial_rotary_factor);
        let (key, given) = match (newer, self.partial_rotary_factor, self.rotary_pct) {
            (Some(share), ..) => ("rope_parameters.partial_rotary_factor", share),
            (_, Some(share), _) => ("partial_rotary_factor", share),
            (.., Some(share)) => ("rotary_pct", share),
            _ => ("partial_rotary_factor", missing),
        };
        if !(0.0..=1.0).contains(&given) {
            return Err(refused(key, ModelProblem::Share { given }));
        }
        Ok((head_dim as f64 * given) as u64)
    }
}

/// Refuses a model so large that counting it in bytes would leave the range of a 64-bit number. Each dimension already lies
/// within its limit.
fn check_size(shape: &Architecture) -> Result<(), FieldError> {
    let parameters: u128 = shape
        .tensors(shape.vocabulary)
        .chain(shape.prediction_tensors())
        .map(|group| u128::from(group.rows) * u128::from(group.columns) * u128::from(group.count))
        .sum();
    if parameters > u128::from(MAXIMUM_PARAMETERS) {
        return Err(refused("config", ModelProblem::TooLarge { parameters, most: MAXIMUM_PARAMETERS }));
    }
    Ok(())
}

//! The experts of a mixture, and which layers have them.

use super::layers::Kinds;
use super::row::{Dense, ExpertWidth, Mixture, Number, Shared};
use super::{HfConfig, dimension, limit, refused};
use crate::model::Experts;
use crate::refusal::{FieldError, ModelProblem};

impl HfConfig {
    /// The experts of a mixture; `mlp_width` is the width of the dense MLP, and in Mixtral that of an expert.
    pub(super) fn experts(
        &self,
        mixture: &Mixture,
        kinds: &Kinds,
        mlp_width: u64,
    ) -> Result<Option<Experts>, FieldError> {
        if !(mixture.when)(self, kinds) {
            return Ok(None);
        }
        let sized = |number: &Number, most| self.number(number).and_then(|(key, value)| dimension(key, value, most));
        let (count_key, count) = self.number(&mixture.count)?;
        let count = dimension(count_key, count, limit::EXPERTS)?;
        let (chosen_key, chosen) = self.number(&mixture.per_token)?;
        let per_token = dimension(chosen_key, chosen, limit::EXPERTS)?;
        if per_token > count {
            return Err(refused(chosen_key, ModelProblem::TooFewExperts { per_token, count, count_key }));
        }
        let width = match &mixture.width {
            ExpertWidth::OfMlp => mlp_width,
            ExpertWidth::Given(number) => sized(number, limit::MLP_WIDTH)?,
            ExpertWidth::OrOfMlp(number) => sized(&Number { missing: Some(mlp_width), ..*number }, limit::MLP_WIDTH)?,
        };
        let (shared_width, shared_gate) = match &mixture.shared {
            Shared::None => (0, false),
            Shared::One => (width, false),
            Shared::Mlp => (mlp_width, false),
            Shared::Width { width, gate } => (sized(width, limit::MLP_WIDTH)?, *gate),
            Shared::Experts(experts) => (self.shared_width(experts, width)?, false),
            Shared::WidthOrExperts(given, experts) => {
                let together = self.shared_width(experts, width)?;
                match self.number(given)? {
                    (_, None | Some(0)) => (together, false),
                    (key, given) => (dimension(key, given, limit::MLP_WIDTH)?, false),
                }
            }
        };
        let (dense_layers, interleaved) = match mixture.dense {
            Dense::Never => (0, false),
            Dense::Kinds => (kinds.dense, true),
            Dense::Layers(dense) => {
                let dense = dense(self, kinds.layers)?;
                let number = dense.iter().filter(|dense| **dense).count();
                // Where these are not the first ones, they count as spread evenly.
                (number as u64, !dense[..number].iter().all(|dense| *dense))
            }
        };
        let router_bias = (mixture.router_bias)(self);
        Ok(Some(Experts { count, per_token, width, shared_width, shared_gate, router_bias, dense_layers, interleaved }))
    }

    /// The width together of as many shared experts as stand under a key, each of `width`.
    fn shared_width(&self, experts: &Number, width: u64) -> Result<u64, FieldError> {
        let (key, shared) = self.number(experts)?;
        let shared = match shared {
            None | Some(0) => 0,
            shared => dimension(key, shared, limit::EXPERTS)?,
        };
        if shared * width > limit::MLP_WIDTH {
            let problem = ModelProblem::SharedWidth { shared, width, most: limit::MLP_WIDTH };
            return Err(refused(key, problem));
        }
        Ok(shared * width)
    }
}

/// The first layers are dense, as many as `first_k_dense_replace` or `missing` says; from there on every layer whose index
/// is a multiple of `moe_layer_freq` has experts.
pub fn first_dense(keys: &HfConfig, layers: u64, missing: u64) -> Result<Vec<bool>, FieldError> {
    let first = keys.first_k_dense_replace.unwrap_or(missing.min(layers));
    if first > layers {
        return Err(refused("first_k_dense_replace", ModelProblem::FirstDense { given: first, layers }));
    }
    let every = dimension("moe_layer_freq", Some(keys.moe_layer_freq.unwrap_or(1)), limit::LAYERS)?;
    Ok((0..layers).map(|index| index < first || !index.is_multiple_of(every)).collect())
}

/// Layers of a Qwen mixture whose MLP is dense: those that are named, and all but every `decoder_sparse_step`-th.
pub fn dense_between(keys: &HfConfig, layers: u64) -> Result<Vec<bool>, FieldError> {
    let step = dimension("decoder_sparse_step", Some(keys.decoder_sparse_step.unwrap_or(1)), limit::LAYERS)?;
    let named = keys.mlp_only_layers.as_deref().unwrap_or_default();
    all_below("mlp_only_layers", named, layers)?;
    Ok((0..layers).map(|index| named.contains(&index) || !(index + 1).is_multiple_of(step)).collect())
}

/// Refuses a list of layers that names one which is not there.
pub fn all_below(key: &'static str, named: &[u64], layers: u64) -> Result<(), FieldError> {
    match named.iter().find(|index| **index >= layers) {
        Some(given) => Err(refused(key, ModelProblem::Range { given: *given, least: 0, most: layers - 1 })),
        None => Ok(()),
    }
}

//! The experts of a mixture, and which layers have them.

use super::super::{Experts, Family, ModelError};
use super::layers::Kinds;
use super::{HfConfig, dimension, limit};

impl HfConfig {
    /// The experts of a mixture; `mlp_width` is the width of the dense MLP, and in Mixtral that of an expert.
    pub(super) fn experts(&self, family: Family, kinds: &Kinds, mlp_width: u64) -> Result<Option<Experts>, ModelError> {
        let layers = kinds.layers;
        let missing = self.missing(family);
        let (count_key, count) = match family {
            Family::Mixtral | Family::GptOss => ("num_local_experts", self.num_local_experts),
            Family::MiniMax => ("num_local_experts", self.num_local_experts),
            Family::Phimoe | Family::Llama4 | Family::MiniMaxM2 => {
                ("num_local_experts", self.num_local_experts.or(missing.count))
            }
            Family::Qwen2Moe | Family::Qwen3Moe | Family::Olmoe | Family::Laguna | Family::HunyuanMoe => {
                ("num_experts", self.num_experts)
            }
            // A dense one says so by its type, or by no experts.
            Family::Qwen3Next if self.num_experts != Some(0) && self.num_experts.or(missing.count).is_some() => {
                ("num_experts", self.num_experts.or(missing.count))
            }
            Family::Gemma4 if self.enable_moe_block == Some(true) => ("num_experts", self.num_experts),
            Family::Deepseek
            | Family::DeepseekV2
            | Family::DeepseekV3
            | Family::DeepseekV32
            | Family::GlmDsa
            | Family::Glm4Moe
            | Family::Dots1 => ("n_routed_experts", self.n_routed_experts),
            Family::NemotronH if kinds.experts > 0 => ("n_routed_experts", self.n_routed_experts.or(missing.count)),
            // Under whichever name; none of them, or none at all, of a dense model.
            Family::Unknown => match (self.num_experts, self.num_local_experts, self.n_routed_experts) {
                (given @ Some(1..), ..) => ("num_experts", given),
                (_, given @ Some(1..), _) => ("num_local_experts", given),
                (.., given @ Some(1..)) => ("n_routed_experts", given),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let count = dimension(count_key, count, limit::EXPERTS)?;
        let (chosen_key, chosen) = match family {
            Family::Gemma4 => ("top_k_experts", self.top_k_experts),
            Family::HunyuanMoe => ("moe_topk", self.moe_topk),
            _ => ("num_experts_per_tok", self.num_experts_per_tok.or(missing.per_token)),
        };
        let per_token = dimension(chosen_key, chosen, limit::EXPERTS)?;
        if per_token > count {
            return Err(ModelError::new(
                chosen_key,
                format!("{per_token} is given; a token can meet at most the {count} experts of {count_key}"),
            ));
        }
        let simple = Experts {
            count,
            per_token,
            width: mlp_width,
            shared_width: 0,
            shared_gate: false,
            router_bias: matches!(
                family,
                Family::DeepseekV3
                    | Family::DeepseekV32
                    | Family::GlmDsa
                    | Family::Glm4Moe
                    | Family::GptOss
                    | Family::Laguna
                    | Family::NemotronH
                    | Family::Dots1
                    | Family::MiniMaxM2
            ) || family == Family::Unknown && self.moe_router_enable_expert_bias == Some(true),
            dense_layers: kinds.dense,
            interleaved: family == Family::NemotronH,
        };
        if matches!(
            family,
            Family::Mixtral | Family::Phimoe | Family::Olmoe | Family::GptOss | Family::MiniMax | Family::MiniMaxM2
        ) {
            return Ok(Some(simple));
        }
        if family == Family::Llama4 {
            // The shared expert is as wide as a routed one.
            let width = self.intermediate_size.unwrap_or(8192);
            let width = dimension("intermediate_size", Some(width), limit::MLP_WIDTH)?;
            let simple = Experts { width, shared_width: width, ..simple };
            return Ok(Some(simple.in_layers(layers, self.mixture_of_llama(layers)?)));
        }
        let width = match family {
            Family::Unknown | Family::HunyuanMoe => self.moe_intermediate_size.or(Some(mlp_width)),
            _ => self.moe_intermediate_size.or(missing.width),
        };
        let width = dimension("moe_intermediate_size", width, limit::MLP_WIDTH)?;
        let simple = Experts { width, ..simple };
        match family {
            Family::NemotronH => {
                let shared = self.moe_shared_expert_intermediate_size.unwrap_or(7688);
                let key = "moe_shared_expert_intermediate_size";
                let shared_width = dimension(key, Some(shared), limit::MLP_WIDTH)?;
                return Ok(Some(Experts { shared_width, ..simple }));
            }
            // The dense MLP stands beside the experts of every layer, and every token meets it.
            Family::Gemma4 => return Ok(Some(Experts { shared_width: mlp_width, ..simple })),
            Family::Qwen3Moe => return Ok(Some(simple.in_layers(layers, self.mixture_of_qwen(layers)?))),
            Family::Laguna => {
                let shared_width = self.shared_width_of(family)?;
                let kinds = self.mlp_layer_types.as_deref().unwrap_or_default();
                let dense = |index: u64| kinds.get(index as usize).is_some_and(|kind| kind == "dense");
                return Ok(Some(Experts { shared_width, ..simple }.in_layers(layers, dense)));
            }
            Family::Qwen2Moe | Family::Qwen3Next => {
                let shared_width = self.shared_width_of(family)?;
                let mixture = Experts { shared_width, shared_gate: true, ..simple };
                return Ok(Some(mixture.in_layers(layers, self.mixture_of_qwen(layers)?)));
            }
            _ => {}
        }
        let (shared_key, shared) = match (family, self.n_shared_experts, self.num_shared_experts) {
            (Family::HunyuanMoe, ..) => ("num_shared_expert", self.num_shared_expert),
            (Family::Unknown, None, given @ Some(_)) => ("num_shared_experts", given),
            (_, given, _) => ("n_shared_experts", given),
        };
        let shared = match shared.unwrap_or(missing.shared) {
            0 => 0,
            shared => dimension(shared_key, Some(shared), limit::EXPERTS)?,
        };
        if shared * width > limit::MLP_WIDTH {
            return Err(ModelError::new(
                shared_key,
                format!("{shared} of {width} each is given; allowed are {} in all", limit::MLP_WIDTH),
            ));
        }
        let shared_width = match (family, self.shared_expert_intermediate_size) {
            (Family::Unknown, Some(width @ 1..)) => {
                dimension("shared_expert_intermediate_size", Some(width), limit::MLP_WIDTH)?
            }
            _ => shared * width,
        };
        let first = self.first_k_dense_replace.unwrap_or(missing.dense.min(layers));
        if first > layers {
            return Err(ModelError::new(
                "first_k_dense_replace",
                format!("{first} is given; allowed are 0 to the {layers} of num_hidden_layers"),
            ));
        }
        let every = dimension("moe_layer_freq", Some(self.moe_layer_freq.unwrap_or(1)), limit::LAYERS)?;
        // From the first on, every layer whose index is a multiple has experts.
        let dense = |index: u64| index < first || !index.is_multiple_of(every);
        Ok(Some(Experts { shared_width, ..simple }.in_layers(layers, dense)))
    }

    /// What the family's configuration class takes for numbers that are left out, where it takes any that a file of its
    /// does leave out.
    fn missing(&self, family: Family) -> Missing {
        let none = Missing::default();
        let mixture = |count, per_token| Missing { count: Some(count), per_token: Some(per_token), ..none };
        match family {
            Family::Phimoe => mixture(16, 2),
            Family::Llama4 => mixture(16, 1),
            Family::NemotronH => Missing { width: Some(7688), ..mixture(8, 2) },
            // Three types share the family, one of them without experts.
            Family::Qwen3Next => match self.model_type.as_deref() {
                Some("qwen3_next") => Missing { width: Some(512), ..mixture(512, 10) },
                Some("qwen3_5_moe_text" | "qwen3_5_moe") => Missing { width: Some(512), ..mixture(256, 8) },
                _ => none,
            },
            Family::MiniMaxM2 => mixture(256, 8),
            // Its class always has one; the model's own files say so too.
            Family::HunyuanMoe => Missing { shared: 1, ..none },
            Family::DeepseekV2 => Missing { shared: 2, ..none },
            Family::DeepseekV3 | Family::DeepseekV32 | Family::GlmDsa => Missing { shared: 1, dense: 3, ..none },
            Family::Glm4Moe => Missing { shared: 1, dense: 1, ..none },
            _ => none,
        }
    }

    fn shared_width_of(&self, family: Family) -> Result<u64, ModelError> {
        // What transformers takes for the missing key.
        let missing = if family == Family::Qwen2Moe { 5632 } else { 512 };
        let shared = self.shared_expert_intermediate_size.unwrap_or(missing);
        dimension("shared_expert_intermediate_size", Some(shared), limit::MLP_WIDTH)
    }

    /// Layers of a Qwen mixture whose MLP is dense: those that are named, and all but every `decoder_sparse_step`-th.
    fn mixture_of_qwen(&self, layers: u64) -> Result<impl Fn(u64) -> bool, ModelError> {
        let step = dimension("decoder_sparse_step", Some(self.decoder_sparse_step.unwrap_or(1)), limit::LAYERS)?;
        let named = self.mlp_only_layers.as_deref().unwrap_or_default();
        all_below("mlp_only_layers", named, layers)?;
        Ok(move |index: u64| named.contains(&index) || !(index + 1).is_multiple_of(step))
    }

    /// Layers of Llama 4 whose MLP is dense: all but those named, or but every `interleave_moe_layer_step`-th.
    fn mixture_of_llama(&self, layers: u64) -> Result<impl Fn(u64) -> bool, ModelError> {
        let step = Some(self.interleave_moe_layer_step.unwrap_or(1));
        let step = dimension("interleave_moe_layer_step", step, limit::LAYERS)?;
        let named = self.moe_layers.as_deref();
        all_below("moe_layers", named.unwrap_or_default(), layers)?;
        Ok(move |index: u64| {
            !named.map_or((index + 1).is_multiple_of(step), |with_experts| with_experts.contains(&index))
        })
    }
}

/// Numbers for keys that are left out.
#[derive(Clone, Copy, Debug, Default)]
struct Missing {
    count: Option<u64>,
    per_token: Option<u64>,
    width: Option<u64>,
    /// Shared experts.
    shared: u64,
    /// First layers with a dense MLP.
    dense: u64,
}

impl Experts {
    /// The same in layers of which `dense` tells whether their MLP is dense. Where these are not the first ones, they
    /// count as spread evenly.
    fn in_layers(self, layers: u64, dense: impl Fn(u64) -> bool) -> Experts {
        let dense_layers = (0..layers).filter(|index| dense(*index)).count() as u64;
        let interleaved = (0..dense_layers).any(|index| !dense(index));
        Experts { dense_layers, interleaved, ..self }
    }
}

/// Refuses a list of layers that names one which is not there.
fn all_below(key: &str, named: &[u64], layers: u64) -> Result<(), ModelError> {
    match named.iter().find(|index| **index >= layers) {
        Some(index) => Err(ModelError::new(key, format!("{index} is given; allowed are 0 to {}", layers - 1))),
        None => Ok(()),
    }
}

//! Training frameworks: what each does unless told otherwise, one file each.
//!
//! `textbook` gives the well-known figures and adds nothing of its own; the others start from what public code and public
//! measurements of the framework show. Every default can be overridden by the scenario.

mod axolotl;
mod deepspeed;
mod hf_trainer;
mod megatron_core;
pub mod overhead;
mod pytorch_fsdp2;
pub mod reached;
mod textbook;
mod torchtune;

use crate::names::{Kernels, Loss, RecipeName, Sharding, names};

macro_rules! frameworks {
    ($($value:ident = $name:literal in $file:ident;)+) => {
        names! {
            /// A profile of defaults: what a training framework does unless told otherwise.
            Framework { $($value = $name),+ }
        }

        impl Framework {
            /// Its defaults.
            #[must_use]
            pub fn profile(self) -> &'static Profile {
                match self { $(Framework::$value => &$file::PROFILE),+ }
            }
        }
    };
}

frameworks! {
    Textbook = "textbook" in textbook;
    MegatronCore = "megatron-core" in megatron_core;
    PytorchFsdp2 = "pytorch-fsdp2" in pytorch_fsdp2;
    DeepSpeed = "deepspeed" in deepspeed;
    HfTrainer = "hf-trainer" in hf_trainer;
    Torchtune = "torchtune" in torchtune;
    Axolotl = "axolotl" in axolotl;
}

/// Reserved over allocated memory: what a framework's allocator was seen to hold beyond what tensors use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slack {
    /// Least seen.
    pub low: f64,
    /// Usual.
    pub usual: f64,
    /// Most seen.
    pub high: f64,
}

impl Slack {
    const fn new(low: f64, usual: f64, high: f64) -> Slack {
        Slack { low, usual, high }
    }
}

/// Flat buckets of collectives, in elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Buckets {
    /// Of one bucket for gradients, or for updated weights.
    pub elements: f64,
    /// Most weights that stay whole at once with ZeRO-3.
    pub live: f64,
    /// Most that are fetched ahead.
    pub prefetched: f64,
}

/// The defaults of one framework.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profile {
    /// Whose they are.
    pub framework: Framework,
    /// The product's name, which is the same in every language; none for the textbook, which each language words itself.
    pub title: Option<&'static str>,
    /// What its kernels reach of a GPU's peaks.
    pub reached: &'static reached::Kernels,
    /// Bytes a parameter.
    pub recipe: RecipeName,
    /// Kernels of a layer.
    pub kernels: Kernels,
    /// Loss.
    pub loss: Loss,
    /// What the data-parallel ranks share out, on several GPUs.
    pub sharding: Sharding,
    /// The same on a single GPU.
    pub sharding_alone: Sharding,
    /// The same with a pipeline, where that takes another.
    pub sharding_in_pipeline: Option<Sharding>,
    /// Whether gradients stay allocated between steps; else they come into being during backward.
    pub gradients_stay: bool,
    /// Whether gradients go to host memory with the optimiser states that they update.
    pub gradients_follow_states: bool,
    /// Whether the 16-bit logits are still referenced while the loss is computed.
    pub logits_referenced: bool,
    /// Bytes an attention score that eager attention keeps: 2 for a 16-bit softmax, 6 where it is computed in fp32 and
    /// cast.
    pub score_bytes: f64,
    /// Whether eager attention repeats keys and values to all heads.
    pub repeats_keys_values: bool,
    /// Flat buckets of collectives and limits on what is whole, where a framework works by them instead of by layers.
    pub buckets: Option<Buckets>,
    /// Whether gathered weights are dropped after forward where a pipeline brings many micro-batches.
    pub reshards_in_pipeline: bool,
    /// Whether libraries, device context and communicators are counted.
    pub counts_overhead: bool,
    /// Reserved over allocated.
    pub slack: Slack,
    /// The same with compiled kernels, where it was seen to differ.
    pub slack_compiled: Option<Slack>,
}

impl Profile {
    /// Reserved over allocated with these kernels.
    #[must_use]
    pub fn slack_with(&self, kernels: Kernels) -> Slack {
        self.slack_compiled.filter(|_| kernels == Kernels::Compiled).unwrap_or(self.slack)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Name;

    #[test]
    fn every_profile_is_listed_under_its_own_framework() {
        for framework in Framework::ALL {
            assert_eq!(framework.profile().framework, *framework);
        }
    }
}

//! Rules of the field: where each was read, how much stands behind it, and the numbers that trigger it.

use crate::decimal::fixed;
use crate::ledger::grouped;
use crate::names::{Name, Recompute, Sharding};
use crate::units::{Bytes, Seconds};

/// How much stands behind a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// Two or more independent sources.
    Several,
    /// One source.
    One,
}

/// What a rule says. `{0}`, `{1}` … are places for the numbers that triggered it.
struct Text {
    id: &'static str,
    grade: Grade,
    source: &'static str,
    says: &'static str,
    /// Sources that do otherwise, and why that may be right.
    but: Option<&'static str>,
}

macro_rules! heuristics {
    ($($name:ident = $id:literal, $grade:ident, $source:literal, $says:literal, $but:expr;)+) => {
        /// A rule of the field.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Heuristic { $(#[doc = $says] $name),+ }

        impl Heuristic {
            /// Every rule, in the order in which they are checked.
            pub const ALL: &'static [Heuristic] = &[$(Heuristic::$name),+];

            fn text(self) -> &'static Text {
                match self {
                    $(Heuristic::$name => &Text {
                        id: $id, grade: Grade::$grade, source: $source, says: $says, but: $but,
                    }),+
                }
            }
        }
    };
}

heuristics! {
    TensorInNode = "tensor_in_node", Several,
        "Narayanan et al. 2021, arXiv 2104.04473, section 3; NeMo's performance guide; Ultra-Scale Playbook: 43 % of the throughput lost from 8 to 16 nodes by tensor parallelism, 14 % by a pipeline",
        "tensor parallelism over {0} GPUs leaves the node of {1}: every layer waits for the network, {2} of the step",
        None;
    TensorTooNarrow = "tensor_too_narrow", Several,
        "Ultra-Scale Playbook; jax-ml/scaling-book: communication over computation is (t − 1) ÷ 2h · FLOP/s ÷ bandwidth",
        "tensor parallelism over {0} GPUs waits {1} of the step: a hidden size of {2} is narrow for so many",
        None;
    TensorForASmallModel = "tensor_for_a_small_model", One,
        "Ultra-Scale Playbook: below 10B one kind of parallelism on one node is enough",
        "{0} parameters fit a GPU of this node without being split by tensor parallelism over {1}",
        None;
    PipelineBubble = "pipeline_bubble", Several,
        "Narayanan et al. 2021, arXiv 2104.04473, section 2.2; Qi et al. 2023, arXiv 2401.10241",
        "{0} micro-batches over {1} stages leave a bubble of {2} of the step; four micro-batches a stage keep it below a quarter",
        None;
    ShardedPipeline = "sharded_pipeline", Several,
        "DeepSpeed's documentation; Ultra-Scale Playbook: gradients or weights travel with every micro-batch",
        "{0} with a pipeline moves {1} a step through the data-parallel ranks; ZeRO-1 moves it once",
        Some("Llama 3 and torchtitan do combine them, with weights kept whole between micro-batches or with few of those");
    ShardingExposed = "sharding_exposed", Several,
        "jax-ml/scaling-book; Ultra-Scale Playbook: hidden where tokens a GPU exceed FLOP/s over bandwidth",
        "gathering and scattering {0} waits {1} of the step: {2} tokens a micro-batch are too few to hide it",
        None;
    AccumulatedSharding = "accumulated_sharding", Several,
        "stas00/ml-engineering; arXiv 1910.02054, section 7: stage 3 moves three times the weights for each micro-batch",
        "{0} micro-batches gather the weights {0} times a step; larger ones gather them less often",
        None;
    ShardWithinNode = "shard_within_node", Several,
        "arXiv 2304.11277, section 3.2.2; ZeRO++, arXiv 2306.10209: a model that fits a node need not be gathered across nodes",
        "the state, {0}, fits a node of {1} GPUs, and gathering across nodes waits {2} of the step",
        None;
    LongRing = "long_ring", Several,
        "Ultra-Scale Playbook, sweep over 2 to 64 nodes; arXiv 2104.04473, table 2",
        "a ring of {0} GPUs starts {1} collectives a step: {2} of the step goes into their length, not into bytes",
        None;
    RecomputesTooMuch = "recomputes_too_much", Several,
        "Korthikanti et al. 2022, arXiv 2205.05198, section 5: full recomputation costs a third of the products, selective a few per cent",
        "{0} recomputation is not needed: with less of it the peak is {1} of {2}",
        None;
    SelectiveInstead = "selective_instead", Several,
        "Korthikanti et al. 2022, arXiv 2205.05198, section 4",
        "full recomputation repeats every product; selective keeps all but attention's core and fits as well",
        None;
    ExpertsInNode = "experts_in_node", Several,
        "NeMo's performance guide; DeepSeek-V3, arXiv 2412.19437, section 3.2: across nodes only with kernels made for it",
        "experts over {0} GPUs exchange tokens across nodes of {1}: {2} of the step",
        Some("DeepSeek-V3 spreads them over 64 GPUs, with a schedule that computes while tokens travel");
    ContextForLength = "context_for_length", One,
        "NeMo's performance guide: context parallelism where the sequence exceeds the hidden size or activations do not fit",
        "sequences of {0} tokens keep {1} of activations on a GPU; context parallelism splits them",
        None;
    PairOfAMesh = "pair_of_a_mesh", One,
        "stas00/ml-engineering: 47.7 GB/s between two MI300X, 312.9 among eight",
        "{0} GPUs of a mesh use {0} − 1 of its seven links each; a group of eight uses all",
        None;
    GradientsIn16Bits = "gradients_in_16_bits", One,
        "NeMo's performance guide: from 128 data-parallel ranks on add gradients up in fp32",
        "gradients of {0} ranks are added up in 16 bits, which rounds small ones away",
        None;
    CheckpointTooSlow = "checkpoint_too_slow", Several,
        "Young 1974; Kokolis et al. 2024, arXiv 2410.21680",
        "writing a checkpoint takes {0}, more than a tenth of the best interval of {1}: {2} of the time is lost",
        None;
    ServingWaits = "serving_waits", Several,
        "aiconfigurator's tables of custom all-reduces; vLLM issues 689 and 1873: eight ranks slower than four",
        "over {0} tensor ranks a decode step waits {1} for all-reduces; fewer ranks and more replicas serve more",
        None;
}

impl Heuristic {
    /// The name of the rule, as it stands in the report.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.text().id
    }

    /// How much stands behind it.
    #[must_use]
    pub fn grade(self) -> Grade {
        self.text().grade
    }

    /// Where it was read.
    #[must_use]
    pub fn source(self) -> &'static str {
        self.text().source
    }

    /// What it says in English, with places for the numbers.
    #[must_use]
    pub fn says(self) -> &'static str {
        self.text().says
    }

    /// What speaks against it in English, where sources disagree.
    #[must_use]
    pub fn but(self) -> Option<&'static str> {
        self.text().but
    }
}

/// A number that triggered a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figure {
    /// Things counted.
    Count(f64),
    /// Bytes.
    Bytes(Bytes),
    /// Seconds.
    Seconds(Seconds),
    /// A share of a whole.
    Share(f64),
    /// A stage of sharding.
    Sharding(Sharding),
    /// A kind of recomputation.
    Recompute(Recompute),
}

impl Figure {
    /// In English, whatever the page's units are.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            Figure::Count(count) => grouped(&fixed(count, 0)),
            Figure::Bytes(bytes) => [&fixed(bytes.gigabytes(), 1), " GB"].concat(),
            Figure::Seconds(seconds) => [&fixed(seconds.0, 3), " s"].concat(),
            Figure::Share(share) => [&fixed(100.0 * share, 0), " %"].concat(),
            Figure::Sharding(sharding) => sharding.name().to_owned(),
            Figure::Recompute(recompute) => recompute.name().to_owned(),
        }
    }
}

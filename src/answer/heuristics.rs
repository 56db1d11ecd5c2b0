//! Rules of the field: where each was read, how much stands behind it, and the numbers that trigger it. What they say
//! is in the words of each language.

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

/// What stands behind a rule.
struct Row {
    id: &'static str,
    grade: Grade,
    source: &'static str,
}

macro_rules! heuristics {
    ($($name:ident = $id:literal, $grade:ident, $source:literal;)+) => {
        /// A rule of the field.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Heuristic { $(#[doc = concat!("`", $id, "`")] $name),+ }

        impl Heuristic {
            /// Every rule, in the order in which they are checked.
            pub const ALL: &'static [Heuristic] = &[$(Heuristic::$name),+];

            fn row(self) -> &'static Row {
                match self {
                    $(Heuristic::$name => &Row { id: $id, grade: Grade::$grade, source: $source }),+
                }
            }
        }
    };
}

heuristics! {
    TensorInNode = "tensor_in_node", Several,
        "Narayanan et al. 2021, arXiv 2104.04473, section 3; NeMo's performance guide; Ultra-Scale Playbook: 43 % of the throughput lost from 8 to 16 nodes by tensor parallelism, 14 % by a pipeline";
    TensorTooNarrow = "tensor_too_narrow", Several,
        "Ultra-Scale Playbook; jax-ml/scaling-book: communication over computation is (t − 1) ÷ 2h · FLOP/s ÷ bandwidth";
    TensorForASmallModel = "tensor_for_a_small_model", One,
        "Ultra-Scale Playbook: below 10B one kind of parallelism on one node is enough";
    PipelineBubble = "pipeline_bubble", Several,
        "Narayanan et al. 2021, arXiv 2104.04473, section 2.2; Qi et al. 2023, arXiv 2401.10241";
    ShardedPipeline = "sharded_pipeline", Several,
        "DeepSpeed's documentation; Ultra-Scale Playbook: gradients or weights travel with every micro-batch";
    ShardingExposed = "sharding_exposed", Several,
        "jax-ml/scaling-book; Ultra-Scale Playbook: hidden where tokens a GPU exceed FLOP/s over bandwidth";
    AccumulatedSharding = "accumulated_sharding", Several,
        "stas00/ml-engineering; arXiv 1910.02054, section 7: stage 3 moves three times the weights for each micro-batch";
    ShardWithinNode = "shard_within_node", Several,
        "arXiv 2304.11277, section 3.2.2; ZeRO++, arXiv 2306.10209: a model that fits a node need not be gathered across nodes";
    LongRing = "long_ring", Several,
        "Ultra-Scale Playbook, sweep over 2 to 64 nodes; arXiv 2104.04473, table 2";
    RecomputesTooMuch = "recomputes_too_much", Several,
        "Korthikanti et al. 2022, arXiv 2205.05198, section 5: full recomputation costs a third of the products, selective a few per cent";
    SelectiveInstead = "selective_instead", Several,
        "Korthikanti et al. 2022, arXiv 2205.05198, section 4";
    ExpertsInNode = "experts_in_node", Several,
        "NeMo's performance guide; DeepSeek-V3, arXiv 2412.19437, section 3.2: across nodes only with kernels made for it";
    ContextForLength = "context_for_length", One,
        "NeMo's performance guide: context parallelism where the sequence exceeds the hidden size or activations do not fit";
    PairOfAMesh = "pair_of_a_mesh", One,
        "stas00/ml-engineering: 47.7 GB/s between two MI300X, 312.9 among eight";
    GradientsIn16Bits = "gradients_in_16_bits", One,
        "NeMo's performance guide: from 128 data-parallel ranks on add gradients up in fp32";
    CheckpointTooSlow = "checkpoint_too_slow", Several,
        "Young 1974; Kokolis et al. 2024, arXiv 2410.21680";
    ServingWaits = "serving_waits", Several,
        "aiconfigurator's tables of custom all-reduces; vLLM issues 689 and 1873: eight ranks slower than four";
}

impl Heuristic {
    /// The name of the rule, as it stands in the report.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.row().id
    }

    /// How much stands behind it.
    #[must_use]
    pub fn grade(self) -> Grade {
        self.row().grade
    }

    /// Where it was read.
    #[must_use]
    pub fn source(self) -> &'static str {
        self.row().source
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
            Figure::Count(count) => grouped(&format!("{count:.0}")),
            Figure::Bytes(bytes) => format!("{:.1} GB", bytes.gigabytes()),
            Figure::Seconds(seconds) => format!("{:.3} s", seconds.0),
            Figure::Share(share) => format!("{:.0} %", 100.0 * share),
            Figure::Sharding(sharding) => sharding.name().to_owned(),
            Figure::Recompute(recompute) => recompute.name().to_owned(),
        }
    }
}

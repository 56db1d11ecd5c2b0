//! Rules of thumb of the field that speak against a layout.

use crate::answer::Heuristic;

pub const BUT: &str = "{0}; {1}";
pub const HEADING: &str = "What the field would say";
pub const NO_RULES: &str = "None of the rules of thumb that are checked speaks against this layout.";
pub const EFFECT: &str = "{0}: a step of {1} instead of {2}, peak {3}";
pub const LESS: &str = "{0} lower";
pub const MORE: &str = "{0} higher";
pub const SAME: &str = "the same";
pub const SOURCE: &str = "{0} ({1})";
pub const SEVERAL_SOURCES: &str = "several sources";
pub const ONE_SOURCE: &str = "one source";

/// What a rule says. `{0}`, `{1}` … are places for the numbers that triggered it.
pub fn rule_of_thumb(rule: Heuristic) -> &'static str {
    match rule {
        Heuristic::TensorInNode => {
            "tensor parallelism over {0} GPUs leaves the node of {1}: every layer waits for the network, {2} of the step"
        }
        Heuristic::TensorTooNarrow => {
            "tensor parallelism over {0} GPUs waits {1} of the step: a hidden size of {2} is narrow for so many"
        }
        Heuristic::TensorForASmallModel => {
            "{0} parameters fit a GPU of this node without being split by tensor parallelism over {1}"
        }
        Heuristic::PipelineBubble => {
            "{0} micro-batches over {1} stages leave a bubble of {2} of the step; four micro-batches a stage keep it below a quarter"
        }
        Heuristic::ShardedPipeline => {
            "{0} with a pipeline moves {1} a step through the data-parallel ranks; ZeRO-1 moves it once"
        }
        Heuristic::ShardingExposed => {
            "gathering and scattering {0} waits {1} of the step: {2} tokens a micro-batch are too few to hide it"
        }
        Heuristic::AccumulatedSharding => {
            "{0} micro-batches gather the weights {0} times a step; larger ones gather them less often"
        }
        Heuristic::ShardWithinNode => {
            "the state, {0}, fits a node of {1} GPUs, and gathering across nodes waits {2} of the step"
        }
        Heuristic::LongRing => {
            "a ring of {0} GPUs starts {1} collectives a step: {2} of the step goes into their length, not into bytes"
        }
        Heuristic::RecomputesTooMuch => "{0} recomputation is not needed: with less of it the peak is {1} of {2}",
        Heuristic::SelectiveInstead => {
            "full recomputation repeats every product; selective keeps all but attention's core and fits as well"
        }
        Heuristic::ExpertsInNode => "experts over {0} GPUs exchange tokens across nodes of {1}: {2} of the step",
        Heuristic::ContextForLength => {
            "sequences of {0} tokens keep {1} of activations on a GPU; context parallelism splits them"
        }
        Heuristic::PairOfAMesh => "{0} GPUs of a mesh use {0} − 1 of its seven links each; a group of eight uses all",
        Heuristic::GradientsIn16Bits => "gradients of {0} ranks are added up in 16 bits, which rounds small ones away",
        Heuristic::CheckpointTooSlow => {
            "writing a checkpoint takes {0}, more than a tenth of the best interval of {1}: {2} of the time is lost"
        }
        Heuristic::ServingWaits => {
            "over {0} tensor ranks a decode step waits {1} for all-reduces; fewer ranks and more replicas serve more"
        }
    }
}

/// What sources say that do otherwise, where some do.
pub fn rule_of_thumb_but(rule: Heuristic) -> Option<&'static str> {
    match rule {
        Heuristic::ShardedPipeline => Some(
            "but Llama 3 and torchtitan do combine them, with weights kept whole between micro-batches or with few of those",
        ),
        Heuristic::ExpertsInNode => {
            Some("but DeepSeek-V3 spreads them over 64 GPUs, with a schedule that computes while tokens travel")
        }
        Heuristic::TensorInNode
        | Heuristic::TensorTooNarrow
        | Heuristic::TensorForASmallModel
        | Heuristic::PipelineBubble
        | Heuristic::ShardingExposed
        | Heuristic::AccumulatedSharding
        | Heuristic::ShardWithinNode
        | Heuristic::LongRing
        | Heuristic::RecomputesTooMuch
        | Heuristic::SelectiveInstead
        | Heuristic::ContextForLength
        | Heuristic::PairOfAMesh
        | Heuristic::GradientsIn16Bits
        | Heuristic::CheckpointTooSlow
        | Heuristic::ServingWaits => None,
    }
}

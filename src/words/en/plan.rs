//! The view Plan.

use crate::answer::Term;

pub const NAME: &str = "Plan";
pub const ASKS: &str = "Tries every way to train {0} on {1} ({2}), {3} tokens a sequence and {4} sequences a step: data, tensor, pipeline, context and expert parallelism, sharding, recomputation, micro-batch. What fits is ranked by the time of a step.";
pub const ASKS_WITHOUT_BATCH: &str = "Tries every way to train {0} on {1} ({2}): data, tensor, pipeline, context and expert parallelism, sharding, recomputation, micro-batch. What fits is ranked by the time of a step.";
pub const FIND: &str = "Find the fastest layouts";
pub const FIND_AGAIN: &str = "Search again";
pub const EVERY_SCHEDULE: &str = "also try the schedules ZB1P, ZBV and DualPipe";
pub const JUDGING: &str = "Layouts judged";
pub const JUDGED_OF: &str = "{0} of {1} layouts";
pub const STOP: &str = "Cancel";
pub const STOPPED: &str = "Cancelled after {0} of {1} layouts: the best of those.";
pub const FAILED: &str = "The planner could not be loaded. Try again, or reload the page.";
pub const COUNTED: &str = "{0} layouts: {1} do not divide, {2} do not fit, {3} were ruled out by a bound on their time, {4} were timed in full.";
pub const OUTDATED: &str = "These are the plans of an earlier question; search again for the present one.";
pub const NOTHING_FITS: &str = "No layout fits on these GPUs.";
pub const NOTHING_DIVIDES: &str =
    "No layout is possible: the model, the batch and the GPUs do not divide, or two settings contradict each other.";
pub const PLANS: &str = "Layouts that fit, fastest first";
pub const WHY_FIRST: &str = "Why the first: a step is {0} shorter than with the second ({1}).";
pub const WHY_EQUAL: &str = "The first two take equally long.";
pub const LESS: &str = "{0} {1} less";
pub const MORE: &str = "{0} {1} more";
pub const DATA: &str = "data";
pub const TENSOR: &str = "tensor";
pub const PIPELINE: &str = "pipeline";
pub const CONTEXT: &str = "context";
pub const EXPERT: &str = "expert";
pub const SHARDING: &str = "sharding";
pub const RECOMPUTE: &str = "recompute";
pub const MICRO_BATCH: &str = "micro-batch";
pub const THROUGHPUT: &str = "tokens/s/GPU";
pub const PEAK: &str = "peak";
pub const HEADROOM: &str = "headroom";
pub const STAGES: &str = "{0}, {1}";
pub const STAGES_OF_CHUNKS: &str = "{0}, interleaved × {1}";
pub const NOW: &str = "as set";
pub const APPLY_LAYOUT: &str = "Apply: {0}";
pub const BACKWARDS: &str = "The other way round";
pub const SEARCHING: &str = "searching …";
pub const FEWEST_GPUS: &str = "Fewest GPUs, any layout";
pub const LONGEST_SEQUENCE: &str = "Longest sequence on these GPUs, any layout";
pub const LONGEST_HERE: &str = "Longest sequence, layout as set";
pub const LARGEST_HERE: &str = "Largest micro-batch, layout as set";
pub const HIDING_NETWORK: &str = "Network that hides the communication, layout as set";
pub const ON_GPUS: &str = "{0}: {1}; a step takes {2}, peak {3}";
pub const OF_TOKENS: &str = "{0} tokens: {1}; a step takes {2}, peak {3}";
pub const OF_MOST_TOKENS: &str = "{0} tokens and more, the most that is tried: {1}; a step takes {2}, peak {3}";
pub const TOKENS: &str = "{0} tokens";
pub const SEQUENCES: &str = "{0} sequences";
pub const NO_NUMBER: &str = "none of the numbers tried is enough: 256 from the fewest that could hold the state";
pub const NO_SEQUENCE: &str = "not even 128 tokens fit";
pub const DOES_NOT_FIT: &str = "it does not fit";
pub const NO_LAYOUT: &str = "the layout as set is impossible";
pub const HIDES: &str =
    "{0} a GPU: exposed communication falls from {1} to {2} a step; what is left no bandwidth hides";
pub const HIDES_ALREADY: &str =
    "the present one: {0} a step stay exposed, and more bandwidth saves less than 1 % of a step";
pub const DATA_OF: &str = "data {0}";
pub const TENSOR_OF: &str = "tensor {0}";
pub const PIPELINE_OF: &str = "pipeline {0}";
pub const CONTEXT_OF: &str = "context {0}";
pub const EXPERT_OF: &str = "expert {0}";
pub const NOTE: &str = "Times are those of the ledger: optimistic, and close layouts may change places on real machines. Layers that do not divide are spread so that the end stages hold fewer.";

/// A part of the time of a step, within a sentence.
pub fn term(term: Term) -> &'static str {
    match term {
        Term::Compute => "compute",
        Term::Exposed => "exposed communication",
        Term::Bubble => "pipeline bubble",
        Term::Optimizer => "optimiser",
    }
}

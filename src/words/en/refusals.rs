//! Why a value was refused.

use crate::refusal::{Contradiction, DivisionRule, Expected, Given, LinkProblem, Problem};

pub const OF_FIELD: &str = "{0}: {1}";
pub const NOT_A_NUMBER: &str = "“{0}” is not a number; allowed: {1}";
pub const NOT_JSON: &str = "This is not JSON: {0}";
pub const EXAMPLE_PARAMETERS: &str = "7b, 70 B, 1e9, 1,000,000";
pub const EXAMPLE_TOKENS: &str = "8k (8,192), 131072, 1,000,000";
pub const EXAMPLE_COUNT: &str = "a whole number, such as 8";
pub const EXAMPLE_SHARE: &str = "a share from 0 to 1, such as 0.1";
pub const EXAMPLE_FACTOR: &str = "a factor, such as 1.25";
pub const EXAMPLE_BYTES: &str = "bytes, such as 8 GiB, 8GB or 8,589,934,592";

/// What is wrong with a value: what was given and what is allowed.
pub fn problem(problem: &Problem) -> String {
    match problem {
        Problem::Range { given, least, most, whole } => {
            let kind = if *whole { "a whole number" } else { "a number" };
            format!("given {given}; allowed: {kind} from {least} to {most}")
        }
        Problem::Unknown { given, allowed } => format!("given \"{given}\"; allowed: {allowed}"),
        Problem::Only { given, with, values } => {
            let with = with.rsplit('.').next().unwrap_or(with);
            format!("given {given}; allowed with {with} {values} only")
        }
        Problem::NotYet { given } => format!("given {given}; not supported yet"),
        Problem::Divides { given, rule, other, nearest } if nearest.is_empty() => {
            format!("given {given}; allowed: {}", division(*rule, *other))
        }
        Problem::Divides { given, rule, other, nearest } => {
            let nearest: Vec<String> = nearest.iter().map(u64::to_string).collect();
            format!("given {given}; allowed: {}; nearest: {}", division(*rule, *other), nearest.join(", "))
        }
        Problem::Needed { rule, other } => format!("missing; allowed: {}", division(*rule, *other)),
        Problem::Missing { least, most } => format!("missing; allowed: a number from {least} to {most}"),
        Problem::Contradiction { given, with } => format!("given {given}; allowed: {}", contradiction(*with)),
        Problem::Kind { given, expected: allowed } => {
            format!("given {}; allowed: {}", self::given(given), expected(*allowed))
        }
        Problem::UnknownField { given, allowed } => format!("unknown field `{given}`; allowed: {allowed}"),
        Problem::Link(why) => link(*why).to_owned(),
        Problem::Model(problem) => super::pasted_model::refused(problem),
        Problem::Malformed(text) => text.clone(),
    }
}

/// A division rule with the other number put in.
pub fn division(rule: DivisionRule, other: u64) -> String {
    match rule {
        DivisionRule::GpusByModelParallel => {
            format!("a multiple of tensor × pipeline × context = {other} (what is left over is data parallel)")
        }
        DivisionRule::HeadsByTensor => format!("a divisor of the {other} attention heads"),
        DivisionRule::KeyValueHeadsByTensor => format!("a divisor or a multiple of the {other} key-value heads"),
        DivisionRule::MlpWidthByTensor => format!("a divisor of the MLP width {other}"),
        DivisionRule::SequenceByTensor => {
            format!("a multiple of the {other} tensor ranks, over which sequence parallelism splits it")
        }
        DivisionRule::SequenceByContext => {
            format!("a multiple of {other}, the context ranks (times the tensor ranks that split it further)")
        }
        DivisionRule::HeadsByContext => {
            format!("what, times the tensor ranks, divides the {other} attention heads, as ulysses splits them")
        }
        DivisionRule::GlobalBatchByMicroBatch => {
            format!("a multiple of data-parallel size × micro-batch = {other}")
        }
        DivisionRule::ShardGroup => format!("a divisor of data-parallel × context ranks = {other}"),
        DivisionRule::LayersByStages => {
            format!("a divisor of the {other} layers, unless layers_per_stage says what each stage holds")
        }
        DivisionRule::LayersByChunks => {
            format!("stages × chunks a stage must divide the {other} layers, unless layers_per_stage is given")
        }
        DivisionRule::LayersInAll => format!("numbers that add up to the {other} layers of the model"),
        DivisionRule::EntriesByStages => format!("one number for each of the {other} stages"),
        DivisionRule::EvenStages => "an even number: dualpipe sends micro-batches from both ends".to_owned(),
        DivisionRule::MicroBatchesByStages => {
            format!("a multiple of data-parallel size × micro-batch × stages = {other} (interleaving sends groups)")
        }
        DivisionRule::MicroBatchesBothWays => {
            format!("an even multiple of data-parallel size × micro-batch, at least {other} (dualpipe has two ends)")
        }
        DivisionRule::ExpertsByExpert if other == 0 => "1, as this model has no experts".to_owned(),
        DivisionRule::ExpertsByExpert => format!("a divisor of the {other} experts"),
        DivisionRule::RanksByExpert => {
            format!("a divisor of tensor × context × data ÷ expert_tensor = {other} and of the experts")
        }
        DivisionRule::ServingRanksByExpert => {
            format!("a divisor of the experts and of GPUs ÷ pipeline = {other}, and a divisor or a multiple of tensor")
        }
        DivisionRule::ExpertWidthByExpertTensor => format!("a divisor of the width {other} of an expert"),
        DivisionRule::GpusByExpertTensor => {
            format!("a divisor of tensor × context × data = {other} and of the width of an expert")
        }
    }
}

/// What is allowed beside a choice that was made, and why.
pub fn contradiction(with: Contradiction) -> String {
    let text = match with {
        Contradiction::EmptyList => "one number for each stage, or none at all for even stages",
        Contradiction::EvenByCapacity => "1 with expert_capacity, which gives all ranks as many tokens",
        Contradiction::NothingRecomputed => "0 with recompute \"none\"",
        Contradiction::NotGathered => "that with sharding \"zero3\" alone, else none, optimizer",
        Contradiction::ZeroPlusWithout => "that with sharding \"zero3\" alone",
        Contradiction::BaseNotQuantised => "none with kind \"lora\", whose base is not quantised",
        Contradiction::OwnSlots => "0 unless kv_unified: slots of llama.cpp share a prefix with that only",
        Contradiction::NoLatents => "latent: this model has no latent attention to expand",
        Contradiction::NoRate => "an object with at least one of bf16, fp16, fp32 in FLOP/s",
        Contradiction::FusedAlone(optimizer) => {
            return format!("fused with optimizer \"{}\"", optimizer);
        }
        Contradiction::AddsUp(micro_batches) => {
            return format!("false where the gradients of {micro_batches} micro-batches are added up");
        }
        Contradiction::Chunks(schedule, chunks) => {
            return format!("{chunks} with schedule \"{}\"; \"interleaved\" has more chunks", schedule);
        }
        Contradiction::BlocksOfHead(block, width) => {
            return format!("a format whose blocks fill a head of {width}; its blocks of {block} do not");
        }
    };
    text.to_owned()
}

/// Why a link cannot be read.
pub fn link(why: LinkProblem) -> &'static str {
    match why {
        LinkProblem::NotPairs => "a link is made of path=value, joined by &",
        LinkProblem::TooDeep => "no path of a scenario has so many parts",
        LinkProblem::ValueAndParts => "given both a value and parts of its own",
        LinkProblem::Twice => "given twice",
        LinkProblem::Percent => "% must be followed by two hexadecimal digits",
        LinkProblem::NotUtf8 => "not UTF-8",
        LinkProblem::NoReader => "the part of the page that reads links did not arrive; reload the page to try again",
    }
}

/// A JSON value that was given.
pub fn given(given: &Given) -> &str {
    match given {
        Given::List => "a list",
        Given::Object => "an object",
        Given::Value(value) => value,
    }
}

/// What is allowed in a place.
pub fn expected(expected: Expected) -> String {
    let text = match expected {
        Expected::OneOf(names) => return names.join(", "),
        Expected::List => "a list",
        Expected::Object => "an object",
        Expected::Boolean => "true or false",
        Expected::Number => "a number",
        Expected::WholeNumber => "a whole number, not negative",
        Expected::WholeNumberOrAuto => "a whole number, or \"auto\"",
        Expected::Text => "text",
        Expected::Gpu => "a GPU of the catalogue, or an object with memory_bytes, bandwidth, peak_flops",
        Expected::Link => "a link of the catalogue, or an object with bandwidth, latency, efficiency",
        Expected::Recipe => "the name of a recipe, or an object with weights, gradients, master, momentum, variance",
        Expected::Model => "{\"parameters\": count}, an id of the catalogue, or the keys of a config.json",
        Expected::AdapterTargets => "attention, all_linear, or a list of module names",
    };
    text.to_owned()
}

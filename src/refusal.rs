//! What is wrong with a question: the field, what was given, what is allowed.

mod pasted;

use std::borrow::Cow;
use std::ops::Deref;

pub use pasted::ModelProblem;

/// A refused field. Its text names the field, what was given and what is allowed.
///
/// On the heap, so that the hundred readers that may refuse something answer in a word instead of copying it along.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldError(Box<Refusal>);

/// What a [`FieldError`] says.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The path of the field, as in `training.tensor`; empty for the scenario as a whole.
    pub field: Cow<'static, str>,
    /// What is wrong with it.
    pub problem: Problem,
}

/// Why a field was refused, as data, so that the page can say it in either language.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// A number outside its range, or with a fraction where only whole numbers are meant.
    Range {
        /// The number given.
        given: f64,
        /// The least allowed.
        least: f64,
        /// The most allowed.
        most: f64,
        /// Whether only whole numbers are allowed.
        whole: bool,
    },
    /// A name that is none of the allowed ones.
    Unknown {
        /// The name given.
        given: String,
        /// The allowed names.
        allowed: String,
    },
    /// A value that the schema has and the ledger does not account for yet.
    NotYet {
        /// The value given.
        given: String,
    },
    /// A value that means something only with some values of another setting.
    Only {
        /// The value given.
        given: String,
        /// The path of the other setting.
        with: &'static str,
        /// Its values that go with the given one.
        values: String,
    },
    /// A number that must divide another, or be divided by it, and does not.
    Divides {
        /// The number given.
        given: u64,
        /// The rule it breaks.
        rule: DivisionRule,
        /// The other number of the rule.
        other: u64,
        /// The nearest values that work.
        nearest: Vec<u64>,
    },
    /// A number whose default breaks a rule, so that it has to be given.
    Needed {
        /// The rule.
        rule: DivisionRule,
        /// The other number of the rule.
        other: u64,
    },
    /// A number that has to be given and is not.
    Missing {
        /// The least allowed.
        least: f64,
        /// The most allowed.
        most: f64,
    },
    /// A choice that another one, or the model, leaves no room for.
    Contradiction {
        /// The value given.
        given: Cow<'static, str>,
        /// What it meets.
        with: Contradiction,
    },
    /// A value of another kind than the schema has there.
    Kind {
        /// What was given.
        given: Given,
        /// What is allowed.
        expected: Expected,
    },
    /// A field that the schema does not have.
    UnknownField {
        /// Its name.
        given: String,
        /// The names it has there.
        allowed: String,
    },
    /// A link that cannot be read.
    Link(LinkProblem),
    /// What is wrong with a pasted `config.json`.
    Model(ModelProblem),
    /// Text that is not what the schema has there; the reader's own words.
    Malformed(String),
}

/// Why a link cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkProblem {
    /// A part is no `path=value`.
    NotPairs,
    /// A path has more parts than any field.
    TooDeep,
    /// A path has both a value and parts of its own.
    ValueAndParts,
    /// A path has two values.
    Twice,
    /// A `%` without two hexadecimal digits behind it.
    Percent,
    /// The bytes are not UTF-8.
    NotUtf8,
    /// The part of the program that reads links could not be fetched.
    NoReader,
}

/// A JSON value that was given.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// A list.
    List,
    /// An object.
    Object,
    /// Another value as it is written, shortened.
    Value(String),
}

/// What the schema has in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A list.
    List,
    /// An object.
    Object,
    /// `true` or `false`.
    Boolean,
    /// A number.
    Number,
    /// A whole number that is not negative.
    WholeNumber,
    /// A whole number, or `"auto"`.
    WholeNumberOrAuto,
    /// Text.
    Text,
    /// One of some names.
    OneOf(&'static [&'static str]),
    /// A GPU: its name in the catalogue, or its figures.
    Gpu,
    /// A link: its name in the catalogue, or its figures.
    Link,
    /// A recipe: its name, or its bytes a parameter.
    Recipe,
    /// A model: a parameter count, its name in the catalogue, or a `config.json`.
    Model,
    /// What adapters are put on.
    AdapterTargets,
}

/// What a choice contradicts, and what is left to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contradiction {
    /// A list, where given, has an entry for each stage.
    EmptyList,
    /// A capacity gives all ranks as many tokens.
    EvenByCapacity,
    /// Nothing is recomputed.
    NothingRecomputed,
    /// Parameters can lie in host memory only where each layer's are gathered.
    NotGathered,
    /// ZeRO++ is ZeRO-3 with less traffic.
    ZeroPlusWithout,
    /// What a step of this optimiser, by its name, allocates beside its state is not known unless it is fused.
    FusedAlone(&'static str),
    /// Gradients of this many micro-batches are added up.
    AddsUp(u64),
    /// The frozen weights of plain adapters are not quantised.
    BaseNotQuantised,
    /// A schedule, by its name, and the chunks of layers that each stage holds with it.
    Chunks(&'static str, u64),
    /// Slots of llama.cpp have caches of their own.
    OwnSlots,
    /// The model has no latent attention.
    NoLatents,
    /// Blocks of the first number of elements do not fill a head as wide as the second.
    BlocksOfHead(u64, u64),
    /// A GPU of its own needs a rate for plain products.
    NoRate,
}

/// The rules by which sizes of a layout must divide one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DivisionRule {
    /// GPUs = tensor × pipeline × context × data.
    GpusByModelParallel,
    /// Tensor parallelism splits attention heads.
    HeadsByTensor,
    /// Key-value heads are split by tensor parallelism or copied a whole number of times.
    KeyValueHeadsByTensor,
    /// Tensor parallelism splits the width of the MLP.
    MlpWidthByTensor,
    /// Sequence parallelism splits the tokens of a sequence over the tensor ranks.
    SequenceByTensor,
    /// Context parallelism splits the tokens of a sequence, and sequence parallelism those once more.
    SequenceByContext,
    /// An all-to-all gives each context rank whole heads.
    HeadsByContext,
    /// A global batch is a whole number of micro-batches on every data-parallel rank.
    GlobalBatchByMicroBatch,
    /// Ranks that share one copy are a part of those that see different tokens.
    ShardGroup,
    /// Pipeline stages share the layers evenly, unless their layers are given.
    LayersByStages,
    /// So do the chunks of an interleaved or V-shaped schedule.
    LayersByChunks,
    /// Layers given for each stage add up to the model's.
    LayersInAll,
    /// There is one number of layers for each stage.
    EntriesByStages,
    /// DualPipe pairs stages.
    EvenStages,
    /// Interleaving sends micro-batches in groups of as many as there are stages.
    MicroBatchesByStages,
    /// DualPipe sends half of the micro-batches from either end, at least one a stage.
    MicroBatchesBothWays,
    /// Expert parallelism gives each rank as many experts.
    ExpertsByExpert,
    /// Ranks that hold all experts together divide the GPUs.
    RanksByExpert,
    /// Tensor parallelism inside an expert splits its width.
    ExpertWidthByExpertTensor,
    /// Those ranks divide the GPUs of a stage.
    GpusByExpertTensor,
    /// Served experts lie on a part of the tensor ranks, or on the ranks of whole replicas.
    ServingRanksByExpert,
}

impl DivisionRule {
    /// Every rule.
    pub const ALL: [DivisionRule; 21] = [
        DivisionRule::GpusByModelParallel,
        DivisionRule::HeadsByTensor,
        DivisionRule::KeyValueHeadsByTensor,
        DivisionRule::MlpWidthByTensor,
        DivisionRule::SequenceByTensor,
        DivisionRule::SequenceByContext,
        DivisionRule::HeadsByContext,
        DivisionRule::GlobalBatchByMicroBatch,
        DivisionRule::ShardGroup,
        DivisionRule::LayersByStages,
        DivisionRule::LayersByChunks,
        DivisionRule::LayersInAll,
        DivisionRule::EntriesByStages,
        DivisionRule::EvenStages,
        DivisionRule::MicroBatchesByStages,
        DivisionRule::MicroBatchesBothWays,
        DivisionRule::ExpertsByExpert,
        DivisionRule::RanksByExpert,
        DivisionRule::ExpertWidthByExpertTensor,
        DivisionRule::GpusByExpertTensor,
        DivisionRule::ServingRanksByExpert,
    ];
}

impl Problem {
    /// A name that is none of the allowed ones; of a very long one the beginning is enough to know it by.
    #[must_use]
    pub fn unknown(given: &str, allowed: String) -> Problem {
        Problem::Unknown { given: shortened(given), allowed }
    }
}

/// A given text, short enough to stand in a message.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => [&text[..end], "…"].concat(),
        None => text.to_owned(),
    }
}

impl Deref for FieldError {
    type Target = Refusal;
    fn deref(&self) -> &Refusal {
        &self.0
    }
}

impl FieldError {
    /// A refused field.
    pub fn new(field: impl Into<Cow<'static, str>>, problem: Problem) -> FieldError {
        FieldError(Box::new(Refusal { field: field.into(), problem }))
    }

    /// A value that goes only with `values` of another setting.
    pub fn only(field: &'static str, given: String, with: &'static str, values: &[&str]) -> FieldError {
        FieldError::new(field, Problem::Only { given, with, values: values.join(", ") })
    }

    /// A choice that leaves no room for another.
    pub fn contradiction(field: &'static str, given: impl Into<Cow<'static, str>>, with: Contradiction) -> FieldError {
        FieldError::new(field, Problem::Contradiction { given: given.into(), with })
    }
}
